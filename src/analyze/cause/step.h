/* step.h: which causes make the difference between two steps of several kernels, each with its part in ns. */
#ifndef DBPROF_ANALYZE_CAUSE_STEP_H
#define DBPROF_ANALYZE_CAUSE_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/cause/parts.h"

/* A cause in one of the step's kernels. */
struct step_part {
	enum cause_id id;
	struct part_ns ns;
	bool sure;  /* the kernel's own difference is clear, or only one side has the kernel */
	int kernel; /* the caller's number */
};

/* How many parts a step names at most, the largest ones. The others are one part together. */
enum { STEP_PARTS = 12 };
_Static_assert(STEP_PARTS + 2 <= CAUSES, "the list of causes has room for them, the others and the rest");

/* What the difference of two steps consists of. Sorts the parts. `doubt`: half the interval of their sum, ns. With
 * `judged` false, the difference itself is not sure, and no cause is named. */
void step_causes_of(
	struct step_part *part, size_t n, struct part_ns difference, bool judged, double doubt, struct causes *out);

#endif
