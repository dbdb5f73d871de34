/* model-sweep-point.c: one point of a sweep: the pair's times and verdict, the parts of the work, the candidates. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/model-sweep.h"

enum { BLOCKS_NEEDED = 12, REASON_SIZE = 256 };

/* A variant at a point. Samples of blocks in which the GPU was throttled are left out. */
struct side {
	const char *variant;
	double *ns; /* owned, as block and run */
	int *block, *run;
	size_t n;
	double median; /* NaN without samples */
	bool wrong;    /* at this point: its time is withheld */
	bool verified; /* at this point */
};

static void side_free(struct side *side)
{
	free(side->ns);
	free(side->block);
	free(side->run);
}

static struct rows rows_at(
	const struct sweep *s, enum table_id table, const char *variant, const struct sweep_point *point)
{
	const char *const key[] = {s->family, variant, point->label};

	return rows_find(&s->model->table[table], 3, key);
}

/* Whether row `i` is a reading beside this point, taken while the GPU was throttled. */
static bool is_throttled(const struct sweep *s, const struct sweep_point *point, const struct rows *clocks, size_t i)
{
	return throttle_matters(row_int(clocks, i, CLOCK_throttle)) &&
	       strcmp(row_string(clocks, i, CLOCK_caseLabel), point->label) == 0 &&
	       strcmp(row_string(clocks, i, CLOCK_family), s->family) == 0;
}

/* Whether any block of the point was throttled: most often none, and then no block is looked up. */
static bool ever_throttled(const struct sweep *s, const struct sweep_point *point)
{
	struct rows clocks = rows_all(&s->model->table[TABLE_CLOCK]);

	for (size_t i = 0; i < clocks.count; i++) {
		if (is_throttled(s, point, &clocks, i))
			return true;
	}
	return false;
}

static bool throttled_in(const struct sweep *s, const struct sweep_point *point, int64_t block)
{
	struct rows clocks = rows_all(&s->model->table[TABLE_CLOCK]);

	for (size_t i = 0; i < clocks.count && point->throttled; i++) {
		if (row_int(&clocks, i, CLOCK_block) == block && is_throttled(s, point, &clocks, i))
			return true;
	}
	return false;
}

static void take_samples(
	const struct sweep *s, const struct sweep_point *point, const struct rows *rows, struct side *side)
{
	int64_t last = -1;
	bool apart = false;

	/* Sorted by block: each block is looked up once. */
	for (size_t i = 0; i < rows->count; i++) {
		double ns = row_real(rows, i, SAMPLE_ns);
		int64_t block = row_int(rows, i, SAMPLE_block);

		if (i == 0 || block != last)
			apart = throttled_in(s, point, block);
		last = block;
		if (apart || !(ns > 0) || isinf(ns))
			continue;
		side->ns[side->n] = ns;
		side->block[side->n] = (int)block;
		side->run[side->n++] = (int)row_int(rows, i, SAMPLE_run);
	}
}

static int side_read(
	const struct sweep *s, const struct sweep_point *point, const char *variant, bool withhold, struct side *side)
{
	struct rows rows = rows_at(s, TABLE_SAMPLE, variant, point);
	struct rows verify = rows_at(s, TABLE_VERIFY, variant, point);
	struct summary summary;

	*side = (struct side){.variant = variant, .verified = verify.count > 0, .wrong = came_out_wrong(&verify)};
	side->ns = calloc(rows.count + 1, sizeof(*side->ns));
	side->block = calloc(rows.count + 1, sizeof(*side->block));
	side->run = calloc(rows.count + 1, sizeof(*side->run));
	if (!side->ns || !side->block || !side->run)
		return -1;
	if (!side->wrong || !withhold)
		take_samples(s, point, &rows, side);
	if (summarize(side->ns, side->n, &summary) < 0)
		return -1;
	side->median = summary.median;
	return 0;
}

/* ---- the pair ---- */

