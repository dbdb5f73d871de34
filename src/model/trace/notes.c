/* notes.c: see notes.h. */
#include "model/trace/notes.h"

#include <stdio.h>

#include "model/trace/trace.h"
#include "tree/json.h"

static const char *plural(size_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

static int note_unusable(json_t *notes, size_t n)
{
	char text[128];

	if (n == 0)
		return 0;
	snprintf(text, sizeof(text), "%zu record%s of device work %s no times and %s left out", n, plural(n, "", "s"),
		plural(n, "has", "have"), plural(n, "is", "are"));
	return append_json(notes, text_json(text));
}

static int note_graphs(json_t *notes, size_t n)
{
	char text[320];

	if (n == 0)
		return 0;
	snprintf(text, sizeof(text),
		"%zu launch%s of CUDA graphs %s recorded as a whole: the kernels and copies inside are missing from "
		"every "
		"number but busy and idle time; record again with `nsys profile --cuda-graph-trace=node`",
		n, plural(n, "", "es"), plural(n, "was", "were"));
	return append_json(notes, text_json(text));
}

static int note_calls(json_t *notes, const struct trace *trace)
{
	char text[256];

	if (trace->nranges && trace->nwork && trace->no_calls)
		return append_json(notes,
			text_json("the calls of the CUDA API were not recorded: no device work can be assigned to NVTX "
				  "ranges"));
	if (trace->ambiguous == 0)
		return 0;
	snprintf(text, sizeof(text),
		"%zu piece%s of device work %s to no NVTX range: several processes were recorded, and the file does "
		"not "
		"say whose work it is",
		trace->ambiguous, plural(trace->ambiguous, "", "s"), plural(trace->ambiguous, "belongs", "belong"));
	return append_json(notes, text_json(text));
}

static int note_beyond(json_t *notes, size_t beyond)
{
	char text[160];

	if (beyond == 0)
		return 0;
	snprintf(text, sizeof(text),
		"device work on more than %d GPUs was recorded: %zu piece%s on the others %s left out", GPUS_MOST,
		beyond, plural(beyond, "", "s"), plural(beyond, "is", "are"));
	return append_json(notes, text_json(text));
}

json_t *trace_notes(const struct trace *trace)
{
	json_t *notes = json_array();
	int bad = note_unusable(notes, trace->unusable);

	bad |= note_graphs(notes, trace->graphs);
	bad |= note_beyond(notes, trace->beyond);
	bad |= note_calls(notes, trace);
	return built_json(notes, bad);
}
