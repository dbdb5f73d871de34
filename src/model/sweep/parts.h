/* parts.h: the parts of the work at a point of a sweep, and each variant's distance from the floor. */
#ifndef DBPROF_MODEL_SWEEP_PARTS_H
#define DBPROF_MODEL_SWEEP_PARTS_H

#include <jansson.h>

struct sweep;
struct sweep_point;

/* Puts "parts", "candidates" and "hidden_share". `pair` has the times of single and double. Returns the variant whose
 * time is the floor, borrowed, or NULL. */
const char *point_parts(
	json_t *object, const struct sweep *sweep, const struct sweep_point *point, const double pair[2]);

#endif
