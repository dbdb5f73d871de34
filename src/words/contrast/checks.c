/* checks.c: see checks.h. model/family/programs/checks.c has the numbers. */
#include "words/contrast/checks.h"

#include <math.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/contrast/all-parts.h"
#include "words/contrast/kernel-name.h"

enum { SEEN_SIZE = 400, WRONG_SIZE = 240, KIND_NAME_SIZE = 80 };

struct seen {
	const json_t *check, *facts;
	char text[SEEN_SIZE], wrong[WRONG_SIZE];
};

static double seen_fact(const struct seen *s, const char *key)
{
	return tree_real(s->facts, key);
}

#define SEEN(s, ...) clip_append((s)->text, SEEN_SIZE, __VA_ARGS__)
#define WRONG(s, ...) clip_append((s)->wrong, WRONG_SIZE, __VA_ARGS__)

static void see_output(struct seen *s)
{
	bool failed = strcmp(tree_text(s->facts, "single"), "failed") == 0 ||
		      strcmp(tree_text(s->facts, "other"), "failed") == 0;

	if (!json_is_false(json_object_get(s->check, "ok")))
		SEEN(s, "both sides wrote the same");
	else
		SEEN(s, failed ? "the command that compares the outputs failed" : "the sides wrote different outputs");
	WRONG(s, failed ? "the check of the output failed" : "the outputs differ");
}

static void see_blocks(struct seen *s)
{
	double blocks = tree_real(s->check, "figure"), budget = seen_fact(s, "budget_s");

	SEEN(s, "%.0f whole block%s of both sides, from %.0f processes", blocks, blocks == 1 ? "" : "s",
		seen_fact(s, "processes"));
	WRONG(s, "%.0f whole block%s, %.0f are needed", blocks, blocks == 1 ? "" : "s", tree_real(s->check, "limit"));
	if (isfinite(budget))
		WRONG(s, ": use --budget=%.0fs", budget);
}

static void see_parts(struct seen *s)
{
	double parts = tree_real(s->check, "figure");

	SEEN(s, "%.0f part%s of a run on each side, by its steps or launches", parts, parts == 1 ? "" : "s");
	WRONG(s, "%.0f part%s of a run, %.0f are needed: more steps or launches, or by --kernel those that come often",
		parts, parts == 1 ? "" : "s", tree_real(s->check, "limit"));
}

static void see_waits(struct seen *s)
{
	bool failed = json_is_false(json_object_get(s->check, "ok"));

	if (strcmp(tree_text(s->facts, "by"), "times") == 0) {
		SEEN(s, failed ? "a step takes less time than its kernels" : "each step takes as long as its kernels");
		WRONG(s, "a step takes less time than its kernels, so it does not wait for them");
		return;
	}
	if (strcmp(tree_text(s->facts, "by"), "turns") == 0) {
		SEEN(s, "a step does not end in a synchronisation, and other steps lie between those that count, so "
			"that these have no period");
		WRONG(s, "a step may end before its work, and its neighbours launch other kernels: it has no period");
		return;
	}
	SEEN(s, failed ? "a step does not end in a synchronisation" : "each step ends in a synchronisation");
	WRONG(s, "a step does not end in a synchronisation, so its host time is no time of its work");
}

static void see_pace(struct seen *s)
{
	double share = tree_real(s->check, "figure");

	SEEN(s, "steps overlap, or leave work under way: from one begin to the next the GPU's lag changes by %.2f %%",
		100 * share);
	if (share > tree_real(s->check, "limit"))
		WRONG(s, "the GPU falls behind the steps, so their time is that of asking for the work");
	else
		WRONG(s, "steps begin faster than the GPU does their work, so their time is that of asking for it");
}

static void see_length(struct seen *s)
{
	double factor = seen_fact(s, "factor"), unmatched = seen_fact(s, "unmatched");
	double unmatched_factor = seen_fact(s, "unmatched_factor");

	if (isfinite(factor)) {
		SEEN(s, "the matching kernel that takes the most time is launched %.3g times as often in the other run",
			factor);
		if (fabs(factor - 1) > 0)
			SEEN(s, ", by %.3g times as many threads", seen_fact(s, "threads"));
	} else
		SEEN(s, "no kernel matches");
	if (unmatched > 0)
		SEEN(s, "; kernels without a match take up to %.0f %% of a run's kernel time", 100 * unmatched);
	if (isfinite(unmatched_factor))
		SEEN(s,
			", the longest of the other run %.3g times as often as that of the first one, by %.3g times as "
			"many threads",
			unmatched_factor, seen_fact(s, "unmatched_threads"));
	/* Launches tell no more: a loop may do in two what it did in one. */
	if (seen_fact(s, "apart") > unmatched || tree_true(s->facts, "unmatched_apart"))
		WRONG(s, "the runs may differ in length: choose a step by --range");
	else
		WRONG(s, "their kernels do not tell whether the runs have the same length: use --range");
}

