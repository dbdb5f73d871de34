/* sweep-parts.c: the parts of the work at a point of a sweep, and each variant's distance from the floor. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/family/measure.h"
#include "store/rowset.h"
#include "model/sweep/sweep.h"
#include "store/store.h"
#include "tree/json.h"

enum { MAX_SCHEDULES = 16 };

/* The variants of a family at a point that are parts of the work. */
struct parts {
	double schedule[MAX_SCHEDULES];
	size_t nschedules;
	struct work_parts alone; /* a kind that the family lacks: 0 for stores, else NaN */
	bool any;
};

static double median_at(const struct sweep *s, const struct sweep_point *point, size_t v, bool *failed)
{
	bool on_purpose = row_int(&s->variants, v, VARIANT_teachesFailure) != 0;
	struct point_side side;
	double median;

	if (side_read(s, point->label, row_string(&s->variants, v, VARIANT_name), !on_purpose, &side) < 0)
		*failed = true;
	median = *failed ? NAN : side.median;
	side_free(&side);
	return median;
}

static void sweep_parts_add_part(struct parts *parts, const char *kind, double ns)
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

static int put_parts(json_t *object, const struct parts *parts, double floor_ns)
{
	json_t *tree;
	int bad = 0;

	if (!parts->any)
		return put_json(object, "parts", json_null());
	tree = json_object();
	bad |= put_json(tree, "floor_ns", real_json(floor_ns));
	bad |= put_json(tree, "loads_ns", real_json(parts->alone.loads));
	bad |= put_json(tree, "stores_ns", real_json(parts->alone.stores > 0 ? parts->alone.stores : NAN));
	bad |= put_json(tree, "compute_ns", real_json(parts->alone.compute));
	return put_json(object, "parts", built_json(tree, bad));
}

/* `single` is the time of the pair's single; NaN for single itself, which cannot hide anything of itself. */
static json_t *candidate_json(
	const char *variant, double ns, double floor_ns, double single, const struct work_parts *alone)
{
	json_t *object = json_object();
	int bad = put_json(object, "variant", text_json(variant));

	bad |= put_json(object, "ns", real_json(ns));
	bad |= put_json(object, "floor_share", real_json(floor_ns / ns));
	bad |= put_json(object, "hidden_share", real_json(hidden_from_parts(single, ns, alone)));
	return built_json(object, bad);
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

int point_parts(json_t *object, const struct sweep *s, const struct sweep_point *point, const double pair[2],
	const char **floor)
{
	struct parts parts = {.alone = {NAN, 0, NAN}};
	json_t *candidates = json_array();
	double *ns = calloc(s->variants.count + 1, sizeof(*ns));
	bool failed = !ns;
	double floor_ns;
	int bad = 0;

	for (size_t v = 0; v < s->variants.count && !failed; v++) {
		const char *kind = row_string(&s->variants, v, VARIANT_kind);

		ns[v] = median_at(s, point, v, &failed);
		if (is_part(kind))
			sweep_parts_add_part(&parts, kind, ns[v]);
	}
	floor_ns = floor_of_parts(parts.schedule, parts.nschedules, parts.alone.compute);
	*floor = failed ? NULL : floor_variant(s, ns, floor_ns);
	for (size_t v = 0; v < s->variants.count && !failed; v++) {
		const char *name = row_string(&s->variants, v, VARIANT_name);
		double single = strcmp(name, s->single) == 0 ? NAN : pair[0];

		if (isfinite(ns[v]) && !is_part(row_string(&s->variants, v, VARIANT_kind)))
			bad |= append_json(candidates, candidate_json(name, ns[v], floor_ns, single, &parts.alone));
	}
	bad |= put_parts(object, &parts, floor_ns);
	bad |= put_json(object, "candidates", candidates);
	bad |= put_json(object, "hidden_share", real_json(hidden_from_parts(pair[0], pair[1], &parts.alone)));
	free(ns);
	return failed ? -1 : bad;
}
