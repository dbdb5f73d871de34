/* comparison-checks.c: see comparison-checks.h. The numbers are from model/pair. */
#include "words/comparison-checks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/compare.h"

enum { TEXT_SIZE = 320, BRIEF_SIZE = 160 };

/* What a check says: `brief` stands beside the verdict, and counts only if the check failed. */
struct said {
	const json_t *tree, *check, *facts;
	char text[TEXT_SIZE], brief[BRIEF_SIZE];
};

#define SAY(said, ...) clip_append((said)->text, TEXT_SIZE, __VA_ARGS__)
#define BRIEFLY(said, ...) clip_append((said)->brief, BRIEF_SIZE, __VA_ARGS__)

static double figure_said(const struct said *said)
{
	return tree_real(said->check, "figure");
}

static double limit_said(const struct said *said)
{
	return tree_real(said->check, "limit");
}

static bool passed(const struct said *said)
{
	return tree_true(said->check, "ok");
}

/* A fact of one side, and a part of it. */
static double side_fact(const struct said *said, const char *side)
{
	return tree_real(said->facts, side);
}

static double side_part(const struct said *said, const char *side, const char *part)
{
	return tree_real(json_object_get(said->facts, side), part);
}

/* ---- recordings as wholes ---- */

/* What differs: "WHAT A in base, B in new", one after the other. Of what is not known nothing can be said. */
static void say_difference(struct said *said, const char *what, const json_t *base, const json_t *fresh)
{
	const char *a = json_string_value(base), *b = json_string_value(fresh);

	if (a && b && strcmp(a, b) != 0)
		SAY(said, "%s%s %.80s in base, %.80s in new", said->text[0] ? "; " : "", what, a, b);
}

static void say_gpu(struct said *said)
{
	const json_t *base = json_object_get(json_object_get(said->tree, "base"), "device");
	const json_t *fresh = json_object_get(json_object_get(said->tree, "new"), "device");

	if (passed(said)) {
		SAY(said, "both on %.80s, compute capability %s", tree_text(base, "name"), tree_text(base, "compute"));
		return;
	}
	say_difference(said, "the GPU is", json_object_get(base, "name"), json_object_get(fresh, "name"));
	say_difference(
		said, "its compute capability is", json_object_get(base, "compute"), json_object_get(fresh, "compute"));
	BRIEFLY(said, "another GPU");
}

static void say_software(struct said *said)
{
	static const struct {
		const char *key, *words;
	} versions[] = {
		{"driver", "the driver is"},
		{"cuda_driver", "the driver's CUDA is"},
		{"cuda_runtime", "the CUDA runtime is"},
	};
	const json_t *base = json_object_get(json_object_get(said->tree, "base"), "versions");
	const json_t *fresh = json_object_get(json_object_get(said->tree, "new"), "versions");

	if (passed(said)) {
		SAY(said, "driver %.80s and CUDA %.80s in both", tree_text(base, "driver"),
			tree_text(base, "cuda_runtime"));
		return;
	}
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		say_difference(said, versions[i].words, json_object_get(base, versions[i].key),
			json_object_get(fresh, versions[i].key));
	BRIEFLY(said, "other versions of driver or CUDA");
}

static void say_method_of(struct said *said, const char *side)
{
	if (tree_has(said->facts, side))
		SAY(said, "method %.40s", tree_text(said->facts, side));
	else
		SAY(said, "no method given");
}

static void say_method(struct said *said)
{
	if (passed(said)) {
		say_method_of(said, "base");
		SAY(said, " in both");
		return;
	}
	SAY(said, "timed in another way: by another version of dbprof (");
	say_method_of(said, "base");
	SAY(said, " in base, ");
	say_method_of(said, "new");
	SAY(said, " in new); record both with the same version");
	BRIEFLY(said, "timed in another way");
}

/* ---- what is compared ---- */

