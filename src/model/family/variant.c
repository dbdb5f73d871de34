/* variant.c: what each pass gave for one variant in one case, as it stands in a V object of the model. */
#include "model/family/variant.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "model/family/barrier.h"
#include "model/family/measured.h"
#include "model/family/phases.h"
#include "model/family/pm.h"
#include "model/family/stalls.h"
#include "model/fit/fit.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "model/trace/overlap.h"
#include "model/trace/timeline.h"
#include "model/trace/trace.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/number.h"

static void count_wrong(
	const struct rows *verify, json_int_t *runs, json_int_t *total, json_int_t *worst, double *error)
{
	*runs = *total = *worst = 0;
	*error = NAN;
	for (size_t i = 0; i < verify->count; i++) {
		json_int_t wrong = row_int(verify, i, VERIFY_wrong);

		*runs += wrong > 0;
		*total = int64_sum(*total, wrong);
		*worst = wrong > *worst ? wrong : *worst;
		*error = fmax(*error, row_real(verify, i, VERIFY_maxError));
	}
}

/* The first wrong element of the first run that came out wrong. */
static void put_first_wrong(json_t *object, const struct rows *verify)
{
	static const struct field fields[] = {
		{"first_wrong", VERIFY_firstWrong},
		{"got", VERIFY_got},
		{"want", VERIFY_want},
	};
	enum { NFIELDS = sizeof(fields) / sizeof(fields[0]) };

	for (size_t i = 0; i < verify->count; i++) {
		if (row_int(verify, i, VERIFY_wrong) > 0) {
			put_fields(object, verify, i, fields, NFIELDS);
			return;
		}
	}
	for (int f = 0; f < NFIELDS; f++)
		put_json(object, fields[f].key, json_null());
}

static json_t *verify_json(const struct measured *m)
{
	json_int_t wrong_runs, total, worst;
	double error;
	json_t *object;

	if (m->verify.count == 0)
		return json_null();
	count_wrong(&m->verify, &wrong_runs, &total, &worst, &error);
	object = json_object();
	put_json(object, "ok", flag_json(m->on_purpose ? -1 : wrong_runs == 0));
	put_json(object, "runs", json_integer((json_int_t)m->verify.count));
	put_json(object, "wrong_runs", json_integer(wrong_runs));
	put_json(object, "elements", row_json(&m->verify, 0, VERIFY_elements));
	put_first_wrong(object, &m->verify);
	put_json(object, "worst_wrong", json_integer(worst));
	put_json(object, "total_wrong", json_integer(total));
	put_json(object, "max_error", real_json(error));
	return object;
}

static json_t *reals_json(const double *x, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		append_json(list, real_json(x[i]));
	return list;
}

static json_t *numbers_json(const int *x, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		append_json(list, json_integer(x[i]));
	return list;
}

/* Where the SM clock comes from. */
static json_t *clock_source(const struct measured *m)
{
	return m->on_gpu.n ? json_string("gpu") : m->nvml.n ? json_string("nvml") : json_null();
}

static json_t *time_json(const struct measured *m)
{
	const struct summary *time = &m->time;
	const struct {
		const char *key;
		double value;
	} values[] = {
		{"median_ns", time->median},
		{"q1_ns", time->q1},
		{"q3_ns", time->q3},
		{"min_ns", time->min},
		{"max_ns", time->max},
		{"low_ns", m->low},
		{"high_ns", m->high},
		{"sm_mhz", m->sm_mhz},
		{"median_cycles", m->median_cycles},
	};
	json_t *object;

	if (m->n == 0)
		return json_null();
	object = json_object();
	put_json(object, "n", json_integer((json_int_t)m->n));
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		put_json(object, values[i].key, real_json(values[i].value));
	put_json(object, "launches", row_json(&m->samples, 0, SAMPLE_launches));
	put_json(object, "samples_ns", reals_json(m->ns, m->n));
	put_json(object, "blocks", numbers_json(m->block, m->n));
	put_json(object, "runs", numbers_json(m->run, m->n));
	put_json(object, "clock_source", clock_source(m));
	return object;
}

