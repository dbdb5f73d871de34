/* samples.c: see samples.h. */
#include "contrast/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "util/alloc.h"
#include "util/clip.h"

const char *contrast_measure_word(enum contrast_measure measure)
{
	static const char *const words[] = {[MEASURES_KERNELS] = "kernels",
		[MEASURES_PROGRAM] = "program",
		[MEASURES_KERNEL] = "kernel",
		[MEASURES_GRAPH] = "graph"};

	return words[measure];
}

/* ---- sides ---- */

static void join_side(const struct contrast_run *runs, size_t nruns, size_t side, const struct joining_how *how,
	struct contrast_side *out)
{
	const struct launches **traced = xcalloc(nruns + 1, sizeof(*traced));
	size_t n = 0;

	for (size_t i = 0; i < nruns; i++) {
		if (runs[i].side == side && runs[i].launches)
			traced[n++] = runs[i].launches;
	}
	side_kernels_join(traced, n, how, &out->kernels);
	side_graphs_join(traced, n, &out->kernels, &out->graphs);
	free(traced);
}

static void join_sides(
	const struct contrast_run *runs, size_t nruns, const struct joining_how *how, struct contrast_samples *out)
{
	for (size_t s = 0; s < out->nsides; s++) {
		struct contrast_side *side = &out->sides[s];

		side_kernels_free(&side->kernels);
		side_graphs_free(&side->graphs);
		matching_free(&side->matching);
		join_side(runs, nruns, s, how, side);
		if (s > 0)
			match_sides(&out->sides[0].kernels, &side->kernels, &side->matching);
	}
}

