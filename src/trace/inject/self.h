/* self.h: what a traced process says about itself. */
#ifndef DBPROF_TRACE_INJECT_SELF_H
#define DBPROF_TRACE_INJECT_SELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "store/store.h"

struct self {
	pid_t pid, parent;
	int64_t start;      /* CLOCK_REALTIME, ns */
	char command[4096]; /* arguments with spaces between */
	char name[4096];    /* of the executable, without its folder */
	size_t wide_ranges; /* see wide.h; counts where it has finished */
};

/* Fills *self from /proc. What cannot be read stays empty. */
void self_read(struct self *self);

/* Writes the process's row of DBPROF_PROCESS: once when the process begins and again when it ends. The last one in a
 * spool counts. `note` may be NULL. */
int self_write(struct spool *spool, const struct self *self, bool finished, size_t dropped, size_t untimed,
	const char *note, struct error *err);

/* Writes the process's row of PROCESSES, and CUPTI's version. 0, or -1 with `err`. */
int self_write_facts(struct spool *spool, const struct self *self, uint32_t cupti, struct error *err);

#endif
