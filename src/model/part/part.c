/* part.c: see part.h. */
#include "model/part/part.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/part/filter.h"
#include "model/part/forecast.h"
#include "store/event.h"
#include "store/scan.h"
#include "util/alloc.h"
#include "util/number.h"
#include "util/machine/parallel.h"

/* ---- when work begins ---- */

/* Of every so many rows of a batch. */
enum { STARTS_STEP = 16 };

struct starts {
	int64_t *start;
	size_t n, room;
	pthread_mutex_t lock;
};

static void take_starts(void *user, size_t part, const struct scan_rows *rows)
{
	struct starts *starts = user;

	(void)part;
	pthread_mutex_lock(&starts->lock);
	for (size_t i = 0; i < rows->n; i += STARTS_STEP) {
		if (scan_null(rows, i, 0) || !times_usable(rows->value[0][i], rows->value[1][i]))
			continue;
		xgrow(&starts->start, starts->n, &starts->room, sizeof(*starts->start));
		starts->start[starts->n++] = rows->value[0][i];
	}
	pthread_mutex_unlock(&starts->lock);
}

static int part_by_start(const void *left, const void *right)
{
	return int64_order(*(const int64_t *)left, *(const int64_t *)right);
}

/* Starts of the work of a recording, sorted, for free(). NULL with `err`. */
static int64_t *part_starts(struct store *store, size_t *n, struct error *err)
{
	static const struct {
		enum table_id table;
		int columns[2];
	} tables[] = {{TABLE_KERNEL, {KERNEL_start, KERNEL_end}}, {TABLE_MEMCPY, {MEMCPY_start, MEMCPY_end}},
		{TABLE_MEMSET, {MEMSET_start, MEMSET_end}}, {TABLE_GRAPHTRACE, {GRAPHTRACE_start, GRAPHTRACE_end}}};
	struct starts starts = {.lock = PTHREAD_MUTEX_INITIALIZER};

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		const struct scan scan = {.table = tables[i].table,
			.columns = tables[i].columns,
			.ncolumns = 2,
			.take = take_starts,
			.user = &starts};

		if (store_scan(store, &scan, err) < 0) {
			free(starts.start);
			return NULL;
		}
	}
	if (starts.n > 1)
		qsort(starts.start, starts.n, sizeof(*starts.start), part_by_start);
	*n = starts.n;
	return starts.start ? starts.start : xcalloc(1, sizeof(*starts.start));
}

/* ---- the window that fits ---- */

/* Of the work so much from the middle, where a program has warmed up. */
static void choose_window(struct part *part, const int64_t *start, size_t n, double share)
{
	enum { FEWEST_STARTS = 64 };
	size_t count = (size_t)((double)n * share), first;

	/* A few pieces of work tell nothing, and take next to nothing. */
	if (count < FEWEST_STARTS)
		count = n < FEWEST_STARTS ? n : FEWEST_STARTS;
	first = (n - count) / 2;
	part->chosen = part->wish.window = true;
	part->first = start[0];
	part->last = start[n - 1];
	part->wish.from = start[first];
	part->wish.to = first + count < n ? start[first + count] : INT64_MAX;
}

/* Where nothing was asked for and the whole does not fit. */
static int fit_window(struct part *part, struct store *store, struct error *err)
{
	double share = forecast_share(&part->forecast);
	size_t n;
	int64_t *start;

	if (share >= 1 || part->wish.window || part->wish.range)
		return 0;
	start = part_starts(store, &n, err);
	if (!start)
		return -1;
	if (n > 0)
		choose_window(part, start, n, share);
	free(start);
	return 0;
}

/* ---- all of it ---- */

static bool is_open(const struct part_wish *wish)
{
	return !wish->window || (wish->from == INT64_MIN && wish->to == INT64_MAX);
}

static int part_limit(struct part *part, struct store *store, struct error *err)
{
	if (part->wish.range && !store_has(store, TABLE_RUNTIME))
		return error_set(err,
			"%s has no calls of the CUDA API, so no work belongs to a range: use --window instead of "
			"--range",
			store_file_name(store));
	part->is_part = true;
	part->filter = part_filter_new(part, store);
	if (part->wish.range && part_find_instances(part, store, err) < 0)
		return -1;
	store_use_filter(store, &part->filter->scan);
	return 0;
}

int part_begin(struct part *part, const struct part_wish *wish, struct store *store, const struct part_hearer *hearer,
	struct error *err)
{
	struct forecast told;

	store_use_threads(store, threads_wanted());
	*part = (struct part){.wish = *wish, .forecast = forecast_of(store, wish->memory)};
	told = part->forecast;
	told.little &= wish->memory > 0 && !wish->window && !wish->range;
	if (hearer && hearer->begins)
		hearer->begins(hearer->user, store_file_name(store), &told,
			!wish->window && !wish->range && forecast_share(&part->forecast) < 1);
	if (hearer && hearer->read)
		store_tell_rows(store, hearer->read, hearer->user);
	if (fit_window(part, store, err) < 0)
		return -1;
	return is_open(&part->wish) && !part->wish.range ? 0 : part_limit(part, store, err);
}

void part_all_is_read(struct part *part)
{
	if (part->filter)
		part_others_end(part->filter);
}

double part_others_share(const struct part *part)
{
	double others = (double)part->others.ns;

	return others > 0 ? others / (others + (double)part->ns) : 0;
}

bool part_lacks_work(const struct part *part)
{
	return part_others_share(part) >= others_most;
}

int part_refuse_empty(const struct part *part, struct store *store, struct error *err)
{
	size_t n = 0;
	int64_t *start;

	if (!part->is_part)
		return 0;
	store_use_filter(store, NULL);
	start = part_starts(store, &n, err);
	if (start && n > 0)
		error_set(err, "no device work of %s lies in this part: it begins between %.3f s and %.3f s",
			store_file_name(store), (double)start[0] / 1e9, (double)start[n - 1] / 1e9);
	free(start);
	return n > 0 || err->text[0] ? -1 : 0;
}

void part_end(struct part *part, struct store *store)
{
	store_use_filter(store, NULL);
	store_tell_rows(store, NULL, NULL);
	part_filter_free(part->filter);
	part->filter = NULL;
}
