/* cause-evidence.c: the measured numbers that a cause rests on, of both sides, each with the pass that gave it. */
#include "model/family/contrast/cause-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/family/contrast/contrast.h"
#include "model/family/measured.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/counter-keys.h"
#include "tree/json.h"
#include "util/alloc.h"

static json_t *evidence_row(
	const char *metric, const char *title, double single, double dbl, const char *unit, const char *pass)
{
	json_t *object = json_object();

	put_json(object, "metric", json_string(metric));
	put_json(object, "title", text_json(title));
	put_json(object, "single", real_json(single));
	put_json(object, "double", real_json(dbl));
	put_json(object, "unit", text_json(unit));
	put_json(object, "pass", json_string(pass));
	return object;
}

/* ---- counters ---- */

const char *counter_text(const struct contrast *c, const char *key, int column)
{
	struct rows rows = rows_all(&c->model->table[TABLE_METRIC]);
	ssize_t i = rows_with(&rows, METRIC_key, key);

	return i < 0 ? "" : row_string(&rows, (size_t)i, column);
}

json_t *counter_evidence(const struct contrast *c, const char *key)
{
	const char *title = counter_text(c, key, METRIC_title);

	return evidence_row(key, *title ? title : key, counter_value(c->single, key), counter_value(c->dbl, key),
		counter_text(c, key, METRIC_unit), "counters");
}

static bool counted_on_both(const struct contrast *c, const char *key)
{
	return isfinite(counter_value(c->single, key)) && isfinite(counter_value(c->dbl, key));
}

static void add_counter(json_t *list, const struct contrast *c, const char *key)
{
	if (counted_on_both(c, key))
		append_json(list, counter_evidence(c, key));
}

static double larger_of_sides(const struct contrast *c, const char *key)
{
	return fmax(counter_value(c->single, key), counter_value(c->dbl, key));
}

/* The reasons of a state that are worth a row, the largest first. */
static void add_reasons(json_t *list, const struct contrast *c, enum warp_state state)
{
	json_t *values = json_object_get(c->single->counters, "values"), *value;
	const char *key, *first = NULL;

	json_object_foreach(values, key, value)
	{
		if (is_state_key(key) && state_of_key(key) == state && counted_on_both(c, key) &&
			(!first || larger_of_sides(c, key) > larger_of_sides(c, first)))
			first = key;
	}
	if (!first)
		return;
	add_counter(list, c, first);
	json_object_foreach(values, key, value)
	{
		if (is_state_key(key) && state_of_key(key) == state && strcmp(key, first) != 0 &&
			larger_of_sides(c, key) >= STALL_WORTH_A_ROW)
			add_counter(list, c, key);
	}
}

/* ---- what the compiler made ---- */

static void add_compiled(json_t *list, const char *metric, const char *title, double a, double b, const char *unit)
{
	append_json(list, evidence_row(metric, title, a, b, unit, "compile"));
}

static void add_barriers(json_t *list, const struct contrast *c)
{
	if (c->single->barriers > 0 || c->dbl->barriers > 0)
		add_compiled(list, "ptx_barriers", "barriers in the PTX", c->single->barriers, c->dbl->barriers, "");
}

static void add_registers(json_t *list, const struct contrast *c)
{
	if (c->single->has_resources && c->dbl->has_resources)
		add_compiled(list, "registers", "registers per thread", c->single->kernel.registers,
			c->dbl->kernel.registers, "");
}

static void add_spills(json_t *list, const struct contrast *c)
{
	add_compiled(list, "local_bytes", "local memory per thread", (double)c->sides[0].counted.local_bytes,
		(double)c->sides[1].counted.local_bytes, "bytes");
	add_registers(list, c);
	add_counter(list, c, KEY_INSTRUCTIONS);
}

static void add_occupancy_limits(json_t *list, const struct contrast *c)
{
	add_counter(list, c, KEY_OCCUPANCY);
	if (!c->single->has_occupancy || !c->dbl->has_occupancy)
		return;
	add_compiled(list, "occupancy_theoretical", "theoretical occupancy", 100 * c->single->occupancy.share,
		100 * c->dbl->occupancy.share, "%");
	add_registers(list, c);
	add_compiled(list, "shared_bytes", "shared memory per block", (double)c->single->kernel.shared_bytes,
		(double)c->dbl->kernel.shared_bytes, "bytes");
}

static void add_waves(json_t *list, const struct contrast *c)
{
	add_compiled(list, "waves", "waves of blocks", c->sides[0].counted.waves, c->sides[1].counted.waves, "");
	add_counter(list, c, KEY_OCCUPANCY);
}

