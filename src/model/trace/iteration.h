/* iteration.h: traced iterations of families. */
#ifndef DBPROF_MODEL_TRACE_ITERATION_H
#define DBPROF_MODEL_TRACE_ITERATION_H

#include <stddef.h>

struct model;
struct range;

/* One range "trace LABEL N" inside a range "FAMILY/VARIANT". */
struct iteration {
	const char *anchor; /* "FAMILY/VARIANT" */
	const char *label;  /* of the case */
	long number;
	const struct range *range;
};

/* Finds them all: sets model->iterations. */
void iterations_find(struct model *model);

/* Those of one variant in one case, by number. */
const struct iteration *iterations_of(const struct model *model, const char *anchor, const char *label, size_t *n);

#endif
