/* instances.h: the instances of one NVTX range, and which of them a call lies in. */
#ifndef DBPROF_CONTRAST_INSTANCES_H
#define DBPROF_CONTRAST_INSTANCES_H

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct instance {
	int64_t thread; /* globalTid that opened it; in `open`: globalPid */
	int64_t start, end;
	uint32_t step; /* its place among all by start */
};

/* Begins as {0}; instances_free() ends it. */
struct instances {
	/* By thread and start. None lies in another one of its thread, so ends ascend, too. */
	struct instance *item;
	size_t n, room;
	struct instance
		*open; /* when some instance of a process was open: apart from each other, by process and start */
	size_t nopen;
	size_t nested, unclosed, unusable; /* left out */
};

enum { NO_INSTANCE = -1 };

/* Reads the instances of the ranges of this text, in any domain. */
int instances_read(struct instances *instances, struct store *store, const char *range, struct error *err);
void instances_free(struct instances *instances);

/* The step of the instance that the thread has open at this time, or NO_INSTANCE. Of two that overlap it is the one
 * that began later. */
int64_t instances_step(const struct instances *instances, int64_t thread, int64_t time);

/* The same by the only thread of the process that has instances; NO_INSTANCE if several have. */
int64_t instances_step_of_process(const struct instances *instances, int64_t process, int64_t time);

/* Whether any thread of the process has one open. */
bool instances_any_open(const struct instances *instances, int64_t process, int64_t time);

/* For how long from `start` to `end` none is open in the process (ns). */
int64_t instances_none_open_ns(const struct instances *instances, int64_t process, int64_t start, int64_t end);

/* Fills `err` with what ranges there are instead. Returns -1. */
int instances_missing(struct store *store, const char *range, struct error *err);

#endif