/* "42 to 43", "22". */
static void step_launches_words(const json_t *side, char *text, size_t size)
{
	double fewest = tree_real(side, "fewest"), most = tree_real(side, "most");

	clip_print(text, size, "%.0f", fewest);
	if (most > fewest)
		clip_append(text, size, " to %.0f", most);
}

static void see_chosen(struct seen *s)
{
	char name[KERNEL_NAME_SIZE];

	kernel_name_words(tree_text(s->facts, "kernel"), name);
	SEEN(s,
		"of the chosen kernels' time %.3g %% on one side and %.3g %% on the other is of kernels without a "
		"match, first of all `%s`",
		100 * seen_fact(s, "single"), 100 * seen_fact(s, "other"), name);
	WRONG(s,
		"chosen kernels without a match, first of all `%s`, take %.0f %% of a side's time: choose what they "
		"are held against",
		name, 100 * tree_real(s->check, "figure"));
}

static void see_launches(struct seen *s)
{
	char single[64], other[64];

	step_launches_words(json_object_get(s->facts, "single"), single, sizeof(single));
	step_launches_words(json_object_get(s->facts, "other"), other, sizeof(other));
	SEEN(s, "steps of one side launch %s kernels, of the other %s", single, other);
	WRONG(s,
		"steps of one side launch %s kernels, of the other %s, as a loop for a fixed time does: let it run a "
		"fixed number of times",
		single, other);
}

static void see_drift(struct seen *s)
{
	SEEN(s, "the ratio's autocorrelation from block to block is %.2f", tree_real(s->check, "figure"));
	WRONG(s, "the ratio drifts from block to block");
}

static void see_ranks(struct seen *s)
{
	double agree = seen_fact(s, "agree"), pairs = seen_fact(s, "pairs");
	const char *verdict = tree_text(s->facts, "verdict");

	SEEN(s, "in %g of %g pairs of runs in a block the other side is %s; %g are more than chance", agree, pairs,
		verdict, seen_fact(s, "needed"));
	WRONG(s, "in only %g of %g pairs of runs it is %s, which may be chance", agree, pairs, verdict);
}

static void see_clocks(struct seen *s)
{
	double apart = tree_real(s->check, "figure");
	char cycles[FORMAT_SIZE];

	SEEN(s, "mean SM clock %.0f MHz and %.0f MHz%s", seen_fact(s, "single_mhz"), seen_fact(s, "other_mhz"),
		strcmp(tree_text(s->facts, "gpus"), "cards") == 0 ? ", of different GPUs" : "");
	if (tree_has(s->facts, "cycles"))
		SEEN(s, "; in cycles the ratio is %s", format_ratio(cycles, sizeof(cycles), seen_fact(s, "cycles")));
	else if (apart > tree_real(s->check, "limit"))
		SEEN(s, "; they would matter to a clear difference in time, and there is none");
	WRONG(s, "the clocks are %.1f %% apart, and cycles do not agree", 100 * apart);
}

static void see_tracing(struct seen *s)
{
	double part = tree_real(s->check, "figure");
	char change[FORMAT_SIZE];

	SEEN(s, "tracing changes a step by up to %s, which is %.0f %% of the difference",
		format_time_ns(change, sizeof(change), seen_fact(s, "change_ns")), 100 * part);
	WRONG(s, "tracing changes the step by more than half of the difference");
}

static void see_records(struct seen *s)
{
	double runs = seen_fact(s, "runs");
	bool range = tree_true(s->facts, "range");

	if (tree_true(s->facts, "perhaps"))
		SEEN(s, "by its diagnostics an export may lack records, and it does not say how many");
	else
		SEEN(s, "records are missing or untimed in %.0f traced run%s", runs, runs == 1 ? "" : "s");
	if (json_is_true(json_object_get(s->check, "ok")))
		SEEN(s, "; the steps that count have the same kernels");
	else if (range)
		SEEN(s, ", as many as there are steps that count, or more");
	if (range)
		WRONG(s, "so many records were lost or untimed that each step may lack a kernel");
	else if (tree_true(s->facts, "perhaps"))
		WRONG(s, "an export may lack records of kernels: choose a step by --range");
	else
		WRONG(s, "records of kernels are missing or untimed: choose a step by --range");
}

