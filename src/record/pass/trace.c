/* trace.c: when does what run? Iterations under CUPTI with NVTX ranges. The host's counts are compared with the
 * records. */
#include "record/pass/steps.h"
#include "record/worker/worker.h"

#include <stdlib.h>

#include "record/cupti/activity.h"
#include "record/pass/batch.h"
#include "record/pass/launch.h"
#include "record/worker/fits.h"
#include "record/worker/nvtx.h"
#include "record/worker/result.h"
#include "util/alloc.h"
#include "util/clock.h"

enum { ITERATIONS = 7, TRACED_WARM_UPS = 2, OBSERVED_BATCHES = 5 };
static const int64_t WARM_UP_NS = 50000000; /* untraced, of a case */

/* If a launch of each variant takes so long (ns), fewer are traced, and what tracing costs is not found out. */
static const int64_t SLOW_NS = INT64_C(10000000000);
enum { SLOW_ITERATIONS = 3, SLOW_WARM_UPS = 1 };

/* One variant in one case: what the host counted, and when. */
struct traced {
	const struct variant *variant;
	struct tracing *tracing;
	struct enqueued host;
	struct batch_limits limits;                 /* number of batches that measure what tracing costs */
	int launches;                               /* in a batch */
	bool is_long;                               /* batch_long() */
	int64_t begin[ITERATIONS], end[ITERATIONS]; /* ns, CUPTI's clock */
	int iterations;
};

struct tracing {
	struct worker *w;
	const struct size_case *size;
	void *state;
	struct batcher batcher;
	struct traced *traced;
	int n;
	const char **untraced; /* of each variant of the family: why it was left out; NULL: it was not, so far */
	bool slow;             /* SLOW_NS */
	int cases;             /* that had something to trace */
};

/* ---- CUPTI ---- */

static void pass_trace_close(struct worker *w)
{
	activity_stop(w->activity);
	w->activity = NULL;
}

static bool pass_trace_open(struct worker *w)
{
	char version[16];

	w->activity = activity_start(w->spool, w->options->device, &w->skipped);
	if (!w->activity)
		return false;
	snprintf(version, sizeof(version), "%u", (unsigned)w->activity->cupti.version);
	result_fact(w->result, "cupti", version);
	if (w->activity->offset != 0)
		worker_note(w, SEVERITY_WARNING, "CUPTI's clock is %.3f ms off the time of day: its times were shifted",
			(double)w->activity->offset / 1e6);
	return true;
}

/* ---- running ---- */

static cudaError_t trace_run_once(struct tracing *t, const struct variant *variant, struct enqueued *done)
{
	cudaError_t code = variant->launch(t->state, t->w->stream, done);

	return code == cudaSuccess ? cudaStreamSynchronize(t->w->stream) : code;
}

/* Each variant `runs` times, and all of them again until `ns` are over. */
static int trace_warm_up(struct tracing *t, int runs, int64_t ns)
{
	int64_t until = clock_monotonic() + ns;
	struct enqueued done = {0};

	do {
		for (int i = 0; i < runs * t->n; i++) {
			cudaError_t code = trace_run_once(t, t->traced[i % t->n].variant, &done);

			if (code != cudaSuccess)
				return worker_cuda_problem(t->w, t->traced[i % t->n].variant, t->size, code);
		}
	} while (clock_monotonic() < until);
	return 0;
}

static int trace_iteration(struct tracing *t, struct traced *v)
{
	cudaError_t code;
	int i = v->iterations++;

	worker_at(t->w, v->variant, t->size);
	nvtx_push_variant(t->w->family, v->variant);
	nvtx_push_iteration(PASS_TRACE, v->variant, t->size->label, i);
	v->begin[i] = activity_now(t->w->activity);
	code = trace_run_once(t, v->variant, &v->host);
	v->end[i] = activity_now(t->w->activity);
	nvtx_pop();
	nvtx_pop();
	return code == cudaSuccess ? 0 : worker_cuda_problem(t->w, v->variant, t->size, code);
}

