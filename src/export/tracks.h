/*
 * tracks.h: where the events of a trace stand: processes, their tracks, and the lanes of a track. Trace viewers
 * take a lane's events for nested calls, and drop what overlaps without being nested: such events get lanes of their
 * own. Private to export-trace*.c.
 */
#ifndef DBPROF_EXPORT_TRACKS_H
#define DBPROF_EXPORT_TRACKS_H

#include "analyze/analyze.h"
#include "export/walk.h"

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
	int order;                  /* of its process among the processes, from 0 */
	struct running rate[RATES]; /* of a GPU: of the copies that are under way (GB/s) */
};

struct lane {
	int64_t *ends; /* of the events that are open, the outermost first */
	int depth, room;
	int tid;
	int64_t start; /* of its latest event */
};

struct track {
	enum track_kind kind;
	int64_t process, device, context, id; /* id: thread or stream; what does not apply is 0 */
	struct group *group;
	struct lane *lanes;
	int nlanes;
	int order; /* among the threads of its process */
};

/* What the recording says about who is who (export-track-names.c). */
struct track_names {
	struct rowset processes, traced, threads, gpus, contexts, streams;
};

int track_names_load(struct track_names *names, struct store *store, struct error *err);
void track_names_free(struct track_names *names);

/* The metadata events of a process, and of a lane of a track: its name and its place among the others. */
void put_group(struct text *text, const struct track_names *names, const struct group *group);
void put_lane(struct text *text, const struct track_names *names, const struct track *track, int lane);

struct tracks;

/* Reads names of processes, threads, GPUs and streams. NULL with ex->err. */
struct tracks *tracks_new(struct export *ex);
void tracks_free(struct tracks *tracks); /* NULL is allowed */

/* The process, made if it is new: its metadata then go to ex->text. NULL with ex->err. */
struct group *tracks_group(
	struct export *ex, struct tracks *tracks, enum group_kind kind, int64_t process, int64_t device);

/* All of them, one after the other in no order; *at is 0 at first. NULL at the end. */
struct group *tracks_next_group(struct tracks *tracks, size_t *at);

/* As tracks_group(), for a track. Once there are more than any viewer shows, events of new ones stand together on a
 * track without a process, and are counted in the result. */
struct track *tracks_find(struct export *ex, struct tracks *tracks, const struct track *wanted);

/* The tid of a lane where an event can stand, given that a track's events come by start. Nested ones share a lane if
 * the track's kind is that of host threads. 0: there are too many at once; -1 with ex->err. */
int tracks_place(struct export *ex, struct tracks *tracks, struct track *track, int64_t start, int64_t end);

/* The tid of a track's first lane. */
int tracks_base(struct export *ex, struct tracks *tracks, struct track *track);

#endif