static const char *why_unsupported(const struct sweep *s, const struct sweep_point *point, const char *variant)
{
	struct rows rows = rows_at(s, TABLE_UNSUPPORTED, variant, point);

	return rows.count ? row_string(&rows, 0, UNSUPPORTED_reason) : NULL;
}

/* Whether some result of the variant was compared and all that were are right; *label: a case in which one is not. */
static bool right_everywhere(const struct sweep *s, const char *variant, const char **label)
{
	const char *const key[] = {s->family, variant};
	struct rows rows = rows_find(&s->model->table[TABLE_VERIFY], 2, key);

	*label = NULL;
	for (size_t i = 0; i < rows.count && !*label; i++) {
		if (row_int(&rows, i, VERIFY_wrong) > 0)
			*label = row_string(&rows, i, VERIFY_caseLabel);
	}
	return rows.count > 0 && !*label;
}

/* False with the reason if a side's results speak against it. */
static bool results_hold(const struct sweep *s, const char *variant, char *reason)
{
	const char *label;

	if (right_everywhere(s, variant, &label))
		return true;
	if (label)
		snprintf(reason, REASON_SIZE, "%.80s came out wrong in case %.80s", variant, label);
	else
		snprintf(reason, REASON_SIZE, "not verified: no result of %.80s was compared", variant);
	return false;
}

/* Why there is no time, into `reason`; false if there is one. */
static bool lacks_time(
	const struct sweep *s, const struct sweep_point *point, const struct side *side, const char *role, char *reason)
{
	const char *unsupported = why_unsupported(s, point, side->variant);

	if (side->n > 0)
		return false;
	if (side->wrong)
		snprintf(reason, REASON_SIZE, "%s came out wrong here, so its time is withheld", role);
	else if (unsupported)
		snprintf(reason, REASON_SIZE, "%s: %.200s", role, unsupported);
	else
		snprintf(reason, REASON_SIZE, "not measured");
	return true;
}

static void judge(const struct sweep *s, struct sweep_point *point, char *reason)
{
	const struct ratio *ratio = &point->ratio;
	bool sound = results_hold(s, s->single, reason) && results_hold(s, s->dbl, reason);

	if (sound && ratio->blocks < BLOCKS_NEEDED) {
		snprintf(reason, REASON_SIZE, "%zu blocks have times of both; %d are needed", ratio->blocks,
			BLOCKS_NEEDED);
		sound = false;
	}
	point->verdict = verdict_of(ratio, SWEEP_BAND, sound);
	if (sound && point->verdict == VERDICT_UNCLEAR)
		snprintf(reason, REASON_SIZE, "the interval lies neither inside nor outside 1 ± %g", SWEEP_BAND);
}

static int compare(struct sweep_point *point, const struct side *single, const struct side *dbl, uint64_t seed)
{
	const struct blocked_samples a = {single->ns, single->block, single->n, single->run};
	const struct blocked_samples b = {dbl->ns, dbl->block, dbl->n, dbl->run};

	return ratio_bootstrap(&a, &b, seed, &point->ratio);
}

static int put_pair(json_t *object, const struct sweep *s, struct sweep_point *point, const struct side side[2])
{
	char reason[REASON_SIZE] = "";
	bool measured =
		!lacks_time(s, point, &side[0], "single", reason) && !lacks_time(s, point, &side[1], "double", reason);
	int bad = 0;

	point->ratio = (struct ratio){.value = NAN, .low = NAN, .high = NAN, .apart = NAN};
	point->verdict = VERDICT_UNCLEAR;
	if (measured) {
		bad |= compare(point, &side[0], &side[1], seed_of(s->model));
		judge(s, point, reason);
	}
	bad |= put_json(object, "measured", json_boolean(measured));
	bad |= put_json(object, "verified", json_boolean(side[0].verified && side[1].verified));
	bad |= put_json(object, "single_ns", real_json(side[0].median));
	bad |= put_json(object, "double_ns", real_json(side[1].median));
	bad |= put_json(object, "speedup", measured ? ratio_json(&point->ratio) : json_null());
	bad |= put_json(object, "verdict", measured ? json_string(verdict_name(point->verdict)) : json_null());
	bad |= put_json(object, "reason", *reason ? text_json(reason) : json_null());
	return bad;
}

