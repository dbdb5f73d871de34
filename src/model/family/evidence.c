/* evidence.c: the checks that a verdict has to pass, as a table; each says what it saw. */
#include "model/family/evidence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/checks.h"
#include "model/family/contrast.h"
#include "model/family/floor.h"
#include "model/family/measure.h"
#include "model/family/ratio.h"
#include "model/family/times.h"
#include "model/family/variant.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/format.h"

/* From this lag-1 autocorrelation on, blocks are no independent witnesses, and the interval is narrower than the truth.
 */
static const double drift_limit = 0.5;

int not_measured(struct finding *out, const char *why)
{
	out->ok = CHECK_NOT_MEASURED;
	snprintf(out->text, sizeof(out->text), "not measured: %s", why);
	return 0;
}

/* ---- results ---- */

static void evidence_count_runs(const struct measured *cases, size_t ncases, size_t *runs, size_t *right)
{
	*runs = *right = 0;
	for (size_t i = 0; i < ncases; i++) {
		const struct rows *verify = &cases[i].verify;

		*runs += verify->count;
		for (size_t k = 0; k < verify->count; k++)
			*right += row_int(verify, k, VERIFY_wrong) == 0;
	}
}

/* Over every case: a variant that is wrong at a ragged size is wrong. */
static int evidence_check_results(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	size_t single, single_right, dbl, double_right, wrong;

	(void)model;
	evidence_count_runs(contrast->all_single, contrast->ncases, &single, &single_right);
	evidence_count_runs(contrast->all_double, contrast->ncases, &dbl, &double_right);
	wrong = single - single_right + dbl - double_right;
	out->figure = (double)wrong;
	out->limit = 0;
	out->ok = wrong == 0 && single && dbl;
	snprintf(out->text, sizeof(out->text),
		"right in %zu of %zu runs (single) and %zu of %zu (double), all cases together", single_right, single,
		double_right, dbl);
	snprintf(out->brief, sizeof(out->brief), "%zu of %zu results are wrong", wrong, single + dbl);
	if (out->ok || wrong > 0)
		return 0;
	/* A time of something that may be wrong is worth nothing. */
	out->figure = NAN;
	snprintf(out->text, sizeof(out->text), "not verified: the recording lacks the verify pass for one of the two");
	snprintf(out->brief, sizeof(out->brief), "the results were not verified");
	return 0;
}

/* ---- samples, and the processes that they come from ---- */

static int check_samples(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	size_t blocks = contrast->ratio.blocks;

	(void)model;
	out->figure = (double)blocks;
	out->limit = BLOCKS_NEEDED;
	out->ok = blocks >= BLOCKS_NEEDED;
	snprintf(out->text, sizeof(out->text), "%zu blocks have times of both, from %zu process%s", blocks,
		contrast->ratio.runs, contrast->ratio.runs == 1 ? "" : "es");
	snprintf(out->brief, sizeof(out->brief), "%zu blocks of samples, %d are needed", blocks, BLOCKS_NEEDED);
	return 0;
}

static int check_runs(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	const struct blocked_samples single = samples_of(contrast->single), dbl = samples_of(contrast->dbl);
	char range[FORMAT_SIZE];
	struct run_speedups runs;

	if (ratio_runs(&single, &dbl, same_band(), seed_of(model), &runs) < 0)
		return -1;
	if (runs.runs < 2)
		return not_measured(out, "one process took all samples of the pair");
	out->figure = runs.apart;
	out->limit = runs.allowed;
	out->ok = runs.apart <= runs.allowed;
	format_ratios(range, sizeof(range), runs.low, runs.high);
	snprintf(out->text, sizeof(out->text),
		"%zu processes saw speed-ups of %.80s; the figure is how far apart the two are that agree least, the "
		"limit "
		"what their intervals and the band allow",
		runs.runs, range);
	snprintf(out->brief, sizeof(out->brief), "processes disagree by %.1f %%", 100 * runs.apart);
	return 0;
}

static int check_drift(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	const struct blocked_samples single = samples_of(contrast->single), dbl = samples_of(contrast->dbl);
	double lag;

	(void)model;
	if (ratio_drift(&single, &dbl, &lag) < 0)
		return -1;
	if (isnan(lag))
		return not_measured(out, "too few blocks, or all alike");
	out->figure = lag;
	out->limit = drift_limit;
	out->ok = lag < drift_limit;
	snprintf(out->text, sizeof(out->text), "the speed-up's autocorrelation from block to block is %.2f", lag);
	snprintf(out->brief, sizeof(out->brief), "the speed-up drifts from block to block");
	return 0;
}

/* ---- records ---- */

