/* checks.c: the checks that a verdict on two programs has to pass, as a table; each gives what it saw. */
#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/family-rows.h"
#include "model/family/measured.h"
#include "model/family/programs/extent/extent-checks.h"
#include "model/family/programs/judging.h"
#include "model/family/programs/length.h"
#include "model/family/programs/match-rows.h"
#include "model/family/programs/records.h"
#include "model/family/programs/runs.h"
#include "model/family/programs/side-gpus.h"
#include "model/family/programs/waits.h"
#include "model/family/programs/whole-run.h"
#include "model/family/ratio.h"
#include "model/recording.h"
#include "store/store.h"
#include "tree/json.h"

/* ---- what the programs wrote ---- */

static const char *output_check(const struct judging *j, int side)
{
	struct rows row = side_row(j->f, j->side[side].measured->variant);

	return row.count ? row_text(&row, 0, SIDE_outputCheck) : NULL;
}

/* The first side is what others are held against, so that only the other's check need be there. */
static void check_output(const struct judging *j, struct finding *out)
{
	const char *single = output_check(j, 0), *other = output_check(j, 1);
	bool bad = (single && strcmp(single, "same") != 0) || (other && strcmp(other, "same") != 0);

	put_json(out->facts, "single", text_json(single));
	put_json(out->facts, "other", text_json(other));
	if (!bad && !other) {
		out->missing = "not-asked";
		return;
	}
	out->ok = !bad;
}

/* ---- blocks ---- */

/* Where the runs ended for another reason, time is not what lacks. */
double budget_needed(const struct family_rows *f)
{
	struct block_cost cost = block_cost_of(f);

	if (reason_of_pass(f, "time", NULL))
		return NAN;
	return ceil(cost.warm_up_s + (1 + program_budget_reserve) * PROGRAM_BLOCKS_NEEDED * cost.block_s);
}

static void check_whole_blocks(const struct judging *j, struct finding *out)
{
	out->figure = (double)j->blocks;
	out->limit = PROGRAM_BLOCKS_NEEDED;
	out->ok = j->blocks >= PROGRAM_BLOCKS_NEEDED;
	put_json(out->facts, "processes", json_integer((json_int_t)j->ratio.runs));
	put_json(out->facts, "budget_s", real_json(budget_needed(j->f)));
}

static void check_parts(const struct judging *j, struct finding *out)
{
	out->figure = (double)j->blocks;
	out->limit = PROGRAM_BLOCKS_NEEDED;
	out->ok = j->blocks >= PROGRAM_BLOCKS_NEEDED;
}

/* The least whole percentage (share) that the interval lies in; NaN if the sides would not be the same by it. */
static double threshold_needed(const struct judging *j)
{
	double needed = ceil(100 * fmax(1 - j->ratio.low, j->ratio.high - 1)) / 100;

	return verdict_of(&j->ratio, needed, true) == VERDICT_SAME && all_parts_agree(&j->ratio, needed) ? needed : NAN;
}

/* What runs differ by is allowed for, and not known. That alone may decide that a verdict is unclear. */
static void check_one_run(const struct judging *j, struct finding *out)
{
	struct ratio alone = ratio_without_allowance(j);
	enum verdict verdict = verdict_of(&alone, j->band, true);
	bool decides = j->in_time == VERDICT_UNCLEAR && verdict != VERDICT_UNCLEAR;

	out->missing = "one-run";
	put_json(out->facts, "allowance", real_json(judging_allowance(j)));
	put_json(out->facts, "band", real_json(j->band));
	put_json(out->facts, "too_wide", json_boolean(decides));
	put_json(out->facts, "threshold",
		decides && verdict == VERDICT_SAME ? real_json(threshold_needed(j)) : json_null());
}

/* Without a wait at its end, a step's host time is that of asking for the work. */
static void check_waits(const struct judging *j, struct finding *out)
{
	const struct step_waits waits =
		j->measures == MEASURES_PROGRAM ? step_waits_of(j) : (struct step_waits){.known = false};

	if (!waits.known || waits.period) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->ok = !is_submission(&waits);
	put_json(out->facts, "by", json_string(step_waits_by(&waits)));
	put_json(out->facts, "single", json_boolean(waits.waits[0]));
	put_json(out->facts, "other", json_boolean(waits.waits[1]));
}