/* The samples that count nowhere, for the GPU was throttled. */
static json_t *apart_json(const struct measured *m)
{
	json_t *object;

	if (m->apart.n == 0)
		return json_null();
	object = json_object();
	put_json(object, "n", json_integer((json_int_t)m->apart.n));
	put_json(object, "samples_ns", reals_json(m->apart.x, m->apart.n));
	put_json(object, "blocks", numbers_json(m->apart.block, m->apart.n));
	return object;
}

/* What recording activities does to the time of a launch. */
static json_t *observer_json(const struct measured *m)
{
	const struct blocked_samples plain = samples_of(m);
	struct run_medians runs;
	json_t *object;

	if (m->n == 0 || m->ntraced == 0)
		return json_null();
	object = json_object();
	run_medians(&plain, &runs);
	put_json(object, "plain_ns", real_json(m->time.median));
	put_json(object, "traced_ns", real_json(m->traced));
	put_json(object, "ratio", real_json(m->traced / m->time.median));
	put_json(object, "samples", json_integer((json_int_t)m->ntraced));
	put_json(object, "runs", json_integer((json_int_t)runs.runs));
	put_json(object, "runs_low_ns", real_json(runs.low));
	put_json(object, "runs_high_ns", real_json(runs.high));
	return object;
}

static json_t *occupancy_json(const struct measured *m)
{
	const struct occupancy *occupancy = &m->occupancy;
	json_t *object;

	if (!m->has_occupancy)
		return json_null();
	object = json_object();
	put_json(object, "share", real_json(occupancy->share));
	put_json(object, "warps", json_integer(occupancy->warps));
	put_json(object, "blocks", json_integer(occupancy->blocks));
	put_json(object, "limiter", text_json(occupancy_limiter_name(occupancy->limiter)));
	put_json(object, "runtime_blocks", row_json(&m->resource, 0, RESOURCE_blocksPerSm));
	return object;
}

/* Three columns side by side: x, y, z. */
static json_t *triple_json(const struct rows *rows, int column)
{
	json_t *list = json_array();

	for (int i = 0; i < 3; i++)
		append_json(list, row_json(rows, 0, column + i));
	return list;
}

