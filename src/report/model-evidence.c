/* model-evidence.c: the checks that a verdict has to pass, as a table; each says what it saw. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/model.h"

enum { BLOCKS_NEEDED = 12, TEXT_SIZE = 256 };

/* Clocks further apart than this share make times incomparable; so many samples may stray. */
static const double clock_tolerance = 0.02, clock_strays = 0.05;

/* From this lag-1 autocorrelation on, blocks are no independent witnesses, and the interval is narrower than the truth.
 */
static const double drift_limit = 0.5;

/* A check: 1 passed, 0 failed, -1 not measured; writes what it saw into `text`. */
struct check {
	const char *name;
	int (*run)(const struct model *model, const struct contrast *contrast, char *text);
};

static void count_runs(const struct measured *cases, size_t ncases, size_t *runs, size_t *right)
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
static int check_results(const struct model *model, const struct contrast *contrast, char *text)
{
	size_t single, single_right, dbl, double_right;

	(void)model;
	count_runs(contrast->all_single, contrast->ncases, &single, &single_right);
	count_runs(contrast->all_double, contrast->ncases, &dbl, &double_right);
	snprintf(text, TEXT_SIZE, "right in %zu of %zu runs (single) and %zu of %zu (double), all cases together",
		single_right, single, double_right, dbl);
	if (single_right < single || double_right < dbl)
		return 0;
	if (single && dbl)
		return 1;
	/* A time of something that may be wrong is worth nothing. */
	snprintf(text, TEXT_SIZE, "not verified: the recording lacks the verify pass for one of the two");
	return 0;
}

static int check_samples(const struct model *model, const struct contrast *contrast, char *text)
{
	(void)model;
	snprintf(
		text, TEXT_SIZE, "%zu blocks have times of both; %d are needed", contrast->ratio.blocks, BLOCKS_NEEDED);
	return contrast->ratio.blocks >= BLOCKS_NEEDED;
}

static size_t count_strays(const struct measured *m, double mhz)
{
	size_t n = 0;

	for (size_t i = 0; i < m->nmhz; i++)
		n += fabs(m->mhz[i] - mhz) > clock_tolerance * mhz;
	return n;
}

static int check_clock(const struct model *model, const struct contrast *contrast, char *text)
{
	double single = contrast->single->sm_mhz, dbl = contrast->dbl->sm_mhz;
	size_t strays, n;

	(void)model;
	if (isnan(single) || isnan(dbl)) {
		snprintf(text, TEXT_SIZE, "not measured: no SM clock was read beside the samples");
		return -1;
	}
	strays = count_strays(contrast->single, single) + count_strays(contrast->dbl, single);
	n = contrast->single->nmhz + contrast->dbl->nmhz;
	snprintf(text, TEXT_SIZE,
		"median SM clock %.0f MHz (single) and %.0f MHz (double); %zu of %zu samples more than %.0f %% away",
		single, dbl, strays, n, clock_tolerance * 100);
	return fabs(single - dbl) <= clock_tolerance * fmax(single, dbl) && (double)strays <= clock_strays * (double)n;
}

static int check_drift(const struct model *model, const struct contrast *contrast, char *text)
{
	const struct measured *single = contrast->single, *dbl = contrast->dbl;
	double lag;

	(void)model;
	if (ratio_drift(&(struct blocked_samples){single->ns, single->block, single->n, NULL},
		    &(struct blocked_samples){dbl->ns, dbl->block, dbl->n, NULL}, &lag) < 0 ||
		isnan(lag)) {
		snprintf(text, TEXT_SIZE, "not measured: too few blocks, or all alike");
		return -1;
	}
	snprintf(text, TEXT_SIZE, "the speed-up's autocorrelation from block to block is %.2f; below %.1f is needed",
		lag, drift_limit);
	return lag < drift_limit;
}

/* The first count of a side that does not agree goes into `text`. */
static bool counts_agree(const struct measured *m, const char *side, char *text)
{
	const struct rows *counts = &m->counts;

	for (size_t i = 0; i < counts->count; i++) {
		const char *what = row_text(counts, i, COUNT_what);

		if (count_agrees(counts, i))
			continue;
		snprintf(text, TEXT_SIZE, "%s: %lld %.60s on the host, %lld recorded", side,
			(long long)row_int(counts, i, COUNT_host), what ? what : "events",
			(long long)row_int(counts, i, COUNT_recorded));
		return false;
	}
	return true;
}

static int check_records(const struct model *model, const struct contrast *contrast, char *text)
{
	const struct measured *single = contrast->single, *dbl = contrast->dbl;

	(void)model;
	if (!counts_agree(single, "single", text) || !counts_agree(dbl, "double", text))
		return 0;
	if (single->counts.count == 0 || dbl->counts.count == 0) {
		snprintf(text, TEXT_SIZE, "not measured: the recording lacks the trace pass for one of the two");
		return -1;
	}
	snprintf(text, TEXT_SIZE,
		"all %zu counts of launches, copies and memsets made on the host agree with the records",
		single->counts.count + dbl->counts.count);
	return 1;
}

/* When the family's time pass ran; everything, if the recording does not say. */
static struct interval time_pass(const struct model *model, const char *family)
{
	struct rows rows = rows_all(&model->table[TABLE_PASS]);

	for (size_t i = 0; i < rows.count; i++) {
		const char *of = row_text(&rows, i, PASS_family), *pass = row_text(&rows, i, PASS_pass);

		if (of && strcmp(of, family) == 0 && pass && strcmp(pass, "time") == 0 &&
			!row_null(&rows, i, PASS_start) && !row_null(&rows, i, PASS_end))
			return (struct interval){row_int(&rows, i, PASS_start), row_int(&rows, i, PASS_end)};
	}
	return (struct interval){INT64_MIN, INT64_MAX};
}

static int check_throttling(const struct model *model, const struct contrast *contrast, char *text)
{
	struct interval pass = time_pass(model, contrast->single->family);
	struct rows rows = rows_all(&model->table[TABLE_CLOCK]);
	size_t known = 0, throttled = 0;

	for (size_t i = 0; i < rows.count; i++) {
		int64_t at = row_int(&rows, i, CLOCK_timestamp);

		if (row_null(&rows, i, CLOCK_throttle) || at < pass.start || at > pass.end)
			continue;
		known++;
		throttled += throttle_matters(row_int(&rows, i, CLOCK_throttle));
	}
	if (known == 0) {
		snprintf(text, TEXT_SIZE, "not measured: no throttle reasons were read during the time pass");
		return -1;
	}
	snprintf(text, TEXT_SIZE, "%zu of %zu readings during the time pass show power or thermal throttling",
		throttled, known);
	return throttled == 0;
}

static const struct check checks[] = {
	{"results", check_results},
	{"samples", check_samples},
	{"drift", check_drift},
	{"clock", check_clock},
	{"records", check_records},
	{"throttling", check_throttling},
};

json_t *evidence_json(const struct model *model, const struct contrast *contrast, bool *ok)
{
	json_t *list = json_array();
	int bad = 0;

	*ok = true;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		char text[TEXT_SIZE];
		int passed = checks[i].run(model, contrast, text);
		json_t *entry = json_object();
		int wrong = put_json(entry, "name", json_string(checks[i].name));

		wrong |= put_json(entry, "ok", flag_json(passed));
		wrong |= put_json(entry, "text", text_json(text));
		bad |= append_json(list, built_json(entry, wrong));
		*ok = *ok && passed != 0;
	}
	return built_json(list, bad);
}