/* From begin to begin a step takes as long as its work if the GPU does not fall behind meanwhile. */
static void check_pace(const struct judging *j, struct finding *out)
{
	const struct step_waits waits =
		j->measures == MEASURES_PROGRAM ? step_waits_of(j) : (struct step_waits){.known = false};

	if (!waits.known || !waits.period) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->ok = !is_submission(&waits);
	out->figure = fmax(waits.lag[0], waits.lag[1]);
	out->limit = period_lag_share;
	put_json(out->facts, "single", json_boolean(waits.keeps_pace[0]));
	put_json(out->facts, "other", json_boolean(waits.keeps_pace[1]));
	put_json(out->facts, "single_busy_ns", real_json(waits.busy[0]));
	put_json(out->facts, "other_busy_ns", real_json(waits.busy[1]));
}

static bool judged_by_steps(const struct judging *j)
{
	return is_of_traces(j->f) ? !row_null(&j->side[0].runs, 0, BLOCK_steps)
				  : runs_of_kind(&j->side[0].runs, "host") > 0;
}

/* Two recordings may be of anything, so that kernels without a match must not take more time than those that tell. Two
 * commands were given to be compared: other kernels may be what they differ in. */
static bool same_length(const struct judging *j, const struct run_lengths *lengths)
{
	bool counts = unmatched_count_as_alike(lengths) && !is_of_traces(j->f), same = true;

	for (int i = 0; i < 2; i++) {
		const struct run_length *run = &lengths->side[i];

		same = same &&
		       (counts ? run->alike + run->unmatched >= run->apart : run->alike >= run->apart + run->unmatched);
	}
	return same;
}

/* Runs without steps can differ in length. Then the kernels that take most of the time are launched more often, and not
 * in smaller pieces. */
static void check_length(const struct judging *j, struct finding *out)
{
	struct run_lengths lengths;
	double apart = 0, unmatched = 0;

	if (judged_by_steps(j) || !j->kernels) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	lengths = run_lengths_of(j->f, j->side[0].measured->variant, j->side[1].measured->variant, j->kernels->band);
	for (int i = 0; i < 2; i++) {
		const struct run_length *run = &lengths.side[i];

		apart = fmax(apart, run->apart / length_of_run(run));
		unmatched = fmax(unmatched, run->unmatched / length_of_run(run));
	}
	out->ok = same_length(j, &lengths);
	put_json(out->facts, "factor", real_json(lengths.matched.launches));
	put_json(out->facts, "threads", real_json(lengths.matched.threads));
	put_json(out->facts, "apart", real_json(apart));
	put_json(out->facts, "unmatched", real_json(unmatched));
	put_json(out->facts, "unmatched_factor", real_json(lengths.unmatched.launches));
	put_json(out->facts, "unmatched_threads", real_json(lengths.unmatched.threads));
	put_json(out->facts, "unmatched_apart", json_boolean(lengths.unmatched_apart));
}

/* A correlation of few blocks is chance; the interval of few blocks is wide by itself. */
static void check_block_drift(const struct judging *j, struct finding *out)
{
	struct blocked_samples single = series_samples(&j->side[0].ns), other = series_samples(&j->side[1].ns);
	double lag;

	single.run = other.run = NULL;
	lag = ratio_drift(&single, &other);
	if (j->blocks < BLOCKS_NEEDED || isnan(lag)) {
		out->missing = "few-blocks";
		return;
	}
	out->figure = lag;
	out->limit = drift_limit;
	out->ok = lag < drift_limit;
}

