/* times.c: the samples of a variant in a case: times, cycles and clocks; those that were throttled set apart. */
#include "model/family/times.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "model/family/measured.h"
#include "model/family/ratio.h"
#include "model/family/readings.h"
#include "model/family/series.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "util/alloc.h"

static void clocks_add(struct clocks *clocks, double mhz)
{
	if (mhz > 0 && isfinite(mhz))
		clocks->mhz[clocks->n++] = mhz;
}

static void take_sample(struct measured *m, struct series *times, size_t i)
{
	double ns = row_real(&m->samples, i, SAMPLE_ns), mhz = row_real(&m->samples, i, SAMPLE_measuredMhz);

	series_add(times, ns, &m->samples, i);
	if (mhz > 0 && isfinite(mhz))
		series_add(&m->cycles, ns * mhz / 1000, &m->samples, i);
	clocks_add(&m->on_gpu, mhz);
	clocks_add(&m->nvml, row_real(&m->samples, i, SAMPLE_smClockMhz));
}

/* The samples that are times; a reading that is none (0, NULL) is no sample. */
static void sort_samples(const struct model *model, struct measured *m, struct series *times)
{
	size_t n;
	const struct gpu_reading *readings = readings_of(model, m->family, m->label, &n);

	for (size_t i = 0; i < m->samples.count && !m->withheld; i++) {
		double ns = row_real(&m->samples, i, SAMPLE_ns);

		if (!is_time_of_sample(ns))
			continue;
		if (block_set_apart(readings, n, row_int(&m->samples, i, SAMPLE_block)))
			series_add(&m->apart, ns, &m->samples, i);
		else
			take_sample(m, times, i);
	}
}

static double times_median_of(const double *x, size_t n)
{
	struct summary summary;

	summarize(x, n, &summary);
	return summary.median;
}

static void summarize_samples(const struct model *model, struct measured *m)
{
	struct blocked_samples samples = samples_of(m);

	summarize(m->ns, m->n, &m->time);
	m->median_cycles = times_median_of(m->cycles.x, m->cycles.n);
	m->on_gpu.median = times_median_of(m->on_gpu.mhz, m->on_gpu.n);
	m->nvml.median = times_median_of(m->nvml.mhz, m->nvml.n);
	m->sm_mhz = m->on_gpu.n ? m->on_gpu.median : m->nvml.median;
	median_bootstrap(&samples, seed_of(model), &m->low, &m->high);
}

static void times_take_samples(const struct model *model, struct measured *m)
{
	struct series times = {0};
	size_t n = m->samples.count;

	series_room(&times, n);
	series_room(&m->apart, n);
	series_room(&m->cycles, n);
	m->on_gpu.mhz = xcalloc(n, sizeof(*m->on_gpu.mhz));
	m->nvml.mhz = xcalloc(n, sizeof(*m->nvml.mhz));
	sort_samples(model, m, &times);
	m->ns = times.x;
	m->block = times.block;
	m->run = times.run;
	m->n = times.n;
	free(times.steps);
	summarize_samples(model, m);
}

/* The same batches while activity records are on. */
static void take_traced(struct measured *m, const struct rows *rows)
{
	double *ns = xcalloc(rows->count, sizeof(*ns));

	for (size_t i = 0; i < rows->count && !m->withheld; i++) {
		double x = row_real(rows, i, TRACED_ns);

		if (x > 0 && isfinite(x))
			ns[m->ntraced++] = x;
	}
	m->traced = times_median_of(ns, m->ntraced);
	free(ns);
}

void take_times(const struct model *model, struct measured *m, const struct rows *traced)
{
	times_take_samples(model, m);
	take_traced(m, traced);
}

void times_free(struct measured *m)
{
	free(m->ns);
	free(m->block);
	free(m->run);
	series_free(&m->apart);
	series_free(&m->cycles);
	free(m->on_gpu.mhz);
	free(m->nvml.mhz);
}
