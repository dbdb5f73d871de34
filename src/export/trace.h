/* trace.h: how the files of the trace-event format write events. Private to export-trace*.c. */
#ifndef DBPROF_EXPORT_TRACE_H
#define DBPROF_EXPORT_TRACE_H

#include "model/trace/trace.h"
#include "export/tracks.h"

/* ---- slices (export-slices.c) ---- */

struct slices;

struct slices *slices_new(struct export *ex); /* NULL with ex->err */
void slices_free(struct slices *slices);      /* NULL is allowed */
struct tracks *slices_tracks(struct slices *slices);

/* How an event stands among the others of its track: in a lane; apart, since it nests with nothing (a range that
 * another thread may end); as a mark, without a duration. */
enum slice_shape { SLICE_NESTED, SLICE_APART, SLICE_MARK };

/* Begins an event, of which the caller then writes the arguments into the text that is returned. The events of a track
 * come by start. Ends with slice_end(). NULL with ex->err. */
struct text *slice_begin(struct export *ex, struct slices *slices, const struct track *where, enum slice_shape shape,
	int64_t start, int64_t end, const char *name, const char *category);
int slice_end(struct export *ex, struct slices *slices);

/* An arrow begins ('s') or ends ('f') at the slice that was begun last. Both ends have the number of the same process
 * and correlation id. */
void slice_flow(struct slices *slices, char phase, int64_t correlation);

/* Writes what waits. To be called at the end. */
int slices_flush(struct export *ex, struct slices *slices);

/* Process, thread (0: the process as a whole) and time stamp of an event. */
void put_place(struct text *text, int pid, int tid, int64_t ts);

/* The process of the event that was begun last. */
struct group *slice_group(struct slices *slices);

/* ---- counters ---- */

void put_counter(
	struct text *text, const struct group *group, const char *name, const char *unit, double value, int64_t ts);

/* The rates of copies (export-rates.c): a copy began, in the order of their starts; the end of the trace. */
int rates_copy(struct export *ex, struct group *group, const struct activity *copy);
void rates_end(struct export *ex, struct tracks *tracks);

/* ---- arguments (export-trace-args.c), after an opening brace or other arguments ---- */

void arg_int(struct text *text, const char *key, int64_t number);
void arg_real(struct text *text, const char *key, double number);      /* left out if it is not finite */
void arg_text(struct text *text, const char *key, const char *string); /* left out if NULL or empty */

void work_args(struct export *ex, struct text *text, const struct export_work *work);
void range_args(struct text *args, const struct export_range *range);

#endif