/* Set-up and warm-up are over. The first traced launches pay for CUPTI's own set-up, so they lie outside the ranges.
 * Variants take turns: a disturbance of some milliseconds (such as another guest on the PCIe switch) then hits a few
 * iterations of all variants, which the median leaves out, instead of all iterations of one. */
static int trace_variants(struct tracing *t)
{
	int result = trace_warm_up(t, t->slow ? SLOW_WARM_UPS : TRACED_WARM_UPS, 0);
	const int iterations = t->slow ? SLOW_ITERATIONS : ITERATIONS;

	nvtx_push_family(t->w->family);
	for (int i = 0; i < iterations * t->n && result == 0; i++)
		result = trace_iteration(t, &t->traced[i % t->n]);
	nvtx_pop();
	return result;
}

/* ---- reconciling ---- */

static void trace_write_count(
	struct tracing *t, const struct traced *v, enum counted what, int64_t host, int64_t recorded)
{
	bool lower_bound = v->variant->opaque_launches;
	const struct value row[COUNT_NUMBER] = {
		[COUNT_family] = VALUE_OF_TEXT(t->w->family->name),
		[COUNT_variant] = VALUE_OF_TEXT(v->variant->name),
		[COUNT_caseLabel] = VALUE_OF_TEXT(t->size->label),
		[COUNT_iterations] = VALUE_OF_INT(v->iterations),
		[COUNT_what] = VALUE_OF_TEXT(counted_name(what)),
		[COUNT_host] = VALUE_OF_INT(host),
		[COUNT_recorded] = VALUE_OF_INT(recorded),
		[COUNT_lowerBound] = VALUE_OF_INT(lower_bound),
	};

	worker_row(t->w, TABLE_COUNT, row);
	if (lower_bound ? recorded >= host : recorded == host)
		return;
	worker_note(t->w, SEVERITY_ERROR,
		"%s/%s, case %s: the host counted %s%lld %s in %d iterations, CUPTI recorded %lld", t->w->family->name,
		v->variant->name, t->size->label, lower_bound ? "at least " : "", (long long)host, counted_name(what),
		v->iterations, (long long)recorded);
}

static void reconcile(struct tracing *t, const struct tally *tally)
{
	for (int i = 0; i < t->n; i++) {
		const struct traced *v = &t->traced[i];
		const int64_t host[COUNTED_NUMBER] = {
			[COUNTED_KERNELS] = v->host.kernels,
			[COUNTED_COPIES] = v->host.copies,
			[COUNTED_MEMSETS] = v->host.memsets,
		};
		int64_t recorded[COUNTED_NUMBER] = {0};

		for (int k = 0; k < v->iterations; k++)
			tally_count(tally, v->begin[k], v->end[k], recorded);
		for (int what = 0; what < COUNTED_NUMBER; what++)
			trace_write_count(t, v, (enum counted)what, host[what], recorded[what]);
	}
}

static void tell_loss(struct worker *w, size_t n, const char *one, const char *several)
{
	if (n > 0)
		worker_note(w, SEVERITY_ERROR, "%s: %zu %s", w->family->name, n, n == 1 ? one : several);
}

/* Takes all records of the case and compares. The device is idle. -1: CUPTI did not give them. */
static int trace_collect(struct tracing *t)
{
	struct tally tally;
	struct losses losses;
	struct error err = {0};
	int result = activity_flush(t->w->activity, &err);

	if (result < 0)
		worker_problem(t->w, "%s", err.text);
	activity_take(t->w->activity, &tally, &losses);
	tell_loss(
		t->w, losses.dropped, "activity record was dropped by CUPTI", "activity records were dropped by CUPTI");
	tell_loss(t->w, losses.damaged, "activity buffer could not be read to its end",
		"activity buffers could not be read to their end");
	tell_loss(t->w, losses.untimed, "activity record has no usable times and was left out",
		"activity records have no usable times and were left out");
	tell_loss(t->w, losses.unnoted + tally.short_of_memory, "activity record was lost: out of memory",
		"activity records were lost: out of memory");
	tell_loss(t->w, losses.unnamed, "name of an NVTX range was lost: out of memory",
		"names of NVTX ranges were lost: out of memory");
	tally_sort(&tally);
	reconcile(t, &tally);
	tally_clear(&tally);
	worker_flush(t->w);
	return result;
}

