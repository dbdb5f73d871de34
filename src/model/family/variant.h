/* variant.h: a variant's entry for one case. */
#ifndef DBPROF_MODEL_FAMILY_VARIANT_H
#define DBPROF_MODEL_FAMILY_VARIANT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct measured;
struct model;
struct rows;

/* Whether host and records agree in row `i` of a slice of DBPROF_COUNT. */
bool count_agrees(const struct rows *counts, size_t i);

/* The variant's entry for that case. `throughput` is that of its median time; `single` is the family's single in the
 * same case, or NULL. */
json_t *variant_case_json(
	const struct model *model, const struct measured *m, const struct measured *single, double throughput);

#endif
