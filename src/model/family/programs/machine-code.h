/* machine-code.h: whether two sides of a contrast run the same machine code. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_MACHINE_CODE_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_MACHINE_CODE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct family_rows;

/* Whether most runs of the family's pair lack each kernel of it, as where a compiler puts a number into names. */
bool kernel_names_change(const struct family_rows *f);

/* Adds "same_code" and "same_launches" of two variants, by their numbers; both are null for a variant and itself. */
void same_code_put(json_t *tree, const struct family_rows *f, size_t single, size_t other);

/* Whether kernels that match, as matched[].kernels has them, have the same machine code: null if that is not known. */
json_t *kernels_same_code(const json_t *kernels);

/* Adds "changing_code": the kernels that came with other machine code under their name. */
void changing_code_put(json_t *tree, const struct family_rows *f);

#endif
