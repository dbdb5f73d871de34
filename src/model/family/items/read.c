/* read.c: see read.h. */
#include "model/family/items/read.h"

#include <math.h>
#include <stdlib.h>

#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* No launch takes longer (ns): a day. A later time is none. */
static const int64_t TIME_MOST = INT64_C(86400) * 1000000000;

/* A row with its place, to be sorted by. */
struct placed {
	int64_t run, launch, ord;
	struct item_times item;
};

static int items_by_place(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;

	if (a->run != b->run)
		return a->run < b->run ? -1 : 1;
	if (a->launch != b->launch)
		return a->launch < b->launch ? -1 : 1;
	return (a->ord > b->ord) - (a->ord < b->ord);
}

/* False if an item cannot have had such times: it comes, then it is taken, then it is done. */
static bool take_item(const struct rows *rows, size_t i, struct placed *out)
{
	const int64_t arrived = row_int(rows, i, ITEM_arrivedNs), taken = row_int(rows, i, ITEM_takenNs);
	const int64_t done = row_int(rows, i, ITEM_doneNs);
	const double work = row_real(rows, i, ITEM_workNs);

	if (row_null(rows, i, ITEM_arrivedNs) || row_null(rows, i, ITEM_takenNs) || row_null(rows, i, ITEM_doneNs) ||
		arrived < 0 || taken < arrived || done < taken || done > TIME_MOST)
		return false;
	*out = (struct placed){
		.run = row_int(rows, i, ITEM_run),
		.launch = row_int(rows, i, ITEM_launch),
		.ord = row_int(rows, i, ITEM_ord),
		.item = {.arrived = (double)arrived,
			.taken = (double)taken,
			.done = (double)done,
			.work = work >= 0 && work <= (double)TIME_MOST ? work : NAN,
			.held_back = row_int(rows, i, ITEM_heldBack) == 1},
	};
	return true;
}

struct item_times *items_read(const struct model *model, const struct items_place *place, size_t *n)
{
	const char *const key[] = {place->family, place->variant, place->label};
	const struct rows rows = rows_find(&model->table[TABLE_ITEM], 3, key);
	struct placed *placed = xcalloc(rows.count + 1, sizeof(*placed));
	struct item_times *items = xcalloc(rows.count + 1, sizeof(*items));
	size_t launch = 0;

	*n = 0;
	for (size_t i = 0; i < rows.count; i++)
		*n += take_item(&rows, i, &placed[*n]);
	qsort(placed, *n, sizeof(*placed), items_by_place);
	for (size_t i = 0; i < *n; i++) {
		if (i > 0 && (placed[i].run != placed[i - 1].run || placed[i].launch != placed[i - 1].launch))
			launch++;
		items[i] = placed[i].item;
		items[i].launch = launch;
	}
	free(placed);
	return items;
}

/* ---- JSON ---- */

static json_t *latency_json(const struct items_summary *s)
{
	json_t *object = json_object();

	put_json(object, "mean", real_json(s->mean));
	put_json(object, "median", real_json(s->median));
	put_json(object, "p95", real_json(s->p95));
	put_json(object, "p99", real_json(s->p99));
	put_json(object, "min", real_json(s->least));
	put_json(object, "max", real_json(s->most));
	return object;
}

static json_t *items_wait_json(const struct items_summary *s)
{
	json_t *object = json_object();

	put_json(object, "median", real_json(s->wait_median));
	put_json(object, "p99", real_json(s->wait_p99));
	put_json(object, "max", real_json(s->wait_most));
	return object;
}

json_t *items_summary_json(const struct items_summary *s)
{
	json_t *object;

	if (s->n == 0)
		return json_null();
	object = json_object();
	put_json(object, "n", json_integer((json_int_t)s->n));
	put_json(object, "launches", json_integer((json_int_t)s->launches));
	put_json(object, "held_back", json_integer((json_int_t)s->held_back));
	put_json(object, "under_way", json_integer((json_int_t)s->under_way));
	put_json(object, "latency_ns", latency_json(s));
	put_json(object, "jitter_ns", real_json(s->jitter));
	put_json(object, "interval_ns", real_json(s->interval));
	put_json(object, "interval_deviation_ns", real_json(s->interval_deviation));
	put_json(object, "wait_ns", items_wait_json(s));
	put_json(object, "work_ns", real_json(s->work_median));
	return object;
}
