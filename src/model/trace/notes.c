/* notes.c: see notes.h. */
#include "model/trace/notes.h"

#include "model/trace/trace.h"
#include "tree/json.h"

static json_t *add_trace_note(json_t *list, const char *id)
{
	json_t *note = json_pack("{s:s, s:s}", "severity", "warning", "id", id);

	append_json(list, note);
	return note;
}

static void note_count(json_t *list, const char *id, const char *what, size_t n)
{
	if (n)
		put_json(add_trace_note(list, id), what, json_integer((json_int_t)n));
}

static void note_beyond(json_t *list, size_t beyond)
{
	json_t *note;

	if (beyond == 0)
		return;
	note = add_trace_note(list, "gpus-left-out");
	put_json(note, "gpus", json_integer(GPUS_MOST));
	put_json(note, "pieces", json_integer((json_int_t)beyond));
}

void trace_notes(const struct trace *trace, json_t *list)
{
	note_count(list, "records-without-times", "records", trace->unusable);
	note_count(list, "gpus-impossible", "pieces", trace->nowhere);
	note_count(list, "graphs-as-a-whole", "launches", trace->graphs);
	note_beyond(list, trace->beyond);
	if (trace->nranges && trace->nwork && trace->no_calls)
		add_trace_note(list, "no-calls");
	else
		note_count(list, "process-unknown", "pieces", trace->ambiguous);
}
