/* advice-parts.h: parts of an advice. Private to this folder. */
#ifndef DBPROF_MODEL_ADVICE_ADVICE_PARTS_H
#define DBPROF_MODEL_ADVICE_ADVICE_PARTS_H

#include <jansson.h>
#include <stddef.h>

#include "store/rowset.h"

struct family_rows;

/* All rows of DBPROF_ADVICE, by the kernels' share of the time. */
struct rows advice_rows_of_family(const struct family_rows *f);

/* "now" of row `i` of them: what the kernel does as it runs, and how that is known. */
json_t *advice_now_json(const struct family_rows *f, const struct rows *rows, size_t i);

/* "code": source lines and instructions of a kernel, those that matter; null where they are not known. */
json_t *advice_code_json(const struct family_rows *f, const char *label);

/* "advised": the program as a whole. `advice` is the list of its kernels. */
json_t *advised_json(const struct family_rows *f, const json_t *advice);

#endif
