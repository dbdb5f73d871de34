/* texts.h: each distinct text of a recording once, so that equal texts are equal pointers. */
#ifndef DBPROF_STORE_TEXTS_H
#define DBPROF_STORE_TEXTS_H

#include <stdint.h>

#include "store/store.h"

struct texts;

struct texts *texts_new(void);
void texts_free(struct texts *texts); /* NULL is allowed */

/* The text that stands for `text`: valid UTF-8, control characters replaced (utf8_clean()). Lives as long as `texts`.
 */
const char *texts_keep(struct texts *texts, const char *text);

/* Texts by number: 1, 2, 3 ... in the order of first sight. The number of a text: any thread may ask. */
uint32_t texts_number(struct texts *texts, const char *text);

/* The number of the text of a column: 0 where it is NULL. For one thread. */
uint32_t texts_column_number(struct texts *texts, const struct cursor *row, int column);

/* The same of the text that a redacted recording has in its file. */
uint32_t texts_column_in_file(struct texts *texts, const struct cursor *row, int column);

/* The text of a number; NULL for 0. Any thread may ask. Lives as long as `texts`. */
const char *texts_text(const struct texts *texts, uint32_t number);

#endif
