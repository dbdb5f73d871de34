/* cause.c: why double is faster or not, in one sentence of measured numbers: a table of rules, the first that
 * holds speaks. */
#include "model/family/cause.h"

#include <stdio.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/cause-rules.h"
#include "model/family/contrast.h"
#include "util/format.h"

/* ---- rules ---- */

#define RULE(condition) #condition, when_##condition
#define TAKES "{time.b} per launch against {time.a}"

/* What else a sentence is followed by, if it was measured; and whether it says why there is no gain. */
enum { FULL_STOP = 0, AND_OCCUPANCY = 1, AND_INSTRUCTIONS = 2, BECAUSE = 4 };

struct rule {
	const char *name;
	bool (*holds)(const struct contrast *contrast);
	const char *sentence;
	unsigned and_also;
};

/* Results first, then copy pipelines, then kernels: what the counters and the control show, before what the resources
 * alone say. Where starting a kernel weighs as much as running it, only a gain can be the kernel's. */
static const struct rule rules[] = {
	{RULE(single_wrong), "{name.a} came out wrong, so its time is not reported", FULL_STOP},
	{RULE(double_wrong), "{name.b} came out wrong, so its time is not reported", FULL_STOP},
	{RULE(overlap_pays),
		"copies and kernels overlap {overlap.b} of the copy time instead of {overlap.a}, so exposed copy falls "
		"from {exposed.a} to {exposed.b}",
		FULL_STOP},
	{RULE(overlap_rose),
		"copies and kernels overlap {overlap.b} of the copy time instead of {overlap.a}, but the copies take "
		"{copies.b} instead of {copies.a}: " TAKES,
		FULL_STOP},
	{RULE(duplex_rose),
		"both copy directions run at once for {duplex.b} instead of {duplex.a}, while kernels overlap "
		"{overlap.b} of the copy time ({overlap.a} in single)",
		FULL_STOP},
	{RULE(idle_changed),
		"kernels overlap {overlap.b} of the copy time ({overlap.a} in single); what changes is the GPU's idle "
		"time, {idle.b} instead of {idle.a}",
		FULL_STOP},
	{RULE(pipelines),
		"kernels overlap {overlap.b} of the copy time ({overlap.a} in single), and exposed copy is {exposed.b} "
		"({exposed.a} in single)",
		FULL_STOP},
	{RULE(fewer_barriers_pay),
		"{fewer barriers} in the compiled code ({barriers.b} instead of {barriers.a}): barrier stalls fall "
		"from {barrier.a} to {barrier.b} of warp time",
		AND_OCCUPANCY | AND_INSTRUCTIONS},
	{RULE(fewer_waits_pay), "warps wait less: {fallen} takes {fallen.b} of warp time instead of {fallen.a}",
		AND_OCCUPANCY | AND_INSTRUCTIONS},
	{RULE(occupancy_pays), "more warps run at once: achieved occupancy rises from {achieved.a} to {achieved.b}",
		AND_INSTRUCTIONS},
	{RULE(instructions_pay), "less work: {instructions.b} instructions executed instead of {instructions.a}",
		AND_OCCUPANCY},
	{RULE(traffic_pays), "less traffic: {dram.b} to and from device memory instead of {dram.a}", AND_OCCUPANCY},
	{RULE(short_kernels),
		"a launch takes {time.b} ({time.a} in single), of which the kernel itself runs {kernel.b} "
		"({kernel.a}): starting kernels weighs as much as the work; a larger problem tells more",
		FULL_STOP},
	{RULE(footprint_costs),
		"the larger footprint costs time by itself: with the code of {name.a} and the shared memory of "
		"{name.b}, {control} takes {footprint} longer than {name.a}",
		BECAUSE | AND_OCCUPANCY},
	{RULE(bound),
		"{unit} is at {unit.b} of peak ({unit.a} in single): waiting less can hardly make this code faster",
		BECAUSE},
	{RULE(occupancy_costs),
		"fewer warps run at once: achieved occupancy falls from {achieved.a} to {achieved.b}, limited by "
		"{limiter.b}",
		BECAUSE | AND_INSTRUCTIONS},
	{RULE(waiting_moved),
		"the waiting only moved: barrier stalls fall from {barrier.a} to {barrier.b} of warp time, but "
		"{risen} rises from {risen.a} to {risen.b}",
		BECAUSE | AND_INSTRUCTIONS},
	{RULE(waits_cost), "warps wait longer: {risen} takes {risen.b} of warp time instead of {risen.a}",
		BECAUSE | AND_OCCUPANCY | AND_INSTRUCTIONS},
	{RULE(load_not_hidden),
		"the second buffer does not hide the wait for global memory: warps spend {top.b} of their time in it "
		"({top.a} in single)",
		BECAUSE | AND_OCCUPANCY | AND_INSTRUCTIONS},
	{RULE(instructions_cost),
		"there is more work: {instructions.b} instructions executed instead of {instructions.a}",
		BECAUSE | AND_OCCUPANCY},
	{RULE(little_to_hide),
		"barriers and waiting for loads took only {barrier.a} and {loads.a} of warp time with one buffer, so "
		"there was little to hide; most goes to {top}: {top.b}",
		BECAUSE | AND_INSTRUCTIONS},
	{RULE(barrier_was_cheap),
		"barriers took only {barrier.a} of warp time with one buffer, so there was little to save; most "
		"goes to {top}: {top.b}",
		BECAUSE},
	{RULE(same_waits), "warps wait for the same thing in both: {top}, {top.b} of warp time ({top.a} in single)",
		BECAUSE | AND_OCCUPANCY},
	{RULE(shared_and_occupancy_changed),
		TAKES "; shared memory per block goes from {shared.a} to {shared.b} and occupancy "
		      "from {occupancy.a} to {occupancy.b}, limited by {limiter.b}",
		FULL_STOP},
	{RULE(registers_and_occupancy_changed),
		TAKES "; registers per thread go from {registers.a} to {registers.b} and occupancy "
		      "from {occupancy.a} to {occupancy.b}, limited by {limiter.b}",
		FULL_STOP},
	{RULE(shared_changed_alone),
		TAKES "; shared memory per block goes from {shared.a} to {shared.b}, and occupancy stays at "
		      "{occupancy.b}",
		FULL_STOP},
	{RULE(registers_changed_alone),
		TAKES "; registers per thread go from {registers.a} to {registers.b}, and occupancy stays "
		      "at {occupancy.b}",
		FULL_STOP},
	{RULE(shared_changed), TAKES "; shared memory per block goes from {shared.a} to {shared.b}", FULL_STOP},
	{RULE(registers_changed), TAKES "; registers per thread go from {registers.a} to {registers.b}", FULL_STOP},
	{RULE(same_resources), TAKES " with the same registers and the same shared memory", FULL_STOP},
	{RULE(timed), TAKES "; why is measured by passes that this recording lacks", FULL_STOP},
	{RULE(always), "the recording has no times of both", FULL_STOP},
};