/* ---- what tracing costs ---- */

static cudaError_t trace_launch(void *user)
{
	struct traced *v = user;
	struct enqueued done = {0};

	return v->variant->launch(v->tracing->state, v->tracing->w->stream, &done);
}

static void write_observed(struct tracing *t, const struct traced *v, int launches, double ns)
{
	const struct value row[TRACED_NUMBER] = {
		[TRACED_family] = VALUE_OF_TEXT(t->w->family->name),
		[TRACED_variant] = VALUE_OF_TEXT(v->variant->name),
		[TRACED_caseLabel] = VALUE_OF_TEXT(t->size->label),
		[TRACED_launches] = VALUE_OF_INT(launches),
		[TRACED_ns] = VALUE_OF_REAL(ns / launches),
	};

	worker_row(t->w, TABLE_TRACED, row);
}

static struct batch_work work_of(struct traced *v, bool cold)
{
	return (struct batch_work){trace_launch, v, v->limits.held, cold};
}

/* Finds out how many launches a variant's batch gets. */
static cudaError_t plan_batches(struct tracing *t, struct traced *v)
{
	struct enqueued once = v->host;
	struct batch_work work;
	double length;
	cudaError_t code;

	once.kernels /= v->iterations;
	once.copies /= v->iterations;
	once.memsets /= v->iterations;
	v->limits = batch_limits(v->variant, &once);
	work = work_of(v, false);
	code = v->variant->opaque_launches ? batch_try_library(&t->batcher, &work, &v->limits) : cudaSuccess;
	work.held = v->limits.held;
	if (code != cudaSuccess)
		return code;
	code = batch_calibrate(&t->batcher, &work, BATCH_NS, v->limits.launches, &v->launches, &length);
	v->is_long = batch_long(&once, length / v->launches);
	return code;
}

static cudaError_t observe_variant(struct tracing *t, struct traced *v, bool cold)
{
	const struct batch_work work = work_of(v, cold);
	struct batch_result result;
	cudaError_t code = cudaSuccess;

	for (int i = 0; i < OBSERVED_BATCHES && code == cudaSuccess; i++) {
		code = batch_run(&t->batcher, &work, v->launches, &result);
		if (code == cudaSuccess)
			write_observed(t, v, v->launches, result.ns);
	}
	return code;
}

/* Runs batches as the time pass does, with records on. That one does not time what is wrong on purpose, so it does not
 * decide here either whether batches begin cold. */
static int observe_all(struct tracing *t)
{
	bool cold = true;

	for (int i = 0; i < t->n; i++) {
		cudaError_t code = plan_batches(t, &t->traced[i]);

		if (code != cudaSuccess)
			return worker_cuda_problem(t->w, t->traced[i].variant, t->size, code);
		cold = cold && (t->traced[i].is_long || t->traced[i].variant->teaches_failure);
	}
	for (int i = 0; i < t->n; i++) {
		cudaError_t code = observe_variant(t, &t->traced[i], cold);

		if (code != cudaSuccess)
			return worker_cuda_problem(t->w, t->traced[i].variant, t->size, code);
	}
	return 0;
}