static void see_graphs(struct seen *s)
{
	SEEN(s, "%.3g and %.3g CUDA graphs were traced as a whole, with their copies and gaps", seen_fact(s, "single"),
		seen_fact(s, "other"));
	WRONG(s, "CUDA graphs were traced as a whole: use nsys profile --cuda-graph-trace=node");
}

/* "the same time", or "7.1 % more" */
static void difference_words(double ratio, const char *verdict, char *text, size_t size)
{
	if (strcmp(verdict, "same") == 0)
		clip_print(text, size, "the same time");
	else
		clip_print(text, size, "%.1f %% %s", 100 * fabs(1 / ratio - 1), ratio < 1 ? "more" : "less");
}

/* How much more or less is needed over all that there is, and over what counts. */
static void all_and_counted_words(const struct seen *s, char all[FORMAT_SIZE], char counted[FORMAT_SIZE])
{
	difference_words(seen_fact(s, "all"), tree_text(s->facts, "by_all"), all, FORMAT_SIZE);
	difference_words(seen_fact(s, "counted"), tree_text(s->facts, "by_counted"), counted, FORMAT_SIZE);
}

static void see_outside(struct seen *s)
{
	double step = seen_fact(s, "step_ns"), outside = seen_fact(s, "outside_ns");
	char ns[2][FORMAT_SIZE], all[FORMAT_SIZE], counted[FORMAT_SIZE];

	format_time_ns(ns[0], FORMAT_SIZE, fabs(step));
	format_time_ns(ns[1], FORMAT_SIZE, fabs(outside));
	all_and_counted_words(s, all, counted);
	SEEN(s, "for each step kernels outside of it take %s %s; with that kernels need %s, in steps alone %s", ns[1],
		outside < 0 ? "less" : "more", all, counted);
	WRONG(s, "kernels moved: in a step they take %s %s, outside %s %s", ns[0], step < 0 ? "less" : "more", ns[1],
		outside < 0 ? "less" : "more");
}

static void see_elsewhere(struct seen *s)
{
	char ns[2][FORMAT_SIZE], all[FORMAT_SIZE], counted[FORMAT_SIZE];

	format_time_ns(ns[0], FORMAT_SIZE, seen_fact(s, "single_ns"));
	format_time_ns(ns[1], FORMAT_SIZE, seen_fact(s, "other_ns"));
	all_and_counted_words(s, all, counted);
	SEEN(s,
		"in a whole run kernels outside of steps take %s and %s for each step; with what differs kernels need "
		"%s, in steps alone %s",
		ns[0], ns[1], all, counted);
	WRONG(s,
		"kernels outside of steps take %s and %s for each step of a run. With what differs kernels need %s, in "
		"steps alone %s",
		ns[0], ns[1], all, counted);
}

static void see_copies(struct seen *s)
{
	double step = seen_fact(s, "step_ns"), between = seen_fact(s, "between_ns");
	char ns[4][FORMAT_SIZE];

	SEEN(s, "copies outside of the steps take %s and %s for each of them; the time between two steps is %s %s",
		format_time_ns(ns[0], FORMAT_SIZE, seen_fact(s, "single_ns")),
		format_time_ns(ns[1], FORMAT_SIZE, seen_fact(s, "other_ns")),
		format_time_ns(ns[2], FORMAT_SIZE, fabs(between)), between < 0 ? "shorter" : "longer");
	WRONG(s, "copies moved: a step is %s %s, and the time between two is %s %s",
		format_time_ns(ns[3], FORMAT_SIZE, fabs(step)), step < 0 ? "shorter" : "longer", ns[2],
		between < 0 ? "shorter" : "longer");
}

