/* derived.c: see derived.h. */
#include "model/sweep/derived.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/device.h"
#include "model/family/ratio.h"
#include "model/recording.h"
#include "model/sweep/grid.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* A point with what belongs to it. */
struct place {
	const struct sweep *s;
	const struct sweep_point *point;
	const json_t *tree;      /* of the point */
	struct rows device;      /* one row, or none */
	bool grids_vary;         /* from point to point */
	struct rows single, dbl; /* of DBPROF_RESOURCE: one, or none */
};

/* ---- the variables: NaN where one is not known ---- */

static double derived_chunks(const struct place *p)
{
	return p->point->chunks;
}

static double derived_chunk_bytes(const struct place *p)
{
	return row_real(&p->point->row, 0, CASE_bytes) / p->point->chunks;
}

/* A pipeline's kernels run in pieces beside copies, so that waves and caches tell little of them. */
static bool is_kernels(const struct place *p)
{
	return p->s->kernel_bound && isnan(p->point->chunks);
}

static double resident_blocks(const struct rows *resource)
{
	return resource->count ? row_real(resource, 0, RESOURCE_blocksPerSm) : NAN;
}

static double derived_grid_blocks(const struct rows *resource)
{
	return resource->count ? row_real(resource, 0, RESOURCE_gridX) * row_real(resource, 0, RESOURCE_gridY) *
					 row_real(resource, 0, RESOURCE_gridZ)
			       : NAN;
}

/* With one grid at all points, waves say the same as the blocks on an SM. */
static double derived_waves(const struct place *p)
{
	double sms = p->device.count ? row_real(&p->device, 0, GPU_smCount) : NAN;

	return is_kernels(p) && p->grids_vary ? derived_grid_blocks(&p->dbl) / (sms * resident_blocks(&p->dbl)) : NAN;
}

static double derived_working_set(const struct place *p)
{
	double l2 = p->device.count ? row_real(&p->device, 0, GPU_l2CacheSize) : NAN;

	return is_kernels(p) && l2 > 0 ? row_real(&p->point->row, 0, CASE_bytes) / l2 : NAN;
}

static double derived_blocks(const struct place *p)
{
	return is_kernels(p) ? resident_blocks(&p->dbl) : NAN;
}

static double derived_blocks_kept(const struct place *p)
{
	return is_kernels(p) ? resident_blocks(&p->dbl) / resident_blocks(&p->single) : NAN;
}

static double derived_warps(const struct place *p)
{
	double threads = p->dbl.count ? row_real(&p->dbl, 0, RESOURCE_blockX) * row_real(&p->dbl, 0, RESOURCE_blockY) *
						row_real(&p->dbl, 0, RESOURCE_blockZ)
				      : NAN;

	return derived_blocks(p) * ceil(threads / 32);
}

/* Of the parts of the work, each timed alone. */
static double derived_balance(const struct place *p)
{
	const json_t *parts = json_object_get(p->tree, "parts");

	return is_kernels(p) ? tree_real(parts, "compute_ns") / tree_real(parts, "loads_ns") : NAN;
}

static double derived_intensity(const struct place *p)
{
	double flops = row_real(&p->point->row, 0, CASE_flops);

	return is_kernels(p) && flops > 0 ? flops / row_real(&p->point->row, 0, CASE_bytes) : NAN;
}

static double derived_x(const struct place *p)
{
	return p->point->x_place;
}

static double derived_y(const struct place *p)
{
	return *p->s->y ? p->point->y_place : NAN;
}

/* In the order of preference. The title of "x" and "y" is the parameter's name, the unit its own. */
static const struct derived {
	const char *id, *title, *unit;
	double (*value)(const struct place *p);
} variables[] = {
	{"chunks", "chunks per launch", "", derived_chunks},
	{"waves", "waves of blocks", "", derived_waves},
	{"working-set", "bytes moved, against the L2 cache", "× L2 cache", derived_working_set},
	{"blocks-per-sm", "blocks on an SM", "", derived_blocks},
	{"blocks-kept", "blocks on an SM, double over single", "", derived_blocks_kept},
	{"warps-per-sm", "warps on an SM", "", derived_warps},
	{"compute-per-load", "time to compute over time to load", "", derived_balance},
	{"flops-per-byte", "operations per byte", "", derived_intensity},
	{"chunk-bytes", "bytes per chunk", "bytes", derived_chunk_bytes},
	{"x", NULL, NULL, derived_x},
	{"y", NULL, NULL, derived_y},
};

