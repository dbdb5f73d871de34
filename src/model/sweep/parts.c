/* parts.c: see parts.h. */
#include "model/sweep/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/sweep.h"
#include "model/family/measured.h"
#include "model/sweep/grid.h"
#include "model/sweep/side.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

enum { MAX_SCHEDULES = 16 };

/* The variants of a family at a point that are parts of the work. */
struct parts {
	double schedule[MAX_SCHEDULES];
	size_t nschedules;
	struct work_parts alone; /* without stores in the family 0 for them; NaN for any other kind that it lacks */
	bool any;
};

static double median_at(const struct sweep *s, const struct sweep_point *point, size_t v)
{
	bool on_purpose = row_int(&s->variants, v, VARIANT_teachesFailure) != 0;
	struct point_side side;

	side_read(s, point->label, row_string(&s->variants, v, VARIANT_name), !on_purpose, &side);
	side_free(&side);
	return side.median;
}

static void parts_add(struct parts *parts, const char *kind, double ns)
{
	double *alone = strcmp(kind, "loads") == 0    ? &parts->alone.loads
			: strcmp(kind, "stores") == 0 ? &parts->alone.stores
						      : &parts->alone.compute;

	if (strcmp(kind, "floor") == 0) {
		if (isfinite(ns) && parts->nschedules < MAX_SCHEDULES)
			parts->schedule[parts->nschedules++] = ns;
	} else {
		*alone = ns;
	}
	parts->any |= isfinite(ns);
}

static json_t *parts_json(const struct parts *parts, double floor_ns)
{
	json_t *tree;

	if (!parts->any)
		return json_null();
	tree = json_object();
	put_json(tree, "floor_ns", real_json(floor_ns));
	put_json(tree, "loads_ns", real_json(parts->alone.loads));
	put_json(tree, "stores_ns", real_json(parts->alone.stores > 0 ? parts->alone.stores : NAN));
	put_json(tree, "compute_ns", real_json(parts->alone.compute));
	return tree;
}

/* `single` is the time of the pair's single; NaN for single itself, which cannot hide anything of itself. */
static json_t *candidate_json(
	const char *variant, double ns, double floor_ns, double single, const struct work_parts *alone)
{
	json_t *object = json_object();

	put_json(object, "variant", text_json(variant));
	put_json(object, "ns", real_json(ns));
	put_json(object, "floor_share", real_json(floor_ns / ns));
	put_json(object, "hidden_share", real_json(hidden_from_parts(single, ns, alone)));
	return object;
}

/* The schedule, or else the computation, that takes the time of the floor; NULL without one. */
static const char *floor_variant(const struct sweep *s, const double *ns, double floor_ns)
{
	for (size_t v = 0; v < s->variants.count; v++) {
		const char *kind = row_string(&s->variants, v, VARIANT_kind);

		if (ns[v] == floor_ns && (strcmp(kind, "floor") == 0 || strcmp(kind, "compute") == 0))
			return row_string(&s->variants, v, VARIANT_name);
	}
	return NULL;
}

/* Every variant that does the whole work and has a time: ns[] holds those of all variants. */
static json_t *candidates_json(
	const struct sweep *s, const double *ns, double floor_ns, double single, const struct work_parts *alone)
{
	json_t *list = json_array();

	for (size_t v = 0; v < s->variants.count; v++) {
		const char *name = row_string(&s->variants, v, VARIANT_name);
		double from = strcmp(name, s->single) == 0 ? NAN : single;

		if (isfinite(ns[v]) && !is_part(row_string(&s->variants, v, VARIANT_kind)))
			append_json(list, candidate_json(name, ns[v], floor_ns, from, alone));
	}
	return list;
}

const char *point_parts(json_t *object, const struct sweep *s, const struct sweep_point *point, const double pair[2])
{
	struct parts parts = {.alone = {NAN, 0, NAN}};
	double *ns = xcalloc(s->variants.count, sizeof(*ns)), floor_ns;
	const char *floor;

	for (size_t v = 0; v < s->variants.count; v++) {
		const char *kind = row_string(&s->variants, v, VARIANT_kind);

		ns[v] = median_at(s, point, v);
		if (is_part(kind))
			parts_add(&parts, kind, ns[v]);
	}
	floor_ns = floor_of_parts(parts.schedule, parts.nschedules, parts.alone.compute);
	floor = floor_variant(s, ns, floor_ns);
	put_json(object, "parts", parts_json(&parts, floor_ns));
	put_json(object, "candidates", candidates_json(s, ns, floor_ns, pair[0], &parts.alone));
	put_json(object, "hidden_share", real_json(hidden_from_parts(pair[0], pair[1], &parts.alone)));
	free(ns);
	return floor;
}