static void see_between(struct seen *s)
{
	double step = seen_fact(s, "step_ns"), between = seen_fact(s, "between_ns");
	char ns[2][FORMAT_SIZE];

	format_time_ns(ns[0], FORMAT_SIZE, fabs(step));
	format_time_ns(ns[1], FORMAT_SIZE, fabs(between));
	if (tree_true(s->facts, "period")) {
		SEEN(s,
			"from its begin to the next one's a step is %s %s; pauses and other steps take %s %s for each "
			"of them, by mean of the whole loop",
			ns[0], step < 0 ? "shorter" : "longer", ns[1], between < 0 ? "less" : "more");
		if (tree_true(s->facts, "with_pauses"))
			WRONG(s,
				"by as many first steps one takes %s %s, but the rest of the loop takes %s %s for "
				"each: "
				"run as many steps on both sides",
				ns[0], step < 0 ? "less" : "more", ns[1], between < 0 ? "less" : "more");
		else
			WRONG(s, "a step takes %s %s, but pauses and other steps take %s %s for each of them", ns[0],
				step < 0 ? "less" : "more", ns[1], between < 0 ? "less" : "more");
		return;
	}
	SEEN(s, "a step is %s %s, and the time from its end to the next one's begin is %s %s%s", ns[0],
		step < 0 ? "shorter" : "longer", ns[1], between < 0 ? "shorter" : "longer",
		tree_true(s->facts, "pauses") ? " by mean, pauses included" : "");
}

/* "`add`", or "`add`, 2 launches," if that tells two kinds apart. */
static void kind_words(const json_t *kind, bool launches, char *text, size_t size)
{
	double n = tree_real(kind, "launches");

	clip_print(text, size, "`%s`", tree_text(kind, "kernel"));
	if (launches)
		clip_print(text, size, "`%s`, %.0f launch%s,", tree_text(kind, "kernel"), n, n == 1 ? "" : "es");
}

static void see_kinds(struct seen *s)
{
	const json_t *kind[] = {json_object_get(s->facts, "single"), json_object_get(s->facts, "other")};
	bool namesakes = strcmp(tree_text(kind[0], "kernel"), tree_text(kind[1], "kernel")) == 0;
	char name[2][KIND_NAME_SIZE], shares[2][KIND_NAME_SIZE + 2 * FORMAT_SIZE];
	char all[FORMAT_SIZE], counted[FORMAT_SIZE];

	for (int i = 0; i < 2; i++) {
		kind_words(kind[i], namesakes, name[i], sizeof(name[i]));
		clip_print(shares[i], sizeof(shares[i]), "with %s %.0f %% and %.0f %%", name[i],
			100 * tree_real(kind[i], "single"), 100 * tree_real(kind[i], "other"));
	}
	all_and_counted_words(s, all, counted);
	SEEN(s, "the steps that count are others on the two sides; of all steps these are: %s, %s", shares[0],
		shares[1]);
	if (tree_has(s->facts, "parts")) {
		SEEN(s, "; %.0f steps of one side have the kernels of one step of the other", seen_fact(s, "parts"));
		WRONG(s, "one side's step holds %.0f of the other's, by kernels: use a longer range",
			seen_fact(s, "parts"));
		return;
	}
	WRONG(s,
		"perhaps two kinds of steps are compared. Of the sides' steps they are: %s, %s. Over all steps kernels "
		"need %s, over those that count %s",
		shares[0], shares[1], all, counted);
}

static void see_other_kinds(struct seen *s)
{
	char all[FORMAT_SIZE], counted[FORMAT_SIZE];

	all_and_counted_words(s, all, counted);
	SEEN(s, "over all kinds of steps that both sides have kernels need %s, over those that count %s", all, counted);
	WRONG(s, "other kinds of steps differ. Over all kinds kernels need %s, over the one that counts %s", all,
		counted);
}

static void see_lone_kinds(struct seen *s)
{
	double steps = seen_fact(s, "steps"), ns = seen_fact(s, "kernel_time");
	char all[FORMAT_SIZE], counted[FORMAT_SIZE], lone[2 * FORMAT_SIZE];

	all_and_counted_words(s, all, counted);
	if (steps >= ns)
		clip_print(lone, sizeof(lone), "%.0f %% of one side's steps are", 100 * steps);
	else
		clip_print(lone, sizeof(lone), "%.0f %% of one side's kernel time is in steps", 100 * ns);
	SEEN(s, "%s of a kind that the other does not have; over all steps kernels need %s, over those that count %s",
		lone, all, counted);
	WRONG(s, "%s of a kind that the other does not have. Over all steps kernels need %s, over those that count %s",
		lone, all, counted);
}

