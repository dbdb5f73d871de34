/* ranges.c: the NVTX ranges of a recording, with their domain, their depth and the range around each. */
#include "model/trace/ranges.h"

#include <stdlib.h>

#include "model/trace/nesting.h"
#include "model/trace/trace.h"
#include "store/event.h"
#include "store/nvtx.h"
#include "store/store.h"
#include "util/alloc.h"

struct reading {
	struct trace *trace;
	struct nvtx nvtx;
	int64_t *domain_ids; /* of each range */
	size_t range_room;
	int64_t last; /* latest time seen: the end of a range that was never closed */
};

/* The text, in place or by its id; NULL if there is none. */
static const char *ranges_range_text(struct trace *trace, const struct cursor *row)
{
	const char *text = cursor_text(row, NVTX_text);

	return text ? trace_text(trace, text) : trace_name(trace, row, NVTX_textId, NULL);
}

static void grow_ranges(struct reading *reading)
{
	struct trace *trace = reading->trace;

	reading->range_room = reading->range_room ? reading->range_room * 2 : 256;
	trace->ranges = xreallocarray(trace->ranges, reading->range_room, sizeof(*trace->ranges));
	reading->domain_ids = xreallocarray(reading->domain_ids, reading->range_room, sizeof(*reading->domain_ids));
}

static int64_t clamped(int64_t time)
{
	return time < -TIME_LIMIT ? -TIME_LIMIT : time > TIME_LIMIT ? TIME_LIMIT : time;
}

static void ranges_add_range(struct reading *reading, const struct cursor *row, bool apart)
{
	struct trace *trace = reading->trace;
	const char *text = ranges_range_text(trace, row);
	struct range *range;

	if (trace->nranges == reading->range_room)
		grow_ranges(reading);
	range = &trace->ranges[trace->nranges];
	*range = (struct range){
		.start = clamped(cursor_int(row, NVTX_start)),
		.end = cursor_null(row, NVTX_end) ? INT64_MAX : clamped(cursor_int(row, NVTX_end)),
		.thread = cursor_int(row, NVTX_globalTid),
		.text = text ? text : trace_text(trace, ""),
		.color = cursor_null(row, NVTX_color) ? -1 : cursor_int(row, NVTX_color) & 0xFFFFFFFF,
		.parent = -1,
		.apart = apart,
	};
	reading->domain_ids[trace->nranges++] = cursor_int(row, NVTX_domainId);
	if (range->start > reading->last)
		reading->last = range->start;
	if (range->end != INT64_MAX && range->end > reading->last)
		reading->last = range->end;
}

static int ranges_read_rows(struct reading *reading, struct cursor *cursor, struct error *err)
{
	int got;

	while ((got = cursor_next(cursor, err)) == 1) {
		enum nvtx_kind kind = nvtx_kind(&reading->nvtx, cursor);

		if (kind == NVTX_DOMAIN)
			nvtx_add_domain(&reading->nvtx, cursor);
		else if (kind == NVTX_PUSH_POP || kind == NVTX_START_END)
			ranges_add_range(reading, cursor, kind == NVTX_START_END);
	}
	return got;
}

/* Gives each range its domain's name and closes the ranges that the program left open. */
static void complete(struct reading *reading)
{
	struct trace *trace = reading->trace;

	for (size_t i = 0; i < trace->nwork; i++) {
		if (trace->work[i].end > reading->last)
			reading->last = trace->work[i].end;
	}
	for (size_t i = 0; i < trace->nranges; i++) {
		struct range *range = &trace->ranges[i];
		const char *domain = nvtx_domain(&reading->nvtx, range->thread, reading->domain_ids[i]);

		if (domain)
			range->domain = trace_text(trace, domain);
		if (range->end == INT64_MAX)
			range->end = reading->last;
	}
}

int trace_ranges(struct trace *trace, struct store *store, struct error *err)
{
	static const int columns[] = {NVTX_start, NVTX_end, NVTX_eventType, NVTX_color, NVTX_text, NVTX_globalTid,
		NVTX_textId, NVTX_domainId};
	struct reading reading = {.trace = trace, .last = INT64_MIN};
	struct cursor *cursor;
	int result;

	if (!store_has(store, TABLE_NVTX))
		return 0;
	nvtx_begin(&reading.nvtx, store);
	cursor = store_columns(store, TABLE_NVTX, columns, sizeof(columns) / sizeof(columns[0]), err);
	result = cursor ? ranges_read_rows(&reading, cursor, err) : -1;
	cursor_close(cursor);
	if (result == 0) {
		complete(&reading);
		result = trace_nest(trace, err);
	}
	nvtx_end(&reading.nvtx);
	free(reading.domain_ids);
	return result;
}