/* With few blocks that differ by much, chance alone calls equal programs different in one case of twenty. */
static void check_ranks(const struct judging *j, struct finding *out)
{
	struct blocked_samples single = series_samples(&j->side[0].ns), other = series_samples(&j->side[1].ns);
	struct block_ranks ranks;
	double agree;

	if (!verdict_is_clear(j->in_time) || j->blocks < PROGRAM_BLOCKS_NEEDED) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	ranks = ratio_ranks(&single, &other, program_ranks_quantile);
	agree = j->in_time == VERDICT_FASTER ? ranks.faster : (double)ranks.pairs - ranks.faster;
	out->figure = agree / (double)ranks.pairs;
	out->limit = (double)ranks.needed / (double)ranks.pairs;
	out->ok = agree >= (double)ranks.needed;
	put_json(out->facts, "pairs", json_integer((json_int_t)ranks.pairs));
	put_json(out->facts, "agree", real_json(agree));
	put_json(out->facts, "needed", json_integer((json_int_t)ranks.needed));
	put_json(out->facts, "verdict", json_string(verdict_name(j->in_time)));
}

/* ---- clocks ---- */

/* Whether cycles show the difference that times show. */
static bool cycles_show_the_same(const struct judging *j)
{
	switch (j->in_time) {
	case VERDICT_FASTER:
		return j->cycles.low > 1;
	case VERDICT_SLOWER:
		return j->cycles.high < 1;
	case VERDICT_SAME:
		return verdict_of(&j->cycles, same_band, true) == VERDICT_SAME;
	default:
		return true;
	}
}

static void check_clocks(const struct judging *j, struct finding *out)
{
	double single = j->side[0].mhz, other = j->side[1].mhz;
	enum pair_gpus gpus = pair_gpus(j->f, &j->side[0].runs, &j->side[1].runs);

	if (gpus == PAIR_GPUS_KINDS) {
		out->missing = "other-gpu";
		return;
	}
	if (!(single > 0) || !(other > 0)) {
		out->missing = "no-clock";
		return;
	}
	out->figure = fabs(single - other) / fmax(single, other);
	out->limit = program_clocks_apart;
	put_json(out->facts, "single_mhz", real_json(single));
	put_json(out->facts, "other_mhz", real_json(other));
	put_json(out->facts, "cycles", real_json(j->cycles.value));
	put_json(out->facts, "agree", json_boolean(cycles_show_the_same(j)));
	put_json(out->facts, "gpus", text_json(pair_gpus_word(gpus)));
	out->ok = out->figure <= program_clocks_apart || cycles_show_the_same(j);
}

/* ---- what tracing does ---- */

double traced_change(const struct judging *j, int side)
{
	const struct rows *runs = &j->side[side].runs;

	return runs_median(runs, "traced", BLOCK_stepNs) / runs_median(runs, "host", BLOCK_stepNs) - 1;
}

/* How much tracing changes a step's host time (ns), of the side that it changes more; NaN unless both are known. */
static double largest_change_ns(const struct judging *j)
{
	double largest = 0;

	for (int i = 0; i < 2; i++) {
		const struct rows *runs = &j->side[i].runs;
		double ns = runs_median(runs, "traced", BLOCK_stepNs) - runs_median(runs, "host", BLOCK_stepNs);

		if (isnan(ns))
			return NAN;
		largest = fmax(largest, fabs(ns));
	}
	return largest;
}

static void check_tracing(const struct judging *j, struct finding *out)
{
	double change = largest_change_ns(j);

	/* Who finds no difference claims none that tracing could have made. */
	if (j->measures == MEASURES_PROGRAM || !verdict_is_clear(j->in_time)) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	if (!j->kernels || isnan(change)) {
		out->missing = "no-range";
		return;
	}
	out->figure = change / fabs(j->kernels->side[0].median - j->kernels->side[1].median);
	out->limit = program_tracing_part;
	out->ok = out->figure <= program_tracing_part;
	put_json(out->facts, "change_ns", real_json(change));
	put_json(out->facts, "single", real_json(traced_change(j, 0)));
	put_json(out->facts, "other", real_json(traced_change(j, 1)));
}

/* ---- kernels that run at once ---- */

/* The verdict is on times that add up. Where kernels run at once the GPU may be busy for less, and say another thing.
 */
