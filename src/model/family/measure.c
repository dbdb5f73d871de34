/* measure.c: gathers what the passes gave for one variant in one case. */
#include "model/family/measure.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/device.h"
#include "model/family/barrier.h"
#include "model/family/counters.h"
#include "model/family/times.h"
#include "model/family/contrast/traced-runs.h"
#include "model/recording.h"
#include "model/trace/calls.h"
#include "model/trace/iteration.h"
#include "model/trace/overlap.h"
#include "model/trace/trace.h"
#include "store/event.h"
#include "store/rowset.h"
#include "store/store.h"
#include "util/alloc.h"

static struct rows measure_rows_of(const struct model *model, enum table_id table, const struct measured *m)
{
	const char *const key[] = {m->family, m->variant, m->label};

	return rows_find(&model->table[table], 3, key);
}

/* Threads of a block; INT_MAX for more. */
static int block_threads(const struct rows *row)
{
	int64_t threads = row_count(row, 0, RESOURCE_blockX);

	threads *= row_count(row, 0, RESOURCE_blockY);
	threads = threads > INT_MAX ? INT_MAX : threads;
	threads *= row_count(row, 0, RESOURCE_blockZ);
	return threads > INT_MAX ? INT_MAX : (int)threads;
}

static void take_resources(const struct rows *device, struct measured *m)
{
	const struct rows *row = &m->resource;
	struct sm_limits limits;

	if (row->count == 0)
		return;
	m->has_resources = true;
	m->kernel = (struct kernel_resources){
		.threads = block_threads(row),
		.registers = row_count(row, 0, RESOURCE_registers),
		.shared_bytes =
			(int64_t)row_count(row, 0, RESOURCE_staticSmem) + row_count(row, 0, RESOURCE_dynamicSmem),
	};
	if (sm_limits_of(device, &limits)) {
		occupancy_compute(&limits, &m->kernel, &m->occupancy);
		m->has_occupancy = true;
	}
}

/* An iteration and the span of its device work. */
struct spanned {
	const struct range *range;
	double span;
	size_t at;
};

static int by_span(const void *left, const void *right)
{
	const struct spanned *a = left, *b = right;

	if (a->span != b->span)
		return a->span < b->span ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Takes the work of the iteration whose span is the median: of an even number, the lower of the two in the middle. */
static void take_median(const struct model *model, struct measured *m, struct spanned *spanned)
{
	if (m->nspans == 0)
		return;
	qsort(spanned, m->nspans, sizeof(*spanned), by_span);
	m->range = spanned[(m->nspans - 1) / 2].range;
	range_work_list(&model->trace, m->range, &m->work);
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): one without work has no span */
	work_overlap(&model->trace, &m->work, work_lane(&model->trace, m->work.item[0])->device, &m->overlap);
}

static void take_run(const struct model *model, struct measured *m, const struct range *range, struct spanned *spanned)
{
	struct work_list work;
	struct traced_run *run = &m->runs[m->nspans];

	range_work_list(&model->trace, range, &work);
	if (work.n) {
		traced_run_of(&model->trace, m, &work, run);
		m->spans[m->nspans] = (double)run->overlap.span;
		*spanned = (struct spanned){range, m->spans[m->nspans], m->nspans};
		m->nspans++;
	}
	free(work.item);
}

/* What ran in the window of the step: the recording holds nothing else at that time. */
static void take_step_work(const struct trace *trace, const struct stretch *step, struct work_list *out)
{
	size_t first = trace_first_from(trace, step->from), end = first;

	while (end < trace->nwork && trace->start[end] <= step->to)
		end++;
	out->item = xcalloc(end - first + 1, sizeof(*out->item));
	for (size_t i = first; i < end; i++)
		if (trace->end[i] <= step->to)
			out->item[out->n++] = (uint32_t)i;
}

/* Of programs: the step that stands for all of them, if its work was kept. */
static void take_median_step(const struct model *model, struct measured *m)
{
	const struct rows row = measure_rows_of(model, TABLE_MEDIANSTEP, m);
	const struct trace *trace = &model->trace;

	if (row.count == 0 || row_int(&row, 0, MEDIANSTEP_kept) != 1)
		return;
	m->step = (struct stretch){row_int(&row, 0, MEDIANSTEP_start), row_int(&row, 0, MEDIANSTEP_end), true,
		row_int(&row, 0, MEDIANSTEP_others) > 0};
	if (!times_usable(m->step.from, m->step.to))
		return;
	take_step_work(trace, &m->step, &m->work);
	if (m->work.n == 0)
		return;
	work_overlap(trace, &m->work, work_lane(trace, m->work.item[0])->device, &m->overlap);
	m->iterations = m->nspans = 1;
	m->spans = xcalloc(1, sizeof(*m->spans));
	m->runs = xcalloc(1, sizeof(*m->runs));
	m->spans[0] = (double)m->overlap.span;
	traced_run_of(trace, m, &m->work, &m->runs[0]);
}

static void take_trace(const struct model *model, struct measured *m)
{
	const struct iteration *iterations = iterations_of(model, m->anchor, m->label, &m->iterations);
	struct spanned *spanned = xcalloc(m->iterations + 1, sizeof(*spanned));

	m->spans = xcalloc(m->iterations, sizeof(*m->spans));
	m->runs = xcalloc(m->iterations, sizeof(*m->runs));
	for (size_t i = 0; i < m->iterations; i++)
		take_run(model, m, iterations[i].range, &spanned[m->nspans]);
	take_median(model, m, spanned);
	free(spanned);
}

void measure_case(const struct model *model, const struct rows *device, struct measured *m)
{
	struct rows unsupported = measure_rows_of(model, TABLE_UNSUPPORTED, m);
	struct rows traced = measure_rows_of(model, TABLE_TRACED, m);

	if (unsupported.count)
		m->unsupported = row_text(&unsupported, 0, UNSUPPORTED_reason);
	m->verify = measure_rows_of(model, TABLE_VERIFY, m);
	m->samples = measure_rows_of(model, TABLE_SAMPLE, m);
	m->counts = measure_rows_of(model, TABLE_COUNT, m);
	m->resource = measure_rows_of(model, TABLE_RESOURCE, m);
	m->withheld = !m->on_purpose && came_out_wrong(&m->verify);
	take_resources(device, m);
	take_times(model, m, &traced);
	if (model->table[TABLE_MEDIANSTEP].nrows)
		take_median_step(model, m);
	else
		take_trace(model, m);
	m->counters = counters_of(model, m);
	barrier_of(model, m, &m->barrier);
}

void measured_free(struct measured *m)
{
	times_free(m);
	free(m->spans);
	free(m->runs);
	free(m->work.item);
	free(m->longest);
	json_decref(m->counters);
}