enum { CHUNKS, VARIABLES = sizeof(variables) / sizeof(variables[0]) };

/* ---- what is known of a sweep's points ---- */

/* The compared points, with a speed-up and something to overlap; or only those of them with a clear verdict. */
struct known {
	const struct sweep *s;
	double *all[VARIABLES];        /* of every point of the sweep; owned */
	double *value[VARIABLES];      /* of its points; owned */
	size_t used[VARIABLES], nused; /* the variables that all of these have and that vary */
	size_t *point, n;              /* its points; owned */
};

static struct rows resource_of(const struct sweep *s, const char *variant, const char *label)
{
	const char *const key[] = {s->family, variant, label};
	struct rows rows = rows_find(&s->model->table[TABLE_RESOURCE], 3, key);

	return (struct rows){rows.set, rows.first, rows.count > 0};
}

static bool grids_vary(const struct sweep *s)
{
	double first = NAN;

	for (size_t i = 0; i < s->npoints; i++) {
		struct rows row = resource_of(s, s->dbl, s->points[i].label);
		double blocks = derived_grid_blocks(&row);

		if (isfinite(first) && blocks != first)
			return true;
		first = blocks;
	}
	return false;
}

static void known_values(struct known *k, const json_t *points)
{
	const struct sweep *s = k->s;
	struct rows device = device_row(s->model);
	bool vary = grids_vary(s);

	for (size_t i = 0; i < s->npoints; i++) {
		const struct sweep_point *point = &s->points[i];
		const struct place place = {s, point, json_array_get(points, i), device, vary,
			resource_of(s, s->single, point->label), resource_of(s, s->dbl, point->label)};

		for (size_t v = 0; v < VARIABLES; v++)
			k->all[v][i] = variables[v].value(&place);
	}
}

/* Whether every point has a number, and not all have the same. */
static bool tells(const double *value, size_t n)
{
	bool varies = false;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(value[i]))
			return false;
		varies |= value[i] != value[0];
	}
	return varies;
}

static bool point_is_known(const struct sweep *s, const struct sweep_point *point, bool clear)
{
	return isfinite(point->ratio.value) && point_overlappable(s, point) &&
	       (!clear || point->verdict != VERDICT_UNCLEAR);
}

static void known_of(const struct sweep *s, const json_t *points, bool clear, struct known *k)
{
	*k = (struct known){.s = s, .point = xcalloc(s->npoints, sizeof(*k->point))};
	for (size_t v = 0; v < VARIABLES; v++) {
		k->all[v] = xcalloc(s->npoints, sizeof(double));
		k->value[v] = xcalloc(s->npoints, sizeof(double));
	}
	known_values(k, points);
	for (size_t i = 0; i < s->npoints; i++) {
		if (point_is_known(s, &s->points[i], clear))
			k->point[k->n++] = i;
	}
	for (size_t v = 0; v < VARIABLES; v++) {
		for (size_t i = 0; i < k->n; i++)
			k->value[v][i] = k->all[v][k->point[i]];
		if (tells(k->value[v], k->n))
			k->used[k->nused++] = v;
	}
}

static void known_free(struct known *k)
{
	for (size_t v = 0; v < VARIABLES; v++) {
		free(k->all[v]);
		free(k->value[v]);
	}
	free(k->point);
}

/* ---- the rule ---- */

/* The rule is found among the clear points, and counted at all compared ones. */
struct ruling {
	struct known all, clear;
	size_t nothing; /* points with a speed-up at which nothing can overlap */
};