static void see_other_host(struct seen *s)
{
	double steps = seen_fact(s, "steps"), ns = seen_fact(s, "host_time");
	char all[FORMAT_SIZE], counted[FORMAT_SIZE], others[2 * FORMAT_SIZE];

	all_and_counted_words(s, all, counted);
	if (isnan(ns))
		clip_print(others, sizeof(others), "%.0f %% of a side's steps launch", 100 * steps);
	else
		clip_print(others, sizeof(others), "%.0f %% of a side's step time is in steps that launch", 100 * ns);
	SEEN(s, "%s other kernels or none; by host times all steps together need %s, those that count %s", others, all,
		counted);
	WRONG(s, "%s other kernels or none. By host times all steps together need %s, those that count %s", others, all,
		counted);
}

static void see_shapes(struct seen *s)
{
	char all[FORMAT_SIZE], counted[FORMAT_SIZE];

	all_and_counted_words(s, all, counted);
	SEEN(s, "if steps of each size are as often on both sides, kernels need %s, as they come %s", all, counted);
	WRONG(s,
		"steps are of several kinds or sizes. With as many of each on both sides kernels need %s, as they come "
		"%s",
		all, counted);
}

static void see_places(struct seen *s)
{
	char right[FORMAT_SIZE], timed[FORMAT_SIZE];

	all_and_counted_words(s, right, timed);
	SEEN(s,
		"traced runs tell which steps count without CUPTI; held against traced runs, a step needs %s, as timed "
		"%s",
		right, timed);
	WRONG(s, "without CUPTI other steps may count. Put right, a step needs %s, as timed %s", right, timed);
}

static void see_begins(struct seen *s)
{
	const char *more = strcmp(tree_text(s->facts, "more"), "single") == 0 ? "first" : "other";

	SEEN(s, "a process's first step is %.3g %% of what counts of one side, %.3g %% of the other",
		100 * seen_fact(s, "single"), 100 * seen_fact(s, "other"));
	WRONG(s, "first steps, which may be slow, count more on the %s side: run three steps or more in each process",
		more);
}

static void see_first_steps(struct seen *s)
{
	char all[FORMAT_SIZE], counted[FORMAT_SIZE], steps[2 * FORMAT_SIZE];

	all_and_counted_words(s, all, counted);
	clip_print(steps, sizeof(steps), "%.0f and %.0f steps count", seen_fact(s, "single"), seen_fact(s, "other"));
	SEEN(s, "%s in a run; over the first %.0f on each side kernels need %s, over all %s", steps,
		seen_fact(s, "first"), counted, all);
	WRONG(s,
		"%s, and steps change from first to last. Over the first %.0f on each side kernels need %s, over all "
		"%s",
		steps, seen_fact(s, "first"), counted, all);
}

static void see_coverage(struct seen *s)
{
	double steps = seen_fact(s, "steps"), ns = seen_fact(s, "kernel_time");
	char all[FORMAT_SIZE], counted[FORMAT_SIZE], left[2 * FORMAT_SIZE];

	all_and_counted_words(s, all, counted);
	if (steps >= ns)
		clip_print(left, sizeof(left), "%.0f %% of the steps launch other kernels or none", 100 * steps);
	else
		clip_print(left, sizeof(left), "%.0f %% of the kernel time is in steps with other kernels", 100 * ns);
	SEEN(s, "%s; over all steps kernels need %s, over those that count %s", left, all, counted);
	WRONG(s, "%s", left);
	if (!tree_has(s->facts, "host"))
		WRONG(s, ". Over all steps kernels need %s, over those that count %s", all, counted);
}

const char *contradicting_part(const char *basis)
{
	return strcmp(basis, "wall") == 0 ? "process" : strcmp(basis, "run") == 0 ? "run" : "step";
}

static void see_agreement(struct seen *s)
{
	bool failed = json_is_false(json_object_get(s->check, "ok"));
	double kernels = seen_fact(s, "kernels"), program = seen_fact(s, "program");
	const char *basis = tree_text(s->facts, "basis"), *what = contradicting_part(basis);

	SEEN(s, "%s in one, %s in the other", tree_text(s->facts, "own"), tree_text(s->facts, "against"));
	if (!failed && strcmp(basis, "run") == 0 && (kernels < 1) != (program < 1))
		SEEN(s, ": the length of one run is partly chance, and says too little against its kernels");
	else if (!failed)
		SEEN(s, ": kernels and program do not contradict each other");
	else if (strcmp(basis, "run") == 0)
		SEEN(s, ": a run holds more than kernels, and its length is partly chance");
	else
		SEEN(s, ": usually %s so that kernels %s and the %s gets %s",
			kernels < 1 ? "work overlaps," : "less work overlaps,",
			kernels < 1 ? "slow down" : "run faster", what, kernels < 1 ? "shorter" : "longer");
	WRONG(s, "kernels need %.1f %% %s, the %s %.1f %% %s time: ", 100 * fabs(1 / kernels - 1),
		kernels < 1 ? "more" : "less", what, 100 * fabs(1 / program - 1), program < 1 ? "more" : "less");
	if (strcmp(basis, "run") == 0)
		WRONG(s, "use --range");
	else
		WRONG(s, "usually %s overlaps", kernels < 1 ? "work" : "less");
}

