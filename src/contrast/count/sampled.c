/* sampled.c: see sampled.h. */
#include "contrast/count/sampled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "contrast/count/choose.h"
#include "contrast/count/inside-run.h"
#include "contrast/count/sample-table.h"
#include "util/alloc.h"
#include "util/clock.h"

/* A kernel is sampled for so long, so that an instruction's share means something, but in so many launches at most,
 * since each takes far longer than itself. */
static const double sampled_ns = 1e6;
enum { SAMPLED_LAUNCHES = 16 };

/* CUPTI's buffer has 512 MB, which is 15 bytes for each of so many samples of each of the 4 parts of 132 SMs and more.
 * A GPU does not have more cycles than that in a nanosecond; CUPTI takes no longer period. */
static const double samples_of_sm = 1 << 14, cycles_of_ns = 2;
enum { LONGEST_PERIOD = 31 };

/* What is passed around while sides are sampled. */
struct side_sampling {
	const struct contrast_options *options;
	const struct contrast_samples *samples;
	struct sampled_kernels *out;
	struct inside_run run; /* its side is the one at work */
	/* Of the process whose results are being taken. */
	const char *functions[SAMPLE_FUNCTIONS], *reasons[SAMPLE_REASONS];
	uint64_t modules[SAMPLE_FUNCTIONS];
	struct sampled_case **planned; /* kernels of the plan, by their places */
	size_t nplanned;
};

/* Sets out->status. Returns 0. */
static int end_sampling(const struct side_sampling *s, const char *status)
{
	s->out->status = status;
	return 0;
}

/* ---- the plan ---- */

static void fill_sampled_cases(struct side_sampling *s, const size_t *chosen, size_t n)
{
	struct sampled_side *side = &s->out->sides[s->run.side];

	side->cases = xcalloc(n + 1, sizeof(*side->cases));
	for (size_t i = 0; i < n; i++) {
		const struct side_kernel *kernel = s->samples->cases[chosen[i]].sides[s->run.side].kernel;
		const char *refusal = kernel ? count_refusal(kernel) : NULL;
		struct sampled_case *one = &side->cases[side->n];

		if (!kernel)
			continue;
		*one = (struct sampled_case){.place = chosen[i], .kernel = kernel};
		snprintf(one->reason, sizeof(one->reason), "%s", refusal ? refusal : "");
		side->n++;
	}
}

uint64_t sampling_period(double ns)
{
	uint64_t period = PC_PERIOD;

	while (period < LONGEST_PERIOD && ns * cycles_of_ns / (double)(UINT64_C(1) << period) > samples_of_sm)
		period++;
	return period;
}

