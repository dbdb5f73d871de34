/* open-ends.h: the ends of the slices that are open, the earliest first. */
#ifndef DBPROF_EXPORT_TRACE_OPEN_ENDS_H
#define DBPROF_EXPORT_TRACE_OPEN_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct open_end {
	int64_t time;
	uint64_t uuid; /* of the track */
};

/* Begins as {0}. A heap. */
struct open_ends {
	struct open_end *ends;
	size_t n, room;
};

void open_ends_add(struct open_ends *ends, struct open_end end);

/* Takes the earliest end, if it is at `until` or before; false if there is none. */
bool open_ends_take(struct open_ends *ends, int64_t until, struct open_end *end);

/* Whether there are so many that the earliest had better be taken, whenever it is. */
bool open_ends_are_full(const struct open_ends *ends);

void open_ends_free(struct open_ends *ends);

#endif
