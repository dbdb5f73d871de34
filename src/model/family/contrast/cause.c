/* cause.c: what makes the difference between single and double: src/analyze/cause finds it; here it gets names,
 * evidence and a place. words/cause.c has the sentences. */
#include "model/family/contrast/cause.h"

#include <math.h>

#include "analyze/analyze.h"
#include "model/family/contrast/cause-parts.h"
#include "model/family/contrast/contrast.h"
#include "model/family/measured.h"
#include "model/family/ratio.h"
#include "tree/json.h"

struct timed_side timed_side_of(const struct measured *m)
{
	const struct traced_run *run = m->nspans ? &m->runs[m->nspans / 2] : NULL;

	return (struct timed_side){.median = m->time.median,
		.counted = m->time.median,
		.mhz = m->sm_mhz,
		.launches = run && run->own > 0 ? (double)run->own : 1};
}

static void take_side(struct contrast *c, int side)
{
	const struct measured *m = side ? c->dbl : c->single;

	c->sides[side] = (struct cause_side){.median = c->timed[side].counted,
		.run = m->runs,
		.nruns = m->nspans,
		.allowance = c->run_allowance * c->timed[side].counted};
	read_counters(c, side, &c->sides[side].counted);
}

void contrast_find_causes(struct contrast *c)
{
	struct part_ns difference = difference_of(c->timed[0].median, c->timed[1].median, &c->ratio);
	bool judged = verdict_is_clear(c->verdict);

	take_side(c, 0);
	take_side(c, 1);
	c->causes.first = -1;
	if (isfinite(difference.low) && isfinite(difference.high))
		causes_of(
			&c->sides[0], &c->sides[1], c->kernel_bound, difference, judged, seed_of(c->model), &c->causes);
}

const struct measured *cause_side_with_more(const struct contrast *c, const struct cause *cause)
{
	return cause->ns.value > 0 ? c->single : c->dbl;
}

/* ---- what to do ---- */

/* What limits the occupancy of the side that has less of it. */
static const char *occupancy_action(const struct contrast *c, const struct cause *cause)
{
	const struct measured *less = cause_side_with_more(c, cause);

	if (!less->has_occupancy || c->single->occupancy.warps == c->dbl->occupancy.warps)
		return NULL;
	switch (less->occupancy.limiter) {
	case LIMIT_REGISTERS:
		return "fewer-registers";
	case LIMIT_SHARED:
		return "less-shared-memory";
	default:
		return "other-block-size";
	}
}

/* Counters would tell more of a kernel's difference. */
static bool lacks_counters(const struct contrast *c)
{
	bool counted = c->sides[0].counted.known && c->sides[1].counted.known;
	bool differ = verdict_is_clear(c->verdict);

	return differ && !c->causes.explained && c->kernel_bound && !counted;
}

static bool side_copies(const struct measured *side)
{
	for (size_t i = 0; i < side->nspans; i++)
		if (side->runs[i].copies > 0 || side->runs[i].overlap.busy_copy > 0)
			return true;
	return false;
}

/* There are no copies to ask for ahead where no side has any. */
static const char *late_action(const struct contrast *c)
{
	return side_copies(c->single) || side_copies(c->dbl) ? "enqueue-ahead" : "launch-ahead";
}

/* What to do against a cause that costs double time; the rest has the action of finding out. */
static const char *action_of(const struct contrast *c, const struct cause *cause)
{
	static const char *const actions[CAUSES] = {
		[CAUSE_COPIES_BESIDE_KERNELS] = "enqueue-ahead",
		[CAUSE_COPIES_BOTH_WAYS] = "enqueue-ahead",
		[CAUSE_PAGEABLE] = "pin-memory",
		[CAUSE_COPY_COUNT] = "larger-copies",
		[CAUSE_GPUS_IN_TURN] = "feed-all-gpus",
		[CAUSE_SPILLS] = "allow-registers",
		[CAUSE_BARRIER] = "fewer-barriers",
		[CAUSE_MEMORY] = "load-earlier",
		[CAUSE_QUEUE] = "wider-shared-access",
		[CAUSE_INSTRUCTIONS] = "fewer-instructions",
		[CAUSE_WAVES] = "fit-the-grid",
	};

	if (cause->id == CAUSE_UNEXPLAINED)
		return lacks_counters(c) ? "record-counters" : NULL;
	if (!cause->named || cause->ns.value >= 0)
		return NULL;
	if (cause->id == CAUSE_HOST_LATE)
		return late_action(c);
	return cause->id == CAUSE_OCCUPANCY ? occupancy_action(c, cause) : actions[cause->id];
}

/* ---- as JSON ---- */

void put_cause_part(json_t *object, const struct cause *cause, const struct causes *of)
{
	put_json(object, "id", json_string(cause_id_name(cause->id)));
	put_json(object, "ns", real_json(cause->ns.value));
	put_json(object, "low", real_json(cause->ns.low));
	put_json(object, "high", real_json(cause->ns.high));
	put_json(object, "share", real_json(cause->ns.value / of->difference.value));
	put_json(object, "named", json_boolean(cause->named));
}

