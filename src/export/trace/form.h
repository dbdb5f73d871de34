/* form.h: how a trace is written: as JSON trace events (json.h) or as packets of Perfetto's own format (packets.h). */
#ifndef DBPROF_EXPORT_TRACE_FORM_H
#define DBPROF_EXPORT_TRACE_FORM_H

#include <stdbool.h>

#include "export/format.h"
#include "export/trace/track.h"
#include "util/strbuf.h"

/* How an event stands among the others of its track: in a lane; apart, since it nests with nothing (a range that
 * another thread may end); as a mark, without a duration. */
enum slice_shape { SLICE_NESTED, SLICE_APART, SLICE_MARK };

/* An event, as a form writes it. Head and arguments are what the form has made of them. */
struct slice {
	enum slice_shape shape;
	const struct track *track;
	int64_t start, end, flow; /* flow: id of the arrow, -1 for none */
	char flow_phase;          /* s: begins here, f: ends here */
	const char *head, *args;
	size_t head_size, args_size;
};

struct trace_form {
	bool brief; /* leaves out arguments that say again what the event or its arrow says */
	void (*begin)(struct export *ex);
	/* The process or the lane is new: its name, and its place among the others. Lanes are counted from 0. */
	void (*group)(struct export *ex, struct group *group, const char *name, int order);
	void (*lane)(struct export *ex, const struct track *track, int lane, const char *name, int order);
	/* An event that starts at `start`. What starts later comes later, but for events of another kind. */
	void (*head)(struct export *ex, struct strbuf *body, int64_t start, const char *name, const char *category);
	void (*arg_int)(struct export *ex, struct strbuf *args, const char *key, int64_t number);
	void (*arg_real)(struct export *ex, struct strbuf *args, const char *key, double number); /* finite */
	void (*arg_text)(struct export *ex, struct strbuf *args, const char *key, const char *string);
	/* The event, after others that hold it; in the lane, or beside it. */
	void (*slice)(struct export *ex, const struct slice *slice, const struct lane *lane);
	/* The value of a counter from a time on. */
	void (*counter)(struct export *ex, const struct group *group, const char *name, const char *unit, double value,
		int64_t time);
	void (*note)(struct export *ex, const struct group *group, const struct export_note *note);
	void (*end)(struct export *ex);
	void (*free)(struct export *ex);
};

/* A trace in the making: ex->state. */
struct trace {
	const struct trace_form *form;
	struct slices *slices;
	struct packets *packets; /* of that form, else NULL */
	int64_t shift;           /* what is added to the recording's times, so that none is negative: ns */
	int64_t apart;           /* of JSON: the events so far that stand beside their lanes */
};

struct trace *trace_of(const struct export *ex);

#endif
