/* point.h: one point of a sweep. */
#ifndef DBPROF_MODEL_SWEEP_POINT_H
#define DBPROF_MODEL_SWEEP_POINT_H

#include <jansson.h>

struct sweep;
struct sweep_point;

/* The point with all that was measured there, without its sentence. Fills the point's ratio and verdict. */
json_t *sweep_point_json(const struct sweep *sweep, struct sweep_point *point);

#endif