/* How many of the points on one side of the rule have which verdict. `nothing` points stand there too. */
static json_t *rule_side_json(const struct known *k, const bool *inside, bool side, size_t nothing)
{
	size_t points = nothing, count[VERDICT_UNCLEAR + 1] = {0};
	json_t *object = json_object();

	for (size_t i = 0; i < k->n; i++) {
		if (inside[i] != side)
			continue;
		points++;
		count[k->s->points[k->point[i]].verdict]++;
	}
	put_json(object, "points", json_integer((json_int_t)points));
	put_json(object, "pays", json_integer((json_int_t)count[VERDICT_FASTER]));
	put_json(object, "costs", json_integer((json_int_t)count[VERDICT_SLOWER]));
	put_json(object, "same", json_integer((json_int_t)count[VERDICT_SAME]));
	put_json(object, "unclear", json_integer((json_int_t)count[VERDICT_UNCLEAR]));
	put_json(object, "nothing", json_integer((json_int_t)nothing));
	return object;
}

static const char *derived_title(const struct sweep *s, size_t v)
{
	return variables[v].title ? variables[v].title : strcmp(variables[v].id, "x") == 0 ? s->x : s->y;
}

/* Which of the compared points the rule is about: all without a rule. */
static void rule_inside(const struct known *k, size_t v, const struct threshold_rule *rule, bool *inside)
{
	for (size_t i = 0; i < k->n; i++) {
		double value = k->value[v][i];

		inside[i] = !rule ||
			    (rule->relation == RULE_AT_LEAST ? value >= rule->threshold : value <= rule->threshold);
	}
}

/* `rule` NULL: it holds at all points. `nothing` points stand outside. */
static json_t *rule_json(
	const struct known *k, enum verdict verdict, size_t v, const struct threshold_rule *rule, size_t nothing)
{
	bool *inside = xcalloc(k->n, sizeof(*inside));
	json_t *object = json_object();

	rule_inside(k, v, rule, inside);
	put_json(object, "verdict", json_string(verdict_name(verdict)));
	put_json(object, "variable", rule ? json_string(variables[v].id) : json_null());
	put_json(object, "title", rule ? text_json(derived_title(k->s, v)) : json_null());
	put_json(object, "relation", rule ? json_string(rule->relation == RULE_AT_LEAST ? ">=" : "<=") : json_null());
	put_json(object, "threshold", real_json(rule ? rule->threshold : NAN));
	put_json(object, "chance", real_json(rule ? rule->chance : NAN));
	put_json(object, "inside", rule_side_json(k, inside, true, 0));
	put_json(object, "outside", rule_side_json(k, inside, false, nothing));
	free(inside);
	return object;
}

/* Where every clear point has the verdict. If they pay, the points with one chunk, where nothing can overlap, are the
 * outside, and the rule is one over the chunks; else it is one without a variable. */
static json_t *rule_everywhere(const struct ruling *r, enum verdict verdict)
{
	struct threshold_rule rule = {.relation = RULE_AT_LEAST, .threshold = INFINITY, .chance = NAN};
	bool over_chunks = r->nothing > 0 && verdict == VERDICT_FASTER;

	for (size_t i = 0; i < r->all.n && over_chunks; i++) {
		over_chunks = isfinite(r->all.value[CHUNKS][i]);
		rule.threshold = fmin(rule.threshold, r->all.value[CHUNKS][i]);
	}
	return rule_json(&r->all, verdict, CHUNKS, over_chunks ? &rule : NULL, r->nothing);
}

static size_t has_verdict(const struct known *k, enum verdict verdict, bool *out)
{
	size_t count = 0;

	for (size_t i = 0; i < k->n; i++) {
		out[i] = k->s->points[k->point[i]].verdict == verdict;
		count += out[i];
	}
	return count;
}

static void known_variables(const struct known *k, const double *list[VARIABLES], struct variables *out)
{
	for (size_t i = 0; i < k->nused; i++)
		list[i] = k->value[k->used[i]];
	*out = (struct variables){list, k->nused, k->n};
}