/* The first count of a side that does not agree goes into the texts. */
static bool counts_agree(const struct measured *m, const char *side, struct finding *out)
{
	const struct rows *counts = &m->counts;

	for (size_t i = 0; i < counts->count; i++) {
		const char *what = row_text(counts, i, COUNT_what);
		int64_t host = row_int(counts, i, COUNT_host), recorded = row_int(counts, i, COUNT_recorded);

		if (count_agrees(counts, i))
			continue;
		out->figure = (double)(host - recorded);
		snprintf(out->text, sizeof(out->text), "%s: %lld %.60s on the host, %lld recorded", side,
			(long long)host, what ? what : "events", (long long)recorded);
		snprintf(out->brief, sizeof(out->brief), "the trace lost records");
		return false;
	}
	return true;
}

static int check_records(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	const struct measured *single = contrast->single, *dbl = contrast->dbl;

	(void)model;
	out->ok = counts_agree(single, "single", out) && counts_agree(dbl, "double", out);
	if (out->ok && (single->counts.count == 0 || dbl->counts.count == 0))
		return not_measured(out, "the recording lacks the trace pass for one of the two");
	out->limit = 0;
	if (!out->ok)
		return 0;
	out->figure = 0;
	snprintf(out->text, sizeof(out->text),
		"all %zu counts of launches, copies and memsets made on the host agree with the records",
		single->counts.count + dbl->counts.count);
	return 0;
}

/* ---- floor ---- */

/* Within the band a pipeline is at its floor, not under it. */
static int check_floor(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	const struct floor *floor = contrast->floor;
	char floor_time[FORMAT_SIZE], time[FORMAT_SIZE];

	(void)model;
	if ((!floor || !floor->source) && !contrast->kernel_bound)
		return not_measured(out, "the recording has no schedules that a floor could be taken from");
	if (!floor || !floor->source) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return 0;
	}
	if (!floor->nearest || isnan(floor->share.low))
		return not_measured(out, "no block has times of a schedule and of a variant");
	out->figure = floor->share.value;
	out->limit = 1 + same_band();
	out->ok = floor->share.low <= out->limit;
	format_time_ns(floor_time, sizeof(floor_time), floor->source->time.median);
	format_time_ns(time, sizeof(time), floor->nearest->time.median);
	snprintf(out->text, sizeof(out->text),
		"floor / measured of the variant nearest to its floor: %.60s takes %.40s, %.60s takes %.40s",
		floor->nearest->variant, time, floor->source->variant, floor_time);
	snprintf(out->brief, sizeof(out->brief), "%.60s is %.1f %% faster than the floor", floor->nearest->variant,
		100 * (floor->share.value - 1));
	return 0;
}

/* ---- all of them ---- */

static const struct check {
	const char *name, *unit, *bound; /* how the limit bounds the figure */
	check_function *run;
} checks[] = {
	{"results", "count", "at most", evidence_check_results},
	{"samples", "count", "at least", check_samples},
	{"runs", "share", "at most", check_runs},
	{"drift", "ratio", "at most", check_drift},
	{"clock", "share", "at most", check_clock},
	{"throttling", "share", "at most", check_throttling},
	{"records", "count", "at most", check_records},
	{"floor", "ratio", "at most", check_floor},
	{"neighbours", "count", "at most", check_neighbours},
	{"cycles", "ratio", NULL, check_cycles},
};

static json_t *finding_json(const struct check *check, const struct finding *finding)
{
	json_t *entry = json_object();
	int bad = put_json(entry, "name", json_string(check->name));

	bad |= put_json(entry, "ok", flag_json(finding->ok));
	bad |= put_json(entry, "figure", real_json(finding->figure));
	bad |= put_json(entry, "limit", real_json(finding->limit));
	bad |= put_json(entry, "bound", text_json(check->bound));
	bad |= put_json(entry, "unit", json_string(check->unit));
	bad |= put_json(entry, "text", text_json(finding->text));
	bad |= put_json(entry, "failure", text_json(finding->ok == CHECK_FAILED ? finding->brief : NULL));
	return built_json(entry, bad);
}

json_t *evidence_json(const struct model *model, const struct contrast *contrast, bool *ok)
{
	json_t *list = json_array();
	int bad = 0;

	*ok = true;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct finding finding = {.ok = CHECK_NOT_MEASURED, .figure = NAN, .limit = NAN};

		bad |= checks[i].run(model, contrast, &finding);
		if (finding.ok != CHECK_DOES_NOT_APPLY)
			bad |= append_json(list, finding_json(&checks[i], &finding));
		*ok = *ok && finding.ok != CHECK_FAILED;
	}
	return built_json(list, bad);
}