static void check_at_once(const struct judging *j, struct finding *out)
{
	double single = kernels_at_once_part(&j->side[0]), other = kernels_at_once_part(&j->side[1]);
	enum verdict by_busy;

	if (j->measures != MEASURES_KERNELS || isnan(j->busy.value) || fmax(single, other) <= program_kernels_at_once) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	by_busy = verdict_of(&j->busy, j->band, true);
	out->figure = fmax(single, other);
	out->ok = !verdict_is_definite(j->in_time) || !verdict_is_definite(by_busy) || j->in_time == by_busy;
	put_json(out->facts, "by_sum", json_string(verdict_name(j->in_time)));
	put_json(out->facts, "by_busy", json_string(verdict_name(by_busy)));
	put_json(out->facts, "busy", real_json(j->busy.value));
	put_json(out->facts, "single_ns", real_json(j->side[0].median));
	put_json(out->facts, "single_busy_ns", real_json(j->side[0].busy_median));
	put_json(out->facts, "other_ns", real_json(j->side[1].median));
	put_json(out->facts, "other_busy_ns", real_json(j->side[1].busy_median));
}

double kernels_at_once_part(const struct judged_side *side)
{
	return side->median / side->busy_median - 1;
}

/* ---- chosen kernels ---- */

/* A step's kernels all together may be held against each other whatever their names are. A choice may lack what a
 * kernel of it is to be held against. */
static void check_chosen(const struct judging *j, struct finding *out)
{
	struct lone_kernels lone = {.share = {0, 0}};
	int more;

	if (j->measures == MEASURES_KERNELS && kernels_are_chosen(j->f))
		lone = lone_kernels_of(j->f, j->side[0].measured->variant, j->side[1].measured->variant);
	more = lone.share[1] > lone.share[0];
	if (!lone.name[more]) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = lone.share[more];
	out->limit = program_unmatched_part;
	out->ok = out->figure <= out->limit;
	put_json(out->facts, "single", real_json(lone.share[0]));
	put_json(out->facts, "other", real_json(lone.share[1]));
	put_json(out->facts, "kernel", text_json(lone.name[more]));
	put_json(out->facts, "side", json_string(more ? "other" : "single"));
}

/* ---- kernels against program ---- */

/* Both ratios, and what the program's is of: "range", "wall" or "run". */
static void put_agreement(struct finding *out, const struct judging *j, enum verdict against, double kernels,
	double program, const char *basis)
{
	put_json(out->facts, "own", json_string(verdict_name(j->alone)));
	put_json(out->facts, "against", json_string(verdict_name(against)));
	put_json(out->facts, "kernels", real_json(kernels));
	put_json(out->facts, "program", real_json(program));
	put_json(out->facts, "basis", json_string(basis));
}

/* A step of which no more than asking for its work is known is unclear by itself, and contradicts nothing. */
static void check_agreement(const struct judging *j, struct finding *out)
{
	const struct judging *program = j->measures == MEASURES_PROGRAM ? j : j->against;
	struct whole_run run;
	bool is_whole = whole_run_of(j, &run);

	if (!j->against && !is_whole) {
		out->missing = "one-kind";
		return;
	}
	if (kernels_are_chosen(j->f)) {
		out->missing = "chosen-kernels";
		return;
	}
	if (is_whole) {
		put_agreement(out, j, run.verdict, j->ratio.value, run.ratio.value, "run");
		out->ok = !whole_run_contradicts(j, &run);
		return;
	}
	put_agreement(out, j, j->against->alone, program->against->ratio.value, program->ratio.value,
		judging_has_range(program) ? "range" : "wall");
	out->ok = !(verdict_is_clear(j->alone) && verdict_is_clear(j->against->alone) && j->alone != j->against->alone);
}

/* ---- all of them ---- */

struct program_check {
	struct check_kind kind;
	void (*run)(const struct judging *judging, struct finding *out);
};

