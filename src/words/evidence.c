/* evidence.c: see evidence.h. model/family/evidence*.c has the numbers. */
#include "words/evidence.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { TEXT_SIZE = 320, BRIEF_SIZE = 160 };

/* What a check says: `brief` stands beside the verdict, and counts only if the check failed. */
struct telling {
	const json_t *check, *facts;
	char text[TEXT_SIZE], brief[BRIEF_SIZE];
};

static double figure_of(const struct telling *t)
{
	return tree_real(t->check, "figure");
}

static double limit_of(const struct telling *t)
{
	return tree_real(t->check, "limit");
}

static double fact(const struct telling *t, const char *key)
{
	return tree_real(t->facts, key);
}

static long long whole_fact(const struct telling *t, const char *key)
{
	return json_integer_value(json_object_get(t->facts, key));
}

static const char *ending_unless_one(double n, const char *ending)
{
	return n == 1 ? "" : ending;
}

#define SAY(t, ...) clip_append((t)->text, TEXT_SIZE, __VA_ARGS__)
#define FAILED(t, ...) clip_append((t)->brief, BRIEF_SIZE, __VA_ARGS__)

/* ---- results, samples, processes ---- */

static void tell_results(struct telling *t)
{
	if (!tree_has(t->check, "figure")) {
		SAY(t, "not verified: the recording lacks the verify pass for one of the two");
		FAILED(t, "the results were not verified");
		return;
	}
	SAY(t, "right in %.0f of %.0f runs (single) and %.0f of %.0f (double), all cases together",
		fact(t, "single_right"), fact(t, "single_runs"), fact(t, "double_right"), fact(t, "double_runs"));
	FAILED(t, "%.0f of %.0f results are wrong", figure_of(t), fact(t, "runs"));
}

static void tell_samples(struct telling *t)
{
	double processes = fact(t, "processes");

	SAY(t, "%.0f blocks have times of both, from %.0f process%s", figure_of(t), processes,
		ending_unless_one(processes, "es"));
	FAILED(t, "%.0f blocks of samples, %.0f are needed", figure_of(t), limit_of(t));
}

static void tell_runs(struct telling *t)
{
	char range[FORMAT_SIZE];

	SAY(t, "%.0f processes saw speed-ups of %.80s", fact(t, "processes"),
		format_ratios(range, sizeof(range), fact(t, "low"), fact(t, "high")));
	FAILED(t, "processes disagree by %.1f %%", 100 * figure_of(t));
}

static void tell_drift(struct telling *t)
{
	SAY(t, "the speed-up's autocorrelation from block to block is %.2f", figure_of(t));
	FAILED(t, "the speed-up drifts from block to block");
}

/* ---- the state of the GPU ---- */

static void tell_clock(struct telling *t)
{
	bool on_gpu = strcmp(tree_text(t->facts, "source"), "gpu") == 0;

	SAY(t,
		"SM clock %s: median %.0f MHz (single) and %.0f MHz (double). %.0f of %.0f samples more than %.0f %% "
		"away",
		on_gpu ? "measured on the GPU behind each sample" : "as the driver says", fact(t, "single_mhz"),
		fact(t, "double_mhz"), fact(t, "strays"), fact(t, "samples"), 100 * limit_of(t));
	if (tree_has(t->facts, "low_celsius"))
		SAY(t, ". The GPU was at %.0f to %.0f °C", fact(t, "low_celsius"), fact(t, "high_celsius"));
	if (figure_of(t) > limit_of(t))
		FAILED(t, "clocks differ by %.1f %%", 100 * figure_of(t));
	else
		FAILED(t, "the clock strays in %.0f %% of the samples", 100 * fact(t, "stray_share"));
}

/* A kernel's clocks are told, which its times in cycles come from. */
static void tell_power_limit(struct telling *t)
{
	SAY(t, "%.0f of %.0f blocks ended at the power limit, and both take turns in each block", fact(t, "throttled"),
		fact(t, "known"));
	if (tree_has(t->facts, "power_w"))
		SAY(t, ". Median power is %.0f W", fact(t, "power_w"));
	if (tree_has(t->facts, "single_mhz") && tree_has(t->facts, "double_mhz"))
		SAY(t, ". Median SM clocks are %.0f MHz (single) and %.0f MHz (double), so times in cycles must agree",
			fact(t, "single_mhz"), fact(t, "double_mhz"));
	FAILED(t, "the GPU was at its power limit, and no SM clock was measured on it");
}

static void tell_throttling(struct telling *t)
{
	double throttled = fact(t, "throttled"), known = fact(t, "known");

	if (tree_true(t->facts, "alike"))
		tell_power_limit(t);
	else if (strcmp(tree_text(t->facts, "of"), "blocks") == 0) {
		SAY(t, "%.0f of %.0f blocks were throttled (power or heat) and set apart; %.0f are left", throttled,
			known, fact(t, "left"));
		FAILED(t, "%.0f of %.0f blocks were throttled", throttled, known);
	} else {
		SAY(t, "%.0f of %.0f readings during the time pass show power or thermal throttling", throttled, known);
		FAILED(t, "the GPU was throttled");
	}
}

