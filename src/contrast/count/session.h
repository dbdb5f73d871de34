/* session.h: CUPTI's range profiler inside a program: one group of metrics for one kernel, a pass in each launch. */
#ifndef DBPROF_CONTRAST_COUNT_SESSION_H
#define DBPROF_CONTRAST_COUNT_SESSION_H

#include <stdbool.h>

#include "contrast/count/count.h"
#include "record/cupti/profiler.h"

/* session_prepare() sets it up. */
struct session {
	const struct cupti *cupti;                   /* borrowed */
#define SESSION_MEMBER(name) __typeof__(name) *name; /* NOLINT(bugprone-macro-parentheses): a declarator */
	RANGE_PROFILER_FUNCTIONS(SESSION_MEMBER)
#undef SESSION_MEMBER
	bool is_initialized;

	CUpti_RangeProfiler_Object *object; /* NULL: it is closed */
	CUcontext context;
	bool is_started; /* the profiler waits for the range of a pass */
	uint8_t *image;  /* counter data; owned */
	size_t image_size;
};

/* Finds the functions. -1 with `err` if this CUPTI lacks one. */
int session_prepare(struct session *session, const struct cupti *cupti, struct error *err);

/* The name of a device's chip; lives as long as CUPTI. NULL with `err`. */
const char *session_chip(struct session *session, int device, struct error *err);

/* What the device of the current context can count: an image of *size bytes, for free(). NULL with `err`. */
uint8_t *session_availability(struct session *session, size_t *size, struct error *err);

/* Opens the profiler in a context for a group. It must be closed. An open one that gets other metrics counts nothing
 * (H100, CUDA 13.0), so each group opens it anew. -1 with `err`; then it is closed. */
int session_open(struct session *session, CUcontext context, const struct count_group *group, struct error *err);
void session_close(struct session *session);

/* Starts the profiler for the next pass; nothing is counted yet. session_begin() does it if it was not done. Starting
 * it for the first time leaves caches cold, which the first launch behind it pays for. -1 with `err`. */
int session_arm(struct session *session, struct error *err);

/* Right before a launch, and when its work is over. session_end() returns 1 if this was the last pass; -1 with `err`.
 */
int session_begin(struct session *session, struct error *err);
int session_end(struct session *session, struct error *err);

/* Behind the last pass: brings the counters into the image. */
int session_decode(const struct session *session, struct error *err);

#endif