/* Of those for one thing, the first that holds is added. */
static const struct rule additions[] = {
	{RULE(achieved_fell), "; achieved occupancy falls from {achieved.a} to {achieved.b}", AND_OCCUPANCY},
	{RULE(achieved_rose), "; achieved occupancy rises from {achieved.a} to {achieved.b}", AND_OCCUPANCY},
	{RULE(achieved_same), "; achieved occupancy is unchanged ({achieved.b})", AND_OCCUPANCY},
	{RULE(achieved_known), "; achieved occupancy hardly changes ({achieved.a} to {achieved.b})", AND_OCCUPANCY},
	{RULE(instructions_changed), "; instructions executed {instruction change}", AND_INSTRUCTIONS},
};

enum { RULES = sizeof(rules) / sizeof(rules[0]), ADDITIONS = sizeof(additions) / sizeof(additions[0]) };

/* What the verdict says before the rule does. */
static const char *opening(const struct contrast *contrast, const struct rule *rule)
{
	if (!when_timed(contrast))
		return "";
	switch (contrast->verdict) {
	case VERDICT_SLOWER:
	case VERDICT_SAME:
		return rule->and_also & BECAUSE ? "no gain, because " : "no gain: ";
	case VERDICT_UNCLEAR:
		return "no clear result: ";
	default:
		return "";
	}
}

/* Copies the sentence behind what `text` holds, with the facts in place of their names. */
static void fill_in(const struct contrast *contrast, const char *sentence, char *text, size_t size)
{
	size_t used = strlen(text);

	while (*sentence && used + 1 < size) {
		const char *end = *sentence == '{' ? strchr(sentence, '}') : NULL;
		char value[FORMAT_SIZE];

		if (end && cause_fact(contrast, sentence + 1, (size_t)(end - sentence - 1), value)) {
			snprintf(text + used, size - used, "%s", value);
			used += strlen(text + used);
			sentence = end + 1;
		} else {
			text[used++] = *sentence++;
		}
	}
	text[used] = '\0';
}

/* The first that holds; the last one always does. */
static const struct rule *speaking(const struct contrast *contrast)
{
	const struct rule *rule = rules;

	while (!rule->holds(contrast))
		rule++;
	return rule;
}

/* Fills `added` with what follows a sentence that wants these additions. Returns how many. */
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

void cause_words(const struct contrast *contrast, char *text, size_t size)
{
	const struct rule *rule = speaking(contrast), *added[ADDITIONS];
	size_t n = following(contrast, rule->and_also, added);

	snprintf(text, size, "%s", opening(contrast, rule));
	fill_in(contrast, rule->sentence, text, size);
	for (size_t i = 0; i < n; i++)
		fill_in(contrast, added[i]->sentence, text, size);
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
