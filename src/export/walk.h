/*
 * walk.h: what the exports share: the rows of a recording as formats get them, the hooks of a format, and the
 * walk that calls them. Private to the exports.
 */
#ifndef DBPROF_EXPORT_WALK_H
#define DBPROF_EXPORT_WALK_H

#include "model/recording.h"
#include "model/trace/trace.h"
#include "export/text.h"
#include "export/export.h"
#include "util/outfile.h"

/* Texts in what follows live until the hook returns. Processes are globalPid, threads globalTid, times ns. */

/* The process id of a globalPid or globalTid. */
static inline int64_t export_pid(int64_t global)
{
	return global >> 24 & 0xFFFFFF;
}

/* The thread id of a globalTid. */
static inline int64_t export_tid(int64_t thread)
{
	return thread & 0xFFFFFF;
}

/* A kernel, a copy or a memset. */
struct export_work {
	enum table_id table; /* KERNEL, MEMCPY or MEMSET */
	const struct cursor *row;
	struct activity did;
	int64_t context;
	const char *name; /* short name of a kernel; what a copy or a memset is, in words */
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

/* A format. A hook that is NULL is not interested: what only it would want is not even read. All return 0, or -1 with
 * ex->err. The walk calls them in this order; each gets its rows by start. */
struct export_hooks {
	int (*begin)(struct export *ex);
	int (*call)(struct export *ex, const struct export_call *call);
	int (*overhead)(struct export *ex, const struct export_overhead *overhead);
	int (*work)(struct export *ex, const struct export_work *work);
	int (*wait)(struct export *ex, const struct export_wait *wait);
	int (*range)(struct export *ex, const struct export_range *range);
	int (*note)(struct export *ex, const struct export_note *note);
	int (*counter)(struct export *ex, const struct export_counter *counter);
	int (*sampled)(struct export *ex, const struct export_sampled *sampled);
	int (*end)(struct export *ex);
	void (*free)(struct export *ex); /* also after a failure */
	bool joins;                      /* fills ex->launches before the first row */
};

struct launches;

struct export
{
	const struct export_options *options;
	const struct export_hooks *hooks;
	struct store *store;
	struct model names; /* its store and err alone: for the words of model-names.c */
	struct outfile *out;
	struct text text;             /* not yet in `out` */
	bool in_row;                  /* of CSV: a cell of the row is there */
	struct launches *launches;    /* which calls asked for device work; NULL without `joins` */
	int64_t only_process;         /* of an export whose work names no process; -1: the work does */
	int64_t last;                 /* latest time of device work */
	bool unsorted[TABLES_NUMBER]; /* tables of device work whose rows do not come by start */
	struct export_result *result;
	size_t rows;
	size_t written;    /* bytes that are in the file */
	void *state;       /* of the format */
	bool not_the_file; /* the error is none of the recording: the output, memory, an interruption */
	struct error *err;
};

/* Reads the recording for ex->hooks. */
int export_walk(struct export *ex);

/* Parts of the walk: device work (export-work.c), with a first look for what has to be known before; NVTX
 * (export-nvtx.c); PM sampling and readings of clocks (export-counters.c). */
int export_prepare(struct export *ex);
int export_work(struct export *ex);
int export_nvtx(struct export *ex);
int export_counters(struct export *ex);

/* Whether times make sense. Profilers write 0 where they have none. */
bool export_times_good(int64_t start, int64_t end);

/* The same for a row that would be given; counts it as left out if not. */
bool export_usable(struct export *ex, int64_t start, int64_t end);

/* To be called for each row: hands the text over when there is enough of it, and ends an export that was interrupted
 * or has run out of memory. */
int export_step(struct export *ex);

/* "out of memory" into ex->err. Returns -1. */
int export_no_memory(struct export *ex);

/* The process under which ex->launches knows the calls and the work of a process. */
int64_t export_launch_process(const struct export *ex, int64_t process);

/* ---- which calls asked for device work (export-launches.c): a bit or two per correlation id ---- */

struct launches *launches_new(void);
void launches_free(struct launches *launches); /* NULL is allowed */

/* Device work has this id. -1 without memory. */
int launches_add(struct launches *launches, int64_t process, int64_t correlation);
bool launches_has(const struct launches *launches, int64_t process, int64_t correlation);

/* True for the first call that asks for an id which work has: a driver's call inside a runtime's has the same one. */
bool launches_take(struct launches *launches, int64_t process, int64_t correlation);
/* Whether a call took it. */
bool launches_taken(const struct launches *launches, int64_t process, int64_t correlation);

/* ---- formats ---- */

extern const struct export_hooks export_trace_hooks; /* export-trace.c */

/* A table of CSV (export-csv.c). */
struct export_table {
	const char *name;
	const struct export_hooks *hooks;                          /* or NULL: then it is made of */
	void (*model)(struct export *ex, const json_t *recording); /* the recording's entry in the model */
};

/* NULL if there is none of the name. */
const struct export_table *export_table_find(const char *name);

#endif