static void tell_neighbours(struct telling *t)
{
	long long processes = whole_fact(t, "processes"), others = whole_fact(t, "others");

	SAY(t, "at most %lld process%s on the GPU beside the samples, this one included", processes,
		ending_unless_one((double)processes, "es"));
	FAILED(t, "%lld other process%s used the GPU", others, ending_unless_one((double)others, "es"));
}

static void tell_cycles(struct telling *t)
{
	const char *by_time = tree_text(t->facts, "by_time"), *by_cycles = tree_text(t->facts, "by_cycles");
	double low = fact(t, "low"), high = fact(t, "high");
	char value[FORMAT_SIZE], range[FORMAT_SIZE];

	SAY(t, "in SM cycles the speed-up is %.40s (%.80s), which says %s; the times say %s",
		format_ratio_within(value, sizeof(value), figure_of(t), low, high),
		format_ratios(range, sizeof(range), low, high), by_cycles, by_time);
	FAILED(t, "%s by time, %s by cycles", by_time, by_cycles);
}

/* ---- records, and the floor ---- */

static void tell_records(struct telling *t)
{
	if (!tree_has(t->facts, "side")) {
		SAY(t, "all %.0f counts of launches, copies and memsets made on the host agree with the records",
			fact(t, "counts"));
		return;
	}
	SAY(t, "%s: %lld %.60s on the host, %lld recorded", tree_text(t->facts, "side"), whole_fact(t, "host"),
		tree_has(t->facts, "what") ? tree_text(t->facts, "what") : "events", whole_fact(t, "recorded"));
	FAILED(t, "the trace lost records");
}

static void tell_floor(struct telling *t)
{
	const char *nearest = tree_text(t->facts, "nearest");
	char time[FORMAT_SIZE], floor[FORMAT_SIZE];

	SAY(t, "floor / measured of the variant nearest to its floor: %.60s takes %.40s, %.60s takes %.40s", nearest,
		format_time_ns(time, sizeof(time), fact(t, "nearest_ns")), tree_text(t->facts, "floor"),
		format_time_ns(floor, sizeof(floor), fact(t, "floor_ns")));
	FAILED(t, "%.60s is %.1f %% faster than the floor", nearest, 100 * fact(t, "faster_share"));
}

/* ---- all of them ---- */

/* Why a check was not measured. */
static const struct {
	const char *check, *missing, *words;
} reasons_missing[] = {
	{"runs", "one-process", "one process took all samples of the pair"},
	{"drift", "few-blocks", "too few blocks, or all alike"},
	{"clock", "no-clock", "no SM clock was read beside the samples"},
	{"throttling", "no-readings", "no throttle reasons were read during the time pass"},
	{"records", "no-trace", "the recording lacks the trace pass for one of the two"},
	{"floor", "no-schedules", "the recording has no schedules that a floor could be taken from"},
	{"floor", "no-common-blocks", "no block has times of a schedule and of a variant"},
	{"neighbours", "not-recorded", "the recording does not say who else used the GPU"},
	{"neighbours", "no-process-shown", "the driver shows no process on the GPU, not even this one"},
	{"cycles", "no-clock", "no SM clock was measured on the GPU beside the samples"},
};

static void tell_missing(struct telling *t, const char *name)
{
	SAY(t, "not measured: ");
	for (size_t i = 0; i < sizeof(reasons_missing) / sizeof(reasons_missing[0]); i++) {
		if (strcmp(reasons_missing[i].check, name) == 0 &&
			strcmp(reasons_missing[i].missing, tree_text(t->check, "missing")) == 0)
			SAY(t, "%s", reasons_missing[i].words);
	}
	SAY(t, "%.160s", tree_text(t->facts, "reason"));
}

static const struct {
	const char *check;
	void (*tell)(struct telling *t);
} tellers[] = {
	{"results", tell_results},
	{"samples", tell_samples},
	{"runs", tell_runs},
	{"drift", tell_drift},
	{"clock", tell_clock},
	{"throttling", tell_throttling},
	{"records", tell_records},
	{"floor", tell_floor},
	{"neighbours", tell_neighbours},
	{"cycles", tell_cycles},
};

void evidence_words(json_t *check)
{
	struct telling t = {.check = check, .facts = json_object_get(check, "facts")};
	const char *name = tree_text(check, "name");

	if (tree_has(check, "missing"))
		tell_missing(&t, name);
	for (size_t i = 0; i < sizeof(tellers) / sizeof(tellers[0]) && !*t.text; i++) {
		if (strcmp(tellers[i].check, name) == 0)
			tellers[i].tell(&t);
	}
	put_json(check, "text", text_json(t.text));
	put_json(check, "failure", text_json(json_is_false(json_object_get(check, "ok")) ? t.brief : NULL));
}
