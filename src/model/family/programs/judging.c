/* judging.c: the times of two programs in one case: whole blocks, their ratio in time and in cycles, the verdict. */
#include "model/family/programs/judging.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/family-rows.h"
#include "model/family/measured.h"
#include "model/family/programs/runs.h"
#include "model/family/programs/side-gpus.h"
#include "model/family/ratio.h"
#include "model/recording.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

enum measures case_measures(const struct family_rows *f, size_t i)
{
	static const char *const names[] = {[MEASURES_KERNELS] = "kernels",
		[MEASURES_KERNEL] = "kernel",
		[MEASURES_GRAPH] = "graph",
		[MEASURES_PROGRAM] = "program"};
	const char *of = row_string(&f->cases, i, CASE_measures);

	for (enum measures m = MEASURES_KERNELS; m < MEASURES_NOTHING; m++)
		if (strcmp(of, names[m]) == 0)
			return m;
	return MEASURES_NOTHING;
}

ssize_t case_of(const struct family_rows *f, enum measures measures)
{
	for (size_t i = 0; i < f->cases.count; i++)
		if (case_measures(f, i) == measures)
			return (ssize_t)i;
	return -1;
}

/* ---- whole blocks ---- */

/* How many samples a block has; those of a case are sorted by block. */
static size_t block_length(const struct rows *samples, size_t from)
{
	size_t end = from;

	while (end < samples->count && row_int(samples, end, SAMPLE_block) == row_int(samples, from, SAMPLE_block))
		end++;
	return end - from;
}

static size_t longest_block(const struct rows *samples)
{
	size_t longest = 0, length;

	for (size_t i = 0; i < samples->count; i += length) {
		length = block_length(samples, i);
		if (length > longest)
			longest = length;
	}
	return longest;
}

/* What is known of the runs that samples come from. */
struct run_facts {
	struct run_number *clocks, *busy; /* owned; busy: of all kernels alone */
	size_t nclocks, nbusy;
	bool is_one_run; /* all samples are parts of it */
};

static void take_judged_sample(struct judged_side *side, size_t i, const struct run_facts *facts)
{
	const struct rows *samples = &side->measured->samples;
	int64_t block = row_int(samples, i, SAMPLE_block), position = row_int(samples, i, SAMPLE_position);
	double ns = row_real(samples, i, SAMPLE_ns), mhz, busy;

	if (!is_time_of_sample(ns))
		return;
	mhz = run_number_at(facts->clocks, facts->nclocks, block, position);
	busy = facts->is_one_run ? (facts->nbusy ? facts->busy[0].value : NAN)
				 : run_number_at(facts->busy, facts->nbusy, block, position);
	series_add(&side->ns, ns, samples, i);
	if (mhz > 0)
		series_add(&side->cycles, ns * mhz / 1000, samples, i);
	if (busy > 0)
		series_add(&side->busy, ns * busy, samples, i);
}

/* A block that was cut short lacks the turns that undo a drift: it is left out. */
static void take_whole_blocks(struct judged_side *side, const struct judging *j)
{
	const struct rows *samples = &side->measured->samples;
	size_t longest = longest_block(samples), length;
	struct run_facts facts = {.is_one_run = is_of_traces(j->f)};

	facts.clocks = run_clocks(&side->runs, j->kind, &facts.nclocks);
	if (j->measures == MEASURES_KERNELS)
		facts.busy = run_busy_shares(&side->runs, &facts.nbusy);
	for (size_t i = 0; i < samples->count; i += length) {
		length = block_length(samples, i);
		for (size_t k = i; length == longest && k < i + length; k++)
			take_judged_sample(side, k, &facts);
	}
	free(facts.clocks);
	free(facts.busy);
}

static struct run_parts parts_of_series(const struct series *series)
{
	return (struct run_parts){series->x, series->steps, series->n};
}

/* The median of runs, or the mean of all steps of one that was traced. */
static double time_of_series(const struct judging *j, const struct series *series)
{
	const struct run_parts parts = parts_of_series(series);
	struct summary summary;

	if (is_of_traces(j->f))
		return mean_of_parts(&parts);
	summarize(series->x, series->n, &summary);
	return summary.median;
}

