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
#include "model/recording.h"
#include "model/trace/calls.h"
#include "store/rowset.h"
#include "model/trace/iteration.h"
#include "model/trace/overlap.h"
#include "model/trace/trace.h"
#include "store/store.h"

static struct rows measure_rows_of(const struct model *model, enum table_id table, const struct measured *m)
{
	const char *const key[] = {m->family, m->variant, m->label};

	return rows_find(&model->table[table], 3, key);
}

bool measured_in_row(const struct measured *m, const struct rows *rows, size_t i, int family)
{
	const char *const key[] = {m->family, m->variant, m->label};

	for (int k = 0; k < 3; k++) {
		const char *text = row_text(rows, i, family + k);

		if (!text || strcmp(text, key[k]) != 0)
			return false;
	}
	return true;
}

bool is_part(const char *kind)
{
	static const char *const parts[] = {"floor", "loads", "stores", "compute"};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (kind && strcmp(kind, parts[i]) == 0)
			return true;
	}
	return false;
}

bool came_out_wrong(const struct rows *verify)
{
	for (size_t i = 0; i < verify->count; i++) {
		if (row_int(verify, i, VERIFY_wrong) > 0)
			return true;
	}
	return false;
}

/* INT_MAX for more. */
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

/* The work that belongs to a range, by start. */
static int measure_take_work(const struct model *model, const struct range *range, struct work_list *out)
{
	size_t first, count;

	range_work(&model->trace, range, &first, &count);
	*out = (struct work_list){.item = calloc(count + 1, sizeof(*out->item)), .n = count};
	if (!out->item)
		return -1;
	if (count > 0)
		memcpy(out->item, model->trace.by_call + first, count * sizeof(*out->item));
	return 0;
}

static int span_of(const struct model *model, const struct range *range, double *span)
{
	struct work_list work;
	struct overlap overlap;
	int result;

	if (measure_take_work(model, range, &work) < 0)
		return -1;
	*span = NAN;
	result = 0;
	if (work.n) {
		result = work_overlap(&work, work.item[0]->device, &overlap);
		*span = (double)overlap.span;
	}
	free(work.item);
	return result;
}

/* Takes the work of the iteration whose span is the median: of an even number, the lower of the two in the middle. */
static int take_median(const struct model *model, struct measured *m, struct spanned *spanned)
{
	if (m->nspans == 0)
		return 0;
	qsort(spanned, m->nspans, sizeof(*spanned), by_span);
	m->range = spanned[(m->nspans - 1) / 2].range;
	if (measure_take_work(model, m->range, &m->work) < 0)
		return -1;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): one without work has no span */
	return work_overlap(&m->work, m->work.item[0]->device, &m->overlap);
}

static int take_trace(const struct model *model, struct measured *m)
{
	const struct iteration *iterations = iterations_of(model, m->anchor, m->label, &m->iterations);
	struct spanned *spanned = calloc(m->iterations + 1, sizeof(*spanned));
	int result = 0;

	m->spans = calloc(m->iterations + 1, sizeof(*m->spans));
	if (!spanned || !m->spans)
		result = -1;
	for (size_t i = 0; i < m->iterations && result == 0; i++) {
		double span;

		result = span_of(model, iterations[i].range, &span);
		if (result < 0 || isnan(span))
			continue;
		spanned[m->nspans] = (struct spanned){iterations[i].range, span, i};
		m->spans[m->nspans++] = span;
	}
	if (result == 0)
		result = take_median(model, m, spanned);
	free(spanned);
	return result;
}

int measure_case(const struct model *model, const struct rows *device, struct measured *m)
{
	struct rows unsupported = measure_rows_of(model, TABLE_UNSUPPORTED, m),
		    traced = measure_rows_of(model, TABLE_TRACED, m);

	if (unsupported.count)
		m->unsupported = row_text(&unsupported, 0, UNSUPPORTED_reason);
	m->verify = measure_rows_of(model, TABLE_VERIFY, m);
	m->samples = measure_rows_of(model, TABLE_SAMPLE, m);
	m->counts = measure_rows_of(model, TABLE_COUNT, m);
	m->resource = measure_rows_of(model, TABLE_RESOURCE, m);
	m->withheld = !m->on_purpose && came_out_wrong(&m->verify);
	take_resources(device, m);
	if (take_times(model, m, &traced) < 0 || take_trace(model, m) < 0)
		return -1;
	return counters_of(model, m, &m->counters) < 0 ? -1 : barrier_of(model, m, &m->barrier);
}

void measured_free(struct measured *m)
{
	times_free(m);
	free(m->spans);
	free(m->work.item);
	json_decref(m->counters);
}
