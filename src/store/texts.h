/* texts.h: each distinct text of a recording once, so that equal texts are equal pointers. */
#ifndef DBPROF_STORE_TEXTS_H
#define DBPROF_STORE_TEXTS_H

#include "store/store.h"

struct texts;

struct texts *texts_new(void);
void texts_free(struct texts *texts); /* NULL is allowed */

/* The text that stands for `text`: valid UTF-8, control characters replaced (utf8_clean()). Lives as long as `texts`.
 */
const char *texts_keep(struct texts *texts, const char *text);

/* The same for the text of a column, or for `otherwise` where it is NULL; NULL if both are. */
const char *texts_column(struct texts *texts, const struct cursor *row, int column, const char *otherwise);

#endif
