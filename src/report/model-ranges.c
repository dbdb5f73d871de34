/* model-ranges.c: the NVTX ranges of a recording, with their domain, their depth and the range around each. */
#include <stdlib.h>
#include <string.h>

#include "report/model.h"

enum nvtx_type { NVTX_PUSH_POP = 59, NVTX_START_END = 60, NVTX_DOMAIN = 75 };

/* Domain numbers count per process. */
struct domain {
	int64_t process, id;
	const char *name;
};

struct reading {
	struct trace *trace;
	struct domain *domains;
	int64_t *domain_ids; /* of each range */
	size_t ndomains, domain_room, range_room;
	int64_t last; /* latest time seen: the end of a range that was never closed */
};

static int add_domain(struct reading *reading, const struct cursor *row)
{
	const char *name = cursor_text(row, NVTX_text);

	if (!name)
		name = cursor_text(row, NVTX_textId);
	if (reading->ndomains == reading->domain_room) {
		size_t more = reading->domain_room ? reading->domain_room * 2 : 16;
		struct domain *domains = realloc(reading->domains, more * sizeof(*domains));

		if (!domains)
			return -1;
		reading->domains = domains;
		reading->domain_room = more;
	}
	reading->domains[reading->ndomains++] = (struct domain){
		process_of(cursor_int(row, NVTX_globalTid)),
		cursor_int(row, NVTX_domainId),
		name ? trace_text(reading->trace, name) : NULL,
	};
	return 0;
}

static int grow_ranges(struct reading *reading)
{
	size_t more = reading->range_room ? reading->range_room * 2 : 256;
	struct range *ranges = realloc(reading->trace->ranges, more * sizeof(*ranges));
	int64_t *ids;

	if (!ranges)
		return -1;
	reading->trace->ranges = ranges;
	ids = realloc(reading->domain_ids, more * sizeof(*ids));
	if (!ids)
		return -1;
	reading->domain_ids = ids;
	reading->range_room = more;
	return 0;
}

static int add_range(struct reading *reading, const struct cursor *row)
{
	struct trace *trace = reading->trace;
	const char *text = cursor_text(row, NVTX_text);
	struct range *range;

	if (!text)
		text = cursor_text(row, NVTX_textId);
	if (trace->nranges == reading->range_room && grow_ranges(reading) < 0)
		return -1;
	range = &trace->ranges[trace->nranges];
	*range = (struct range){
		.start = cursor_int(row, NVTX_start),
		.end = cursor_null(row, NVTX_end) ? INT64_MAX : cursor_int(row, NVTX_end),
		.thread = cursor_int(row, NVTX_globalTid),
		.text = trace_text(trace, text ? text : ""),
		.color = cursor_null(row, NVTX_color) ? -1 : cursor_int(row, NVTX_color) & 0xFFFFFFFF,
		.parent = -1,
	};
	reading->domain_ids[trace->nranges++] = cursor_int(row, NVTX_domainId);
	if (range->start > reading->last)
		reading->last = range->start;
	if (range->end != INT64_MAX && range->end > reading->last)
		reading->last = range->end;
	return range->text ? 0 : -1;
}

static int read_rows(struct reading *reading, struct cursor *cursor, struct error *err)
{
	int got;

	while ((got = cursor_next(cursor, err)) == 1) {
		int64_t type = cursor_int(cursor, NVTX_eventType);
		int result = 0;

		if (type == NVTX_DOMAIN)
			result = add_domain(reading, cursor);
		else if (type == NVTX_PUSH_POP || type == NVTX_START_END)
			result = add_range(reading, cursor);
		if (result < 0)
			return -1;
	}
	return got;
}

static int by_domain(const void *left, const void *right)
{
	const struct domain *a = left, *b = right;

	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Gives each range its domain's name and closes the ranges that the program left open. */
static void complete(struct reading *reading)
{
	struct trace *trace = reading->trace;

	if (reading->ndomains > 1)
		qsort(reading->domains, reading->ndomains, sizeof(*reading->domains), by_domain);
	for (size_t i = 0; i < trace->nwork; i++) {
		if (trace->work[i].end > reading->last)
			reading->last = trace->work[i].end;
	}
	for (size_t i = 0; i < trace->nranges; i++) {
		struct range *range = &trace->ranges[i];
		struct domain key = {process_of(range->thread), reading->domain_ids[i], NULL};
		const struct domain *domain = NULL;

		if (reading->ndomains)
			domain = bsearch(&key, reading->domains, reading->ndomains, sizeof(key), by_domain);
		if (domain)
			range->domain = domain->name;
		if (range->end == INT64_MAX)
			range->end = reading->last;
	}
}

/* An outer range stands before the ranges in it. */
static int by_nesting(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return strcmp(a->text, b->text);
}

/* Depth and parent of each range. Sorted, a parent stands before its children. */
static int nest(struct trace *trace)
{
	size_t room = trace->nranges ? trace->nranges : 1;
	struct host_range *ranges = malloc(room * sizeof(*ranges));
	int *parents = malloc(room * sizeof(*parents));
	int result = -1;

	if (ranges && parents) {
		for (size_t i = 0; i < trace->nranges; i++) {
			const struct range *range = &trace->ranges[i];

			ranges[i] = (struct host_range){range->start, range->end, range->thread};
		}
		result = ranges_parents(ranges, trace->nranges, parents);
	}
	for (size_t i = 0; i < trace->nranges && result == 0; i++) {
		struct range *range = &trace->ranges[i];

		range->parent = parents[i];
		range->depth = range->parent < 0 ? 0 : trace->ranges[range->parent].depth + 1;
	}
	free(ranges);
	free(parents);
	return result;
}

int trace_ranges(struct trace *trace, struct store *store, struct error *err)
{
	struct reading reading = {.trace = trace, .last = INT64_MIN};
	struct cursor *cursor;
	int result;

	if (!store_has(store, TABLE_NVTX))
		return 0;
	cursor = store_rows(store, TABLE_NVTX, -1, err);
	if (!cursor)
		return -1;
	result = read_rows(&reading, cursor, err);
	cursor_close(cursor);
	if (result == 0) {
		complete(&reading);
		if (trace->nranges > 1)
			qsort(trace->ranges, trace->nranges, sizeof(*trace->ranges), by_nesting);
		if (nest(trace) < 0)
			result = -1;
	}
	free(reading.domains);
	free(reading.domain_ids);
	return result;
}
