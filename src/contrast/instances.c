/* instances.c: see instances.h. */
#include "contrast/instances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/name-list.h"
#include "store/event.h"
#include "store/nvtx.h"
#include "util/alloc.h"
#include "util/number.h"
#include "util/utf8.h"

/* ---- reading ---- */

static const int instance_columns[] = {NVTX_start, NVTX_end, NVTX_eventType, NVTX_text, NVTX_globalTid, NVTX_textId};
enum { INSTANCE_COLUMNS = sizeof(instance_columns) / sizeof(*instance_columns) };

/* What takes the ranges of a recording, one by one. */
typedef void instance_take(void *user, const struct cursor *row, const char *text);

static bool is_a_range(const struct nvtx *nvtx, const struct cursor *row)
{
	enum nvtx_kind kind = nvtx_kind(nvtx, row);

	return kind == NVTX_PUSH_POP || kind == NVTX_START_END;
}

static int instances_walk(struct store *store, instance_take *take, void *user, struct error *err)
{
	struct cursor *row = store_columns(store, TABLE_NVTX, instance_columns, INSTANCE_COLUMNS, err);
	struct nvtx nvtx;
	int more;

	if (!row)
		return -1;
	nvtx_begin(&nvtx, store);
	while ((more = cursor_next(row, err)) > 0) {
		const char *text = is_a_range(&nvtx, row) ? nvtx_text(row) : NULL;

		if (text)
			take(user, row, text);
	}
	nvtx_end(&nvtx);
	cursor_close(row);
	return more;
}

struct instance_reading {
	struct instances *instances;
	const char *range;
};

static void take_instance(void *user, const struct cursor *row, const char *text)
{
	const struct instance_reading *reading = user;
	struct instances *instances = reading->instances;
	int64_t start = cursor_time(row, NVTX_start), end = cursor_time(row, NVTX_end);

	if (strcmp(text, reading->range) != 0)
		return;
	if (cursor_null(row, NVTX_end) && time_usable(start)) {
		instances->unclosed++;
		return;
	}
	if (!times_usable(start, end)) {
		instances->unusable++;
		return;
	}
	xgrow(&instances->item, instances->n, &instances->room, sizeof(*instances->item));
	instances->item[instances->n++] =
		(struct instance){.thread = cursor_int(row, NVTX_globalTid), .start = start, .end = end};
}

/* ---- order ---- */

/* By thread; an outer instance stands before those in it. */
static int instances_by_thread(const void *left, const void *right)
{
	const struct instance *a = left, *b = right;

	if (a->thread != b->thread)
		return int64_order(a->thread, b->thread);
	return a->start != b->start ? int64_order(a->start, b->start) : int64_order(b->end, a->end);
}

static void instances_sort(struct instance *item, size_t n)
{
	if (n > 1)
		qsort(item, n, sizeof(*item), instances_by_thread);
}

/* The last one that is kept ends last of its thread. */
static void drop_nested(struct instances *instances)
{
	size_t kept = 0;

	for (size_t i = 0; i < instances->n; i++) {
		const struct instance *item = &instances->item[i], *last = kept ? &instances->item[kept - 1] : NULL;

		if (last && last->thread == item->thread && item->end <= last->end)
			instances->nested++;
		else
			instances->item[kept++] = *item;
	}
	instances->n = kept;
}

static int by_start_of_step(const void *left, const void *right, void *user)
{
	const struct instance *item = user, *a = &item[*(const uint32_t *)left], *b = &item[*(const uint32_t *)right];

	return a->start != b->start ? int64_order(a->start, b->start) : int64_order(a->thread, b->thread);
}

static void number_steps(struct instances *instances)
{
	uint32_t *order = xreallocarray(NULL, instances->n + 1, sizeof(*order));

	for (size_t i = 0; i < instances->n; i++)
		order[i] = (uint32_t)i;
	if (instances->n > 1)
		qsort_r(order, instances->n, sizeof(*order), by_start_of_step, instances->item);
	for (size_t i = 0; i < instances->n; i++)
		instances->item[order[i]].step = (uint32_t)i;
	free(order);
}

/* The instances of all threads of a process together, joined where they touch. */
static void join_open(struct instances *instances)
{
	instances->open = xmemdup(instances->item, instances->n * sizeof(*instances->item));
	for (size_t i = 0; i < instances->n; i++)
		instances->open[i].thread = process_of(instances->open[i].thread);
	instances_sort(instances->open, instances->n);
	for (size_t i = 0; i < instances->n; i++) {
		const struct instance item = instances->open[i];
		struct instance *last = instances->nopen ? &instances->open[instances->nopen - 1] : NULL;

		if (!last || last->thread != item.thread || item.start > last->end)
			instances->open[instances->nopen++] = item;
		else if (item.end > last->end)
			last->end = item.end;
	}
}