static void say_results(struct said *said)
{
	if (!tree_has(said->check, "figure")) {
		SAY(said, "not verified in %s: record again with the verify pass",
			side_part(said, "base", "runs") > 0 ? "new" : "base");
		BRIEFLY(said, "the results were not verified");
		return;
	}
	SAY(said, "right in %.0f of %.0f runs in base and %.0f of %.0f in new, all cases together",
		side_part(said, "base", "right"), side_part(said, "base", "runs"), side_part(said, "new", "right"),
		side_part(said, "new", "runs"));
	BRIEFLY(said, "%.0f of %.0f results are wrong", figure_said(said),
		side_part(said, "base", "runs") + side_part(said, "new", "runs"));
}

/* One that differs: what only one side has was not set in the other. */
static void say_parameter(struct said *said, const json_t *parameter)
{
	bool in_base = tree_has(parameter, "base"), in_new = tree_has(parameter, "new");
	const char *there = in_base ? "base" : "new";

	SAY(said, "%.80s is %lld in %s", tree_text(parameter, "name"),
		(long long)json_integer_value(json_object_get(parameter, there)), there);
	if (in_base && in_new)
		SAY(said, ", %lld in new", (long long)json_integer_value(json_object_get(parameter, "new")));
	else
		SAY(said, " and not there in %s", in_base ? "new" : "base");
}

static void say_parameters(struct said *said)
{
	double base = side_fact(said, "base"), fresh = side_fact(said, "new"), n = figure_said(said);

	BRIEFLY(said, "%.0f parameter%s", n, n == 1 ? " differs" : "s differ");
	if (!passed(said))
		say_parameter(said, json_object_get(said->facts, "first"));
	else if (base == fresh)
		SAY(said, "all %.0f are the same", base);
	else
		SAY(said, "the same: %.0f in base, %.0f in new, and what only one has is 0", base, fresh);
}

static void say_samples(struct said *said)
{
	SAY(said, "%.0f blocks in base, %.0f in new; %.0f are needed in each", side_fact(said, "base"),
		side_fact(said, "new"), limit_said(said));
	BRIEFLY(said, "%.0f blocks of samples, %.0f are needed", figure_said(said), limit_said(said));
}

static void say_runs(struct said *said)
{
	double base = side_fact(said, "base");

	SAY(said, "%.0f run%s in base, %.0f in new%s", base, base == 1 ? "" : "s", side_fact(said, "new"),
		passed(said) ? "; the interval holds what they differ by"
			     : ": how much runs of one code differ is not known");
	BRIEFLY(said, "too few runs");
}

/* ---- the state of the GPU ---- */

static void say_clock(struct said *said)
{
	double percent = 100 * figure_said(said);

	SAY(said, "median SM clock %s %.0f MHz in base, %.0f MHz in new, %.2f %% apart; at most %g %% is allowed",
		tree_true(said->facts, "on_gpu") ? "measured on the GPU" : "as the driver says",
		side_fact(said, "base"), side_fact(said, "new"), percent, 100 * limit_said(said));
	BRIEFLY(said, "clocks differ by %.1f %%", percent);
}

static void say_cycles(struct said *said)
{
	const char *by_time = tree_text(said->facts, "by_time"), *by_cycles = tree_text(said->facts, "by_cycles");
	char value[RATIO_SIZE];

	SAY(said, "in SM cycles the ratio is %s (%.4f to %.4f), which says %s; the times say %s",
		format_ratio(value, sizeof(value), figure_said(said)), tree_real(said->facts, "low"),
		tree_real(said->facts, "high"), by_cycles, by_time);
	BRIEFLY(said, "%s by time, %s by cycles", by_time, by_cycles);
}

/* "36 of 36 blocks in base (650 W)". */
static void say_limited(struct said *said, const char *side)
{
	const double watts = side_part(said, side, "power_w");

	SAY(said, "%.0f of %.0f blocks in %s", side_part(said, side, "throttled"), side_part(said, side, "readings"),
		side);
	if (isfinite(watts))
		SAY(said, " (%.0f W)", watts);
}

