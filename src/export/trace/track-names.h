/* track-names.h: what the processes and threads of a trace are called, and how they are sorted. */
#ifndef DBPROF_EXPORT_TRACE_TRACK_NAMES_H
#define DBPROF_EXPORT_TRACE_TRACK_NAMES_H

#include "export/trace/track.h"
#include "store/rowset.h"

struct export;

/* What the recording says about who is who. Begins as {0}. */
struct track_names {
	struct rowset processes, traced, threads, gpus, contexts, streams;
};

/* 0, or -1 with err; track_names_free() is to be called in any case. */
int track_names_load(struct track_names *names, struct store *store, struct error *err);
void track_names_free(struct track_names *names);

/* Tells the form of the trace of a new process, or of a new lane of a track: its name and its place among the others.
 */
void tell_group(struct export *ex, const struct track_names *names, struct group *group);
void tell_lane(struct export *ex, const struct track_names *names, const struct track *track, int lane);

#endif
