/* chunks.h: into how many chunks a pipeline's launch cuts its work at each point of a sweep. */
#ifndef DBPROF_MODEL_SWEEP_CHUNKS_H
#define DBPROF_MODEL_SWEEP_CHUNKS_H

struct sweep;

/* Fills in `chunks` of every point: NaN where it is not known, and in a family whose launches do not copy. */
void chunks_find(struct sweep *sweep);

#endif
