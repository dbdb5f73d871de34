/* machine-now.h: what a kernel does now, read from its machine code. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_MACHINE_NOW_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_MACHINE_NOW_H

#include <jansson.h>

#include "store/rowset.h"

struct model;

/* F."code_pairs"[]."single_now" and "double_now", from a side's rows of DBPROF_INSTRUCTION, in order. Null where there
 * are none, or only redacted ones. */
json_t *machine_now_json(const struct model *model, const struct rows *rows);

#endif
