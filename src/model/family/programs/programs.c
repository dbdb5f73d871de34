/* programs.c: see programs.h. */
#include "model/family/programs/programs.h"

#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/family-rows.h"
#include "model/family/measured.h"
#include "model/family/programs/curve.h"
#include "model/family/programs/extent/extent.h"
#include "model/family/programs/kernel-causes.h"
#include "model/family/programs/machine-code.h"
#include "model/family/programs/matches.h"
#include "model/family/programs/not-counted.h"
#include "model/family/programs/pair.h"
#include "model/family/programs/program-causes.h"
#include "model/family/programs/runs.h"
#include "model/family/programs/side-by-side.h"
#include "model/family/programs/side-gpus.h"
#include "model/family/programs/step-causes.h"
#include "model/family/programs/waits.h"
#include "model/family/programs/whole-run.h"
#include "model/family/ratio.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/store.h"
#include "tree/json.h"

bool is_of_programs(const struct family_rows *f)
{
	return strcmp(row_string(&f->family, 0, FAMILY_origin), "programs") == 0 || is_of_traces(f);
}

/* ---- contrasts ---- */

/* The keys of a family's contrast that hold nothing where nobody looked why. */
static void put_unmeasured_keys(json_t *object)
{
	static const char *const keys[] = {"time", "first_cause", "order", "pace", "cost", "hidden_share", "stretch"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		put_json(object, keys[i], json_null());
	put_json(object, "causes", json_array());
	put_json(object, "moved", json_array());
	put_json(object, "explained", json_false());
}

static json_t *program_contrast_json(const struct judging *j, bool headline)
{
	json_t *object = json_object();

	put_json(object, "evidence", json_incref(j->evidence));
	put_json(object, "case", text_json(j->side[0].measured->label));
	put_json(object, "headline", json_boolean(headline));
	put_json(object, "single_ns", real_json(j->side[0].median));
	put_json(object, "double_ns", real_json(j->side[1].median));
	put_json(object, "speedup", ratio_json(&j->ratio));
	put_json(object, "speedup_cycles", isnan(j->cycles.value) ? json_null() : ratio_json(&j->cycles));
	put_json(object, "kernel_bound", json_boolean(j->measures != MEASURES_PROGRAM));
	put_json(object, "band", json_real(j->band));
	put_json(object, "verdict", json_string(verdict_name(j->verdict)));
	put_json(object, "size", json_string(verdict_size(j->verdict, j->ratio.value)));
	put_unmeasured_keys(object);
	if (j->measures == MEASURES_KERNEL || j->measures == MEASURES_GRAPH)
		kernel_causes_put(object, j);
	else if (j->measures == MEASURES_PROGRAM)
		program_causes_put(object, j);
	return object;
}

/* A matched kernel or graph is judged as all kernels are, but for the program. */
static void add_kernel_contrast(const struct program_pair *pair, size_t i, bool headline, json_t *list)
{
	struct judging kernel;

	if (!judging_begin(pair->kernels.f, i, pair->kernels.variant[0], pair->kernels.variant[1], &kernel))
		return;
	kernel.kernels = &pair->kernels;
	judging_judge(&kernel, false);
	append_json(list, program_contrast_json(&kernel, headline));
	judging_free(&kernel);
}

static void add_contrasts(const struct program_pair *pair, const struct family_rows *f, json_t *list)
{
	for (size_t i = 0; i < f->cases.count; i++) {
		enum measures measures = case_measures(f, i);

		if (measures == MEASURES_KERNELS && pair->has_kernels && case_of(f, measures) == (ssize_t)i)
			append_json(list, program_contrast_json(&pair->kernels, i == 0));
		else if (measures == MEASURES_PROGRAM && pair->has_program && case_of(f, measures) == (ssize_t)i)
			append_json(list,
				program_contrast_json(&pair->program, i == 0 && judging_has_range(&pair->program)));
		else if ((measures == MEASURES_KERNEL || measures == MEASURES_GRAPH) && pair->has_kernels)
			add_kernel_contrast(pair, i, i == 0, list);
	}
}

/* The family's own pair. False, with nothing to free, if the recording lacks a side of it. */
static bool judge_own_pair(const struct family_rows *f, struct program_pair *out)
{
	ssize_t single = side_number(f, f->single), other = side_number(f, f->dbl);

	*out = (struct program_pair){.failed = false};
	if (single < 0 || other < 0)
		return false;
	program_pair_judge(f, (size_t)single, (size_t)other, out);
	return true;
}

json_t *programs_contrasts_json(const struct family_rows *f)
{
	json_t *list = json_array();
	struct program_pair pair;

	if (!judge_own_pair(f, &pair))
		return list;
	add_contrasts(&pair, f, list);
	program_pair_free(&pair);
	return list;
}

/* ---- sides ---- */

static json_t *runs_json(const struct rows *runs)
{
	static const char *const kinds[][2] = {
		{"warm_up", "warm-up"}, {"plain", "plain"}, {"host", "host"}, {"traced", "traced"}};
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		put_json(object, kinds[i][0], json_integer((json_int_t)runs_of_kind(runs, kinds[i][1])));
	return object;
}

/* NVML's nvmlClocksThrottleReason..., but for an idle GPU and clocks that somebody set. */
static json_t *throttle_json(const struct rows *runs)
{
	static const struct {
		int64_t bit;
		const char *name;
	} reasons[] = {{0x4, "power-cap"}, {0x8, "hw-slowdown"}, {0x10, "sync-boost"}, {0x20, "sw-thermal"},
		{0x40, "hw-thermal"}, {0x80, "hw-power-brake"}};
	json_t *list = json_array();
	int64_t seen = 0;

	for (size_t i = 0; i < runs->count; i++)
		seen |= row_int(runs, i, BLOCK_throttle);
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (seen & reasons[i].bit)
			append_json(list, json_string(reasons[i].name));
	return list;
}

static double side_median(const struct family_rows *f, size_t v, enum measures measures)
{
	ssize_t i = case_of(f, measures);
	double median[2] = {NAN, NAN};

	if (i >= 0)
		judged_medians(f, (size_t)i, v, v, median);
	return median[0];
}

/* How long the GPU is busy with the kernels of a step, and whether they add up to more. */
static void put_busy(json_t *object, const struct family_rows *f, size_t v)
{
	ssize_t i = case_of(f, MEASURES_KERNELS);
	double part = NAN, busy = i >= 0 ? judged_busy(f, (size_t)i, v, &part) : NAN;

	put_json(object, "kernels_busy_ns", real_json(busy));
	put_json(object, "kernels_at_once", isnan(part) ? json_null() : json_boolean(part > program_kernels_at_once));
}

static json_t *verdicts_against_single(const struct family_rows *f, size_t v)
{
	ssize_t single = side_number(f, f->single);
	struct program_pair pair;
	json_t *verdicts;

	if (single < 0 || (size_t)single == v)
		return json_null();
	program_pair_judge(f, (size_t)single, v, &pair);
	verdicts = program_verdicts_json(&pair);
	program_pair_free(&pair);
	return verdicts;
}

static void put_side_row(json_t *object, const struct rows *side)
{
	static const struct field fields[] = {
		{"command", SIDE_command},
		{"environment", SIDE_environment},
		{"exit", SIDE_exit},
		{"signal", SIDE_signal},
		{"output", SIDE_output},
		{"output_bytes", SIDE_outputBytes},
		{"output_check", SIDE_outputCheck},
		{"variation", SIDE_variation},
		{"ended", SIDE_ended},
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		put_json(object, fields[i].key, side->count ? row_json(side, 0, fields[i].column) : json_null());
}

/* The recording may lack a side. */
static void put_same_code(json_t *object, const struct family_rows *f, ssize_t single, ssize_t other)
{
	if (single < 0 || other < 0)
		return;
	same_code_put(object, f, (size_t)single, (size_t)other);
	same_rest_put(object, f, (size_t)single, (size_t)other);
}

/* A word that is none is not known. */
static json_t *window_json(const char *word)
{
	static const char *const words[] = {"duration", "period", "kernels", "work", "run"};

	for (size_t i = 0; word && i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i]) == 0)
			return json_string(word);
	return json_null();
}