static void say_power_limit(struct said *said)
{
	say_limited(said, "base");
	SAY(said, " and ");
	say_limited(said, "new");
	SAY(said, " ended at the power limit; a kernel's times in cycles must agree");
	BRIEFLY(said, "both were at the power limit, and there is no interval in cycles");
}

static void say_throttling(struct said *said)
{
	double base = side_part(said, "base", "throttled"), base_of = side_part(said, "base", "readings");
	double fresh = side_part(said, "new", "throttled"), fresh_of = side_part(said, "new", "readings");
	bool by_block = tree_true(said->facts, "by_block");

	if (tree_true(said->facts, "alike")) {
		say_power_limit(said);
		return;
	}
	SAY(said, "%.0f of %.0f %s in base and %.0f of %.0f in new show power or thermal throttling", base, base_of,
		by_block ? "blocks" : "readings", fresh, fresh_of);
	if (by_block)
		SAY(said, "; those are set apart, at most %.0f %% may be", 100 * limit_said(said));
	BRIEFLY(said, "%.0f of %.0f %s were throttled", base + fresh, base_of + fresh_of,
		by_block ? "blocks" : "clock readings");
}

/* "at most 2"; a driver or a recording may not say. */
static const char *processes_words(char *text, size_t size, double processes)
{
	if (isfinite(processes))
		snprintf(text, size, "at most %.0f", processes);
	else
		snprintf(text, size, "unknown");
	return text;
}

static void say_neighbours(struct said *said)
{
	char base[32], fresh[32];

	SAY(said, "processes on the GPU, dbprof's own included: %s in base, %s in new",
		processes_words(base, sizeof(base), side_fact(said, "base")),
		processes_words(fresh, sizeof(fresh), side_fact(said, "new")));
	BRIEFLY(said, "others used the GPU");
}

/* ---- all of them ---- */

static const struct {
	const char *name;
	void (*say)(struct said *said);
} checks[] = {
	{"gpu", say_gpu},
	{"software", say_software},
	{"method", say_method},
	{"results", say_results},
	{"parameters", say_parameters},
	{"samples", say_samples},
	{"runs", say_runs},
	{"clock", say_clock},
	{"cycles", say_cycles},
	{"throttling", say_throttling},
	{"neighbours", say_neighbours},
};

/* Why a check could not be made, by its id. */
static const struct {
	const char *id, *words;
} reasons[] = {
	{"one-silent", "one of the two recordings does not say"},
	{"both-silent", "neither recording says how it was timed"},
	{"wrong-results", "times of wrong results are left out"},
	{"all-throttled", "all times of a side were throttled and set apart"},
	{"no-clock", "no SM clock was read beside the samples of one of the two"},
	{"no-measured-clock", "no SM clock was measured on the GPU beside the samples of one of the two"},
	{"few-runs", "too few runs for an interval in SM cycles"},
	{"no-parameters", "the case has no parameters"},
	{"company-unknown", "one of the two recordings does not say who else used the GPU"},
};

static void say_missing(struct said *said, const char *id)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (strcmp(reasons[i].id, id) == 0)
			SAY(said, "not measured: %s", reasons[i].words);
	}
}

static void say_check(struct said *said, const char *name)
{
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		if (strcmp(checks[i].name, name) == 0)
			checks[i].say(said);
	}
}

void comparison_check_words(const json_t *tree, json_t *check)
{
	struct said said = {.tree = tree, .check = check, .facts = json_object_get(check, "facts")};
	bool failed = json_is_false(json_object_get(check, "ok"));

	if (tree_has(check, "missing"))
		say_missing(&said, tree_text(check, "missing"));
	else
		say_check(&said, tree_text(check, "name"));
	json_object_del(check, "missing");
	json_object_del(check, "facts");
	put_json(check, "text", text_json(said.text));
	put_json(check, "failure", text_json(failed ? said.brief : NULL));
}
