/* intern.h: gives each distinct text a number: 1, 2, 3 ... in the order of first sight. */
#ifndef DBPROF_STORE_INTERN_H
#define DBPROF_STORE_INTERN_H

#include <stdbool.h>
#include <stdint.h>

struct intern;

struct intern *intern_new(void);     /* NULL without memory */
void intern_free(struct intern *in); /* NULL is allowed */

/* The number of `text`, which is copied when new. Returns 0 without memory. */
int64_t intern_id(struct intern *in, const char *text, bool *is_new);

#endif
