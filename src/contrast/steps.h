/* steps.h: reads what the library in src/contrast/range/ has written. */
#ifndef DBPROF_CONTRAST_STEPS_H
#define DBPROF_CONTRAST_STEPS_H

#include <stddef.h>
#include <stdint.h>

#include "util/error.h"

/* An instance of the range, which begins and ends on the host. */
struct side_step {
	int64_t start_ns, end_ns;
	int64_t process, thread; /* numbers of the system; `thread` is the one that ended the range */
};

/* What the files of ranges in a folder say. */
struct steps_taken {
	struct side_step *steps; /* by their start, for free(); NULL for none */
	size_t n;
	int lost; /* errno for which a process could not write all of its own down; 0: none tells of that */
};

/* Takes all files of ranges in the folder and removes them. Adds `offset_ns` to their times. 0, or -1 with `err` if a
 * file cannot be read. */
int steps_take(const char *folder, int64_t offset_ns, struct steps_taken *out, struct error *err);

/* Drops those that lie in another one of their thread, as in a traced run. */
void steps_drop_nested(struct side_step *steps, size_t *n);

#endif
