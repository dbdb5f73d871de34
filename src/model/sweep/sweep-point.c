/* sweep-point.c: one point of a sweep: the pair's times, its verdict and what speaks against it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/checks.h"
#include "model/family/ratio.h"
#include "model/family/series.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "model/sweep/sweep.h"
#include "store/store.h"
#include "tree/json.h"

enum { REASON_SIZE = 320 };

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

/* False with the reason if a result of the variant, at any point or case, speaks against it. */
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

/* ---- why a point is not clear: each check is true, or false with the reason ---- */

static bool both_right(const struct sweep *s, const struct pair *pair, char *reason)
{
	(void)pair;
	return results_hold(s, s->single, reason) && results_hold(s, s->dbl, reason);
}

static bool enough_blocks(const struct sweep *s, const struct pair *pair, char *reason)
{
	(void)s;
	snprintf(
		reason, REASON_SIZE, "%zu blocks have times of both; %d are needed", pair->ratio.blocks, BLOCKS_NEEDED);
	return pair->ratio.blocks >= BLOCKS_NEEDED;
}

static bool above_floor(const struct sweep *s, const struct pair *pair, char *reason)
{
	(void)s;
	snprintf(reason, REASON_SIZE, "a variant is faster than its floor");
	return !(pair->floor_share.low > 1 + same_band());
}

/* A gap in a kernel's time must be the same gap in cycles, where these were measured. */
static bool confirmed(const struct sweep *s, const struct pair *pair, char *reason)
{
	enum verdict by_time = verdict_of(&pair->ratio, same_band(), true);
	enum verdict by_cycles = verdict_of(&pair->cycles, same_band(), true);

	snprintf(reason, REASON_SIZE, "%s by time, %s by cycles", verdict_name(by_time), verdict_name(by_cycles));
	return !s->kernel_bound || isnan(pair->cycles.value) || verdict_confirmed(by_time, by_cycles) == by_time;
}

/* Why there is no time, into `reason`; false if there is one. */
static bool lacks_time(const struct sweep *s, const struct sweep_point *point, const struct point_side *side,
	const char *role, char *reason)
{
	const char *unsupported = why_unsupported(s, point, side->variant);

	if (side->times.n > 0)
		return false;
	if (side->wrong)
		snprintf(reason, REASON_SIZE, "%s came out wrong here, so its time is withheld", role);
	else if (unsupported)
		snprintf(reason, REASON_SIZE, "%s: %.200s", role, unsupported);
	else
		snprintf(reason, REASON_SIZE, "not measured");
	return true;
}

static bool (*const checks[])(const struct sweep *s, const struct pair *pair, char *reason) = {
	both_right, enough_blocks, above_floor, confirmed};

static void sweep_point_judge(const struct sweep *s, struct sweep_point *point, const struct pair *pair, char *reason)
{
	bool sound = true;

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]) && sound; i++)
		sound = checks[i](s, pair, reason);
	point->verdict = verdict_of(&pair->ratio, same_band(), sound);
	if (!sound)
		return;
	*reason = '\0';
	if (point->verdict == VERDICT_UNCLEAR)
		snprintf(reason, REASON_SIZE, "the interval lies neither inside nor outside 1 ± %g", same_band());
}

static int compare_floor(const struct sweep *s, const struct sweep_point *point, struct pair *pair)
{
	const struct point_side *fast = &pair->side[pair->side[1].median < pair->side[0].median];
	const struct blocked_samples under = series_samples(&fast->times);
	struct point_side floor;
	struct blocked_samples over;
	int bad;

	if (!pair->floor)
		return 0;
	bad = side_read(s, point->label, pair->floor, false, &floor);
	over = series_samples(&floor.times);
	if (!bad)
		bad |= ratio_bootstrap(&over, &under, seed_of(s->model), &pair->floor_share);
	side_free(&floor);
	return bad;
}

static int sweep_point_compare(const struct sweep *s, const struct sweep_point *point, struct pair *pair)
{
	const struct point_side *side = pair->side;
	const struct blocked_samples a = series_samples(&side[0].times), b = series_samples(&side[1].times);
	const struct blocked_samples c = series_samples(&side[0].cycles), d = series_samples(&side[1].cycles);
	int bad = ratio_bootstrap(&a, &b, seed_of(s->model), &pair->ratio);
	enum verdict verdict = verdict_of(&pair->ratio, same_band(), true);

	/* Where there is no gap, there is nothing to confirm. */
	if (s->kernel_bound && (verdict == VERDICT_FASTER || verdict == VERDICT_SLOWER))
		bad |= ratio_bootstrap(&c, &d, seed_of(s->model), &pair->cycles);
	return bad | compare_floor(s, point, pair);
}

static int put_pair(json_t *object, const struct sweep *s, struct sweep_point *point, struct pair *pair)
{
	const struct point_side *side = pair->side;
	char reason[REASON_SIZE] = "", unused[REASON_SIZE];
	bool measured =
		!lacks_time(s, point, &side[0], "single", reason) && !lacks_time(s, point, &side[1], "double", reason);
	int bad = 0;

	point->verdict = VERDICT_UNCLEAR;
	if (measured) {
		bad |= sweep_point_compare(s, point, pair);
		sweep_point_judge(s, point, pair, reason);
	}
	point->ratio = pair->ratio;
	bad |= put_json(object, "measured", json_boolean(measured));
	bad |= put_json(object, "verified", json_boolean(side[0].verified && side[1].verified));
	bad |= put_json(object, "right", json_boolean(both_right(s, pair, unused)));
	bad |= put_json(object, "single_ns", real_json(side[0].median));
	bad |= put_json(object, "double_ns", real_json(side[1].median));
	bad |= put_json(object, "speedup", measured ? ratio_json(&point->ratio) : json_null());
	bad |= put_json(object, "verdict", measured ? json_string(verdict_name(point->verdict)) : json_null());
	bad |= put_json(object, "reason", *reason ? text_json(reason) : json_null());
	return bad;
}

/* Both sides, and all that is made of them. */
static int put_measured(json_t *object, const struct sweep *s, struct sweep_point *point)
{
	static const struct ratio nothing = {.value = NAN, .low = NAN, .high = NAN, .apart = NAN};
	struct pair pair = {.ratio = nothing, .cycles = nothing, .floor_share = nothing};
	int bad = side_read(s, point->label, s->single, true, &pair.side[0]) |
		  side_read(s, point->label, s->dbl, true, &pair.side[1]);

	if (!bad) {
		bad |= point_parts(
			object, s, point, (const double[]){pair.side[0].median, pair.side[1].median}, &pair.floor);
		bad |= put_pair(object, s, point, &pair);
	}
	side_free(&pair.side[0]);
	side_free(&pair.side[1]);
	return bad;
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
	int bad = put_fields(amount, &point->row, 0, work, sizeof(work) / sizeof(work[0]));

	bad |= put_json(object, "case", text_json(point->label));
	bad |= put_json(object, "x", real_json(point->x));
	bad |= put_json(object, "y", real_json(point->y));
	bad |= put_json(object, "params", sweep_point_params_json(s, point));
	bad |= put_json(object, "work", amount);
	bad |= put_json(object, "predicted", predicted_json(s->model, s->family, point->label, s->single, s->dbl));
	return built_json(object, bad | put_measured(object, s, point));
}