int instances_read(struct instances *instances, struct store *store, const char *range, struct error *err)
{
	/* A recording has U+FFFD where the program's name has what is no text. */
	char *clean = utf8_clean(range, strlen(range), NULL);
	struct instance_reading reading = {instances, clean};
	int code = instances_walk(store, take_instance, &reading, err);

	free(clean);
	if (code < 0)
		return -1;
	instances_sort(instances->item, instances->n);
	drop_nested(instances);
	number_steps(instances);
	join_open(instances);
	return 0;
}

void instances_free(struct instances *instances)
{
	free(instances->item);
	free(instances->open);
}

/* ---- which of them a call lies in ---- */

/* How many stand before those that the thread begins later, and before other threads' behind it. */
static size_t instances_begun(const struct instance *item, size_t n, int64_t thread, int64_t time)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (item[middle].thread < thread || (item[middle].thread == thread && item[middle].start <= time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The last one that the thread has begun by then, if it is still open. */
static const struct instance *open_instance(const struct instance *item, size_t n, int64_t thread, int64_t time)
{
	size_t begun = instances_begun(item, n, thread, time);

	return begun && item[begun - 1].thread == thread && time < item[begun - 1].end ? &item[begun - 1] : NULL;
}

int64_t instances_step(const struct instances *instances, int64_t thread, int64_t time)
{
	const struct instance *found = open_instance(instances->item, instances->n, thread, time);

	return found ? (int64_t)found->step : NO_INSTANCE;
}

/* The first that stands behind all of threads below this one. */
static size_t instances_first_from(const struct instances *instances, int64_t thread)
{
	return FIRST_FROM(instances->item, instances->n, thread, thread);
}

int64_t instances_step_of_process(const struct instances *instances, int64_t process, int64_t time)
{
	size_t first = instances_first_from(instances, process);
	int64_t thread;

	if (first == instances->n || process_of(instances->item[first].thread) != process)
		return NO_INSTANCE;
	thread = instances->item[first].thread;
	first = instances_first_from(instances, thread + 1);
	if (first < instances->n && process_of(instances->item[first].thread) == process)
		return NO_INSTANCE;
	return instances_step(instances, thread, time);
}

bool instances_any_open(const struct instances *instances, int64_t process, int64_t time)
{
	return open_instance(instances->open, instances->nopen, process, time) != NULL;
}

/* Those of a process are apart and in order. */
int64_t instances_none_open_ns(const struct instances *instances, int64_t process, int64_t start, int64_t end)
{
	const struct instance *open = instances->open;
	size_t i = instances_begun(open, instances->nopen, process, start);
	int64_t ns = end - start;

	for (i -= i > 0 && open[i - 1].thread == process;
		i < instances->nopen && open[i].thread == process && open[i].start < end; i++) {
		int64_t from = open[i].start > start ? open[i].start : start;
		int64_t until = open[i].end < end ? open[i].end : end;

		ns -= until > from ? until - from : 0;
	}
	return ns;
}

/* ---- a range that is not there ---- */

static void list_range(void *user, const struct cursor *row, const char *text)
{
	(void)row;
	name_list_add(user, text);
}

/* How many ranges no recording has, since their names are in wide characters; -1 with `err`. */
static int64_t wide_ranges_of(struct store *store, struct error *err)
{
	static const int columns[] = {TRACEDPROCESS_wideRanges};
	struct cursor *row = store_columns(store, TABLE_TRACEDPROCESS, columns, 1, err);
	int64_t ranges = 0;
	int more;

	if (!row)
		return -1;
	while ((more = cursor_next(row, err)) > 0)
		if (cursor_int(row, TRACEDPROCESS_wideRanges) > 0)
			ranges = int64_sum(ranges, cursor_int(row, TRACEDPROCESS_wideRanges));
	cursor_close(row);
	return more < 0 ? -1 : ranges;
}

/* `there`: the names that there are, or NULL; `wide`: how many ranges have names that are not recorded. */
static void tell_what_there_is(const char *range, const char *there, int64_t wide, struct error *err)
{
	char unrecorded[128] = "";

	if (wide > 0)
		snprintf(unrecorded, sizeof(unrecorded),
			"%s%lld with names in wide characters (nvtxRangePushW), which CUPTI does not record",
			there ? ", and " : "", (long long)wide);
	error_set(err, "no NVTX range is called '%.200s'; %s%s%s", range,
		there || wide > 0 ? "it has " : "the recording has no NVTX ranges", there ? there : "", unrecorded);
}

int instances_missing(struct store *store, const char *range, struct error *err)
{
	struct name_list names = {0};
	int64_t wide = wide_ranges_of(store, err);
	char *there = NULL;

	if (wide < 0 || instances_walk(store, list_range, &names, err) < 0) {
		name_list_free(&names);
		return -1;
	}
	there = name_list_take(&names);
	tell_what_there_is(range, there, wide, err);
	free(there);
	return -1;
}
