/* ranges.c: the NVTX ranges of a recording, with their domain. */
#include "model/trace/ranges.h"

#include <pthread.h>
#include <stdlib.h>

#include "model/trace/trace.h"
#include "store/event.h"
#include "store/nvtx.h"
#include "store/scan.h"
#include "util/alloc.h"
#include "util/numbering.h"

struct range_reading {
	struct trace *trace;
	struct numbering *threads;
	struct nvtx nvtx;
	pthread_mutex_t lock;
	int64_t *domain_ids; /* of each range */
	size_t room, domain_room;
	uint32_t empty; /* number of the empty text */
	int64_t last;   /* latest time seen: the end of a range that was never closed */
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

static void add_range(struct range_reading *reading, const struct scan_rows *rows, size_t row, bool apart)
{
	struct trace *trace = reading->trace;
	uint32_t text = text_in_row(rows, row);
	struct range *range;

	xgrow(&reading->domain_ids, trace->nranges, &reading->domain_room, sizeof(*reading->domain_ids));
	xgrow(&trace->ranges, trace->nranges, &reading->room, sizeof(*trace->ranges));
	range = &trace->ranges[trace->nranges];
	*range = (struct range){
		.start = clamped(rows->value[RANGE_START][row]),
		.end = scan_null(rows, row, RANGE_END) ? INT64_MAX : clamped(rows->value[RANGE_END][row]),
		.thread = (uint32_t)numbering_place(reading->threads, rows->value[RANGE_THREAD][row]),
		.text = text ? text : reading->empty,
		.color = (uint32_t)rows->value[RANGE_COLOR][row],
		.is_colored = !scan_null(rows, row, RANGE_COLOR),
		.parent = -1,
		.apart = apart,
	};
	reading->domain_ids[trace->nranges++] = rows->value[RANGE_DOMAIN][row];
	if (range->start > reading->last)
		reading->last = range->start;
	if (range->end != INT64_MAX && range->end > reading->last)
		reading->last = range->end;
}

/* A range may be open, but not end at what is no time. */
static bool range_is_usable(const struct scan_rows *rows, size_t row)
{
	return !scan_null(rows, row, RANGE_START) &&
	       (!scan_null(rows, row, RANGE_END) || rows->value[RANGE_END][row] != TIME_NONE);
}

static void take_range_row(struct range_reading *reading, const struct scan_rows *rows, size_t row)
{
	const int64_t *type = scan_null(rows, row, RANGE_TYPE) ? NULL : &rows->value[RANGE_TYPE][row];
	enum nvtx_kind kind = nvtx_kind_of(&reading->nvtx, type, !scan_null(rows, row, RANGE_END));

	if (kind == NVTX_DOMAIN)
		nvtx_name_domain(&reading->nvtx, rows->value[RANGE_THREAD][row], rows->value[RANGE_DOMAIN][row],
			texts_text(reading->trace->texts, text_in_row(rows, row)));
	else if ((kind == NVTX_PUSH_POP || kind == NVTX_START_END) && !range_is_usable(rows, row))
		reading->trace->unusable++;
	else if (kind == NVTX_PUSH_POP || kind == NVTX_START_END)
		add_range(reading, rows, row, kind == NVTX_START_END);
}

static void take_range_rows(void *user, size_t part, const struct scan_rows *rows)
{
	struct range_reading *reading = user;

	(void)part;
	pthread_mutex_lock(&reading->lock);
	for (size_t i = 0; i < rows->n; i++)
		take_range_row(reading, rows, i);
	pthread_mutex_unlock(&reading->lock);
}

static void begin_ranges(void *user, size_t nparts)
{
	(void)user;
	(void)nparts;
}

/* A domain that was looked up. Neighbours mostly have the same one. */
struct known_domain {
	int64_t thread, id;
	uint32_t number;
	bool known;
};

static uint32_t domain_number(struct range_reading *reading, struct known_domain *known, int64_t thread, int64_t id)
{
	if (!known->known || known->thread != thread || known->id != id) {
		const char *name = nvtx_domain(&reading->nvtx, thread, id);

		*known = (struct known_domain){thread, id, name ? texts_number(reading->trace->texts, name) : 0, true};
	}
	return known->number;
}

/* Gives each range its domain's name and closes the ranges that the program left open. */
static void complete(struct range_reading *reading)
{
	struct trace *trace = reading->trace;
	struct known_domain known = {.known = false};

	for (size_t i = 0; i < trace->nwork; i++) {
		if (trace->end[i] > reading->last)
			reading->last = trace->end[i];
	}
	for (size_t i = 0; i < trace->nranges; i++) {
		struct range *range = &trace->ranges[i];

		range->domain =
			domain_number(reading, &known, reading->threads->id[range->thread], reading->domain_ids[i]);
		if (range->end == INT64_MAX)
			range->end = reading->last;
	}
}

int trace_ranges(struct trace *trace, struct numbering *threads, struct store *store, struct error *err)
{
	static const int columns[RANGE_COLUMNS] = {NVTX_start, NVTX_end, NVTX_eventType, NVTX_color, NVTX_text,
		NVTX_globalTid, NVTX_textId, NVTX_domainId};
	struct range_reading reading = {.trace = trace,
		.threads = threads,
		.last = INT64_MIN,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.empty = texts_number(trace->texts, "")};
	const struct scan scan = {.table = TABLE_NVTX,
		.columns = columns,
		.ncolumns = RANGE_COLUMNS,
		.texts = trace->texts,
		.begin = begin_ranges,
		.take = take_range_rows,
		.user = &reading};
	int result;

	if (!store_has(store, TABLE_NVTX))
		return 0;
	nvtx_begin(&reading.nvtx, store);
	result = store_scan(store, &scan, err);
	if (result == 0)
		complete(&reading);
	nvtx_end(&reading.nvtx);
	free(reading.domain_ids);
	return result;
}
