/* side-by-side.h: the code of kernels that both programs have. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_SIDE_BY_SIDE_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_SIDE_BY_SIDE_H

#include <jansson.h>

struct family_rows;

/* F."code_pairs": of `single` and `double`, in the order of cases; empty where the recording has no code of both. */
json_t *code_pairs_json(const struct family_rows *f);

#endif