static json_t *cause_json(const struct contrast *c, const struct cause *cause)
{
	json_t *object = json_object();

	put_cause_part(object, cause, &c->causes);
	put_json(object, "evidence", evidence_of_cause(c, cause));
	put_json(object, "where", cause->id == CAUSE_UNEXPLAINED ? json_null() : place_of_cause(c, cause));
	put_json(object, "action", text_json(action_of(c, cause)));
	return object;
}

static json_t *causes_json(const struct contrast *c)
{
	json_t *list = json_array();

	for (size_t i = 0; i < c->causes.n; i++)
		append_json(list, cause_json(c, &c->causes.item[i]));
	return list;
}

/* ---- where the time went ---- */

static json_t *time_part_json(const char *id, double ns)
{
	json_t *part = json_object();

	put_json(part, "id", json_string(id));
	put_json(part, "ns", real_json(ns));
	return part;
}

static json_t *pipeline_parts(const struct cause_side *side)
{
	double parts[TIME_PARTS];
	json_t *list;

	if (!traced_time_parts(side->run, side->nruns, side->median, parts))
		return NULL;
	list = json_array();
	for (int p = 0; p < TIME_PARTS; p++)
		append_json(list, time_part_json(time_part_name((enum time_part)p), parts[p]));
	return list;
}

/* Start, end and other kernels of a launch are in no warp's state. */
static json_t *kernel_parts(const struct cause_side *side, double active)
{
	json_t *list = json_array();

	for (int s = 0; s < STATE_OTHER; s++)
		append_json(list, time_part_json(warp_state_name((enum warp_state)s), side->counted.share[s] * active));
	append_json(list, time_part_json(warp_state_name(STATE_OTHER),
				  side->median - (1 - side->counted.share[STATE_OTHER]) * active));
	return list;
}

static json_t *time_side_json(const struct cause_side *side, json_t *parts)
{
	json_t *object = json_object();

	put_json(object, "total_ns", real_json(side->median));
	put_json(object, "parts", parts);
	return object;
}

/* Fills the parts of both sides. False, and none of them, unless both are known. */
static bool both_parts(const struct contrast *c, json_t *parts[2])
{
	double active[2];

	if (c->kernel_bound) {
		if (!kernel_active_times(&c->sides[0], &c->sides[1], active))
			return false;
		parts[0] = kernel_parts(&c->sides[0], active[0]);
		parts[1] = kernel_parts(&c->sides[1], active[1]);
		return true;
	}
	parts[0] = pipeline_parts(&c->sides[0]);
	parts[1] = pipeline_parts(&c->sides[1]);
	if (parts[0] && parts[1])
		return true;
	json_decref(parts[0]);
	json_decref(parts[1]);
	return false;
}

/* Whether counters tell of all that was timed. */
static bool is_counted_wholly(const struct timed_side *side)
{
	return side->counted == side->median || isnan(side->median);
}

static json_t *contrast_time_json(const struct contrast *c)
{
	json_t *parts[2], *object;

	if (!is_counted_wholly(&c->timed[0]) || !is_counted_wholly(&c->timed[1]) || !both_parts(c, parts))
		return json_null();
	object = json_object();
	put_json(object, "kind", json_string(c->kernel_bound ? "kernel" : "pipeline"));
	put_json(object, "single", time_side_json(&c->sides[0], parts[0]));
	put_json(object, "double", time_side_json(&c->sides[1], parts[1]));
	return object;
}

/* JSON null where nothing was found. */
static json_t *order_json(const struct causes *causes)
{
	json_t *order;

	if (causes->n == 0)
		return json_null();
	order = json_object();
	put_json(order, "stable", json_boolean(causes->stable));
	return order;
}

void put_cause_judgement(json_t *object, const struct causes *causes)
{
	put_json(object, "explained", json_boolean(causes->explained));
	put_json(object, "first_cause",
		causes->first < 0 ? json_null() : json_string(cause_id_name((enum cause_id)causes->first)));
	put_json(object, "order", order_json(causes));
}

/* As evidence, but for the name of the key. */
static json_t *moved_json(const struct contrast *c)
{
	json_t *list = c->kernel_bound ? moved_counters(c) : moved_trace(c), *moved;
	size_t i;

	json_array_foreach(list, i, moved)
	{
		put_json(moved, "key", json_incref(json_object_get(moved, "metric")));
		json_object_del(moved, "metric");
	}
	return list;
}

void contrast_put_causes(json_t *object, const struct contrast *c)
{
	put_json(object, "size", json_string(verdict_size(c->verdict, c->ratio.value)));
	put_json(object, "time", contrast_time_json(c));
	put_json(object, "causes", causes_json(c));
	put_cause_judgement(object, &c->causes);
	put_json(object, "pace", pace_json(c));
	put_json(object, "moved", moved_json(c));
}