static int by_base_name(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* What a side holds against the first as a sum is a sum on all sides. For free(). */
static const char **names_of_sums(const struct contrast_samples *samples, size_t *n)
{
	const struct contrast_side *sides = samples->sides;
	const char **names = xcalloc(samples->nsides * sides[0].kernels.n + 1, sizeof(const char *));

	*n = 0;
	for (size_t s = 1; s < samples->nsides; s++)
		*n += names_to_sum(&sides[0].kernels, &sides[s].kernels, &sides[s].matching, names + *n);
	if (*n > 1)
		qsort(names, *n, sizeof(*names), by_base_name);
	return names;
}

static void make_sides(const struct contrast_run *runs, size_t nruns, size_t nsides, struct contrast_samples *out)
{
	struct joining_how how = {.are_parts = nruns > 0 && runs[0].is_part};
	const char **names;

	out->sides = xcalloc(nsides + 1, sizeof(*out->sides));
	out->nsides = nsides;
	join_sides(runs, nruns, &how, out);
	names = names_of_sums(out, &how.nsums);
	how.sums = names;
	if (how.nsums > 0)
		join_sides(runs, nruns, &how, out);
	free(names);
}

/* ---- cases ---- */

/* A kernel of the first side that another one matches; with one side each of its kernels. */
struct case_candidate {
	size_t kernel;
	double share; /* on the side where it is largest */
};

static int candidates_by_share(const void *left, const void *right)
{
	const struct case_candidate *a = left, *b = right;

	if (a->share != b->share)
		return a->share > b->share ? -1 : 1;
	return (a->kernel > b->kernel) - (a->kernel < b->kernel);
}

/* By kernel of the first side; the share is negative where none matches. For free(). */
static struct case_candidate *case_candidates(const struct contrast_samples *samples)
{
	const struct side_kernels *first = &samples->sides[0].kernels;
	struct case_candidate *all = xcalloc(first->n + 1, sizeof(*all));

	for (size_t k = 0; k < first->n; k++)
		all[k] = (struct case_candidate){k, samples->nsides > 1 ? -1 : first->kernels[k].share};
	for (size_t s = 1; s < samples->nsides; s++) {
		const struct contrast_side *side = &samples->sides[s];

		for (size_t i = 0; i < side->matching.n; i++) {
			const struct match_pair *pair = &side->matching.pairs[i];
			struct case_candidate *candidate = &all[pair->first];

			candidate->share = fmax(candidate->share,
				fmax(first->kernels[pair->first].share, side->kernels.kernels[pair->other].share));
		}
	}
	return all;
}

static struct contrast_case *add_case(struct contrast_samples *out, enum contrast_measure measure)
{
	struct contrast_case *new = &out->cases[out->ncases++];

	new->measure = measure;
	new->sides = xcalloc(out->nsides + 1, sizeof(*new->sides));
	clip_print(new->label, sizeof(new->label), "%s", contrast_measure_word(measure));
	return new;
}

/* Which kernel of each side is that of the first side. Pairs are sorted by it. */
static void fill_case(struct contrast_case *new, const struct contrast_samples *samples, size_t kernel)
{
	new->sides[0].kernel = &samples->sides[0].kernels.kernels[kernel];
	for (size_t s = 1; s < samples->nsides; s++) {
		const struct contrast_side *side = &samples->sides[s];

		for (size_t i = 0; i < side->matching.n; i++) {
			const struct match_pair *pair = &side->matching.pairs[i];

			if (pair->first == kernel)
				new->sides[s] = (struct case_side){&side->kernels.kernels[pair->other], pair->how};
		}
	}
}

static void print_label(char *label, size_t number, const char *base)
{
	clip_print(label, CONTRAST_LABEL_BYTES, "kernel %zu: %s", number, base);
}

static bool runs_elsewhere(const struct contrast_run *run, size_t side, const char *base)
{
	return run->launches && (side == 0) != (run->side == 0) && launches_elsewhere(run->launches, base);
}

/* Of kernels without a match. The first side is matched with the others, and they with it. */
static void find_elsewhere(const struct contrast_run *runs, size_t nruns, struct contrast_samples *out)
{
	for (size_t s = 0; s < out->nsides; s++) {
		const struct contrast_side *side = &out->sides[s];

		for (size_t k = 0; k < side->kernels.n; k++)
			for (size_t i = 0; i < nruns && side->matches[k].number == 0 && !side->matches[k].elsewhere;
				i++)
				side->matches[k].elsewhere =
					runs_elsewhere(&runs[i], s, side->kernels.kernels[k].kernel.base);
	}
}

/* Numbers the kernels of the first side that are matched, and gives each its match the same number. */
static void number_matches(struct contrast_samples *out, const struct case_candidate *candidates)
{
	struct contrast_side *first = &out->sides[0];

	for (size_t s = 0; s < out->nsides; s++)
		out->sides[s].matches = xcalloc(out->sides[s].kernels.n + 1, sizeof(*out->sides[s].matches));
	for (size_t i = 0; i < first->kernels.n && candidates[i].share >= 0; i++)
		first->matches[candidates[i].kernel] =
			(struct kernel_match){i + 1, candidates[i].kernel, MATCH_NONE, false};
	for (size_t s = 1; s < out->nsides; s++) {
		const struct matching *matching = &out->sides[s].matching;

		for (size_t i = 0; i < matching->n; i++) {
			const struct match_pair *pair = &matching->pairs[i];

			out->sides[s].matches[pair->other] = (struct kernel_match){
				first->matches[pair->first].number, pair->first, pair->how, false};
		}
	}
}

/* One side shows what its kernels are told to do, however small they are. */
static size_t cases_most(const struct contrast_samples *samples)
{
	return samples->nsides > 1 ? CASES_OF_KERNELS : CHOSEN_KERNELS_MOST;
}

static double least_share(const struct contrast_samples *samples)
{
	return samples->nsides > 1 ? case_share : 0;
}

static void add_kernel_cases(struct contrast_samples *out)
{
	struct case_candidate *candidates = case_candidates(out);
	size_t n = out->sides[0].kernels.n;

	if (n > 1)
		qsort(candidates, n, sizeof(*candidates), candidates_by_share);
	number_matches(out, candidates);
	for (size_t i = 0; i < n && i < cases_most(out) && candidates[i].share >= least_share(out); i++) {
		struct contrast_case *new = add_case(out, MEASURES_KERNEL);

		fill_case(new, out, candidates[i].kernel);
		print_label(new->label, i + 1, new->sides[0].kernel->kernel.base);
	}
	free(candidates);
}

/* ---- graphs ---- */

/* Which graph of each side is that of the first side, by sides and graphs of the first. For free(). */
static size_t *graph_matches(const struct contrast_samples *samples)
{
	size_t n = samples->sides[0].graphs.n;
	size_t *match = xcalloc(samples->nsides * n + 1, sizeof(*match));

	for (size_t s = 1; s < samples->nsides; s++)
		match_graphs(&samples->sides[0].graphs, &samples->sides[s].graphs, match + s * n);
	return match;
}

/* The graph of a side that is that of the first side, or NULL. */
static const struct side_kernel *matched_graph(
	const struct contrast_samples *samples, const size_t *match, size_t side, size_t graph)
{
	size_t other = side == 0 ? graph : match[side * samples->sides[0].graphs.n + graph];

	return other == GRAPH_NONE ? NULL : &samples->sides[side].graphs.graphs[other].kernel;
}

/* A graph of the first side. The difference is the largest one to another side. */
struct graph_candidate {
	size_t graph;
	double difference, share;
	bool is_matched;
};

static struct graph_candidate graph_candidate_of(
	const struct contrast_samples *samples, const size_t *match, size_t graph)
{
	const struct side_kernel *first = matched_graph(samples, match, 0, graph);
	struct graph_candidate candidate = {.graph = graph, .share = first->share};

	for (size_t s = 1; s < samples->nsides; s++) {
		const struct side_kernel *other = matched_graph(samples, match, s, graph);

		if (!other)
			continue;
		candidate.is_matched = true;
		candidate.share = fmax(candidate.share, other->share);
		candidate.difference = fmax(candidate.difference, fabs(other->ns - first->ns));
	}
	return candidate;
}

static int graphs_by_difference(const void *left, const void *right)
{
	const struct graph_candidate *a = left, *b = right;

	if (a->difference != b->difference)
		return a->difference > b->difference ? -1 : 1;
	if (a->share != b->share)
		return a->share > b->share ? -1 : 1;
	return (a->graph > b->graph) - (a->graph < b->graph);
}

/* Those of the first side that another one has, and that take enough time. For free(). */
static struct graph_candidate *graph_candidates(const struct contrast_samples *samples, const size_t *match, size_t *n)
{
	struct graph_candidate *all = xcalloc(samples->sides[0].graphs.n + 1, sizeof(*all));

	*n = 0;
	for (size_t i = 0; i < samples->sides[0].graphs.n; i++) {
		all[*n] = graph_candidate_of(samples, match, i);
		*n += all[*n].is_matched && all[*n].share >= case_share;
	}
	if (*n > 1)
		qsort(all, *n, sizeof(*all), graphs_by_difference);
	return all;
}

static void add_graph_case(struct contrast_samples *out, const size_t *match, size_t graph, size_t number)
{
	struct contrast_case *new = add_case(out, MEASURES_GRAPH);

	for (size_t s = 0; s < out->nsides; s++)
		new->sides[s].kernel = matched_graph(out, match, s, graph);
	clip_print(new->label, sizeof(new->label), "graph %zu: %s", number, new->sides[0].kernel->kernel.base);
}

static void add_graph_cases(struct contrast_samples *out)
{
	size_t *match = graph_matches(out), n;
	struct graph_candidate *candidates = graph_candidates(out, match, &n);

	for (size_t i = 0; i < n && i < CASES_OF_GRAPHS; i++)
		add_graph_case(out, match, candidates[i].graph, i + 1);
	free(candidates);
	free(match);
}

/* ---- all cases ---- */

static bool has_program_time(const struct contrast_run *run)
{
	return !run->launches && isfinite(run->program_ns) && run->program_ns > 0;
}

static void make_cases(const struct contrast_run *runs, size_t nruns, struct contrast_samples *out)
{
	bool has_program = false, has_kernels = out->nsides < 2;

	for (size_t i = 0; i < nruns; i++) {
		has_program |= has_program_time(&runs[i]);
		has_kernels |= runs[i].launches != NULL;
	}
	out->cases = xcalloc(2 + cases_most(out) + CASES_OF_GRAPHS, sizeof(*out->cases));
	if (has_kernels)
		add_case(out, MEASURES_KERNELS);
	if (has_program)
		add_case(out, MEASURES_PROGRAM);
	if (out->nsides)
		add_kernel_cases(out);
	if (out->nsides > 1)
		add_graph_cases(out);
}

bool contrast_match_label(
	const struct contrast_samples *samples, size_t side, size_t kernel, char label[CONTRAST_LABEL_BYTES])
{
	const struct kernel_match *match = &samples->sides[side].matches[kernel];

	if (match->number == 0)
		return false;
	print_label(label, match->number, samples->sides[0].kernels.kernels[match->first].kernel.base);
	return true;
}

/* ---- samples ---- */

/* The place of the program's case, which there is: behind that of the kernels, if any. */
static size_t program_case(const struct contrast_samples *samples)
{
	return samples->cases[0].measure == MEASURES_KERNELS ? 1 : 0;
}

static void add_contrast_sample(
	struct contrast_samples *out, const struct contrast_run *run, size_t number, size_t launches, double ns)
{
	out->samples[out->nsamples++] = (struct contrast_sample){.side = run->side,
		.case_number = number,
		.block = run->block,
		.position = run->position,
		.process = run->process,
		.launches = launches,
		.ns = ns};
}

/* The time that a case has in a traced run; NaN if it has none. `ns` is by kernel of the side. What all parts of a run
 * share is one sample. */
static double case_ns(const struct contrast_case *one, const struct contrast_side *side, const struct case_side *mine,
	const struct contrast_run *run, const double *ns)
{
	if (one->measure == MEASURES_KERNELS)
		return launches_gpu_ns(run->launches);
	if (one->measure == MEASURES_GRAPH)
		return mine->kernel ? side_graph_ns(mine->kernel, run->launches) : NAN;
	if (!mine->kernel || (mine->kernel->kernel.is_whole && run->block > 0))
		return NAN;
	return ns[mine->kernel - side->kernels.kernels];
}

static void sample_traced_run(struct contrast_samples *out, const struct contrast_run *run)
{
	const struct contrast_side *side = &out->sides[run->side];
	double *ns = xcalloc(side->kernels.n + 1, sizeof(*ns));

	side_kernels_of_run(&side->kernels, run->launches, ns);
	for (size_t i = 0; i < out->ncases; i++) {
		double time = case_ns(&out->cases[i], side, &out->cases[i].sides[run->side], run, ns);

		if (isfinite(time))
			add_contrast_sample(out, run, i, run->launches->nsteady, time);
	}
	free(ns);
}

static void sample_run(struct contrast_samples *out, const struct contrast_run *run)
{
	if (run->side >= out->nsides)
		return;
	if (run->launches)
		sample_traced_run(out, run);
	else if (has_program_time(run))
		add_contrast_sample(out, run, program_case(out), run->program_steps, run->program_ns);
}

void contrast_samples_make(const struct contrast_run *runs, size_t nruns, size_t nsides, struct contrast_samples *out)
{
	*out = (struct contrast_samples){0};
	make_sides(runs, nruns, nsides, out);
	make_cases(runs, nruns, out);
	find_elsewhere(runs, nruns, out);
	out->samples = xcalloc(nruns * out->ncases + 1, sizeof(*out->samples));
	for (size_t i = 0; i < nruns; i++)
		sample_run(out, &runs[i]);
}

/* Of a side's times of a case; NaN if there are none. */
static double median_of_side(const struct contrast_samples *samples, size_t side, enum contrast_measure measures)
{
	double *x = xcalloc(samples->nsamples + 1, sizeof(*x)), median;
	size_t n = 0;

	for (size_t i = 0; i < samples->nsamples; i++)
		if (samples->samples[i].side == side &&
			samples->cases[samples->samples[i].case_number].measure == measures)
			x[n++] = samples->samples[i].ns;
	median = n ? median_of(x, n) : NAN;
	free(x);
	return median;
}

/* The other side of the least median. `differs`: whether one differs from the first by more than same_band. */
static size_t fastest_other(const struct contrast_samples *samples, enum contrast_measure measures, bool *differs)
{
	double first = median_of_side(samples, 0, measures), least = INFINITY;
	size_t fastest = 1;

	*differs = false;
	for (size_t s = 1; s < samples->nsides; s++) {
		double median = median_of_side(samples, s, measures);

		*differs |= fabs(median - first) > same_band * first;
		if (median < least) {
			least = median;
			fastest = s;
		}
	}
	return fastest;
}

size_t contrast_side_shown(const struct contrast_samples *samples)
{
	bool differs;
	size_t by_kernels = fastest_other(samples, MEASURES_KERNELS, &differs);

	return differs ? by_kernels : fastest_other(samples, MEASURES_PROGRAM, &differs);
}

void contrast_samples_free(struct contrast_samples *samples)
{
	for (size_t s = 0; s < samples->nsides; s++) {
		side_kernels_free(&samples->sides[s].kernels);
		side_graphs_free(&samples->sides[s].graphs);
		matching_free(&samples->sides[s].matching);
		free(samples->sides[s].matches);
	}
	for (size_t i = 0; i < samples->ncases; i++)
		free(samples->cases[i].sides);
	free(samples->sides);
	free(samples->cases);
	free(samples->samples);
	*samples = (struct contrast_samples){0};
}
