/* intern.h: gives each distinct text a number: 1, 2, 3 ... in the order of first sight. */
#ifndef DBPROF_STORE_INTERN_H
#define DBPROF_STORE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limit of intern_new() counts so many bytes for an entry beside its text. */
enum { INTERN_ENTRY_COST = 64 };

struct intern;

/* It may hold `limit` bytes, texts and entries together. NULL without memory. */
struct intern *intern_new(size_t limit);
void intern_free(struct intern *in); /* NULL is allowed */

/* The number of `text`. A new text is copied. Returns 0 without memory, and for a new text above the limit. */
uint32_t intern_id(struct intern *in, const char *text, bool *is_new);

/* Whether the text has a number. */
bool intern_has(const struct intern *in, const char *text);

/* The text of a number that intern_id() gave. Lives as long as `in`. */
const char *intern_text(const struct intern *in, uint32_t id);

#endif
