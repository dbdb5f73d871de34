/* ranges.c: the NVTX ranges of a recording, with their domain, their depth and the range around each. */
#include <stdlib.h>

#include "model/trace/load.h"
#include "model/trace/trace.h"
#include "store/store.h"

/* ENUM_NSYS_EVENT_TYPE; those with a T come from a text file that was imported. */
enum nvtx_type {
	NVTX_PUSH_POP = 59,
	NVTX_START_END = 60,
	NVTXT_PUSH_POP = 70,
	NVTXT_START_END = 71,
	NVTX_DOMAIN = 75,
	EVENT_TYPES = 256
};

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
	int16_t type[EVENT_TYPES]; /* the schema's numbers of the file's */
	int64_t last;              /* latest time seen: the end of a range that was never closed */
};

/* The text, in place or by its id; NULL if there is none. */
static const char *ranges_range_text(struct trace *trace, const struct cursor *row)
{
	const char *text = cursor_text(row, NVTX_text);

	return text ? trace_text(trace, text) : trace_name(trace, row, NVTX_textId, NULL);
}

static int ranges_add_domain(struct reading *reading, const struct cursor *row)
{
	const char *name = ranges_range_text(reading->trace, row);

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
		name,
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

static int64_t clamped(int64_t time)
{
	return time < -TIME_LIMIT ? -TIME_LIMIT : time > TIME_LIMIT ? TIME_LIMIT : time;
}

static int ranges_add_range(struct reading *reading, const struct cursor *row, bool apart)
{
	struct trace *trace = reading->trace;
	const char *text = ranges_range_text(trace, row);
	struct range *range;

	if (trace->nranges == reading->range_room && grow_ranges(reading) < 0)
		return -1;
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
	return range->text ? 0 : -1;
}

static void read_types(struct reading *reading, struct store *store)
{
	for (int i = 0; i < EVENT_TYPES; i++)
		reading->type[i] = (int16_t)store_enum_number(store, "ENUM_NSYS_EVENT_TYPE", i);
}

/* Without a type, what has an end is a range. */
static int ranges_type_of(const struct reading *reading, const struct cursor *row)
{
	int64_t type = cursor_int(row, NVTX_eventType);

	if (cursor_null(row, NVTX_eventType))
		return cursor_null(row, NVTX_end) ? 0 : NVTX_PUSH_POP;
	return type >= 0 && type < EVENT_TYPES ? reading->type[type] : 0;
}

static int ranges_read_rows(struct reading *reading, struct cursor *cursor, struct error *err)
{
	int got;

	while ((got = cursor_next(cursor, err)) == 1) {
		int type = ranges_type_of(reading, cursor);
		int result = 0;

		if (type == NVTX_DOMAIN)
			result = ranges_add_domain(reading, cursor);
		else if (type == NVTX_PUSH_POP || type == NVTXT_PUSH_POP)
			result = ranges_add_range(reading, cursor, false);
		else if (type == NVTX_START_END || type == NVTXT_START_END)
			result = ranges_add_range(reading, cursor, true);
		/* A range may have no text: what was lost looks the same. */
		if (result < 0 || reading->trace->no_memory)
			return -1;
	}
	return got;
}

static int ranges_by_domain(const void *left, const void *right)
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
		qsort(reading->domains, reading->ndomains, sizeof(*reading->domains), ranges_by_domain);
	for (size_t i = 0; i < trace->nwork; i++) {
		if (trace->work[i].end > reading->last)
			reading->last = trace->work[i].end;
	}
	for (size_t i = 0; i < trace->nranges; i++) {
		struct range *range = &trace->ranges[i];
		struct domain key = {process_of(range->thread), reading->domain_ids[i], NULL};
		const struct domain *domain = NULL;

		if (reading->ndomains)
			domain = bsearch(&key, reading->domains, reading->ndomains, sizeof(key), ranges_by_domain);
		if (domain)
			range->domain = domain->name;
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
	read_types(&reading, store);
	cursor = store_columns(store, TABLE_NVTX, columns, sizeof(columns) / sizeof(columns[0]), err);
	if (!cursor)
		return -1;
	result = ranges_read_rows(&reading, cursor, err);
	cursor_close(cursor);
	if (result == 0) {
		complete(&reading);
		result = trace_nest(trace);
	}
	free(reading.domains);
	free(reading.domain_ids);
	return result;
}