/* ---- parts and candidates ---- */

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
	struct side side;
	double median;

	if (side_read(s, point, row_string(&s->variants, v, VARIANT_name), !on_purpose, &side) < 0)
		*failed = true;
	median = *failed ? NAN : side.median;
	side_free(&side);
	return median;
}

static void add_part(struct parts *parts, const char *kind, double ns)
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
	bad |= put_json(tree, "stores_ns", real_json(parts->alone.stores));
	bad |= put_json(tree, "compute_ns", real_json(parts->alone.compute));
	return put_json(object, "parts", built_json(tree, bad));
}

static json_t *candidate_json(const char *variant, double ns, double floor_ns)
{
	json_t *object = json_object();
	int bad = put_json(object, "variant", text_json(variant));

	bad |= put_json(object, "ns", real_json(ns));
	bad |= put_json(object, "floor_share", real_json(floor_ns / ns));
	return built_json(object, bad);
}

/* Everything but the pair: the parts of the work, and each other variant that was timed, with its distance from the
 * floor. */
static int put_variants(json_t *object, const struct sweep *s, const struct sweep_point *point, double gain[2])
{
	struct parts parts = {.alone = {NAN, 0, NAN}};
	json_t *candidates = json_array();
	double *ns = calloc(s->variants.count + 1, sizeof(*ns)), floor_ns;
	bool failed = !ns;
	int bad = 0;

	for (size_t v = 0; v < s->variants.count && !failed; v++) {
		const char *kind = row_string(&s->variants, v, VARIANT_kind);

		ns[v] = median_at(s, point, v, &failed);
		if (is_part(kind))
			add_part(&parts, kind, ns[v]);
	}
	floor_ns = floor_of_parts(parts.schedule, parts.nschedules, parts.alone.compute);
	for (size_t v = 0; v < s->variants.count && !failed; v++) {
		if (isfinite(ns[v]) && !is_part(row_string(&s->variants, v, VARIANT_kind)))
			bad |= append_json(
				candidates, candidate_json(row_string(&s->variants, v, VARIANT_name), ns[v], floor_ns));
	}
	bad |= put_parts(object, &parts, floor_ns);
	bad |= put_json(object, "candidates", candidates);
	bad |= put_json(object, "hidden_share", real_json(hidden_from_parts(gain[0], gain[1], &parts.alone)));
	free(ns);
	return failed ? -1 : bad;
}

json_t *sweep_point_json(const struct sweep *s, struct sweep_point *point)
{
	static const struct field work[] = {{"flops", CASE_flops}, {"bytes", CASE_bytes}, {"elements", CASE_elements}};
	json_t *object = json_object(), *amount = json_object();
	struct side side[2] = {{0}};
	int bad;

	point->throttled = ever_throttled(s, point);
	bad = put_fields(amount, &point->row, 0, work, sizeof(work) / sizeof(work[0]));

	bad |= put_json(object, "case", text_json(point->label));
	bad |= put_json(object, "x", real_json(point->x));
	bad |= put_json(object, "y", real_json(point->y));
	bad |= put_json(object, "work", amount);
	if (side_read(s, point, s->single, true, &side[0]) < 0 || side_read(s, point, s->dbl, true, &side[1]) < 0)
		bad = -1;
	if (!bad) {
		bad |= put_pair(object, s, point, side);
		bad |= put_variants(object, s, point, (double[]){side[0].median, side[1].median});
	}
	bad |= put_json(object, "predicted", predicted_json(s->model, s->family, point->label, s->single, s->dbl));
	side_free(&side[0]);
	side_free(&side[1]);
	return built_json(object, bad);
}
