/*
 * trace.h: the device work and the NVTX ranges of a recording, in memory. A recording can have 10^8 pieces of work:
 * what each of them has stands in columns of a few bytes, by its number. docs/size.md says what they take.
 */
#ifndef DBPROF_MODEL_TRACE_TRACE_H
#define DBPROF_MODEL_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/analyze.h"
#include "store/devices.h"
#include "store/store.h"
#include "store/texts.h"

enum { COPY_KIND_NONE = -1 }; /* of kernels and memsets */

/* Work of one class in one stream of a process on a GPU. */
struct work_lane {
	int64_t process; /* globalPid; 0 where the file does not tell */
	int device;      /* as the GPU is numbered: see device_of() */
	uint32_t gpu;    /* place of the device in trace.gpus */
	uint32_t stream;
	uint8_t cls; /* enum work_class */
};

/* What only a copy or a memset has. */
struct work_copy {
	int64_t bytes;
	int64_t call_end;      /* of the call that copies */
	uint32_t call;         /* its name, a number of trace.texts; 0: it is not known */
	int8_t kind;           /* ENUM_CUDA_MEMCPY_OPER, or COPY_KIND_NONE of a memset */
	int8_t source, target; /* ENUM_CUDA_MEM_KIND or -1; both enumerations as the schema numbers them */
	bool blocking;         /* the call returns when the copy is done */
};

/* An NVTX range. */
struct range {
	int64_t start, end;
	uint32_t thread; /* place in trace.threads */
	uint32_t text;   /* number in trace.texts */
	uint32_t domain; /* likewise; 0: the default one */
	uint32_t color;  /* ARGB, if is_colored */
	/* Index of the innermost push/pop range around its start, or -1. Of a start/end range: of the push/pop range
	 * that stands before it on its thread, which need not be around it. */
	int parent;
	/* 0 is outermost on its thread, RANGE_DEEPEST also what is deeper; start/end ranges come in rows below the
	 * others */
	unsigned depth : 29;
	bool is_colored : 1;
	bool apart : 1;     /* a start/end range: may overlap others of its thread in any way */
	bool iteration : 1; /* a traced iteration of a family */
};

enum { RANGE_DEEPEST = (1 << 28) - 1 };

struct trace {
	/* Columns by the number of a piece of work; by start. */
	size_t nwork;
	int64_t *start, *end;
	uint32_t *lane;   /* place in lanes */
	uint32_t *what;   /* see work_what() */
	int64_t *called;  /* when the API call that asked for it began; 0 if the call is not known */
	uint32_t *thread; /* the call's: one more than its place in threads; 0: the call is not known */

	struct work_lane *lanes; /* by device, process, stream and class */
	size_t nlanes;
	struct work_copy *copies;
	size_t ncopies;
	int *gpus; /* devices that have work, ascending */
	size_t ngpus;
	int64_t *threads; /* globalTid of all threads that call or have ranges, ascending */
	size_t nthreads;
	uint32_t *by_call;    /* the work whose API call is known, by the call's thread and start */
	size_t *first_call;   /* by thread: where its work begins in by_call; behind the last one: where that ends */
	struct range *ranges; /* by thread and start, an outer range before its inner ones */
	size_t nranges;
	size_t ncalls; /* with usable times */
	/* By part of the table of calls: from the first start in it to the last one; NULL: there is no such table. */
	struct interval *call_parts;
	size_t ncall_parts;

	size_t processors; /* how many threads may compute at once */
	struct devices devices;
	size_t unusable;  /* records left out: they have no times, for which the profiler gives 0 */
	size_t nowhere;   /* pieces of work left out: no GPU can have their number */
	size_t graphs;    /* launches of graphs that were traced as a whole */
	size_t beyond;    /* pieces of work left out: they are on GPUs beyond GPUS_MOST */
	size_t ambiguous; /* pieces of work whose call may be of either of two processes: the call counts as unknown */
	bool no_calls;    /* the file has no API calls */
	bool processes;   /* some work names its process */
	int64_t *correlation; /* of each piece of work, until its call is known; then NULL */
	struct texts *texts;
};

enum { GPUS_MOST = 256 }; /* whose work is read */

/* One piece of work with all that is known of it. */
struct activity {
	int64_t start, end;
	int64_t process;
	int64_t bytes;          /* copies and memsets; -1 for a kernel and a graph */
	int64_t thread, called; /* of the API call that asked for it; 0 if it is not known */
	const char *name;       /* a kernel's short name, a graph's; NULL for copies and memsets. Owned by the trace */
	uint32_t stream;
	int device;
	int8_t copy_kind;          /* as work_copy.kind */
	int8_t src_kind, dst_kind; /* ENUM_CUDA_MEM_KIND or -1 */
	uint8_t cls;               /* enum work_class */
};

/* A selection of device work: ascending numbers. */
struct work_list {
	uint32_t *item;
	size_t n;
};

/* An empty trace. */
void trace_begin(struct trace *trace);

void trace_free(struct trace *trace);

/* The text, stored once in the trace; equal texts give equal pointers. */
const char *trace_text(struct trace *trace, const char *text);

/* The first piece of work that starts at `time` or later; nwork if there is none. */
size_t trace_first_from(const struct trace *trace, int64_t time);

/* The first range of a thread, or of the next threads, that starts after `time`; nranges if there is none. */
size_t trace_first_range(const struct trace *trace, uint32_t thread, int64_t time);

/* How many threads are worth it for `n` pieces of work: 1 for few. */
size_t trace_workers(const struct trace *trace, size_t n);

/* Fills *out. */
void trace_activity(const struct trace *trace, size_t i, struct activity *out);

/* `what` of a kernel or a graph is the number of its name; of a copy or memset, its place in copies with this bit. */
#define WHAT_COPY (UINT32_C(1) << 31)

/* What only a copy or memset has; NULL for other work. */
static inline struct work_copy *work_copy(const struct trace *trace, size_t i)
{
	return trace->what[i] & WHAT_COPY ? &trace->copies[trace->what[i] & ~WHAT_COPY] : NULL;
}

/* ENUM_CUDA_MEMCPY_OPER, or COPY_KIND_NONE. */
static inline int work_copy_kind(const struct trace *trace, size_t i)
{
	const struct work_copy *copy = work_copy(trace, i);

	return copy ? copy->kind : COPY_KIND_NONE;
}

static inline const struct work_lane *work_lane(const struct trace *trace, size_t i)
{
	return &trace->lanes[trace->lane[i]];
}

/* globalTid of the call that asked for it; 0 if it is not known. */
static inline int64_t work_thread(const struct trace *trace, size_t i)
{
	return trace->thread && trace->thread[i] ? trace->threads[trace->thread[i] - 1] : 0;
}

static inline int64_t work_called(const struct trace *trace, size_t i)
{
	return trace->called ? trace->called[i] : 0;
}

static inline const char *trace_range_text(const struct trace *trace, const struct range *range)
{
	return texts_text(trace->texts, range->text);
}

static inline int64_t range_thread(const struct trace *trace, const struct range *range)
{
	return trace->threads[range->thread];
}

#endif
