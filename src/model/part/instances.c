/* instances.c: the NVTX ranges of a name, and the API calls in them. */
#include <fnmatch.h>
#include <stdlib.h>

#include "model/part/filter.h"
#include "store/event.h"
#include "store/texts.h"
#include "util/alloc.h"
#include "util/number.h"

/* ---- ids of calls ---- */

/* Ids of a slot. */
enum { BLOCK_SHIFT = 6, BLOCK_IDS = 1 << BLOCK_SHIFT };

static uint64_t call_bit(int64_t correlation)
{
	return UINT64_C(1) << ((uint64_t)correlation % BLOCK_IDS);
}

static size_t call_slot(const struct part_calls *calls, int64_t process, uint64_t block)
{
	uint64_t hash = ((uint64_t)process ^ (block << 20)) * UINT64_C(0x9E3779B97F4A7C15);
	size_t slot = (size_t)(hash >> 20) & (calls->nslots - 1);

	while (calls->slot[slot].ids && (calls->slot[slot].process != process || calls->slot[slot].block != block))
		slot = (slot + 1) & (calls->nslots - 1);
	return slot;
}

bool part_has_call(const struct part_calls *calls, int64_t process, int64_t correlation)
{
	return calls->nslots > 0 && correlation != 0 &&
	       (calls->slot[call_slot(calls, process, (uint64_t)correlation >> BLOCK_SHIFT)].ids &
		       call_bit(correlation)) != 0;
}

/* The table is at most half full. */
static void part_calls_grow(struct part_calls *calls)
{
	struct part_calls grown = {.nslots = calls->nslots ? 2 * calls->nslots : 1024, .n = calls->n};

	grown.slot = xcalloc(grown.nslots, sizeof(*grown.slot));
	for (size_t i = 0; i < calls->nslots; i++) {
		if (calls->slot[i].ids)
			grown.slot[call_slot(&grown, calls->slot[i].process, calls->slot[i].block)] = calls->slot[i];
	}
	free(calls->slot);
	*calls = grown;
}

void part_add_call(struct part_calls *calls, int64_t process, int64_t correlation)
{
	uint64_t block = (uint64_t)correlation >> BLOCK_SHIFT;
	struct part_call_ids *slot;

	if (calls->n * 2 >= calls->nslots)
		part_calls_grow(calls);
	slot = &calls->slot[call_slot(calls, process, block)];
	calls->n += slot->ids == 0;
	slot->process = process;
	slot->block = block;
	slot->ids |= call_bit(correlation);
}

/* ---- ranges ---- */

static int by_thread_and_start(const void *left, const void *right)
{
	const struct part_instance *a = left, *b = right;

	return a->thread != b->thread ? int64_order(a->thread, b->thread) : int64_order(a->start, b->start);
}

bool part_in_instance(const struct part_instances *instances, int64_t thread, int64_t time)
{
	size_t low = 0, high = instances->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct part_instance *at = &instances->item[middle];

		if (at->thread < thread || (at->thread == thread && at->start <= time))
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && instances->item[low - 1].thread == thread && time < instances->item[low - 1].reach;
}

/* Of each thread's ranges each n-th, from the first one on. */
static void thin_instances(struct part_instances *instances, long every)
{
	size_t kept = 0;
	long number = 0;

	for (size_t i = 0; i < instances->n; i++) {
		number = i > 0 && instances->item[i].thread == instances->item[i - 1].thread ? number + 1 : 0;
		if (number % every == 0)
			instances->item[kept++] = instances->item[i];
	}
	instances->n = kept;
}

void part_sort_instances(struct part_instances *instances)
{
	if (instances->n > 1)
		qsort(instances->item, instances->n, sizeof(*instances->item), by_thread_and_start);
}

void part_reach_instances(struct part_instances *instances)
{
	for (size_t i = 0; i < instances->n; i++) {
		struct part_instance *at = &instances->item[i], *before = i > 0 ? at - 1 : NULL;

		at->reach = before && before->thread == at->thread && before->reach > at->end ? before->reach : at->end;
	}
}

/* What reading ranges and calls needs. */
struct finding {
	struct part *part;
	struct texts *texts;
	signed char *matches; /* by the number of a text: 1 yes, -1 no, 0 not known yet */
	size_t nmatches;
};

enum { FIND_START, FIND_END, FIND_TYPE, FIND_THREAD, FIND_TEXT, FIND_TEXT_ID, FIND_COLUMNS };

static bool text_matches(struct finding *finding, uint32_t text)
{
	const char *name = texts_text(finding->texts, text);

	if (text >= finding->nmatches) {
		size_t n = (size_t)text * 2 + 64;

		finding->matches = xreallocarray(finding->matches, n, 1);
		for (size_t i = finding->nmatches; i < n; i++)
			finding->matches[i] = 0;
		finding->nmatches = n;
	}
	if (!finding->matches[text])
		finding->matches[text] = fnmatch(finding->part->wish.range, name ? name : "", 0) == 0 ? 1 : -1;
	return finding->matches[text] > 0;
}

