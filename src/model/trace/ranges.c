/* ranges.c: the NVTX ranges of a recording, with their domain. */
#include "model/trace/ranges.h"

#include <stdlib.h>

#include "model/trace/trace.h"
#include "store/event.h"
#include "store/nvtx.h"
#include "store/scan.h"
#include "util/alloc.h"
#include "util/numbering.h"

/* The name of a domain, as a row tells it. */
struct domain_name {
	int64_t thread, id;
	uint32_t text;
};

/* What one part of the table has, in the file's order. Threads are places in `threads`. */
struct range_part {
	struct range *range;
	int64_t *domain_id; /* of each range */
	size_t n, room, domain_room;
	struct domain_name *name;
	size_t nnames, name_room;
	struct numbering threads;
	uint32_t
		*thread; /* by place in `threads`: the thread's place among those of all parts, then in trace.threads */
	int64_t last;    /* latest time seen */
	size_t unusable;
};

struct range_parts {
	struct trace *trace;
	struct nvtx nvtx;
	uint32_t empty; /* number of the empty text */
	int64_t last;   /* latest time seen: the end of a range that was never closed */
	bool has_end;   /* `last` counts device work, too */
	struct range_part *part;
	size_t n;
};

enum {
	RANGE_START,
	RANGE_END,
	RANGE_TYPE,
	RANGE_COLOR,
	RANGE_TEXT,
	RANGE_THREAD,
	RANGE_TEXT_ID,
	RANGE_DOMAIN,
	RANGE_COLUMNS
};

/* The text, in place or by its id; 0 if there is none. */
static uint32_t text_in_row(const struct scan_rows *rows, size_t row)
{
	uint32_t text = (uint32_t)rows->value[RANGE_TEXT][row];

	return text ? text : (uint32_t)rows->value[RANGE_TEXT_ID][row];
}

static int64_t clamped(int64_t time)
{
	return time < -TIME_LIMIT ? -TIME_LIMIT : time > TIME_LIMIT ? TIME_LIMIT : time;
}

static void part_add_range(
	const struct range_parts *parts, struct range_part *part, const struct scan_rows *rows, size_t row, bool apart)
{
	uint32_t text = text_in_row(rows, row);
	struct range *range;

	xgrow(&part->domain_id, part->n, &part->domain_room, sizeof(*part->domain_id));
	xgrow(&part->range, part->n, &part->room, sizeof(*part->range));
	range = &part->range[part->n];
	*range = (struct range){
		.start = clamped(rows->value[RANGE_START][row]),
		.end = scan_null(rows, row, RANGE_END) ? INT64_MAX : clamped(rows->value[RANGE_END][row]),
		.thread = (uint32_t)numbering_place(&part->threads, rows->value[RANGE_THREAD][row]),
		.text = text ? text : parts->empty,
		.color = (uint32_t)rows->value[RANGE_COLOR][row],
		.is_colored = !scan_null(rows, row, RANGE_COLOR),
		.parent = -1,
		.apart = apart,
	};
	part->domain_id[part->n++] = rows->value[RANGE_DOMAIN][row];
	if (range->start > part->last)
		part->last = range->start;
	if (range->end != INT64_MAX && range->end > part->last)
		part->last = range->end;
}

static void part_name_domain(struct range_part *part, const struct scan_rows *rows, size_t row)
{
	xgrow(&part->name, part->nnames, &part->name_room, sizeof(*part->name));
	part->name[part->nnames++] = (struct domain_name){
		rows->value[RANGE_THREAD][row], rows->value[RANGE_DOMAIN][row], text_in_row(rows, row)};
}

/* A range may be open, but not end at what is no time. */
static bool range_is_usable(const struct scan_rows *rows, size_t row)
{
	return !scan_null(rows, row, RANGE_START) &&
	       (!scan_null(rows, row, RANGE_END) || rows->value[RANGE_END][row] != TIME_NONE);
}

static void take_range_rows(void *user, size_t number, const struct scan_rows *rows)
{
	struct range_parts *parts = user;
	struct range_part *part = &parts->part[number];

	for (size_t i = 0; i < rows->n; i++) {
		const int64_t *type = scan_null(rows, i, RANGE_TYPE) ? NULL : &rows->value[RANGE_TYPE][i];
		enum nvtx_kind kind = nvtx_kind_of(&parts->nvtx, type, !scan_null(rows, i, RANGE_END));

		if (kind == NVTX_DOMAIN)
			part_name_domain(part, rows, i);
		else if ((kind == NVTX_PUSH_POP || kind == NVTX_START_END) && !range_is_usable(rows, i))
			part->unusable++;
		else if (kind == NVTX_PUSH_POP || kind == NVTX_START_END)
			part_add_range(parts, part, rows, i, kind == NVTX_START_END);
	}
}

static void begin_ranges(void *user, size_t nparts)
{
	struct range_parts *parts = user;

	parts->part = xcalloc(nparts + 1, sizeof(*parts->part));
	for (parts->n = 0; parts->n < nparts; parts->n++)
		parts->part[parts->n].last = INT64_MIN;
}

