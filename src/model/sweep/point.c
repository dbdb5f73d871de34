/* point.c: see point.h. */
#include "model/sweep/point.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/items/read.h"
#include "model/family/predicted.h"
#include "model/family/ratio.h"
#include "model/family/series.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "model/sweep/grid.h"
#include "model/sweep/parts.h"
#include "model/sweep/side.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"

/* The pair at a point. */
struct pair {
	struct point_side side[2];
	struct ratio ratio, cycles; /* of times, and of SM cycles */
	const char *floor;          /* the variant whose time is the floor, or NULL */
	struct ratio floor_share;   /* its time over that of the faster side */
};

static const char *why_unsupported(const struct sweep *s, const struct sweep_point *point, const char *variant)
{
	const char *const key[] = {s->family, variant, point->label};
	struct rows rows = rows_find(&s->model->table[TABLE_UNSUPPORTED], 3, key);

	return rows.count ? row_string(&rows, 0, UNSUPPORTED_reason) : NULL;
}

/* Whether a result of the variant was compared, and no result is wrong in any case. *label: a case in which one is
 * wrong, or NULL. */
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

/* ---- why a point is not clear: each check gives JSON null, or what speaks against the verdict ---- */

static json_t *objection(const char *id)
{
	json_t *why = json_object();

	put_json(why, "id", json_string(id));
	return why;
}

/* A result of the variant, at any point or case, may speak against it. */
static json_t *results_against(const struct sweep *s, const char *variant)
{
	const char *label;
	json_t *why;

	if (right_everywhere(s, variant, &label))
		return json_null();
	why = objection(label ? "wrong" : "not-verified");
	put_json(why, "variant", text_json(variant));
	put_json(why, "case", text_json(label));
	return why;
}

static json_t *check_both_right(const struct sweep *s, const struct pair *pair)
{
	json_t *why = results_against(s, s->single);

	(void)pair;
	return json_is_null(why) ? results_against(s, s->dbl) : why;
}

static json_t *check_blocks(const struct sweep *s, const struct pair *pair)
{
	json_t *why;

	(void)s;
	if (pair->ratio.blocks >= BLOCKS_NEEDED)
		return json_null();
	why = objection("few-blocks");
	put_json(why, "needed", json_integer(BLOCKS_NEEDED));
	return why;
}

static json_t *check_above_floor(const struct sweep *s, const struct pair *pair)
{
	(void)s;
	return pair->floor_share.low > 1 + same_band ? objection("under-floor") : json_null();
}

/* A gap in a kernel's time must be the same gap in cycles, where these were measured. At the power limit they must be.
 */
static json_t *check_confirmed(const struct sweep *s, const struct pair *pair)
{
	enum verdict by_time = verdict_of(&pair->ratio, same_band, true);
	enum verdict by_cycles = verdict_of(&pair->cycles, same_band, true);
	bool alike = pair->side[0].alike;
	json_t *why;

	if (!s->kernel_bound || (isnan(pair->cycles.value) && !alike))
		return json_null();
	if (isnan(pair->cycles.value))
		return objection("power-limit");
	if (verdict_holds(by_time, by_cycles, alike))
		return json_null();
	why = objection("cycles");
	put_json(why, "by_time", json_string(verdict_name(by_time)));
	put_json(why, "by_cycles", json_string(verdict_name(by_cycles)));
	return why;
}

static json_t *(*const checks[])(const struct sweep *s, const struct pair *pair) = {
	check_both_right, check_blocks, check_above_floor, check_confirmed};

/* Sets the point's verdict. Returns why it is unclear; JSON null if it is not. */
static json_t *sweep_point_judge(const struct sweep *s, struct sweep_point *point, const struct pair *pair)
{
	json_t *why = json_null();

	if (!point_overlappable(s, point)) {
		point->verdict = VERDICT_UNCLEAR;
		return objection("nothing-to-overlap");
	}
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]) && json_is_null(why); i++)
		why = checks[i](s, pair);
	point->verdict = verdict_of(&pair->ratio, same_band, json_is_null(why));
	if (json_is_null(why) && point->verdict == VERDICT_UNCLEAR)
		why = objection("band");
	return why;
}

/* Why a side has no time; JSON null if it has one. */
static json_t *lacks_time(
	const struct sweep *s, const struct sweep_point *point, const struct point_side *side, const char *role)
{
	const char *unsupported = why_unsupported(s, point, side->variant);
	json_t *why;

	if (side->times.n > 0)
		return json_null();
	why = objection(side->wrong ? "withheld" : unsupported ? "unsupported" : "not-measured");
	put_json(why, "side", json_string(role));
	if (!side->wrong)
		put_json(why, "text", text_json(unsupported));
	return why;
}

/* ---- the pair ---- */

static void compare_floor(const struct sweep *s, const struct sweep_point *point, struct pair *pair)
{
	const struct point_side *fast = &pair->side[pair->side[1].median < pair->side[0].median];
	const struct blocked_samples under = series_samples(&fast->times);
	struct point_side floor;
	struct blocked_samples over;

	if (!pair->floor)
		return;
	side_read(s, point->label, pair->floor, false, &floor);
	over = series_samples(&floor.times);
	ratio_bootstrap(&over, &under, seed_of(s->model), &pair->floor_share);
	side_free(&floor);
}

