/* counted.c: see counted.h. */
#include "contrast/count/counted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "contrast/count/choose.h"
#include "contrast/count/counted-private.h"
#include "util/alloc.h"
#include "util/clock.h"

/* A side is run at most so often: with one launch in a run, an H100 needs 31 runs. */
enum { COUNTED_RUNS = 40 };

int end_counting(const struct side_counting *c, const char *status)
{
	c->out->status = status;
	return 0;
}

void take_refusal(struct side_counting *c, const char *text)
{
	struct error *refusal = &c->out->sides[c->side].refusal;

	if (refusal->text[0] == '\0')
		error_set(refusal, "%s", *text == '\0' ? "its launches cannot be followed" : text);
}

int count_once(struct side_counting *c, const struct count_plan *plan, count_results_taker *take)
{
	const struct inside_run run = {.options = c->options,
		.folder = c->folder,
		.measured = c->measured,
		.side = c->side,
		.kind = SIDE_COUNTED,
		.reason = &c->out->reason,
		.err = c->err};

	return inside_run_once(&run, plan, take, c);
}

/* ---- what can be counted ---- */

static void take_answer(void *user, const struct count_record *head, const char *bytes)
{
	struct side_counting *c = user;

	if (head->kind == COUNT_REFUSED)
		take_refusal(c, bytes);
	if (head->kind == COUNT_CHIP && !c->chip)
		c->chip = xstrdup(bytes);
	if (head->kind == COUNT_AVAILABLE && !c->availability && head->size == PROFILER_AVAILABILITY_SIZE)
		c->availability = xmemdup(bytes, (size_t)head->size);
}

/* Whether what can be counted is known without a run. */
static bool is_answered(struct side_counting *c)
{
	const struct contrast_gpu *gpu = c->options->gpu;

	if (!gpu || !gpu->availability)
		return false;
	c->chip = xstrdup(gpu->chip);
	c->availability = xmemdup(gpu->availability, PROFILER_AVAILABILITY_SIZE);
	return true;
}

/* In a child process: all that plan_counting() and fill_cases() ask of CUPTI. */
static void try_to_plan(void *user)
{
	const struct side_counting *c = user;
	struct metering metering;
	struct error unknown = {0};

	if (metering_open(&metering, c->chip, xmemdup(c->availability, PROFILER_AVAILABILITY_SIZE), &unknown) == 0)
		for (size_t launches = 1; launches <= PASSES_OF_A_GROUP; launches++)
			(void)metering_list(&metering, launches);
}

/* As ask_what_counts(), with the answer. */
static int plan_counting(struct side_counting *c)
{
	struct counted_kernels *out = c->out;

	if (inside_run_try_plan(c->options->sides[c->side].name, try_to_plan, c, &out->reason) < 0)
		return 1;
	out->is_metering = metering_open(&out->metering, c->chip, c->availability, &out->reason) == 0;
	c->availability = NULL;
	return !out->is_metering;
}

/* A run of the first side tells the chip, and what can be counted on it. 0 if metrics are known then, 1 if not:
 * out->status says so; -1 as count_once(). */
static int ask_what_counts(struct side_counting *c)
{
	const struct count_plan question = {0};
	int code = is_answered(c) ? 0 : count_once(c, &question, take_answer);

	if (code != 0) {
		end_counting(c, "failed");
		return code;
	}
	end_counting(c, "skipped");
	if (!c->chip || !c->availability) {
		const char *refusal = c->out->sides[c->side].refusal.text;

		error_set(&c->out->reason, "%s: %s", c->options->sides[c->side].name,
			*refusal != '\0' ? refusal : "no launch of a kernel was seen by CUPTI's callbacks");
		return 1;
	}
	return plan_counting(c);
}

/* ---- the kernels of a side ---- */