static void take_judged_side(struct judging *j, int which, size_t i)
{
	struct judged_side *side = &j->side[which];
	const char *variant = row_string(&j->f->variants, j->variant[which], VARIANT_name);

	side->measured = measured_at(j->f, j->variant[which]) + i;
	side->runs = side_runs(j->f, variant);
	series_room(&side->ns, side->measured->samples.count);
	series_room(&side->cycles, side->measured->samples.count);
	series_room(&side->busy, side->measured->samples.count);
	take_whole_blocks(side, j);
	side->median = time_of_series(j, &side->ns);
	side->busy_median = time_of_series(j, &side->busy);
	side->mhz = runs_mean(&side->runs, j->kind, BLOCK_smMhz);
}

/* The kind of runs that a case's times come from. */
static const char *kind_of_runs(const struct family_rows *f, enum measures measures, size_t variant)
{
	struct rows runs = side_runs(f, row_string(&f->variants, variant, VARIANT_name));

	if (measures != MEASURES_PROGRAM || is_of_traces(f))
		return "traced";
	return runs_of_kind(&runs, "host") ? "host" : "plain";
}

bool judging_has_range(const struct judging *j)
{
	return strcmp(j->kind, "plain") != 0;
}

/* Every run is a process of its own: what a block has of both is independent of the other blocks. */
static struct blocked_samples without_processes(const struct series *series)
{
	struct blocked_samples samples = series_samples(series);

	samples.run = NULL;
	return samples;
}

double judging_allowance(const struct judging *j)
{
	const double allowances[] = {
		[MEASURES_KERNELS] = traced_kernels_allowance,
		[MEASURES_KERNEL] = traced_kernel_allowance,
		[MEASURES_PROGRAM] = traced_program_allowance,
	};

	return is_of_traces(j->f) ? allowances[j->measures] : 0;
}

/* What two runs differ by is not known from one of each, so that an allowance for it makes the interval wider. */
static struct ratio ratio_of_traces(const struct series *single, const struct series *other, double allowance)
{
	const struct run_parts a = parts_of_series(single), b = parts_of_series(other);
	struct ratio ratio;

	ratio_of_parts(&a, &b, allowance, &ratio);
	return ratio;
}

struct ratio ratio_without_allowance(const struct judging *j)
{
	return ratio_of_traces(&j->side[0].ns, &j->side[1].ns, 0);
}

void check_all_parts(const struct judging *j, struct finding *out)
{
	const struct run_parts single = parts_of_series(&j->side[0].ns), other = parts_of_series(&j->side[1].ns);

	if (isnan(j->ratio.low)) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = j->ratio.all;
	out->ok = all_parts_agree(&j->ratio, j->band);
	put_json(out->facts, "counted", real_json(j->ratio.value));
	put_json(out->facts, "by_counted", json_string(verdict_name(j->in_time)));
	put_json(out->facts, "single_ns", real_json(mean_of_all_parts(&single)));
	put_json(out->facts, "other_ns", real_json(mean_of_all_parts(&other)));
	put_json(out->facts, "apart", json_boolean(all_parts_apart(&j->ratio, j->band)));
}

static void compare_traces(struct judging *j)
{
	j->ratio = ratio_of_traces(&j->side[0].ns, &j->side[1].ns, judging_allowance(j));
	j->cycles = (struct ratio){.value = NAN, .low = NAN, .high = NAN};
}

/* The band of a family of traces is that of the command which made it. */
static double band_of(const struct family_rows *f)
{
	const char *band = is_of_traces(f) ? store_meta(f->model->store, "band") : NULL;

	return band ? strtod(band, NULL) : same_band;
}

/* NaN where the sides ran on different kinds of GPU: a cycle of one is no cycle of the other. */
static void compare_cycles(struct judging *j)
{
	const struct blocked_samples a = without_processes(&j->side[0].cycles),
				     b = without_processes(&j->side[1].cycles);

	if (pair_gpus(j->f, &j->side[0].runs, &j->side[1].runs) == PAIR_GPUS_KINDS) {
		j->cycles = (struct ratio){.value = NAN, .low = NAN, .high = NAN};
		return;
	}
	ratio_bootstrap(&a, &b, seed_of(j->f->model), &j->cycles);
	j->cycles.runs = a.n + b.n;
}

