/* frames-data.h: a traced pipeline as chunks that go through stages, and the moments at which it is shown. */
#ifndef DBPROF_FIGURE_WHY_FRAMES_DATA_H
#define DBPROF_FIGURE_WHY_FRAMES_DATA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum pipeline_stage { STAGE_IN, STAGE_KERNEL, STAGE_OUT, STAGES };

enum { PIPELINE_STREAMS = 4, PIPELINE_MOMENTS = 6 };

struct pipeline_chunk {
	size_t stream;                     /* from 0, in order of first use */
	double start[STAGES], end[STAGES]; /* ns; NaN: the chunk has no such stage */
};

struct pipeline {
	struct pipeline_chunk *chunk; /* in order of their starts; owned */
	size_t n, streams;
	double span; /* ns */
};

struct pipeline_moment {
	const char *name; /* "fill", "steady", "drain", "double is done"; "" where nothing overlaps */
	double ns;
};

/* Reads T, a timeline, for pipeline_free(). False where it does not show chunks in streams: no events, several GPUs,
 * more than PIPELINE_STREAMS streams, fewer than two chunks, or a stream whose kernels and copies do not take turns. */
bool pipeline_read(const json_t *timeline, struct pipeline *out);
void pipeline_free(struct pipeline *pipeline);

/* Whether a stage of a chunk is at work at a moment. */
bool pipeline_busy(const struct pipeline_chunk *chunk, enum pipeline_stage stage, double ns);

/* At most PIPELINE_MOMENTS moments that show how double fills, runs and drains, in order of time; the last one, where
 * single is still at work. Returns how many. */
size_t pipeline_moments(const struct pipeline *single, const struct pipeline *dbl, struct pipeline_moment *out);

#endif