static void fill_cases(struct side_counting *c, const size_t *chosen, size_t n)
{
	struct counted_side *side = &c->out->sides[c->side];

	side->cases = xcalloc(n + 1, sizeof(*side->cases));
	for (size_t i = 0; i < n; i++) {
		const struct side_kernel *kernel = c->samples->cases[chosen[i]].sides[c->side].kernel;
		struct counted_case *one = &side->cases[side->n];
		const char *refusal = kernel ? count_refusal(kernel) : NULL;

		if (!kernel)
			continue;
		*one = (struct counted_case){.place = chosen[i], .kernel = kernel, .rank = COUNT_NO_RANK};
		side->n++;
		if (refusal) {
			snprintf(one->reason, sizeof(one->reason), "%s", refusal);
		} else {
			one->list = metering_list(
				&c->out->metering, kernel->kernel.places.end - kernel->kernel.places.first);
			one->groups = xcalloc(one->list->n + 1, sizeof(*one->groups));
			one->reading.groups = xcalloc(one->list->n + 1, sizeof(*one->reading.groups));
			one->most.groups = xcalloc(one->list->n + 1, sizeof(*one->most.groups));
		}
	}
}

/* ---- what is told ---- */

static size_t groups_missing(const struct counted_case *one)
{
	size_t n = 0;

	for (size_t i = 0; i < one->list->n; i++)
		n += !one->groups[i].values;
	return n;
}

/* Why groups are missing; NULL: it is not known. */
static const char *why_missing(const struct counted_side *side, const struct counted_case *one)
{
	if (side->refusal.text[0] != '\0')
		return side->refusal.text;
	if (side->has_failed)
		return "a run of the program failed";
	if (!side->is_done)
		return "there was no time for more runs";
	return one->reason[0] != '\0' ? one->reason
				      : "too few of its launches were met, or no results could be written";
}

/* What is worse is told: that not all was counted, then what was. */
static void tell_case(const struct counted_side *side, struct counted_case *one)
{
	size_t missing = one->list ? groups_missing(one) : 0;
	char why[sizeof(one->reason)] = "";

	if (!one->list)
		return;
	if (missing == one->list->n && missing > 0)
		snprintf(why, sizeof(why), "%.*s", (int)sizeof(why) - 1, why_missing(side, one));
	else if (missing > 0)
		snprintf(why, sizeof(why), "%zu of %zu groups were not counted: %.180s", missing, one->list->n,
			why_missing(side, one));
	else if (one->list->lost > 0)
		snprintf(why, sizeof(why), "%zu metrics need more launches than a run has", one->list->lost);
	else if (strcmp(one->reason, COUNT_SEVERAL_CLUSTERS) == 0)
		snprintf(why, sizeof(why), "%s", COUNT_SEVERAL_CLUSTERS);
	else if (one->kernel->kernel.forms > 1)
		snprintf(why, sizeof(why), "it has %zu forms (template instances, resources, code): one was counted",
			one->kernel->kernel.forms);
	memcpy(one->reason, why, sizeof(why));
}

static bool is_any_counted(const struct counted_kernels *counted)
{
	for (size_t s = 0; s < counted->nsides; s++)
		for (size_t i = 0; i < counted->sides[s].n; i++)
			if (counted->sides[s].cases[i].launches > 0)
				return true;
	return false;
}

/* The first reason of a side's kernels and graphs; NULL without one. Of kernels of graphs the graph tells more. */
static const struct counted_case *first_with_reason(const struct counted_side *side)
{
	const struct counted_case *first = NULL;

	for (size_t i = 0; i < side->n; i++) {
		const struct counted_case *one = &side->cases[i];

		if (one->reason[0] != '\0' &&
			(!first || (one->kernel->kernel.is_graph && first->kernel->kernel.in_graphs)))
			first = one;
	}
	return first;
}

/* It stands for all where nothing was counted. */
static void tell_why_nothing(const struct side_counting *c)
{
	for (size_t s = 0; s < c->out->nsides && c->out->reason.text[0] == '\0'; s++) {
		const struct counted_case *one = first_with_reason(&c->out->sides[s]);

		if (one)
			error_set(&c->out->reason, "%s: %s: %s", c->options->sides[s].name, one->kernel->kernel.base,
				one->reason);
	}
}

