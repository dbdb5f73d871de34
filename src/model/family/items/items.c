/* items.c: see items.h. */
#include "model/family/items/items.h"

#include <stdlib.h>

#include "analyze/analyze.h"
#include "model/family/family-rows.h"
#include "model/family/family-variants.h"
#include "model/family/items/read.h"
#include "tree/json.h"
#include "util/alloc.h"

/* Places in a launch whose latency is told, from the first on. */
enum { PLACES_MOST = 1024 };

struct placed_latency {
	size_t place; /* in its launch, from 0 */
	double latency;
};

static int latency_by_place(const void *a, const void *b)
{
	const struct placed_latency *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

/* Median latencies from the first item of a launch to the last. `placed` is sorted by place. */
static json_t *medians_by_place(const struct placed_latency *placed, size_t n)
{
	double *x = xcalloc(n + 1, sizeof(*x));
	json_t *list = json_array();
	size_t found = 0;

	for (size_t i = 0; i < n && placed[i].place < PLACES_MOST; i++) {
		x[found++] = placed[i].latency;
		if (i + 1 < n && placed[i + 1].place == placed[i].place)
			continue;
		append_json(list, real_json(median_of(x, found)));
		found = 0;
	}
	free(x);
	return list;
}

static json_t *latencies_json(const struct item_times *items, size_t n)
{
	struct placed_latency *placed = xcalloc(n + 1, sizeof(*placed));
	json_t *list;

	for (size_t i = 0; i < n; i++) {
		placed[i].place = i > 0 && items[i].launch == items[i - 1].launch ? placed[i - 1].place + 1 : 0;
		placed[i].latency = items[i].done - items[i].arrived;
	}
	qsort(placed, n, sizeof(*placed), latency_by_place);
	list = medians_by_place(placed, n);
	free(placed);
	return list;
}

/* A variant in case `i`; JSON null if it has items of which none counts, NULL if it has none. A wrong result's times
 * are not told. */
static json_t *items_variant_json(const struct family_rows *f, size_t i, const struct measured *m)
{
	const struct items_place place = {m->family, m->variant, m->label};
	struct items_summary summary;
	struct item_times *items;
	json_t *object;
	size_t n, filling;

	if (m->withheld)
		return NULL;
	items = items_read(f->model, &place, &n);
	filling = items_filling(items, n);
	items_summarize(items, n, filling, &summary);
	object = n > 0 ? items_summary_json(&summary) : NULL;
	if (json_is_object(object)) {
		put_json(object, "variant", text_json(m->variant));
		put_json(object, "buffers", json_integer(m->buffers));
		put_json(object, "filling", json_integer((json_int_t)filling));
		put_json(object, "throughput", real_json(family_throughput(f, i, m)));
		put_json(object, "latencies_ns", latencies_json(items, n));
	}
	free(items);
	return object;
}

static json_t *items_case_json(const struct family_rows *f, size_t i)
{
	const struct rivals rivals = rivals_of(f, i);
	json_t *object = json_object(), *variants = json_array(), *uncounted = json_array();

	for (size_t v = 0; v < rivals.n; v++) {
		json_t *variant = items_variant_json(f, i, rivals.list[v]);

		if (json_is_object(variant))
			append_json(variants, variant);
		else if (variant)
			append_json(uncounted, text_json(rivals.list[v]->variant));
	}
	put_json(object, "case", text_json(measured_at(f, 0)[i].label));
	put_json(object, "headline", json_boolean(i == 0));
	put_json(object, "variants", variants);
	put_json(object, "uncounted", uncounted);
	return object;
}

json_t *items_json(const struct family_rows *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->cases.count && f->variants.count > 0; i++) {
		json_t *one = items_case_json(f, i);

		if (json_array_size(json_object_get(one, "variants")) > 0 ||
			json_array_size(json_object_get(one, "uncounted")) > 0)
			append_json(list, one);
		else
			json_decref(one);
	}
	return list;
}
