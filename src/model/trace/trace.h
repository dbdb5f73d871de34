/* trace.h: the device work and the NVTX ranges of a recording, in memory. */
#ifndef DBPROF_MODEL_TRACE_TRACE_H
#define DBPROF_MODEL_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/analyze.h"
#include "store/devices.h"
#include "store/store.h"

enum { COPY_KIND_NONE = -1 }; /* of kernels and memsets */

/* One piece of device work. Recordings have millions: every member costs. */
struct activity {
	int64_t start, end;
	int64_t process, correlation; /* correlation 0: no call is known */
	int64_t bytes;                /* copies and memsets; -1 for a kernel and a graph */
	int64_t thread, called;       /* of the API call that asked for it; 0 if it is not known */
	const char *name; /* a kernel's short name, a graph's; NULL for copies and memsets. Owned by the trace */
	uint32_t stream;
	int device;                /* as the GPU is numbered: see device_of() */
	int8_t copy_kind;          /* ENUM_CUDA_MEMCPY_OPER or COPY_KIND_NONE */
	int8_t src_kind, dst_kind; /* ENUM_CUDA_MEM_KIND or -1; both enumerations as the schema numbers them */
	uint8_t cls;               /* enum work_class */
};

/* An NVTX range. */
struct range {
	int64_t start, end, thread;
	const char *text, *domain; /* domain NULL: the default one. Owned by the trace */
	int64_t color;             /* ARGB, -1 for none */
	int depth;                 /* 0 is outermost on its thread; start/end ranges come in rows below the others */
	int parent;                /* index of the innermost range around its start, or -1; -1 for start/end ranges */
	bool apart;                /* a start/end range: may overlap others of its thread in any way */
	bool iteration;            /* a traced iteration of a family */
};

struct trace {
	struct activity *work; /* by start */
	size_t nwork;
	struct devices devices;
	size_t unusable;  /* records left out: they have no times, for which the profiler gives 0 */
	size_t graphs;    /* launches of graphs that were traced as a whole */
	size_t beyond;    /* pieces of work left out: they are on GPUs beyond GPUS_MOST */
	size_t ambiguous; /* pieces of work whose call may be of either of two processes: the call counts as unknown */
	bool no_calls;    /* the file has no API calls */
	const struct activity **by_call; /* the work whose API call is known, by the call's thread and start */
	size_t ncalled;
	struct range *ranges; /* by thread and start, an outer range before its inner ones */
	size_t nranges;
	struct texts *texts;
};

enum { GPUS_MOST = 256 }; /* whose work is read */

/* A selection of device work. */
struct work_list {
	const struct activity **item;
	size_t n;
};

/* An empty trace. */
void trace_begin(struct trace *trace);

void trace_free(struct trace *trace);

/* The text, stored once in the trace; equal texts give equal pointers. */
const char *trace_text(struct trace *trace, const char *text);

/* The same for the text of a column, or `otherwise` where it is NULL. */
const char *trace_name(struct trace *trace, const struct cursor *row, int column, const char *otherwise);

#endif
