/* trace.c: the device work of a recording as one sorted array, with its NVTX ranges and the texts of both. */
#include "model/trace/trace.h"

#include <stdlib.h>

#include "model/devices.h"
#include "model/trace/load.h"
#include "store/store.h"
#include "tree/json.h"

const char *trace_text(struct trace *trace, const char *text)
{
	json_t *known = json_object_get(trace->texts, text);

	if (!known) {
		known = text_json(text);
		if (json_object_set_new_nocheck(trace->texts, text, known) < 0) {
			trace->no_memory = true;
			return NULL;
		}
	}
	return json_string_value(known);
}

/* A name by its id, so that its text need not be looked for again. */
struct known_name {
	int64_t id;
	const char *text;
};

enum { TRACE_NAMES = 1 << 12 };

const char *trace_name(struct trace *trace, const struct cursor *row, int column, const char *otherwise)
{
	struct known_name *known;
	const char *text;
	int64_t id;

	if (!cursor_name_id(row, column, &id)) {
		text = cursor_text(row, column);
		return text || otherwise ? trace_text(trace, text ? text : otherwise) : NULL;
	}
	known = &trace->names[(uint64_t)id % TRACE_NAMES];
	if (!known->text || known->id != id) {
		text = cursor_text(row, column);
		if (!text)
			return otherwise ? trace_text(trace, otherwise) : NULL;
		*known = (struct known_name){id, trace_text(trace, text)};
	}
	return known->text;
}

/* Total order, so that the same rows give the same report whatever their order in the file. */
static int trace_by_start(const void *left, const void *right)
{
	const struct activity *a = left, *b = right;
	int order = int64_order(a->start, b->start);

	if (!order)
		order = int64_order(a->end, b->end);
	if (!order)
		order = int64_order(a->device, b->device);
	if (!order)
		order = int64_order(a->process, b->process);
	if (!order)
		order = int64_order(a->stream, b->stream);
	if (!order)
		order = int64_order(a->cls, b->cls);
	if (!order)
		order = int64_order(a->correlation, b->correlation);
	return order ? order : int64_order(a->bytes, b->bytes);
}

static void trace_sort_work(struct trace *trace)
{
	for (size_t i = 1; i < trace->nwork; i++) {
		if (trace_by_start(&trace->work[i - 1], &trace->work[i]) > 0) {
			qsort(trace->work, trace->nwork, sizeof(*trace->work), trace_by_start);
			return;
		}
	}
}

int trace_begin(struct trace *trace)
{
	*trace = (struct trace){.texts = json_object(), .names = calloc(TRACE_NAMES, sizeof(*trace->names))};
	return trace->texts && trace->names ? 0 : -1;
}

int trace_load(struct trace *trace, struct store *store, struct error *err)
{
	if (trace_begin(trace) < 0)
		return -1;
	if (trace_work(trace, store, err) < 0)
		return -1;
	trace_sort_work(trace);
	if (trace_ranges(trace, store, err) < 0)
		return -1;
	return trace_calls(trace, store, err);
}

void trace_free(struct trace *trace)
{
	free(trace->work);
	free(trace->by_call);
	free(trace->ranges);
	free(trace->names);
	devices_free(&trace->devices);
	json_decref(trace->texts);
	*trace = (struct trace){0};
}
