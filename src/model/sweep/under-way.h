/* under-way.h: bytes under way against the bytes that memory needs: as predicted, and from when on more bring nothing.
 */
#ifndef DBPROF_MODEL_SWEEP_UNDER_WAY_H
#define DBPROF_MODEL_SWEEP_UNDER_WAY_H

#include <jansson.h>

struct sweep;

/* W."under_way", of W."points", which are those of the sweep; JSON null if no curve of the sweep shows it: the work is
 * the same along it, and there are times of double with different bytes under way. */
json_t *under_way_json(const struct sweep *sweep, const json_t *points);

#endif