static void see_kernels_at_once(struct seen *s)
{
	const char *by_busy = tree_text(s->facts, "by_busy");
	char ns[4][FORMAT_SIZE];

	SEEN(s, "kernels run at once: they add up to %s and %s, and the GPU is busy with them for %s and %s",
		format_time_ns(ns[0], FORMAT_SIZE, seen_fact(s, "single_ns")),
		format_time_ns(ns[1], FORMAT_SIZE, seen_fact(s, "other_ns")),
		format_time_ns(ns[2], FORMAT_SIZE, seen_fact(s, "single_busy_ns")),
		format_time_ns(ns[3], FORMAT_SIZE, seen_fact(s, "other_busy_ns")));
	WRONG(s, "by added times %s%s, by the GPU's busy time %s%s",
		strcmp(tree_text(s->facts, "by_sum"), "same") == 0 ? "the " : "", tree_text(s->facts, "by_sum"),
		strcmp(by_busy, "same") == 0 ? "the " : "", by_busy);
}

static const struct {
	const char *check, *missing;
	void (*see)(struct seen *s);
} seers[] = {
	{"output", "nobody asked to compare what the programs write", see_output},
	{"launches", "", see_launches},
	{"blocks", "", see_blocks},
	{"parts", "", see_parts},
	{"runs", "each side is one run, so that what runs differ by is assumed", NULL},
	{"waits", "", see_waits},
	{"pace", "", see_pace},
	{"length", "", see_length},
	{"drift", "too few blocks, or all alike", see_drift},
	{"ranks", "", see_ranks},
	{"clocks", "no SM clock was read while they ran", see_clocks},
	{"tracing", "without --range the step has no host time", see_tracing},
	{"chosen", "", see_chosen},
	{"records", "", see_records},
	{"graphs", "", see_graphs},
	{"kinds", "", see_kinds},
	{"other-kinds", "", see_other_kinds},
	{"lone-kinds", "", see_lone_kinds},
	{"other-host", "", see_other_host},
	{"shapes", "", see_shapes},
	{"places", "", see_places},
	{"begins", "", see_begins},
	{"first-steps", "", see_first_steps},
	{"coverage", "", see_coverage},
	{"outside", "", see_outside},
	{"elsewhere", "", see_elsewhere},
	{"copies", "", see_copies},
	{"between", "the time from one step to the next is not known", see_between},
	{"at-once", "", see_kernels_at_once},
	{"agreement", "only one of kernels and program was timed", see_agreement},
};

/* `usual` is the check's reason but for the word that has its own. */
static const char *why_not_seen(const json_t *check, const char *usual)
{
	if (strcmp(tree_text(check, "missing"), "other-gpu") == 0)
		return "clocks of different kinds of GPU cannot be compared";
	if (strcmp(tree_text(check, "missing"), "chosen-kernels") == 0)
		return "--kernel chose a part of the kernels, and the program's step has all of them";
	return usual;
}

static void contrast_check_words(json_t *check)
{
	struct seen s = {.check = check, .facts = json_object_get(check, "facts")};

	for (size_t i = 0; i < sizeof(seers) / sizeof(seers[0]); i++) {
		if (strcmp(seers[i].check, tree_text(check, "name")) != 0)
			continue;
		if (tree_has(check, "missing"))
			SEEN(&s, "not measured: %s", why_not_seen(check, seers[i].missing));
		else
			seers[i].see(&s);
	}
	put_json(check, "text", text_json(s.text));
	put_json(check, "failure", text_json(json_is_false(json_object_get(check, "ok")) ? s.wrong : NULL));
}

void contrast_checks_words(json_t *evidence)
{
	json_t *check;
	size_t i;

	json_array_foreach(evidence, i, check) contrast_check_words(check);
	all_parts_words(evidence);
}
