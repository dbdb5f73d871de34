/* dates.h: the recordings of a report by their GPU and date. */
#ifndef DBPROF_MODEL_SEVERAL_DATES_H
#define DBPROF_MODEL_SEVERAL_DATES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A recording in the list: where it stands, its date ("" unknown), its GPU ("" none). Borrowed from the tree. */
struct dated {
	size_t at;
	const char *created, *gpu;
	const json_t *recording;
	bool families; /* it has some */
};

/* All recordings, the oldest first; those of one date in their order. *n of them, for free(). */
struct dated *dated_recordings(const json_t *recordings, size_t *n);

#endif
