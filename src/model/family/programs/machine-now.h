/* machine-now.h: what a kernel does now, read from its machine code. Of contrasts and advice. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_MACHINE_NOW_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_MACHINE_NOW_H

#include <jansson.h>
#include <stdbool.h>

#include "analyze/analyze.h"
#include "store/rowset.h"

struct model;

/* Reads a side's rows of DBPROF_INSTRUCTION, in order, with their samples. False, and nothing in *out, where there are
 * none, or only redacted ones. */
bool machine_code_read(const struct model *model, const struct rows *rows, struct asm_kernel *out);

/* F."code_pairs"[]."single_now" and "double_now", from the same rows. Null where machine_code_read() reads none. */
json_t *machine_now_json(const struct model *model, const struct rows *rows);

#endif