/* Which step stands for all of the side; null where none was chosen. */
static json_t *median_step_json(const struct family_rows *f, const char *variant)
{
	static const struct field fields[] = {
		{"block", MEDIANSTEP_block},
		{"position", MEDIANSTEP_position},
		{"step", MEDIANSTEP_step},
		{"steps", MEDIANSTEP_steps},
		{"steady", MEDIANSTEP_steady},
		{"kernels_ns", MEDIANSTEP_ns},
		{"median_ns", MEDIANSTEP_medianNs},
		{"pieces", MEDIANSTEP_pieces},
		{"inside", MEDIANSTEP_inside},
		{"others", MEDIANSTEP_others},
		{"behind_ns", MEDIANSTEP_behindNs},
	};
	const char *const key[] = {f->name, variant};
	struct rows row = rows_find(&f->model->table[TABLE_MEDIANSTEP], 2, key);
	json_t *object;

	if (row.count == 0)
		return json_null();
	object = json_object();
	put_fields(object, &row, 0, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(object, "window", window_json(row_text(&row, 0, MEDIANSTEP_window)));
	put_json(object, "kept", json_boolean(row_int(&row, 0, MEDIANSTEP_kept) == 1));
	return object;
}

static json_t *beside_single(const struct family_rows *f, size_t v)
{
	ssize_t single = side_number(f, f->single);

	return single < 0 ? json_array() : beside_json(f, (size_t)single, v);
}

static json_t *side_json(const struct family_rows *f, size_t v)
{
	const char *name = row_string(&f->variants, v, VARIANT_name);
	struct rows side = side_row(f, name), runs = side_runs(f, name), first = side_runs(f, f->single);
	json_t *object = json_object();

	put_json(object, "name", text_json(name));
	put_json(object, "role", json_string(strcmp(name, f->single) == 0 ? "single" : "other"));
	put_side_row(object, &side);
	put_json(object, "failed", json_boolean(side_failed(f, name)));
	put_json(object, "runs", runs_json(&runs));
	side_gpus_put(object, f, &first, &runs);
	put_json(object, "sm_mhz", real_json(runs_mean(&runs, NULL, BLOCK_smMhz)));
	put_json(object, "power_w", real_json(runs_mean(&runs, NULL, BLOCK_powerMw) / 1000));
	put_json(object, "throttle", throttle_json(&runs));
	put_json(object, "kernels_ns", real_json(side_median(f, v, MEASURES_KERNELS)));
	put_busy(object, f, v);
	put_json(object, "graphs_share", real_json(side_graphs_of(f, name).share));
	put_json(object, "program_ns", real_json(side_median(f, v, MEASURES_PROGRAM)));
	put_json(object, "not_counted", not_counted_json(f, name));
	put_json(object, "extent", side_extent_json(f, name));
	put_json(object, "beside", beside_single(f, v));
	put_json(object, "median_step", median_step_json(f, name));
	put_json(object, "verdicts", verdicts_against_single(f, v));
	put_same_code(object, f, side_number(f, f->single), (ssize_t)v);
	return object;
}

static json_t *sides_json(const struct family_rows *f)
{
	json_t *list = json_array();

	for (size_t v = 0; v < f->variants.count; v++)
		append_json(list, side_json(f, v));
	return list;
}

/* ---- all of it ---- */

static json_t *traced_change_json(const struct program_pair *pair)
{
	json_t *object;

	if (!pair->has_kernels || isnan(traced_change(&pair->kernels, 0)) || isnan(traced_change(&pair->kernels, 1)))
		return json_null();
	object = json_object();
	put_json(object, "single", real_json(traced_change(&pair->kernels, 0)));
	put_json(object, "double", real_json(traced_change(&pair->kernels, 1)));
	return object;
}

static void put_submission(json_t *tree, const struct program_pair *pair)
{
	const struct step_waits waits = pair->has_program ? step_waits_of(&pair->program) : (struct step_waits){0};

	step_waits_put(tree, &waits);
}

static json_t *missing_budget_json(const struct family_rows *f, const struct program_pair *pair)
{
	const struct judging *decides = pair->has_kernels ? &pair->kernels : pair->has_program ? &pair->program : NULL;
	bool enough = decides && decides->blocks >= PROGRAM_BLOCKS_NEEDED;

	return enough || pair->failed || is_of_traces(f) ? json_null() : real_json(budget_needed(f));
}

/* Why there are no kernel times, or why no machine code is known. */
static void put_untraced(json_t *tree, const struct family_rows *f)
{
	bool done = false;
	const char *reason = reason_of_pass(f, "trace", &done);

	put_json(tree, "no_kernels", text_json(done ? NULL : reason));
	put_json(tree, "no_code", text_json(done ? reason : NULL));
}

void programs_put(json_t *tree, const struct family_rows *f)
{
	struct program_pair pair;

	judge_own_pair(f, &pair);
	put_json(tree, "origin", json_string(is_of_traces(f) ? "traces" : "programs"));
	put_json(tree, "failure", text_json(reason_of_pass(f, "time", NULL)));
	put_untraced(tree, f);
	put_json(tree, "sides", sides_json(f));
	put_json(tree, "verdicts", program_verdicts_json(&pair));
	put_json(tree, "budget_s", missing_budget_json(f, &pair));
	put_json(tree, "traced_change", traced_change_json(&pair));
	put_submission(tree, &pair);
	put_json(tree, "whole_run", whole_run_json(&pair));
	put_json(tree, "kernels_chosen", json_boolean(kernels_are_chosen(f)));
	put_json(tree, "curve", values_curve_json(f));
	matches_put(tree, f, &pair);
	put_json(tree, "counter_runs", counter_runs_json(f));
	put_json(tree, "code_pairs", code_pairs_json(f));
	if (pair.has_kernels)
		step_causes_put(tree, &pair.kernels);
	put_same_code(tree, f, side_number(f, f->single), side_number(f, f->dbl));
	put_json(tree, "names_change", json_boolean(kernel_names_change(f)));
	changing_code_put(tree, f);
	program_pair_free(&pair);
}