/* ---- all of it ---- */

/* By turns, so that one side does not use up the time. Each is run once, also beyond the budget. */
static int count_by_turns(struct side_counting *c)
{
	for (int turn = 0; turn < COUNTED_RUNS; turn++)
		for (c->side = 0; c->side < c->out->nsides; c->side++) {
			if (turn > 0 && clock_monotonic() - c->begun > c->options->budget_ns)
				return 0;
			if (count_side(c) < 0)
				return -1;
		}
	return 0;
}

/* Status and reason are those of a failed run, or tell that all went well. */
static int count_all(struct side_counting *c, const size_t *chosen, size_t n)
{
	end_counting(c, "done");
	for (c->side = 0; c->side < c->out->nsides; c->side++)
		fill_cases(c, chosen, n);
	if (count_by_turns(c) < 0)
		return -1;
	for (size_t s = 0; s < c->out->nsides; s++)
		for (size_t i = 0; i < c->out->sides[s].n; i++)
			tell_case(&c->out->sides[s], &c->out->sides[s].cases[i]);
	if (strcmp(c->out->status, "done") != 0 || is_any_counted(c->out))
		return 0;
	tell_why_nothing(c);
	return end_counting(c, "skipped");
}

static int choose_and_count(struct side_counting *c)
{
	size_t chosen[CHOSEN_KERNELS_MOST + CASES_OF_GRAPHS], n;
	int asked;

	end_counting(c, "skipped");
	if (!measure_allows_more(c->measured, c->samples, &c->out->reason))
		return 0;
	n = count_choose(c->options, c->samples, chosen);
	if (n == 0) {
		error_set(&c->out->reason, "%s", count_chose_nothing(c->options, c->samples));
		return 0;
	}
	n += count_choose_graphs(c->samples, chosen, n, chosen + n);
	c->out->sides = xcalloc(c->samples->nsides, sizeof(*c->out->sides));
	c->out->nsides = c->samples->nsides;
	asked = ask_what_counts(c);
	if (asked != 0)
		return asked < 0 ? -1 : 0;
	return count_all(c, chosen, n);
}

int count_sides(const struct contrast_options *options, const char *folder, struct measurement *measured,
	const struct contrast_samples *samples, struct counted_kernels *out, struct error *err)
{
	struct side_counting c = {.options = options,
		.folder = folder,
		.measured = measured,
		.samples = samples,
		.out = out,
		.begun = clock_monotonic(),
		.err = err};
	int code;

	*out = (struct counted_kernels){.start = clock_realtime()};
	if (!options->wants_counters)
		return 0;
	code = choose_and_count(&c);
	free(c.chip);
	free(c.availability);
	out->end = clock_realtime();
	return code;
}

void counted_group_clear(struct counted_group *counted)
{
	for (size_t i = 0; i < counted->n; i++)
		free(counted->round[i]);
	free(counted->values);
	*counted = (struct counted_group){0};
}

static void counted_groups_free(const struct counted_case *one, struct counted_group *groups)
{
	for (size_t i = 0; one->list && i < one->list->n; i++)
		counted_group_clear(&groups[i]);
	free(groups);
}

static void counted_case_free(struct counted_case *one)
{
	counted_groups_free(one, one->groups);
	counted_groups_free(one, one->reading.groups);
	counted_groups_free(one, one->most.groups);
}

void counted_free(struct counted_kernels *counted)
{
	for (size_t s = 0; s < counted->nsides; s++) {
		struct counted_side *side = &counted->sides[s];

		for (size_t i = 0; i < side->n; i++)
			counted_case_free(&side->cases[i]);
		free(side->cases);
	}
	free(counted->sides);
	metering_close(&counted->metering);
	*counted = (struct counted_kernels){0};
}