/* ---- the trace ---- */

struct trace_metric {
	const char *metric, *title, *unit;
	double (*of)(const struct traced_run *run);
};

static double copies_time(const struct traced_run *run)
{
	return trace_term_of(run, TERM_COPIES);
}

static double overlap_time(const struct traced_run *run)
{
	return trace_term_of(run, TERM_OVERLAP);
}

static double duplex_time(const struct traced_run *run)
{
	return trace_term_of(run, TERM_DUPLEX);
}

static double kernels_time(const struct traced_run *run)
{
	return (double)run->overlap.busy[WORK_KERNEL];
}

static double other_kernels_time(const struct traced_run *run)
{
	return trace_term_of(run, TERM_OTHER_KERNELS);
}

static double other_time(const struct traced_run *run)
{
	return trace_term_of(run, TERM_OTHER);
}

static double communication_time(const struct traced_run *run)
{
	return run->communication_ns;
}

static double device_copies_time(const struct traced_run *run)
{
	return (double)run->overlap.busy[WORK_OTHER] - run->communication_ns;
}

static double copies_number(const struct traced_run *run)
{
	return (double)run->copies;
}

static double copies_bytes(const struct traced_run *run)
{
	return (double)run->copy_bytes;
}

enum trace_metric_id {
	COPIES_NS,
	OVERLAP_NS,
	DUPLEX_NS,
	KERNEL_NS,
	OTHER_NS,
	ELSEWHERE_NS,
	IDLE_NS,
	OTHER_KERNELS_NS,
	COMMUNICATION_NS,
	DEVICE_COPIES_NS,
	COPIES,
	COPY_BYTES,
	TRACE_METRICS
};

static const struct trace_metric trace_metrics[TRACE_METRICS] = {
	[COPIES_NS] = {"copies_ns", "time of copies, both directions added", "ns", copies_time},
	[OVERLAP_NS] = {"overlap_ns", "copies and kernels at once", "ns", overlap_time},
	[DUPLEX_NS] = {"duplex_ns", "both copy directions at once", "ns", duplex_time},
	[KERNEL_NS] = {"kernel_ns", "time of kernels", "ns", kernels_time},
	[OTHER_NS] = {"other_ns", "other device work alone", "ns", other_time},
	[ELSEWHERE_NS] = {"elsewhere_ns", "idle time of the GPU while another one works", "ns", NULL},
	[IDLE_NS] = {"idle_ns", "idle time of the GPU", "ns", NULL},
	[OTHER_KERNELS_NS] = {"other_kernels_ns", "time of the launch's other kernels", "ns", other_kernels_time},
	[COMMUNICATION_NS] = {"communication_ns", "time of kernels that communicate", "ns", communication_time},
	[DEVICE_COPIES_NS] = {"device_copies_ns", "time of copies on the device and memsets", "ns", device_copies_time},
	[COPIES] = {"copies", "copies", "", copies_number},
	[COPY_BYTES] = {"copy_bytes", "bytes copied", "bytes", copies_bytes},
};

/* Idle time is that of timed launches, as in the cause that it is evidence of. */
static double metric_of_run(const struct measured *m, enum trace_metric_id id, const struct traced_run *run)
{
	if (trace_metrics[id].of)
		return trace_metrics[id].of(run);
	return trace_term_within(run, id == IDLE_NS ? TERM_IDLE : TERM_ELSEWHERE, m->time.median);
}

static double median_of_runs(const struct measured *m, enum trace_metric_id id)
{
	double *x = xcalloc(m->nspans, sizeof(*x));
	struct summary summary;

	for (size_t i = 0; i < m->nspans; i++)
		x[i] = metric_of_run(m, id, &m->runs[i]);
	summarize(x, m->nspans, &summary);
	free(x);
	return summary.median;
}

static bool has_elsewhere(const struct measured *m)
{
	return m->nspans > 0 && m->runs[m->nspans / 2].elsewhere_ns > 0;
}

static const char *title_of_metric(const struct contrast *c, enum trace_metric_id id)
{
	bool several = has_elsewhere(c->single) || has_elsewhere(c->dbl);

	return id == IDLE_NS && several ? "time in which no GPU works" : trace_metrics[id].title;
}

static json_t *trace_evidence(const struct contrast *c, enum trace_metric_id id)
{
	const struct trace_metric *metric = &trace_metrics[id];

	return evidence_row(metric->metric, title_of_metric(c, id), median_of_runs(c->single, id),
		median_of_runs(c->dbl, id), metric->unit, "trace");
}