static const struct program_check program_checks[] = {
	{{"output", "count", "at most"}, check_output},
	{{"blocks", "count", "at least"}, check_whole_blocks},
	{{"drift", "ratio", "at most"}, check_block_drift},
	{{"ranks", "share", "at least"}, check_ranks},
	{{"clocks", "share", "at most"}, check_clocks},
	{{"tracing", "share", "at most"}, check_tracing},
	{{"waits", "count", "at most"}, check_waits},
	{{"pace", "share", "at most"}, check_pace},
	{{"graphs", "count", NULL}, check_graphs},
	{{"length", "share", "at most"}, check_length},
	{{"chosen", "share", "at most"}, check_chosen},
	{{"records", "count", "at most"}, check_missing_records},
	{{"launches", "share", "at most"}, check_launches},
	{{"places", "ratio", NULL}, check_places},
	{{"kinds", "ratio", NULL}, check_kinds},
	{{"other-kinds", "ratio", NULL}, check_other_kinds},
	{{"lone-kinds", "ratio", NULL}, check_lone_kinds},
	{{"other-host", "ratio", NULL}, check_other_host},
	{{"shapes", "ratio", NULL}, check_shapes},
	{{"begins", "share", "at most"}, check_begins},
	{{"first-steps", "ratio", NULL}, check_first_steps},
	{{"coverage", "share", NULL}, check_coverage},
	{{"outside", "ratio", NULL}, check_kernels_outside},
	{{"elsewhere", "ratio", NULL}, check_elsewhere},
	{{"copies", "ratio", NULL}, check_copies_outside},
	{{"between", "share", NULL}, check_time_between},
	{{"at-once", "share", NULL}, check_at_once},
	{{"agreement", "count", "at most"}, check_agreement},
	{{NULL, NULL, NULL}, NULL},
};

/* A trace has times alone: neither outputs nor runs without CUPTI. */
static const struct program_check trace_checks[] = {
	{{"parts", "count", "at least"}, check_parts},
	{{"runs", "count", "at least"}, check_one_run},
	{{"all-parts", "ratio", NULL}, check_all_parts},
	{{"waits", "count", "at most"}, check_waits},
	{{"pace", "share", "at most"}, check_pace},
	{{"graphs", "count", NULL}, check_graphs},
	{{"length", "share", "at most"}, check_length},
	{{"chosen", "share", "at most"}, check_chosen},
	{{"records", "count", "at most"}, check_missing_records},
	{{"launches", "share", "at most"}, check_launches},
	{{"kinds", "ratio", NULL}, check_kinds},
	{{"other-kinds", "ratio", NULL}, check_other_kinds},
	{{"lone-kinds", "ratio", NULL}, check_lone_kinds},
	{{"other-host", "ratio", NULL}, check_other_host},
	{{"shapes", "ratio", NULL}, check_shapes},
	{{"begins", "share", "at most"}, check_begins},
	{{"first-steps", "ratio", NULL}, check_first_steps},
	{{"coverage", "share", NULL}, check_coverage},
	{{"outside", "ratio", NULL}, check_kernels_outside},
	{{"elsewhere", "ratio", NULL}, check_elsewhere},
	{{"copies", "ratio", NULL}, check_copies_outside},
	{{"between", "share", NULL}, check_time_between},
	{{"at-once", "share", NULL}, check_at_once},
	{{"agreement", "count", "at most"}, check_agreement},
	{{NULL, NULL, NULL}, NULL},
};

void programs_check(const struct judging *j, bool agreement, json_t *evidence, json_t *reasons)
{
	const struct program_check *check = is_of_traces(j->f) ? trace_checks : program_checks;

	for (; check->run; check++) {
		struct finding finding = {
			.ok = CHECK_NOT_MEASURED, .figure = NAN, .limit = NAN, .facts = json_object()};

		if (check->run != check_agreement || agreement) {
			check->run(j, &finding);
			if (finding.ok != CHECK_DOES_NOT_APPLY)
				append_json(evidence, finding_json(&check->kind, &finding));
			if (finding.ok == CHECK_FAILED)
				append_json(reasons, json_string(check->kind.name));
		}
		json_decref(finding.facts);
	}
}
