/* curves-rows.c: what was sampled over time as rows of the recording: those of a family's pm pass. */
#include <math.h>

#include "analyze/overlap.h"
#include "contrast/pm/curves.h"
#include "contrast/rows.h"
#include "contrast/sample-rows.h"
#include "record/cupti/metric-rows.h"

static const int64_t CURVE_LEAD_NS = 5000; /* samples before the beginning and behind the end that are kept */

enum { CURVE_METRICS_BYTES = 512 };

/* What the rows of a set have in common. */
struct curve_of {
	const char *variant;
	const struct curves *curves;
	const struct curved_side *side;
	size_t set;
	int64_t id, start, end; /* ns, CLOCK_REALTIME */
};

/* With a range from the step's begin, as its timeline; without one from the first work. To the end of either. */
static void take_curve_span(const struct curve *curve, bool has_range, struct curve_of *of)
{
	int64_t first = INT64_MAX;

	of->end = has_range ? curve->end : INT64_MIN;
	for (size_t i = 0; i < curve->nwork; i++) {
		first = curve->work[i].start < first ? curve->work[i].start : first;
		of->end = curve->work[i].end > of->end ? curve->work[i].end : of->end;
	}
	of->start = has_range || first < curve->start ? curve->start : first;
}

/* The oldest samples are kept: what was lost behind the last work is no loss. */
static bool reaches_end(const struct curve_of *of)
{
	const struct curve *curve = &of->side->sets[of->set];

	return curve->nsamples > 0 && curve->samples[curve->nsamples - 1].end >= of->end;
}

static int row_of_curve(struct recording *rec, const struct curve_of *of, struct error *err)
{
	const struct metric_set *set = &of->curves->plans.sets[of->set];
	const struct curve *curve = &of->side->sets[of->set];
	char metrics[CURVE_METRICS_BYTES];
	struct value row[PMRUN_NUMBER] = {
		[PMRUN_id] = VALUE_OF_INT(of->id),
		[PMRUN_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[PMRUN_variant] = VALUE_OF_TEXT(of->variant),
		[PMRUN_caseLabel] = VALUE_OF_TEXT(contrast_measure_word(MEASURES_KERNELS)),
		[PMRUN_setName] = VALUE_OF_TEXT(set->name),
		[PMRUN_metrics] = VALUE_OF_TEXT(metrics),
		[PMRUN_start] = VALUE_OF_INT(of->start),
		[PMRUN_end] = VALUE_OF_INT(of->end),
		[PMRUN_interval] = VALUE_OF_INT(of->side->interval_ns),
		[PMRUN_overflow] = VALUE_OF_INT(curve->overflow && !reaches_end(of)),
		[PMRUN_step] = {.kind = VALUE_NULL},
	};

	pm_metrics_text(set, metrics, sizeof(metrics));
	if (of->curves->has_range)
		row[PMRUN_step] = VALUE_OF_INT((int64_t)curve->step + 1);
	return recording_row(rec, TABLE_PMRUN, row, err);
}

static struct value real_of_sample(double value)
{
	if (!isfinite(value))
		return (struct value){.kind = VALUE_NULL};
	return VALUE_OF_REAL(value);
}

static int rows_of_curve_samples(struct recording *rec, const struct curve_of *of, struct error *err)
{
	const struct curve *curve = &of->side->sets[of->set];

	for (size_t i = 0; i < curve->nsamples; i++) {
		const struct pm_sample *sample = &curve->samples[i];
		struct value row[PMSAMPLE_NUMBER] = {
			[PMSAMPLE_run] = VALUE_OF_INT(of->id),
			[PMSAMPLE_fromNs] = VALUE_OF_INT(sample->start - of->start),
			[PMSAMPLE_toNs] = VALUE_OF_INT(sample->end - of->start),
		};

		if (sample->end <= of->start - CURVE_LEAD_NS || sample->start >= of->end + CURVE_LEAD_NS)
			continue;
		for (int m = 0; m < of->curves->plans.sets[of->set].nmetrics; m++)
			row[PMSAMPLE_v0 + m] = real_of_sample(sample->value[m]);
		if (recording_row(rec, TABLE_PMSAMPLE, row, err) < 0)
			return -1;
	}
	return 0;
}

/* Work that is under way when the step begins is shown from there on. */
static int rows_of_curve_work(struct recording *rec, const struct curve_of *of, struct error *err)
{
	static const char *const classes[WORK_CLASSES] = {
		[WORK_H2D] = "h2d", [WORK_D2H] = "d2h", [WORK_KERNEL] = "kernel", [WORK_OTHER] = "other"};
	const struct curve *curve = &of->side->sets[of->set];

	for (size_t i = 0; i < curve->nwork; i++) {
		const struct curve_piece *piece = &curve->work[i];
		int64_t from = piece->start > of->start ? piece->start - of->start : 0;
		const struct value row[PMWORK_NUMBER] = {
			[PMWORK_run] = VALUE_OF_INT(of->id),
			[PMWORK_fromNs] = VALUE_OF_INT(from),
			[PMWORK_toNs] = VALUE_OF_INT(piece->end - of->start),
			[PMWORK_class] = VALUE_OF_TEXT(classes[piece->cls]),
			[PMWORK_streamId] = VALUE_OF_INT(piece->stream),
			[PMWORK_name] = VALUE_OF_TEXT(piece->name),
		};

		if (piece->end > of->start && recording_row(rec, TABLE_PMWORK, row, err) < 0)
			return -1;
	}
	return 0;
}

static int rows_of_curved_side(struct recording *rec, const char *variant, const struct curves *curves, size_t side,
	int64_t *id, struct error *err)
{
	for (int i = 0; curves->sides[side].sets && i < curves->plans.nsets; i++) {
		struct curve_of of = {variant, curves, &curves->sides[side], (size_t)i, *id, 0, 0};

		if (!of.side->sets[i].is_sampled)
			continue;
		++*id;
		take_curve_span(&of.side->sets[i], curves->has_range, &of);
		if (row_of_curve(rec, &of, err) < 0 || rows_of_curve_work(rec, &of, err) < 0 ||
			rows_of_curve_samples(rec, &of, err) < 0)
			return -1;
	}
	return 0;
}

int rows_of_curves(
	struct recording *rec, const struct contrast_options *options, const struct curves *curves, struct error *err)
{
	int64_t id = 1;

	if (!curves->status)
		return 0;
	if (row_of_pass(rec, &(struct pass_row){"pm", curves->status, &curves->reason, curves->start, curves->end},
		    err) < 0 ||
		metric_sets_write(rec, curves->plans.sets, curves->plans.nsets, err) < 0)
		return -1;
	for (size_t s = 0; s < MEDIAN_SIDES; s++)
		if (rows_of_curved_side(rec, options->sides[curves->sides[s].side].name, curves, s, &id, err) < 0)
			return -1;
	return 0;
}