/* Domains and threads of all parts together. */
static void join_range_parts(struct range_parts *parts, struct numbering *threads)
{
	for (size_t p = 0; p < parts->n; p++) {
		struct range_part *part = &parts->part[p];

		for (size_t i = 0; i < part->nnames; i++)
			nvtx_name_domain(&parts->nvtx, part->name[i].thread, part->name[i].id,
				texts_text(parts->trace->texts, part->name[i].text));
		part->thread = xcalloc(part->threads.n + 1, sizeof(*part->thread));
		for (size_t i = 0; i < part->threads.n; i++)
			part->thread[i] = (uint32_t)numbering_place(threads, part->threads.id[i]);
		parts->last = part->last > parts->last ? part->last : parts->last;
		parts->trace->nranges += part->n;
		parts->trace->unusable += part->unusable;
	}
}

struct range_parts *trace_read_ranges(
	struct trace *trace, struct numbering *threads, struct store *store, struct error *err)
{
	static const int columns[RANGE_COLUMNS] = {NVTX_start, NVTX_end, NVTX_eventType, NVTX_color, NVTX_text,
		NVTX_globalTid, NVTX_textId, NVTX_domainId};
	struct range_parts *parts = xcalloc(1, sizeof(*parts));
	const struct scan scan = {.table = TABLE_NVTX,
		.columns = columns,
		.ncolumns = RANGE_COLUMNS,
		.texts = trace->texts,
		.begin = begin_ranges,
		.take = take_range_rows,
		.user = parts};

	parts->trace = trace;
	parts->last = INT64_MIN;
	parts->empty = texts_number(trace->texts, "");
	nvtx_begin(&parts->nvtx, store);
	if (store_scan(store, &scan, err) == 0) {
		join_range_parts(parts, threads);
		return parts;
	}
	range_parts_free(parts);
	return NULL;
}

void range_parts_free(struct range_parts *parts)
{
	for (size_t p = 0; p < parts->n; p++) {
		struct range_part *part = &parts->part[p];

		free(part->range);
		free(part->domain_id);
		free(part->name);
		free(part->thread);
		numbering_free(&part->threads);
	}
	nvtx_end(&parts->nvtx);
	free(parts->part);
	free(parts);
}

/* ---- the ranges of the trace ---- */

/* A domain that was looked up. Neighbours mostly have the same one. */
struct known_domain {
	int64_t thread, id;
	uint32_t number;
	bool known;
};

static uint32_t domain_number(struct range_parts *parts, struct known_domain *known, int64_t thread, int64_t id)
{
	if (!known->known || known->thread != thread || known->id != id) {
		const char *name = nvtx_domain(&parts->nvtx, thread, id);

		*known = (struct known_domain){thread, id, name ? texts_number(parts->trace->texts, name) : 0, true};
	}
	return known->number;
}

/* The end of the ranges that the program left open: the last time of all. */
static int64_t end_of_all(const struct range_parts *parts)
{
	const struct trace *trace = parts->trace;
	int64_t last = parts->last;

	for (size_t i = 0; i < trace->nwork; i++)
		last = trace->end[i] > last ? trace->end[i] : last;
	return last;
}

/* Where the ranges of each thread go, once part.thread are places in trace.threads. */
static size_t *next_of_threads(const struct range_parts *parts)
{
	size_t *next = xcalloc(parts->trace->nthreads + 1, sizeof(*next)), first = 0;

	for (size_t p = 0; p < parts->n; p++) {
		const struct range_part *part = &parts->part[p];

		for (size_t i = 0; i < part->n; i++)
			next[part->thread[part->range[i].thread]]++;
	}
	for (size_t t = 0; t < parts->trace->nthreads; t++) {
		size_t count = next[t];

		next[t] = first;
		first += count;
	}
	return next;
}

/* Moves the ranges of a part to their threads. */
static void move_part(struct range_parts *parts, struct range_part *part, size_t *next)
{
	struct trace *trace = parts->trace;
	struct known_domain known = {.known = false};

	for (size_t i = 0; i < part->n; i++) {
		uint32_t thread = part->thread[part->range[i].thread];
		struct range *range = &trace->ranges[next[thread]++];

		*range = part->range[i];
		range->thread = thread;
		range->domain = domain_number(parts, &known, trace->threads[thread], part->domain_id[i]);
		if (range->end != INT64_MAX)
			continue;
		if (!parts->has_end)
			parts->last = end_of_all(parts);
		parts->has_end = true;
		range->end = parts->last;
	}
	free(part->range);
	free(part->domain_id);
	part->range = NULL;
	part->domain_id = NULL;
}

void trace_take_ranges(struct trace *trace, struct range_parts *parts, const uint32_t *place)
{
	size_t *next;

	for (size_t p = 0; p < parts->n; p++) {
		for (size_t i = 0; i < parts->part[p].threads.n; i++)
			parts->part[p].thread[i] = place[parts->part[p].thread[i]];
	}
	next = next_of_threads(parts);
	trace->ranges = xreallocarray(NULL, trace->nranges + 1, sizeof(*trace->ranges));
	for (size_t p = 0; p < parts->n; p++)
		move_part(parts, &parts->part[p], next);
	free(next);
}
