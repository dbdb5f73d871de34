/* callers.h: the calls that asked for device work, read beside it. */
#ifndef DBPROF_EXPORT_CALLERS_H
#define DBPROF_EXPORT_CALLERS_H

#include "export/format.h"

struct callers;

/* A call that asked for work, and the innermost NVTX range around it. Texts live as long as `callers`. */
struct caller {
	int64_t process, correlation, start, end, thread;
	const char *name;
	const char *range, *domain; /* NULL: none, the default one */
};

/* Looks through the calls once, counting those without usable times. NULL with ex->err. */
struct callers *callers_open(struct export *ex);
void callers_close(struct callers *callers); /* NULL is allowed */

/* The call that asked for the work. Each piece of work is asked for once, by start: 1; 0: none did; -1 with ex->err. */
int callers_find(struct callers *callers, const struct export_work *work, struct caller *caller);

#endif
