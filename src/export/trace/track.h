/* track.h: where events of a trace stand: a process of the trace, a track of it, the lanes of a track. */
#ifndef DBPROF_EXPORT_TRACE_TRACK_H
#define DBPROF_EXPORT_TRACE_TRACK_H

#include "export/trace/running.h"

enum track_kind {
	TRACK_NVTX,     /* of a host thread */
	TRACK_CALLS,    /* of a host thread */
	TRACK_OVERHEAD, /* of a host thread */
	TRACK_STREAM,   /* of a GPU in a process */
	TRACK_WAITS,    /* of a GPU in a process */
	TRACK_SAMPLED,  /* streams of the work that was PM-sampled */
	TRACK_KINDS
};

enum group_kind { GROUP_PROCESS, GROUP_GPU, GROUP_COUNTERS };

enum { RATES = 2 }; /* host to device, device to host */

/* A process of the trace: one of the program's, or a GPU as used by one of them, or what a GPU's counters say. */
struct group {
	enum group_kind kind;
	int64_t process, device;
	int pid;
	uint64_t uuid;              /* of a form that has such; else 0 */
	int order;                  /* of its process among the processes, from 0 */
	struct running rate[RATES]; /* of a GPU: of the copies that are under way (GB/s) */
};

struct lane {
	int64_t *ends; /* of the events that are open, the outermost first */
	int depth, room;
	int tid;
	uint64_t uuid; /* as of a group */
	int64_t start; /* of its latest event */
};

struct track {
	enum track_kind kind;
	int64_t process, device, context, id; /* id: thread or stream; what does not apply is 0 */
	struct group *group;
	struct lane *lanes;
	int nlanes;
};

#endif