static void find_range(struct finding *finding, const struct scan_rows *rows, size_t row)
{
	const struct part_wish *wish = &finding->part->wish;
	struct part_filter *filter = finding->part->filter;
	struct part_instances *instances = &filter->instances;
	const int64_t *type = scan_null(rows, row, FIND_TYPE) ? NULL : &rows->value[FIND_TYPE][row];
	int64_t start = rows->value[FIND_START][row], text = rows->value[FIND_TEXT][row];
	enum nvtx_kind kind = nvtx_kind_of(&filter->nvtx, type, !scan_null(rows, row, FIND_END));

	if ((kind != NVTX_PUSH_POP && kind != NVTX_START_END) || scan_null(rows, row, FIND_END) ||
		!text_matches(finding, (uint32_t)(text ? text : rows->value[FIND_TEXT_ID][row])))
		return;
	if (wish->window && (start < wish->from || start >= wish->to))
		return;
	xgrow(&instances->item, instances->n, &instances->room, sizeof(*instances->item));
	instances->item[instances->n++] =
		(struct part_instance){rows->value[FIND_THREAD][row], start, rows->value[FIND_END][row], 0};
}

static void find_instances(void *user, size_t part, const struct scan_rows *rows)
{
	struct finding *finding = user;

	(void)part;
	pthread_mutex_lock(&finding->part->filter->lock);
	for (size_t i = 0; i < rows->n; i++)
		find_range(finding, rows, i);
	pthread_mutex_unlock(&finding->part->filter->lock);
}

enum { CALLED_START, CALLED_THREAD, CALLED_ID, CALLED_COLUMNS };

static void find_calls(void *user, size_t part, const struct scan_rows *rows)
{
	struct finding *finding = user;
	struct part_filter *filter = finding->part->filter;

	(void)part;
	pthread_mutex_lock(&filter->lock);
	for (size_t i = 0; i < rows->n; i++) {
		int64_t thread = rows->value[CALLED_THREAD][i], id = rows->value[CALLED_ID][i];

		if (id == 0)
			continue;
		if (!part_in_instance(&filter->instances, thread, rows->value[CALLED_START][i])) {
			part_others_call(filter, thread, rows->value[CALLED_START][i], id);
			continue;
		}
		part_add_call(&filter->calls, process_of(thread), id);
		part_add_call(&filter->calls, 0, id);
	}
	pthread_mutex_unlock(&filter->lock);
}

static int scan_instances(struct finding *finding, struct store *store, struct error *err)
{
	static const int columns[FIND_COLUMNS] = {
		NVTX_start, NVTX_end, NVTX_eventType, NVTX_globalTid, NVTX_text, NVTX_textId};
	const struct scan scan = {.table = TABLE_NVTX,
		.columns = columns,
		.ncolumns = FIND_COLUMNS,
		.texts = finding->texts,
		.as_in_file = true,
		.take = find_instances,
		.user = finding};

	return store_scan(store, &scan, err);
}

static int scan_calls_in_instances(struct finding *finding, struct store *store, struct error *err)
{
	static const int columns[CALLED_COLUMNS] = {RUNTIME_start, RUNTIME_globalTid, RUNTIME_correlationId};
	const struct scan scan = {.table = TABLE_RUNTIME,
		.columns = columns,
		.ncolumns = CALLED_COLUMNS,
		.take = find_calls,
		.user = finding};

	return store_scan(store, &scan, err);
}

static void settle_instances(struct part *part)
{
	struct part_instances *instances = &part->filter->instances;

	part_sort_instances(instances);
	part->instances = (long)instances->n;
	if (part->wish.every > 1)
		thin_instances(instances, part->wish.every);
	part->used = (long)instances->n;
	part_reach_instances(instances);
}

static int no_instance_of_part(const struct part *part, const struct store *store, struct error *err)
{
	bool named = !store_is_redacted(store);

	return error_set(err,
		"%s has no NVTX range %s%s%s%s: the page of the whole recording lists them, and * stands for any text",
		store_file_name(store), named ? "named '" : "of this name", named ? part->wish.range : "",
		named ? "'" : "", part->wish.window ? " in this window" : "");
}

int part_find_instances(struct part *part, struct store *store, struct error *err)
{
	struct finding finding = {.part = part, .texts = texts_new()};
	int result = scan_instances(&finding, store, err);

	if (result == 0) {
		settle_instances(part);
		if (part->used == 0)
			result = no_instance_of_part(part, store, err);
	}
	if (result == 0) {
		part_others_begin(part->filter, store);
		result = scan_calls_in_instances(&finding, store, err);
	}
	texts_free(finding.texts);
	free(finding.matches);
	return result;
}