/* Compared with the time pass, this tells what tracing costs. Nobody needs the records of all these launches. */
static int observe(struct tracing *t)
{
	struct tally tally;
	struct losses losses;
	struct error err = {0};
	int result;

	activity_discard(t->w->activity, true);
	result = observe_all(t);
	if (worker_alive(t->w) && activity_flush(t->w->activity, &err) < 0)
		worker_problem(t->w, "%s", err.text);
	activity_take(t->w->activity, &tally, &losses);
	tally_clear(&tally);
	activity_discard(t->w->activity, false);
	return result;
}

/* ---- cases ---- */

/* Traces variants that are wrong on purpose. Leaves out those that should be right and are not, and tells in its first
 * case what cannot be traced. */
static void trace_choose(struct tracing *t)
{
	t->n = 0;
	for (int i = 0; i < t->w->family->nvariants; i++) {
		const struct variant *variant = &t->w->family->variants[i];
		const char *why = fits_trace_not(variant);

		if (!launch_wanted(t->w, variant, t->size))
			continue;
		if (!why)
			t->traced[t->n++] = (struct traced){.variant = variant, .tracing = t};
		else if (!t->untraced[i])
			worker_note(t->w, SEVERITY_INFO, "%s/%s was not traced: %s", t->w->family->name, variant->name,
				why);
		t->untraced[i] = why;
	}
}

static int trace_run_case(struct tracing *t)
{
	struct error err = {0};
	const int64_t begin = clock_monotonic();
	int result = trace_warm_up(t, 1, WARM_UP_NS);

	if (result < 0)
		return -1;
	t->slow = clock_monotonic() - begin >= SLOW_NS;
	if (activity_resume(t->w->activity, &err) < 0) {
		worker_problem(t->w, "%s", err.text);
		return -1;
	}
	result = trace_variants(t);
	if (worker_alive(t->w) && trace_collect(t) < 0)
		result = -1;
	if (result == 0 && !t->slow)
		result = observe(t);
	activity_pause(t->w->activity);
	return result;
}

/* False if CUDA is dead. */
static bool trace_case(struct tracing *t, const struct size_case *size)
{
	struct error why = {0};
	int result;

	t->size = size;
	trace_choose(t);
	if (t->n == 0 || worker_leaves_out(t->w, size, &why))
		return worker_alive(t->w);
	t->cases++;
	worker_at(t->w, NULL, size);
	result = worker_set_up(t->w, size, &t->state);
	if (result == 0) {
		result = trace_run_case(t);
		t->w->family->tear_down(t->state);
	}
	return result == 0 || worker_alive(t->w);
}

/* Why the first variant was left out that was; NULL: none was. */
static const char *trace_reason(const struct tracing *t)
{
	for (int i = 0; i < t->w->family->nvariants; i++)
		if (t->untraced[i])
			return t->untraced[i];
	return NULL;
}

static void trace_cases(struct tracing *t)
{
	for (int i = 0; i < t->w->ncases; i++)
		if (!t->w->cases[i].verify_only && !trace_case(t, &t->w->cases[i]))
			break;
	if (t->cases == 0)
		error_set(&t->w->skipped, "nothing to trace: %s",
			trace_reason(t) ? trace_reason(t) : "no chosen variant is supported here and right");
}

static void pass_trace_run(struct worker *w)
{
	const size_t variants = (size_t)w->family->nvariants;
	struct tracing t = {.w = w,
		.traced = xcalloc(variants, sizeof(*t.traced)),
		.untraced = xcalloc(variants, sizeof(*t.untraced))};
	struct error err = {0};

	/* Records are on only while iterations run, not during set-up, checks and warm-up. */
	activity_pause(w->activity);
	if (batcher_open(&t.batcher, w->stream, &err) < 0) {
		worker_problem(w, "%s", err.text);
	} else {
		trace_cases(&t);
		batcher_close(&t.batcher);
	}
	free(t.traced);
	free(t.untraced);
}

const struct pass_steps pass_trace = {pass_trace_open, pass_trace_run, pass_trace_close};
