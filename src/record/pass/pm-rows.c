/* pm-rows.c: what the pm pass writes down. See pm.h. */
#include "record/pass/pm.h"

static const int64_t LEAD_NS = 5000; /* shown before the first work and after the last */

int64_t pm_span(const struct pm *pm, int64_t *start)
{
	int64_t end = INT64_MIN;

	*start = INT64_MAX;
	for (size_t i = 0; i < pm->nwork; i++) {
		*start = pm->work[i].start < *start ? pm->work[i].start : *start;
		end = pm->work[i].end > end ? pm->work[i].end : end;
	}
	return pm->nwork == 0 ? 0 : end - *start;
}

static void pass_pm_write_samples(const struct launch *launch, int64_t run, int64_t start, int64_t end)
{
	const struct pm *pm = launch->w->pm;
	const struct pm_sampling *s = &pm->sampling;

	for (size_t i = 0; i < s->nsamples; i++) {
		int64_t from = s->samples[i].start + pm->activity->offset;
		int64_t to = s->samples[i].end + pm->activity->offset;
		struct value row[PMSAMPLE_NUMBER] = {
			[PMSAMPLE_run] = VALUE_OF_INT(run),
			[PMSAMPLE_fromNs] = VALUE_OF_INT(from - start),
			[PMSAMPLE_toNs] = VALUE_OF_INT(to - start),
		};

		for (int m = 0; m < s->nmetrics; m++)
			row[PMSAMPLE_v0 + m] = worker_real(s->samples[i].value[m]);
		if (to > start - LEAD_NS && from < end + LEAD_NS)
			worker_row(launch->w, TABLE_PMSAMPLE, row);
	}
}

static void write_work(const struct launch *launch, int64_t run, int64_t start)
{
	const struct pm *pm = launch->w->pm;

	for (size_t i = 0; i < pm->nwork; i++) {
		const struct pm_work *work = &pm->work[i];
		const struct value row[PMWORK_NUMBER] = {
			[PMWORK_run] = VALUE_OF_INT(run),
			[PMWORK_fromNs] = VALUE_OF_INT(work->start - start),
			[PMWORK_toNs] = VALUE_OF_INT(work->end - start),
			[PMWORK_class] = VALUE_OF_TEXT(work->cls),
			[PMWORK_streamId] = VALUE_OF_INT(work->stream),
			[PMWORK_name] = VALUE_OF_TEXT(work->name[0] == '\0' ? NULL : work->name),
		};

		worker_row(launch->w, TABLE_PMWORK, row);
	}
}

void pm_write_run(const struct launch *launch, const struct metric_set *set, int64_t interval)
{
	const struct pm *pm = launch->w->pm;
	int64_t start, length = pm_span(pm, &start), end = start + length, run = worker_next_id(launch->w);
	char metrics[512];

	pm_metrics_text(set, metrics, sizeof(metrics));
	const struct value row[PMRUN_NUMBER] = {
		[PMRUN_id] = VALUE_OF_INT(run),
		[PMRUN_family] = VALUE_OF_TEXT(launch->w->family->name),
		[PMRUN_variant] = VALUE_OF_TEXT(launch->variant->name),
		[PMRUN_caseLabel] = VALUE_OF_TEXT(launch->size->label),
		[PMRUN_setName] = VALUE_OF_TEXT(set->name),
		[PMRUN_metrics] = VALUE_OF_TEXT(metrics),
		[PMRUN_start] = VALUE_OF_INT(start),
		[PMRUN_end] = VALUE_OF_INT(end),
		[PMRUN_interval] = VALUE_OF_INT(interval),
		[PMRUN_overflow] = VALUE_OF_INT(pm->sampling.overflow),
	};
	worker_row(launch->w, TABLE_PMRUN, row);
	write_work(launch, run, start);
	pass_pm_write_samples(launch, run, start, end);
}
