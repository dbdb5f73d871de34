/*
 * tracks.h: all processes, tracks and lanes of a trace, made as they are needed. Trace viewers take a lane's events for
 * nested calls, and drop what overlaps without being nested: such events get lanes of their own.
 */
#ifndef DBPROF_EXPORT_TRACE_TRACKS_H
#define DBPROF_EXPORT_TRACE_TRACKS_H

#include <stddef.h>

#include "export/trace/track.h"

struct export;
struct tracks;

/* Reads names of processes, threads, GPUs and streams of ex->store. NULL with ex->err. */
struct tracks *tracks_new(struct export *ex);
void tracks_free(struct tracks *tracks); /* NULL is allowed */

/* The process, made if it is new: the form of the trace is then told. */
struct group *tracks_group(
	struct export *ex, struct tracks *tracks, enum group_kind kind, int64_t process, int64_t device);

/* All of them, one after the other in no order; *at is 0 at first. NULL at the end. */
struct group *tracks_next_group(struct tracks *tracks, size_t *at);

/* As tracks_group(), for a track. Once there are more than any viewer shows, events of new ones stand together on a
 * track without a process, and are counted in the result. */
struct track *tracks_find(struct export *ex, struct tracks *tracks, const struct track *wanted);

/* A lane where an event can stand, given that a track's events come by start. Nested ones share a lane if the track's
 * kind is that of host threads. NULL: there are too many at once. The lane stays where it is until the next call. */
struct lane *tracks_place(struct export *ex, struct tracks *tracks, struct track *track, int64_t start, int64_t end);

/* A track's first lane. */
struct lane *tracks_base(struct export *ex, struct tracks *tracks, struct track *track);

#endif