static json_t *resources_json(const struct measured *m)
{
	static const struct field fields[] = {
		{"symbol", RESOURCE_symbol},
		{"registers", RESOURCE_registers},
		{"static_shared_bytes", RESOURCE_staticSmem},
		{"dynamic_shared_bytes", RESOURCE_dynamicSmem},
		{"local_bytes", RESOURCE_localBytes},
	};
	json_t *object;

	if (!m->has_resources)
		return json_null();
	object = json_object();
	put_fields(object, &m->resource, 0, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(object, "grid", triple_json(&m->resource, RESOURCE_gridX));
	put_json(object, "block", triple_json(&m->resource, RESOURCE_blockX));
	put_json(object, "threads", json_integer(m->kernel.threads));
	put_json(object, "shared_bytes", json_integer(m->kernel.shared_bytes));
	put_json(object, "occupancy", occupancy_json(m));
	return object;
}

bool count_agrees(const struct rows *counts, size_t i)
{
	int64_t host = row_int(counts, i, COUNT_host), recorded = row_int(counts, i, COUNT_recorded);

	return row_int(counts, i, COUNT_lowerBound) ? recorded >= host : recorded == host;
}

static json_t *variant_counts_json(const struct rows *counts)
{
	static const struct field fields[] = {
		{"what", COUNT_what},
		{"host", COUNT_host},
		{"recorded", COUNT_recorded},
	};
	json_t *list = json_array();

	for (size_t i = 0; i < counts->count; i++) {
		json_t *object = json_object();

		put_fields(object, counts, i, fields, sizeof(fields) / sizeof(fields[0]));
		put_json(object, "lower_bound", json_boolean(row_int(counts, i, COUNT_lowerBound) != 0));
		put_json(object, "ok", json_boolean(count_agrees(counts, i)));
		append_json(list, object);
	}
	return list;
}

/* The iteration's work below the ranges that share time with it on its thread: around it, itself, and in it. */
static json_t *iteration_timeline(const struct model *model, const struct measured *m)
{
	const struct trace *trace = &model->trace;
	const struct range **ranges = xcalloc(trace->nranges, sizeof(*ranges));
	json_t *timeline;
	size_t n = 0;

	for (int outer = m->range->parent; outer >= 0; outer = trace->ranges[outer].parent)
		ranges[n++] = &trace->ranges[outer];
	for (const struct range *r = m->range; r < trace->ranges + trace->nranges; r++) {
		if (r->thread != m->range->thread || r->start >= m->range->end)
			break;
		ranges[n++] = r;
	}
	timeline = timeline_json(model, &m->work, NULL, ranges, n);
	free(ranges);
	return timeline;
}

/* Of report.json, for the step of a side. */
enum { STEP_TIMELINE_BYTES = 150000 };

/* The step's work below all ranges that share time with it, of whatever thread; it begins where the step does. */
static json_t *step_timeline(const struct model *model, const struct measured *m)
{
	const struct trace *trace = &model->trace;
	const struct range **ranges = xcalloc(trace->nranges + 1, sizeof(*ranges));
	json_t *timeline;
	size_t n = 0;

	for (size_t i = 0; i < trace->nranges; i++)
		if (trace->ranges[i].start < m->step.to && trace->ranges[i].end > m->step.from)
			ranges[n++] = &trace->ranges[i];
	timeline = timeline_json(model, &m->work, &m->step, ranges, n);
	fit_timeline(timeline, STEP_TIMELINE_BYTES);
	free(ranges);
	return timeline;
}

static json_t *trace_json(const struct model *model, const struct measured *m)
{
	json_t *object;

	if (m->iterations == 0 && m->counts.count == 0)
		return json_null();
	object = json_object();
	put_json(object, "iterations", json_integer((json_int_t)m->iterations));
	put_json(object, "spans_ns", reals_json(m->spans, m->nspans));
	put_json(object, "counts", variant_counts_json(&m->counts));
	if (m->work.n) {
		put_json(object, "work",
			overlap_json(model, work_lane(&model->trace, m->work.item[0])->device, &m->overlap));
		put_json(object, "timeline", m->step.whole ? step_timeline(model, m) : iteration_timeline(model, m));
	} else {
		put_json(object, "work", json_null());
		put_json(object, "timeline", json_null());
	}
	return object;
}

json_t *variant_case_json(
	const struct model *model, const struct measured *m, const struct measured *single, double throughput)
{
	json_t *object = json_object();
	double ratio = single ? single->time.median / m->time.median : NAN;

	put_json(object, "case", text_json(m->label));
	put_json(object, "unsupported", text_json(m->unsupported));
	put_json(object, "verify", verify_json(m));
	put_json(object, "withheld", json_boolean(m->withheld));
	put_json(object, "time", time_json(m));
	put_json(object, "apart", apart_json(m));
	put_json(object, "observer", observer_json(m));
	put_json(object, "throughput", real_json(throughput));
	put_json(object, "versus_single", real_json(ratio));
	put_json(object, "resources", resources_json(m));
	put_json(object, "trace", trace_json(model, m));
	put_json(object, "counters", m->counters ? json_incref(m->counters) : json_null());
	put_json(object, "barrier", barrier_json(&m->barrier));
	put_json(object, "stalls", stalls_json(model, m));
	put_json(object, "phases", phases_json(model, m));
	put_json(object, "pm", pm_json(model, m));
	return object;
}
