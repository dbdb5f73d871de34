/* format.h: what a format gets and what it is: the rows of a recording, and the hooks that take them. */
#ifndef DBPROF_EXPORT_FORMAT_H
#define DBPROF_EXPORT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

/* Texts in what follows live until the hook returns. Processes are globalPid, threads globalTid, times ns. */

/* A kernel, a copy or a memset. */
struct export_work {
	enum table_id table; /* KERNEL, MEMCPY or MEMSET */
	const struct cursor *row;
	int64_t start, end;
	int64_t process, device, context, correlation;
	int64_t bytes; /* of copies and memsets; -1 for a kernel */
	uint32_t stream;
	int copy_kind;          /* of a copy: of ENUM_CUDA_MEMCPY_OPER */
	int src_kind, dst_kind; /* of ENUM_CUDA_MEM_KIND, or -1 */
	const char *name;       /* short name of a kernel; what a copy or a memset is, in words */
};

/* A call of the CUDA runtime or driver. */
struct export_call {
	int64_t start, end, thread, correlation, result;
	const char *name;
	bool driver;
};

enum export_range_kind { EXPORT_PUSH_POP, EXPORT_START_END, EXPORT_MARK };

/* An NVTX range or mark. A range that was never closed ends with the last thing recorded. */
struct export_range {
	const struct cursor *row;
	int64_t start, end, thread;
	const char *text, *domain; /* domain NULL: the default one */
	enum export_range_kind kind;
	bool open;
};

/* A synchronisation. */
struct export_wait {
	int64_t start, end, process, device, context, stream, correlation, event; /* stream and event -1: none */
	const char *name;
};

/* The profiler's own time on a thread. */
struct export_overhead {
	int64_t start, end, thread;
	const char *name;
};

/* A diagnostic message. */
struct export_note {
	int64_t time, process;
	const char *severity, *text;
};

/* A value against time: a reading of the GPU's state at a time, or a sample of PM sampling, from a time on. */
struct export_counter {
	int64_t start, end; /* end: of a sample; of a reading the same as start */
	int64_t device;
	const char *name, *unit;
	double value;
};

/* Device work of a launch that was sampled: in a run of its own, with locked clocks. */
struct export_sampled {
	int64_t start, end, device, stream;
	const char *class, *name; /* name NULL for all but kernels */
};

struct export;

/* A format. A hook that is NULL is not interested: what only it would want is not even read. The walk calls them in
 * this order; each gets its rows by start. */
struct export_hooks {
	int (*begin)(struct export *ex); /* 0, or -1 with ex->err */
	void (*call)(struct export *ex, const struct export_call *call);
	void (*overhead)(struct export *ex, const struct export_overhead *overhead);
	void (*work)(struct export *ex, const struct export_work *work);
	void (*wait)(struct export *ex, const struct export_wait *wait);
	void (*range)(struct export *ex, const struct export_range *range);
	void (*note)(struct export *ex, const struct export_note *note);
	void (*counter)(struct export *ex, const struct export_counter *counter);
	void (*sampled)(struct export *ex, const struct export_sampled *sampled);
	void (*end)(struct export *ex);
	void (*free)(struct export *ex); /* also after a failure */
	bool joins;                      /* fills ex->launches before the first row */
};

#endif
