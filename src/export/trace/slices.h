/* slices.h: events of a trace with a name, a place and arguments, written in an order in which viewers see them nested.
 */
#ifndef DBPROF_EXPORT_TRACE_SLICES_H
#define DBPROF_EXPORT_TRACE_SLICES_H

#include "export/trace/form.h"
#include "export/trace/tracks.h"

struct slices;

struct slices *slices_new(struct export *ex); /* NULL with ex->err */
void slices_free(struct slices *slices);      /* NULL is allowed */
struct tracks *slices_tracks(struct slices *slices);

/* Begins an event, of which the caller then writes the arguments into the text that is returned. The events of a track
 * come by start. Ends with slice_end(). */
struct strbuf *slice_begin(struct export *ex, struct slices *slices, const struct track *where, enum slice_shape shape,
	int64_t start, int64_t end, const char *name, const char *category);
void slice_end(struct slices *slices);

/* An arrow begins ('s') or ends ('f') at the slice that was begun last. Both ends have the number of the same process
 * and correlation id. */
void slice_flow(struct slices *slices, char phase, int64_t correlation);

/* The process of the event that was begun last. */
struct group *slice_group(struct slices *slices);

/* Writes what waits. To be called at the end. */
void slices_flush(struct export *ex, struct slices *slices);

#endif
