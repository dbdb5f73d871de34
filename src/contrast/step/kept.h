/* kept.h: recordings of traced runs that are kept until it is known which step is shown. */
#ifndef DBPROF_CONTRAST_STEP_KEPT_H
#define DBPROF_CONTRAST_STEP_KEPT_H

#include <stddef.h>
#include <stdint.h>

struct launches;

/* What all of them may take on disk. */
enum { KEPT_BYTES = 512 << 20 };

struct kept_run {
	size_t side, number;             /* number: of the run, as its owner counts */
	const struct launches *launches; /* borrowed */
	char *path;                      /* owned; NULL: it was removed */
};

/* Begins as {0}; kept_free() removes all. */
struct kept {
	struct kept_run *run;
	size_t n, room;
};

/* Keeps one more; takes the path. */
void kept_add(struct kept *kept, size_t side, size_t number, const struct launches *launches, char *path);

/* Removes recordings until all take `bytes` at most: of each side's, those of runs without a step near the side's
 * median go first, and the last one stays. */
void kept_within(struct kept *kept, int64_t bytes);

/* The recording of the run of that number; NULL if it is not there. */
const char *kept_path(const struct kept *kept, size_t number);

void kept_free(struct kept *kept);

#endif