static void compare_programs(struct judging *j, const struct blocked_samples *a, const struct blocked_samples *b)
{
	ratio_bootstrap(a, b, seed_of(j->f->model), &j->ratio);
	j->ratio.runs = a->n + b->n;
	compare_cycles(j);
}

/* By the time in which the GPU is busy. NaN where that is not known of all samples. */
static void compare_busy(struct judging *j)
{
	const struct blocked_samples a = without_processes(&j->side[0].busy), b = without_processes(&j->side[1].busy);

	j->busy = (struct ratio){.value = NAN, .low = NAN, .high = NAN};
	if (j->measures != MEASURES_KERNELS || a.n == 0 || b.n == 0 || a.n < j->side[0].ns.n || b.n < j->side[1].ns.n)
		return;
	if (is_of_traces(j->f))
		j->busy = ratio_of_traces(&j->side[0].busy, &j->side[1].busy, judging_allowance(j));
	else
		ratio_bootstrap(&a, &b, seed_of(j->f->model), &j->busy);
}

static void judging_compare(struct judging *j)
{
	const struct blocked_samples a = without_processes(&j->side[0].ns), b = without_processes(&j->side[1].ns);

	if (is_of_traces(j->f))
		compare_traces(j);
	else
		compare_programs(j, &a, &b);
	compare_busy(j);
	j->band = band_of(j->f);
	j->blocks = j->ratio.blocks;
	j->in_time = j->alone = j->verdict = verdict_of(&j->ratio, j->band, true);
}

/* Takes the times of both sides, and compares nothing. False, and nothing to free, unless both have some. */
static bool judging_read(const struct family_rows *f, size_t i, size_t single, size_t other, struct judging *out)
{
	*out = (struct judging){.f = f, .variant = {single, other}, .measures = case_measures(f, i)};
	out->kind = kind_of_runs(f, out->measures, single);
	take_judged_side(out, 0, i);
	take_judged_side(out, 1, i);
	if (out->side[0].ns.n && out->side[1].ns.n)
		return true;
	judging_free(out);
	return false;
}

bool judging_begin(const struct family_rows *f, size_t i, size_t single, size_t other, struct judging *out)
{
	if (!judging_read(f, i, single, other, out))
		return false;
	judging_compare(out);
	return true;
}

void judging_judge(struct judging *j, bool agreement)
{
	json_decref(j->evidence);
	json_decref(j->reasons);
	j->evidence = json_array();
	j->reasons = json_array();
	programs_check(j, agreement, j->evidence, j->reasons);
	j->verdict = json_array_size(j->reasons) ? VERDICT_UNCLEAR : j->in_time;
	if (!agreement)
		j->alone = j->verdict;
}

void judging_free(struct judging *j)
{
	for (int i = 0; i < 2; i++) {
		series_free(&j->side[i].ns);
		series_free(&j->side[i].cycles);
		series_free(&j->side[i].busy);
	}
	json_decref(j->evidence);
	json_decref(j->reasons);
	j->evidence = j->reasons = NULL;
}

void judged_medians(const struct family_rows *f, size_t i, size_t single, size_t other, double median[2])
{
	struct judging j;

	median[0] = median[1] = NAN;
	if (!judging_read(f, i, single, other, &j))
		return;
	median[0] = j.side[0].median;
	median[1] = j.side[1].median;
	judging_free(&j);
}

double judged_busy(const struct family_rows *f, size_t i, size_t v, double *part)
{
	struct judging j;
	double busy;

	*part = NAN;
	if (!judging_read(f, i, v, v, &j))
		return NAN;
	busy = j.side[0].busy_median;
	*part = kernels_at_once_part(&j.side[0]);
	judging_free(&j);
	return busy;
}

json_t *judging_called_json(const struct judging *j)
{
	json_t *object = json_object();

	put_json(object, "single", text_json(j->side[0].measured->variant));
	put_json(object, "double", text_json(j->side[1].measured->variant));
	return object;
}
