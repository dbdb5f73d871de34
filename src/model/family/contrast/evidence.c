/* evidence.c: the checks that a verdict has to pass, as a table; each gives what it saw. */
#include "model/family/contrast/evidence.h"

#include <math.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/contrast/contrast.h"
#include "model/family/contrast/finding.h"
#include "model/family/floor.h"
#include "model/family/measured.h"
#include "model/family/ratio.h"
#include "model/family/variant.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"

static void put_count(const struct finding *finding, const char *key, size_t n)
{
	put_json(finding->facts, key, json_integer((json_int_t)n));
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

/* Over every case: a variant that is wrong at a ragged size is wrong. A time of something that was not verified is
 * worth nothing: that fails too, without a figure. */
static void evidence_check_results(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	size_t single, single_right, dbl, double_right, wrong;

	(void)model;
	evidence_count_runs(contrast->all_single, contrast->ncases, &single, &single_right);
	evidence_count_runs(contrast->all_double, contrast->ncases, &dbl, &double_right);
	wrong = single - single_right + dbl - double_right;
	out->ok = wrong == 0 && single && dbl;
	out->figure = out->ok || wrong ? (double)wrong : NAN;
	out->limit = 0;
	put_count(out, "single_right", single_right);
	put_count(out, "single_runs", single);
	put_count(out, "double_right", double_right);
	put_count(out, "double_runs", dbl);
	put_count(out, "runs", single + dbl);
}

/* ---- samples, and the processes that they come from ---- */

static void check_samples(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	size_t blocks = contrast->ratio.blocks;

	(void)model;
	out->figure = (double)blocks;
	out->limit = BLOCKS_NEEDED;
	out->ok = blocks >= BLOCKS_NEEDED;
	put_count(out, "processes", contrast->ratio.runs);
}

static void check_runs(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	const struct blocked_samples single = samples_of(contrast->single), dbl = samples_of(contrast->dbl);
	struct run_speedups runs;

	ratio_runs(&single, &dbl, same_band, seed_of(model), &runs);
	if (runs.runs < 2) {
		out->missing = "one-process";
		return;
	}
	out->figure = runs.apart;
	out->limit = runs.allowed;
	out->ok = runs.apart <= runs.allowed;
	put_count(out, "processes", runs.runs);
	put_json(out->facts, "low", real_json(runs.low));
	put_json(out->facts, "high", real_json(runs.high));
}

static void check_drift(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	const struct blocked_samples single = samples_of(contrast->single), dbl = samples_of(contrast->dbl);
	double lag = ratio_drift(&single, &dbl);

	(void)model;
	if (isnan(lag)) {
		out->missing = "few-blocks";
		return;
	}
	out->figure = lag;
	out->limit = drift_limit;
	out->ok = lag < drift_limit;
}

/* ---- records ---- */

/* False, with the first count that does not agree among the facts. */
static bool counts_agree(const struct measured *m, const char *side, struct finding *out)
{
	const struct rows *counts = &m->counts;

	for (size_t i = 0; i < counts->count; i++) {
		int64_t host = row_int(counts, i, COUNT_host), recorded = row_int(counts, i, COUNT_recorded);

		if (count_agrees(counts, i))
			continue;
		out->figure = (double)(host - recorded);
		put_json(out->facts, "side", json_string(side));
		put_json(out->facts, "what", text_json(row_text(counts, i, COUNT_what)));
		put_json(out->facts, "host", json_integer(host));
		put_json(out->facts, "recorded", json_integer(recorded));
		return false;
	}
	return true;
}

static void check_records(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	const struct measured *single = contrast->single, *dbl = contrast->dbl;
	bool agree = counts_agree(single, "single", out) && counts_agree(dbl, "double", out);

	(void)model;
	if (agree && (single->untraced || dbl->untraced)) {
		out->missing = "untraced";
		put_json(out->facts, "reason", text_json(single->untraced ? single->untraced : dbl->untraced));
		return;
	}
	if (agree && (single->counts.count == 0 || dbl->counts.count == 0)) {
		out->missing = "no-trace";
		return;
	}
	out->ok = agree;
	out->limit = 0;
	if (agree) {
		out->figure = 0;
		put_count(out, "counts", single->counts.count + dbl->counts.count);
	}
}

/* ---- floor ---- */

/* Within the band a pipeline is at its floor, not under it. */
static void check_floor(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	const struct floor *floor = contrast->floor;

	(void)model;
	if (!floor || !floor->source) {
		out->ok = contrast->kernel_bound ? CHECK_DOES_NOT_APPLY : CHECK_NOT_MEASURED;
		out->missing = "no-schedules";
		return;
	}
	if (!floor->nearest || isnan(floor->share.low)) {
		out->missing = "no-common-blocks";
		return;
	}
	out->figure = floor->share.value;
	out->limit = 1 + same_band;
	out->ok = floor->share.low <= out->limit;
	put_json(out->facts, "nearest", text_json(floor->nearest->variant));
	put_json(out->facts, "nearest_ns", real_json(floor->nearest->time.median));
	put_json(out->facts, "floor", text_json(floor->source->variant));
	put_json(out->facts, "floor_ns", real_json(floor->source->time.median));
	put_json(out->facts, "faster_share", real_json(floor->share.value - 1));
}

/* ---- all of them ---- */

static const struct check {
	struct check_kind kind;
	check_function *run;
} checks[] = {
	{{"results", "count", "at most"}, evidence_check_results},
	{{"samples", "count", "at least"}, check_samples},
	{{"runs", "share", "at most"}, check_runs},
	{{"drift", "ratio", "at most"}, check_drift},
	{{"clock", "share", "at most"}, check_clock},
	{{"throttling", "share", "at most"}, check_throttling},
	{{"records", "count", "at most"}, check_records},
	{{"floor", "ratio", "at most"}, check_floor},
	{{"neighbours", "count", "at most"}, check_neighbours},
	{{"cycles", "ratio", NULL}, check_cycles},
};

json_t *finding_json(const struct check_kind *kind, const struct finding *finding)
{
	json_t *entry = json_object();

	put_json(entry, "name", json_string(kind->name));
	put_json(entry, "ok", flag_json(finding->ok));
	put_json(entry, "figure", real_json(finding->figure));
	put_json(entry, "limit", real_json(finding->limit));
	put_json(entry, "bound", text_json(kind->bound));
	put_json(entry, "unit", json_string(kind->unit));
	put_json(entry, "missing", text_json(finding->missing));
	put_json(entry, "facts", json_incref(finding->facts));
	return entry;
}

json_t *evidence_json(const struct model *model, const struct contrast *contrast, bool *ok)
{
	json_t *list = json_array();

	*ok = true;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct finding finding = {
			.ok = CHECK_NOT_MEASURED, .figure = NAN, .limit = NAN, .facts = json_object()};

		checks[i].run(model, contrast, &finding);
		if (finding.ok != CHECK_DOES_NOT_APPLY)
			append_json(list, finding_json(&checks[i].kind, &finding));
		*ok = *ok && finding.ok != CHECK_FAILED;
		json_decref(finding.facts);
	}
	return list;
}
