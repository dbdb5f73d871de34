/* times.c: the samples of a variant in a case: times, cycles and clocks; those that were throttled set apart. */
#include "model/family/times.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "model/family/measure.h"
#include "model/family/ratio.h"
#include "model/family/readings.h"
#include "model/family/series.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"

struct blocked_samples samples_of(const struct measured *m)
{
	return (struct blocked_samples){m->ns, m->block, m->n, m->run};
}

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

		if (!(ns > 0) || isinf(ns))
			continue;
		if (block_throttled(readings, n, row_int(&m->samples, i, SAMPLE_block)))
			series_add(&m->apart, ns, &m->samples, i);
		else
			take_sample(m, times, i);
	}
}

static int times_median_of(const double *x, size_t n, double *median)
{
	struct summary summary;

	if (summarize(x, n, &summary) < 0)
		return -1;
	*median = summary.median;
	return 0;
}

static int summarize_samples(const struct model *model, struct measured *m)
{
	struct blocked_samples samples = samples_of(m);

	if (summarize(m->ns, m->n, &m->time) < 0 || times_median_of(m->cycles.x, m->cycles.n, &m->median_cycles) < 0 ||
		times_median_of(m->on_gpu.mhz, m->on_gpu.n, &m->on_gpu.median) < 0 ||
		times_median_of(m->nvml.mhz, m->nvml.n, &m->nvml.median) < 0)
		return -1;
	m->sm_mhz = m->on_gpu.n ? m->on_gpu.median : m->nvml.median;
	return median_bootstrap(&samples, seed_of(model), &m->low, &m->high);
}

static int times_take_samples(const struct model *model, struct measured *m)
{
	struct series times = {0};
	size_t n = m->samples.count;
	int bad = series_room(&times, n);

	m->ns = times.x;
	m->block = times.block;
	m->run = times.run;
	m->on_gpu.mhz = calloc(n + 1, sizeof(*m->on_gpu.mhz));
	m->nvml.mhz = calloc(n + 1, sizeof(*m->nvml.mhz));
	bad |= series_room(&m->apart, n) | series_room(&m->cycles, n);
	if (bad || !m->on_gpu.mhz || !m->nvml.mhz)
		return -1;
	sort_samples(model, m, &times);
	m->n = times.n;
	return summarize_samples(model, m);
}

/* The same batches while activity records are on. */
static int take_traced(struct measured *m, const struct rows *rows)
{
	double *ns = calloc(rows->count + 1, sizeof(*ns));
	int result;

	if (!ns)
		return -1;
	for (size_t i = 0; i < rows->count && !m->withheld; i++) {
		double x = row_real(rows, i, TRACED_ns);

		if (x > 0 && isfinite(x))
			ns[m->ntraced++] = x;
	}
	result = times_median_of(ns, m->ntraced, &m->traced);
	free(ns);
	return result;
}

int take_times(const struct model *model, struct measured *m, const struct rows *traced)
{
	return times_take_samples(model, m) < 0 ? -1 : take_traced(m, traced);
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