static void sweep_point_compare(const struct sweep *s, const struct sweep_point *point, struct pair *pair)
{
	const struct point_side *side = pair->side;
	const struct blocked_samples a = series_samples(&side[0].times), b = series_samples(&side[1].times);
	const struct blocked_samples c = series_samples(&side[0].cycles), d = series_samples(&side[1].cycles);
	enum verdict verdict;

	ratio_bootstrap(&a, &b, seed_of(s->model), &pair->ratio);
	/* Where there is no gap, there is nothing to confirm, unless the power limit gave each side its clock. */
	verdict = verdict_of(&pair->ratio, same_band, true);
	if (s->kernel_bound && (side[0].alike || verdict_is_clear(verdict)))
		ratio_bootstrap(&c, &d, seed_of(s->model), &pair->cycles);
	compare_floor(s, point, pair);
}

static bool results_right(const struct sweep *s)
{
	const char *label;

	return right_everywhere(s, s->single, &label) && right_everywhere(s, s->dbl, &label);
}

/* The word for its verdict. */
static const char *point_verdict(const struct sweep *s, const struct sweep_point *point)
{
	return point_overlappable(s, point) ? verdict_name(point->verdict) : "nothing";
}

static const char *point_size(const struct sweep *s, const struct sweep_point *point)
{
	return point_overlappable(s, point) ? verdict_size(point->verdict, point->ratio.value) : "nothing";
}

/* Of a side whose launches have items, such as frames, what becomes of them. A wrong result's times are not told. */
static json_t *point_items_json(const struct sweep *s, const struct sweep_point *point, const struct point_side *side)
{
	const struct items_place place = {s->family, side->variant, point->label};
	struct items_summary summary;
	struct item_times *items;
	size_t n;

	if (side->wrong)
		return json_null();
	items = items_read(s->model, &place, &n);
	items_summarize(items, n, items_filling(items, n), &summary);
	free(items);
	return items_summary_json(&summary);
}

/* JSON null where neither side has any. */
static json_t *point_both_items(const struct sweep *s, const struct sweep_point *point, const struct pair *pair)
{
	json_t *single = point_items_json(s, point, &pair->side[0]);
	json_t *dbl = point_items_json(s, point, &pair->side[1]);
	json_t *object;

	if (json_is_null(single) && json_is_null(dbl))
		return json_null();
	object = json_object();
	put_json(object, "single", single);
	put_json(object, "double", dbl);
	return object;
}

static void put_pair(json_t *object, const struct sweep *s, struct sweep_point *point, struct pair *pair)
{
	const struct point_side *side = pair->side;
	json_t *why = lacks_time(s, point, &side[0], "single");
	bool measured;

	if (json_is_null(why))
		why = lacks_time(s, point, &side[1], "double");
	measured = json_is_null(why);
	point->verdict = VERDICT_UNCLEAR;
	if (measured) {
		sweep_point_compare(s, point, pair);
		why = sweep_point_judge(s, point, pair);
	}
	point->ratio = pair->ratio;
	put_json(object, "measured", json_boolean(measured));
	put_json(object, "verified", json_boolean(side[0].verified && side[1].verified));
	put_json(object, "right", json_boolean(results_right(s)));
	put_json(object, "single_ns", real_json(side[0].median));
	put_json(object, "double_ns", real_json(side[1].median));
	put_json(object, "speedup", measured ? ratio_json(&point->ratio) : json_null());
	put_json(object, "overlappable", json_boolean(point_overlappable(s, point)));
	put_json(object, "verdict", measured ? json_string(point_verdict(s, point)) : json_null());
	put_json(object, "size", measured ? json_string(point_size(s, point)) : json_null());
	put_json(object, "why", why);
	put_json(object, "items", point_both_items(s, point, pair));
}

/* Both sides, and all that is made of them. */
static void put_measured(json_t *object, const struct sweep *s, struct sweep_point *point)
{
	static const struct ratio nothing = {.value = NAN, .low = NAN, .high = NAN, .apart = NAN};
	struct pair pair = {.ratio = nothing, .cycles = nothing, .floor_share = nothing};

	side_read(s, point->label, s->single, true, &pair.side[0]);
	side_read(s, point->label, s->dbl, true, &pair.side[1]);
	pair.floor = point_parts(object, s, point, (const double[]){pair.side[0].median, pair.side[1].median});
	put_pair(object, s, point, &pair);
	side_free(&pair.side[0]);
	side_free(&pair.side[1]);
}

/* Every parameter of the case. */
static json_t *sweep_point_params_json(const struct sweep *s, const struct sweep_point *point)
{
	static const struct field fields[] = {{"name", PARAM_name}, {"value", PARAM_value}};
	const char *const key[] = {s->family, point->label};
	struct rows rows = rows_find(&s->model->table[TABLE_PARAM], 2, key);

	return rows_list(&rows, fields, sizeof(fields) / sizeof(fields[0]));
}

json_t *sweep_point_json(const struct sweep *s, struct sweep_point *point)
{
	static const struct field work[] = {{"flops", CASE_flops}, {"bytes", CASE_bytes}, {"elements", CASE_elements}};
	json_t *object = json_object(), *amount = json_object();

	put_fields(amount, &point->row, 0, work, sizeof(work) / sizeof(work[0]));
	put_json(object, "case", text_json(point->label));
	put_json(object, "x", real_json(point->x));
	put_json(object, "y", real_json(point->y));
	put_json(object, "params", sweep_point_params_json(s, point));
	put_json(object, "work", amount);
	put_json(object, "predicted", predicted_json(s->model, s->family, point->label, s->single, s->dbl));
	put_measured(object, s, point);
	return object;
}
