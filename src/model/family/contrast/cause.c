/* cause.c: which cause of a difference the measured numbers show: a table of rules, the first that holds speaks.
 * words/cause.c has their sentences. */
#include "model/family/contrast/cause.h"

#include <string.h>

#include "analyze/analyze.h"
#include "model/family/contrast/cause-rules.h"
#include "model/family/contrast/contrast.h"
#include "model/family/measured.h"
#include "tree/counter-keys.h"
#include "tree/json.h"
#include "util/number.h"

/* ---- rules ---- */

#define RULE(condition) #condition, when_##condition

/* What else is told with a cause, if it was measured. */
enum { AND_OCCUPANCY = 1, AND_INSTRUCTIONS = 2 };

struct rule {
	const char *name;
	bool (*holds)(const struct contrast *contrast);
	unsigned and_also;
};

/* Results first, then copy pipelines, then kernels: what the counters and the control show, before what the resources
 * alone say. Where starting a kernel weighs as much as running it, only a gain can be the kernel's. The last one always
 * holds. */
static const struct rule rules[] = {
	{RULE(single_wrong), 0},
	{RULE(double_wrong), 0},
	{RULE(overlap_pays), 0},
	{RULE(overlap_rose), 0},
	{RULE(duplex_rose), 0},
	{RULE(idle_changed), 0},
	{RULE(pipelines), 0},
	{RULE(fewer_barriers_pay), AND_OCCUPANCY | AND_INSTRUCTIONS},
	{RULE(fewer_waits_pay), AND_OCCUPANCY | AND_INSTRUCTIONS},
	{RULE(occupancy_pays), AND_INSTRUCTIONS},
	{RULE(instructions_pay), AND_OCCUPANCY},
	{RULE(traffic_pays), AND_OCCUPANCY},
	{RULE(short_kernels), 0},
	{RULE(footprint_costs), AND_OCCUPANCY},
	{RULE(bound), 0},
	{RULE(occupancy_costs), AND_INSTRUCTIONS},
	{RULE(waiting_moved), AND_INSTRUCTIONS},
	{RULE(waits_cost), AND_OCCUPANCY | AND_INSTRUCTIONS},
	{RULE(load_not_hidden), AND_OCCUPANCY | AND_INSTRUCTIONS},
	{RULE(instructions_cost), AND_OCCUPANCY},
	{RULE(little_to_hide), AND_INSTRUCTIONS},
	{RULE(barrier_was_cheap), 0},
	{RULE(same_waits), AND_OCCUPANCY},
	{RULE(shared_and_occupancy_changed), 0},
	{RULE(registers_and_occupancy_changed), 0},
	{RULE(shared_changed_alone), 0},
	{RULE(registers_changed_alone), 0},
	{RULE(shared_changed), 0},
	{RULE(registers_changed), 0},
	{RULE(same_resources), 0},
	{RULE(timed), 0},
	{RULE(always), 0},
};

/* Of those for one thing, the first that holds is added. */
static const struct rule additions[] = {
	{RULE(achieved_fell), AND_OCCUPANCY},
	{RULE(achieved_rose), AND_OCCUPANCY},
	{RULE(achieved_same), AND_OCCUPANCY},
	{RULE(achieved_known), AND_OCCUPANCY},
	{RULE(instructions_changed), AND_INSTRUCTIONS},
};

enum { RULES = sizeof(rules) / sizeof(rules[0]), ADDITIONS = sizeof(additions) / sizeof(additions[0]) };

static const struct rule *speaking(const struct contrast *contrast)
{
	const struct rule *rule = rules;

	while (!rule->holds(contrast))
		rule++;
	return rule;
}

/* Fills `added` with those of the wanted additions that hold. Returns how many. */
static size_t following(const struct contrast *contrast, unsigned wanted, const struct rule *added[ADDITIONS])
{
	size_t n = 0;

	for (size_t i = 0; i < ADDITIONS; i++) {
		if (!(wanted & additions[i].and_also) || !additions[i].holds(contrast))
			continue;
		added[n++] = &additions[i];
		wanted &= ~additions[i].and_also;
	}
	return n;
}

const char *cause_rule(size_t i)
{
	if (i < RULES)
		return rules[i].name;
	return i - RULES < ADDITIONS ? additions[i - RULES].name : NULL;
}

bool cause_speaks(const struct contrast *contrast, const char *name)
{
	const struct rule *rule = speaking(contrast), *added[ADDITIONS];
	size_t n = following(contrast, rule->and_also, added);
	bool speaks = strcmp(rule->name, name) == 0;

	for (size_t i = 0; i < n; i++)
		speaks |= strcmp(added[i]->name, name) == 0;
	return speaks;
}

/* ---- as JSON ---- */

static json_t *sides_json(json_t *single, json_t *dbl)
{
	json_t *object = json_object();

	put_json(object, "single", single);
	put_json(object, "double", dbl);
	return object;
}

/* Time of copies in both directions, added: in ns. JSON null without a trace. */
static json_t *copies_json(const struct measured *m)
{
	return m->work.n ? json_integer(int64_sum(m->overlap.busy[WORK_H2D], m->overlap.busy[WORK_D2H])) : json_null();
}

static json_t *barriers_json(const struct contrast *c)
{
	json_t *object = sides_json(json_integer(c->single->barriers), json_integer(c->dbl->barriers));

	put_json(object, "fewer", json_integer(c->single->barriers - c->dbl->barriers));
	return object;
}

static json_t *additions_json(const struct contrast *c, const struct rule *rule)
{
	const struct rule *added[ADDITIONS];
	size_t n = following(c, rule->and_also, added);
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		append_json(list, json_string(added[i]->name));
	return list;
}

json_t *why_json(const struct contrast *c)
{
	const struct rule *rule = speaking(c);
	json_t *object = json_object();

	put_json(object, "rule", json_string(rule->name));
	put_json(object, "also", additions_json(c, rule));
	put_json(object, "risen", text_json(most_risen(c)));
	put_json(object, "fallen", text_json(most_fallen(c)));
	put_json(object, "top", text_json(top_stall(c->dbl)));
	put_json(object, "unit", text_json(busiest_unit(c)));
	put_json(object, "copies_ns", sides_json(copies_json(c->single), copies_json(c->dbl)));
	put_json(object, "barriers", barriers_json(c));
	put_json(object, "instructions_change", real_json(relative_change(c, KEY_INSTRUCTIONS)));
	return object;
}