static void add_trace(json_t *list, const struct contrast *c, enum trace_metric_id id)
{
	append_json(list, trace_evidence(c, id));
}

/* How much time of the launch changed, as a share of the larger_of_sides side. */
static double moved_share(const struct contrast *c, enum trace_metric_id id)
{
	double a = median_of_runs(c->single, id), b = median_of_runs(c->dbl, id);

	return fabs(a - b) / fmax(c->single->time.median, c->dbl->time.median);
}

json_t *moved_trace(const struct contrast *c)
{
	json_t *list = json_array();
	bool told[TRACE_METRICS] = {false};

	for (int k = 0; k < MOVED && c->single->nspans > 0 && c->dbl->nspans > 0; k++) {
		int best = -1;

		for (int id = 0; id <= IDLE_NS; id++) {
			if (!told[id] && moved_share(c, (enum trace_metric_id)id) > 0 &&
				(best < 0 || moved_share(c, (enum trace_metric_id)id) >
						     moved_share(c, (enum trace_metric_id)best)))
				best = id;
		}
		if (best < 0)
			break;
		told[best] = true;
		add_trace(list, c, (enum trace_metric_id)best);
	}
	return list;
}

/* ---- by cause ---- */

bool state_of_cause(enum cause_id id, enum warp_state *state)
{
	static const enum cause_id ids[WARP_STATES] = {
		[STATE_BARRIER] = CAUSE_BARRIER,
		[STATE_MEMORY] = CAUSE_MEMORY,
		[STATE_QUEUE] = CAUSE_QUEUE,
		[STATE_ISSUE] = CAUSE_ISSUE,
		[STATE_OTHER] = CAUSE_OTHER_WAITS,
	};

	*state = STATE_ISSUE;
	if (id == CAUSE_INSTRUCTIONS)
		return true;
	for (int s = 0; s < WARP_STATES; s++) {
		if (ids[s] == id) {
			*state = (enum warp_state)s;
			return true;
		}
	}
	return false;
}

static void add_state_evidence(json_t *list, const struct contrast *c, enum cause_id id, enum warp_state state)
{
	double bytes = counter_value(c->dbl, KEY_DRAM_BYTES) / counter_value(c->single, KEY_DRAM_BYTES);

	if (id == CAUSE_INSTRUCTIONS)
		add_counter(list, c, KEY_INSTRUCTIONS);
	add_reasons(list, c, state);
	if (id == CAUSE_BARRIER)
		add_barriers(list, c);
	if (id == CAUSE_MEMORY && fabs(bytes - 1) >= notable_share)
		add_counter(list, c, KEY_DRAM_BYTES);
}

static void add_trace_evidence(json_t *list, const struct contrast *c, enum cause_id id)
{
	static const enum trace_metric_id metrics[CAUSES] = {
		[CAUSE_COPIES_BESIDE_KERNELS] = OVERLAP_NS,
		[CAUSE_COPIES_BOTH_WAYS] = DUPLEX_NS,
		[CAUSE_PAGEABLE] = COPIES_NS,
		[CAUSE_COPY_COUNT] = COPIES_NS,
		[CAUSE_COPY_RATE] = COPIES_NS,
		[CAUSE_KERNEL_TIME] = KERNEL_NS,
		[CAUSE_DEVICE_WORK] = OTHER_NS,
		[CAUSE_GPUS_IN_TURN] = ELSEWHERE_NS,
		[CAUSE_HOST_LATE] = IDLE_NS,
	};

	add_trace(list, c, id == CAUSE_KERNEL_TIME && c->kernel_bound ? OTHER_KERNELS_NS : metrics[id]);
	if (metrics[id] == COPIES_NS) {
		add_trace(list, c, COPIES);
		add_trace(list, c, COPY_BYTES);
	}
	if (id == CAUSE_DEVICE_WORK && c->of_programs) {
		add_trace(list, c, COMMUNICATION_NS);
		add_trace(list, c, DEVICE_COPIES_NS);
	}
}

json_t *evidence_of_cause(const struct contrast *c, const struct cause *cause)
{
	json_t *list = json_array();
	enum warp_state state;

	if (cause->id <= CAUSE_HOST_LATE)
		add_trace_evidence(list, c, cause->id);
	else if (cause->id == CAUSE_SPILLS)
		add_spills(list, c);
	else if (cause->id == CAUSE_OCCUPANCY)
		add_occupancy_limits(list, c);
	else if (cause->id == CAUSE_WAVES)
		add_waves(list, c);
	else if (state_of_cause(cause->id, &state))
		add_state_evidence(list, c, cause->id, state);
	return list;
}