/* The rule that says where the verdict holds; JSON null if none does. */
static json_t *rule_of_verdict(const struct ruling *r, enum verdict verdict)
{
	const struct known *k = &r->clear;
	const double *list[VARIABLES];
	bool *hit = xcalloc(k->n, sizeof(*hit));
	size_t hits = has_verdict(k, verdict, hit);
	struct variables table;
	struct threshold_rule rule;
	json_t *object = json_null();

	known_variables(k, list, &table);
	if (hits == k->n && hits >= EVERYWHERE_POINTS)
		object = rule_everywhere(r, verdict);
	else if (verdict != VERDICT_SAME && rule_find(&table, hit, seed_of(k->s->model), &rule))
		object = rule_json(&r->all, verdict, k->used[rule.variable], &rule, 0);
	free(hit);
	return object;
}

/* Where it pays, else where it costs time, else that it makes no difference anywhere. */
static json_t *sweep_rule(const struct ruling *r)
{
	static const enum verdict verdicts[] = {VERDICT_FASTER, VERDICT_SLOWER, VERDICT_SAME};
	json_t *rule = json_null();

	if ((double)(r->all.n - r->clear.n) > rule_unclear * (double)r->all.n)
		return rule;
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]) && json_is_null(rule); i++)
		rule = rule_of_verdict(r, verdicts[i]);
	return rule;
}

static size_t count_nothing(const struct sweep *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->npoints; i++)
		n += isfinite(s->points[i].ratio.value) && !point_overlappable(s, &s->points[i]);
	return n;
}

/* ---- what explains the gain ---- */

static double *known_ratios(const struct known *k)
{
	double *ratio = xcalloc(k->n, sizeof(*ratio));

	for (size_t i = 0; i < k->n; i++)
		ratio[i] = k->s->points[k->point[i]].ratio.value;
	return ratio;
}

static json_t *explains_json(const struct known *k, const double *ratio)
{
	const double *list[VARIABLES];
	struct variables table;
	struct companion companion;

	known_variables(k, list, &table);
	if (!companion_find(&table, ratio, seed_of(k->s->model), &companion))
		return json_null();
	return json_string(variables[k->used[companion.variable]].id);
}

/* ---- the tree ---- */

static json_t *variable_json(const struct known *k, const json_t *tree, size_t v, const double *ratio)
{
	const json_t *axis = json_object_get(tree, variables[v].id);
	json_t *object = json_object();

	put_json(object, "id", json_string(variables[v].id));
	put_json(object, "title", text_json(derived_title(k->s, v)));
	put_json(object, "unit", text_json(variables[v].unit ? variables[v].unit : tree_text(axis, "unit")));
	put_json(object, "correlation", real_json(rank_correlation(k->value[v], ratio, k->n)));
	return object;
}

static void put_point_variables(json_t *points, const struct known *k)
{
	for (size_t i = 0; i < k->s->npoints; i++) {
		json_t *list = json_array();

		for (size_t u = 0; u < k->nused; u++) {
			size_t v = k->used[u];

			if (isfinite(k->all[v][i]))
				append_json(
					list, json_pack("{s:s, s:f}", "id", variables[v].id, "value", k->all[v][i]));
		}
		put_json(json_array_get(points, i), "derived", list);
	}
}

static void put_variables(json_t *tree, const struct known *k)
{
	json_t *points = json_object_get(tree, "points"), *list = json_array();
	double *ratio = known_ratios(k);

	for (size_t u = 0; u < k->nused; u++)
		append_json(list, variable_json(k, tree, k->used[u], ratio));
	put_point_variables(points, k);
	put_json(tree, "derived", list);
	put_json(tree, "explains", explains_json(k, ratio));
	free(ratio);
}

void derived_put(json_t *tree, const struct sweep *s)
{
	const json_t *points = json_object_get(tree, "points");
	struct ruling ruling = {.nothing = count_nothing(s)};

	known_of(s, points, false, &ruling.all);
	known_of(s, points, true, &ruling.clear);
	put_variables(tree, &ruling.all);
	put_json(tree, "rule", sweep_rule(&ruling));
	known_free(&ruling.all);
	known_free(&ruling.clear);
}