static size_t fewer_launches(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* A process has no more launches that are sampled: the first one is not, if there is another. */
static size_t launches_in_plan(const struct count_kernel *planned)
{
	return planned->end > planned->first + 1 ? (size_t)(planned->end - planned->first) - 1 : 1;
}

/* Kernels with a reason are refused. */
static void make_sampling_plan(struct side_sampling *s, struct count_plan *plan)
{
	struct sampled_side *side = &s->out->sides[s->run.side];

	double longest = 0;

	*plan = (struct count_plan){0};
	plan->kernels = xcalloc(side->n + 1, sizeof(*plan->kernels));
	s->planned = xcalloc(side->n + 1, sizeof(struct sampled_case *));
	for (size_t i = 0; i < side->n; i++) {
		struct sampled_case *one = &side->cases[i];
		double ns = one->kernel->launch_ns, launches = ns > 0 ? sampled_ns / ns + 1 : 1;

		if (one->reason[0] != '\0')
			continue;
		longest = fmax(longest, ns);
		plan->kernels[plan->nkernels] = count_kernel_of(&one->kernel->kernel);
		one->wanted = launches < SAMPLED_LAUNCHES ? (size_t)launches : SAMPLED_LAUNCHES;
		one->wanted = fewer_launches(one->wanted, launches_in_plan(&plan->kernels[plan->nkernels]));
		plan->kernels[plan->nkernels].launches = one->wanted;
		s->planned[plan->nkernels++] = one;
	}
	s->nplanned = plan->nkernels;
	plan->period = side->period = sampling_period(longest);
}

/* ---- what was sampled ---- */

static const char *keep_sampled_name(struct sampled_kernels *out, const char *name)
{
	xgrow(&out->names, out->nnames, &out->names_room, sizeof(*out->names));
	out->names[out->nnames] = xstrdup(name);
	return out->names[out->nnames++];
}

static void take_function(struct side_sampling *s, const struct count_record *head, const char *bytes)
{
	struct count_function function;

	if (head->group >= SAMPLE_FUNCTIONS || head->size < sizeof(function))
		return;
	memcpy(&function, bytes, sizeof(function));
	s->modules[head->group] = function.module;
	s->functions[head->group] = keep_sampled_name(s->out, bytes + sizeof(function));
}

/* The program had the file: numbers without a name are left out. */
static void take_stall(struct side_sampling *s, struct sampled_case *one, const struct count_sample *sample)
{
	const char *symbol = sample->function < SAMPLE_FUNCTIONS ? s->functions[sample->function] : NULL;
	const char *reason = sample->reason < SAMPLE_REASONS ? s->reasons[sample->reason] : NULL;

	if (!symbol || !reason)
		return;
	xgrow(&one->stalls, one->ntaken, &one->room, sizeof(*one->stalls));
	one->stalls[one->ntaken++] = (struct sampled_stall){
		symbol, reason, s->modules[sample->function], sample->offset, {sample->samples[0], sample->samples[1]}};
}

/* What came before the first part has no sums: its process was killed. */
static void take_stalls(
	struct side_sampling *s, struct sampled_case *one, const struct count_record *head, const char *bytes)
{
	if (head->group == 0)
		one->ntaken = one->nstalls;
	for (size_t at = 0; at + sizeof(struct count_sample) <= head->size; at += sizeof(struct count_sample)) {
		struct count_sample sample;

		memcpy(&sample, bytes + at, sizeof(sample));
		take_stall(s, one, &sample);
	}
}

/* Several processes may have sampled the kernel, one behind the other. */
static void take_sums(struct sampled_case *one, const struct count_record *head, const char *bytes)
{
	struct count_samples sums;

	if (head->size != sizeof(sums))
		return;
	memcpy(&sums, bytes, sizeof(sums));
	one->nstalls = one->ntaken;
	one->launches += head->launches;
	one->sums.total += sums.total;
	one->sums.dropped += sums.dropped;
	one->sums.foreign += sums.foreign;
	one->sums.lost += sums.lost;
	one->sums.full += sums.full;
}

static void take_sampled_record(void *user, const struct count_record *head, const char *bytes)
{
	struct side_sampling *s = user;
	struct sampled_case *one = head->kernel < s->nplanned ? s->planned[head->kernel] : NULL;
	struct error *refusal = &s->out->sides[s->run.side].refusal;

	if (head->kind == COUNT_REFUSED && refusal->text[0] == '\0')
		error_set(refusal, "%s", *bytes == '\0' ? "its launches cannot be followed" : bytes);
	if (head->kind == COUNT_FUNCTION)
		take_function(s, head, bytes);
	if (head->kind == COUNT_REASON && head->group < SAMPLE_REASONS)
		s->reasons[head->group] = keep_sampled_name(s->out, bytes);
	if (one && head->kind == COUNT_MISSED)
		snprintf(one->reason, sizeof(one->reason), "%.250s", bytes);
	if (one && head->kind == COUNT_SAMPLES)
		take_stalls(s, one, head, bytes);
	if (one && head->kind == COUNT_SAMPLED)
		take_sums(one, head, bytes);
}

static int by_place_of_stall(const void *left, const void *right)
{
	const struct sampled_stall *a = left, *b = right;
	int order = strcmp(a->symbol, b->symbol);

	if (order == 0)
		order = (a->module > b->module) - (a->module < b->module);
	if (order == 0)
		order = (a->offset > b->offset) - (a->offset < b->offset);
	return order != 0 ? order : strcmp(a->reason, b->reason);
}

static void merge_stalls(struct sampled_case *one)
{
	size_t n = 0;

	if (one->nstalls > 1)
		qsort(one->stalls, one->nstalls, sizeof(*one->stalls), by_place_of_stall);
	for (size_t i = 0; i < one->nstalls; i++) {
		if (n == 0 || by_place_of_stall(&one->stalls[n - 1], &one->stalls[i]) != 0) {
			one->stalls[n++] = one->stalls[i];
			continue;
		}
		one->stalls[n - 1].samples[0] += one->stalls[i].samples[0];
		one->stalls[n - 1].samples[1] += one->stalls[i].samples[1];
	}
	one->nstalls = n;
}

/* Whether functions of one name came from two modules: then an offset means two instructions, and nobody knows which.
 */
static bool has_codes(const struct sampled_case *one)
{
	for (size_t i = 1; i < one->nstalls; i++)
		if (one->stalls[i - 1].module != one->stalls[i].module &&
			strcmp(one->stalls[i - 1].symbol, one->stalls[i].symbol) == 0)
			return true;
	return false;
}

/* ---- what is told ---- */

static void tell_unsampled(const struct sampled_side *side, struct sampled_case *one)
{
	const char *why = side->refusal.text[0] != '\0' ? side->refusal.text
			  : side->has_failed            ? "a run of the program failed"
			  : one->reason[0] != '\0'      ? one->reason
							: "none of its launches was met";
	char text[sizeof(one->reason)];

	snprintf(text, sizeof(text), "%.*s", (int)sizeof(text) - 1, why);
	memcpy(one->reason, text, sizeof(text));
}

/* It has samples: `refusal` cut them short, or is of another kernel's launch. */
static void tell_sampled(const struct error *refusal, struct sampled_case *one)
{
	one->reason[0] = '\0';
	if (refusal->text[0] != '\0' && one->launches < one->wanted)
		snprintf(one->reason, sizeof(one->reason), "%zu of %zu launches were sampled: %.180s", one->launches,
			one->wanted, refusal->text);
	else if (one->sums.lost > 0)
		snprintf(one->reason, sizeof(one->reason), "there was no room for %llu samples",
			(unsigned long long)one->sums.lost);
	else if (one->sums.full > 0)
		snprintf(one->reason, sizeof(one->reason), "the buffer of PC sampling ran over");
	else if (one->nstalls == 0)
		snprintf(one->reason, sizeof(one->reason), "PC sampling gave no samples");
	else if (one->kernel->kernel.places.end == one->kernel->kernel.places.first + 1)
		snprintf(one->reason, sizeof(one->reason),
			"a run has only one launch of it, which may find caches cold");
	else if (one->kernel->kernel.forms > 1)
		snprintf(one->reason, sizeof(one->reason),
			"it has %zu forms (template instances, resources, code): one was sampled",
			one->kernel->kernel.forms);
}

/* Samples of several codes are those of no code. */
static void leave_out_codes(struct sampled_case *one)
{
	one->nstalls = 0;
	snprintf(one->reason, sizeof(one->reason),
		"launches ran different code under its name: what its instructions waited for is not known");
}

static bool end_side(struct sampled_side *side)
{
	bool any = false;

	for (size_t i = 0; i < side->n; i++) {
		struct sampled_case *one = &side->cases[i];

		merge_stalls(one);
		if (one->launches == 0)
			tell_unsampled(side, one);
		else if (has_codes(one))
			leave_out_codes(one);
		else
			tell_sampled(&side->refusal, one);
		any |= one->launches > 0;
	}
	return any;
}

/* The first reason of a kernel stands for all where none was sampled. */
static void tell_why_unsampled(const struct side_sampling *s)
{
	for (size_t i = 0; i < s->out->nsides; i++)
		for (size_t k = 0; k < s->out->sides[i].n; k++) {
			const struct sampled_case *one = &s->out->sides[i].cases[k];

			if (one->reason[0] != '\0' && s->out->reason.text[0] == '\0')
				error_set(&s->out->reason, "%s: %s: %s", s->options->sides[i].name,
					one->kernel->kernel.base, one->reason);
		}
}

/* ---- all of it ---- */

/* -1 if the person has interrupted. */
static int sample_side(struct side_sampling *s)
{
	struct sampled_side *side = &s->out->sides[s->run.side];
	struct count_plan plan;
	int code = 0;

	make_sampling_plan(s, &plan);
	memset(s->functions, 0, sizeof(s->functions));
	memset(s->reasons, 0, sizeof(s->reasons));
	if (plan.nkernels > 0)
		code = inside_run_once(&s->run, &plan, take_sampled_record, s);
	side->has_failed = code > 0;
	free(plan.kernels);
	free(s->planned);
	s->nplanned = 0;
	if (side->has_failed)
		end_sampling(s, "failed");
	return code < 0 ? -1 : 0;
}

static int sample_all(struct side_sampling *s, const size_t *chosen, size_t n)
{
	bool any = false;

	end_sampling(s, "done");
	for (s->run.side = 0; s->run.side < s->out->nsides; s->run.side++) {
		fill_sampled_cases(s, chosen, n);
		if (sample_side(s) < 0)
			return -1;
		any |= end_side(&s->out->sides[s->run.side]);
	}
	if (any || strcmp(s->out->status, "done") != 0)
		return 0;
	tell_why_unsampled(s);
	return end_sampling(s, "skipped");
}

static int choose_and_sample(struct side_sampling *s)
{
	size_t chosen[CHOSEN_KERNELS_MOST], n;

	end_sampling(s, "skipped");
	if (!measure_allows_more(s->run.measured, s->samples, &s->out->reason))
		return 0;
	n = count_choose(s->options, s->samples, chosen);
	if (n == 0) {
		error_set(&s->out->reason, "%s", count_chose_nothing(s->options, s->samples));
		return 0;
	}
	s->out->sides = xcalloc(s->samples->nsides, sizeof(*s->out->sides));
	s->out->nsides = s->samples->nsides;
	return sample_all(s, chosen, n);
}

int sample_sides(const struct contrast_options *options, const char *folder, struct measurement *measured,
	const struct contrast_samples *samples, struct sampled_kernels *out, struct error *err)
{
	struct side_sampling s = {.options = options,
		.samples = samples,
		.out = out,
		.run = {.options = options,
			.folder = folder,
			.measured = measured,
			.kind = SIDE_SAMPLED,
			.reason = &out->reason,
			.err = err}};
	int code;

	*out = (struct sampled_kernels){.start = clock_realtime()};
	if (!options->wants_samples)
		return 0;
	code = choose_and_sample(&s);
	out->end = clock_realtime();
	return code;
}

void sampled_free(struct sampled_kernels *sampled)
{
	for (size_t s = 0; s < sampled->nsides; s++) {
		for (size_t i = 0; i < sampled->sides[s].n; i++)
			free(sampled->sides[s].cases[i].stalls);
		free(sampled->sides[s].cases);
	}
	free(sampled->sides);
	for (size_t i = 0; i < sampled->nnames; i++)
		free(sampled->names[i]);
	free(sampled->names);
	*sampled = (struct sampled_kernels){0};
}
