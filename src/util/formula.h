/* formula.h: the arithmetic of a derived metric. */
#ifndef DBPROF_UTIL_FORMULA_H
#define DBPROF_UTIL_FORMULA_H

#include <stddef.h>

#include "util/error.h"

/* The value of a name of `length` bytes; NaN if it has none. */
typedef double formula_lookup(void *user, const char *name, size_t length);

/* Evaluates + - * / and parentheses over numbers and names, from left to right; `*` and `/` bind closer. A name begins
 * with a letter or _ and goes on with letters, digits, _ and `.`. Each name is looked up where it stands, and again if
 * it comes again. Division by zero gives NaN, not infinity. -1 with `err` if `formula` is not one. */
int formula_evaluate(const char *formula, formula_lookup *lookup, void *user, double *out, struct error *err);

#endif
