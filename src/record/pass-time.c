/* pass-time.c: how long? CUDA events around batches of launches, variants interleaved A B B A, CUPTI not loaded. */
#include "record/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/clock.h"
#include "record/device.h"
#include "record/environment.h"
#include "record/gate.h"
#include "record/nvml.h"
#include "record/nvtx.h"
#include "record/select.h"

enum {
	MIN_BLOCKS = 15,
	MAX_BLOCKS = 50,
	MAX_LAUNCHES = 1000,
	MAX_HELD = 500,      /* kernels enqueued behind the gate: a stream's queue is finite */
	CLOCKS_EVERY = 5,    /* blocks between two full readings of NVML */
	STEADY_READINGS = 3, /* equal SM clocks in a row */
	STEADY_MHZ = 15,     /* one step of the clock */
};

static const double BATCH_NS = 200e3; /* twice the shortest batch that counts as a sample */
static const int64_t MS = 1000000;
static const int64_t WARM_UP_MIN_MS = 100, WARM_UP_MAX_MS = 400, WARM_UP_STEP_MS = 20;
static const int64_t TOTAL_MS = 8000, CASE_MIN_MS = 150, CASE_MAX_MS = 800; /* sampling: of all families; of a case */

struct timed {
	const struct variant *variant;
	int launches;     /* in a batch */
	int max_launches; /* that a batch may have */
	bool held;        /* batches wait behind the gate until they are enqueued whole */
	int samples;      /* taken */
};

struct timing {
	struct worker *w;
	const struct size_case *size;
	void *state;
	struct nvml *nvml; /* NULL without NVML */
	cudaEvent_t begin, end;
	struct gate gate;
	struct timed *timed;
	int n;
	int cases; /* that had something to time */
};

/* ---- one batch ---- */

static cudaError_t launch(struct timing *t, const struct timed *v, int launches)
{
	struct enqueued done = {0};
	cudaError_t code = cudaSuccess;

	for (int i = 0; i < launches && code == cudaSuccess; i++)
		code = v->variant->launch(t->state, t->w->stream, &done);
	return code;
}

/* An untimed launch goes first: it leaves the caches as this variant leaves them. */
static cudaError_t enqueue_batch(struct timing *t, const struct timed *v, int launches)
{
	cudaError_t code = launch(t, v, 1);

	if (code == cudaSuccess)
		code = cudaEventRecord(t->begin, t->w->stream);
	if (code == cudaSuccess)
		code = launch(t, v, launches);
	if (code == cudaSuccess)
		code = cudaEventRecord(t->end, t->w->stream);
	return code;
}

/* Runs one batch and gives its length. */
static cudaError_t batch(struct timing *t, const struct timed *v, int launches, double *ns)
{
	float ms = 0;
	cudaError_t code = v->held ? gate_close(&t->gate, t->w->stream) : cudaSuccess;
	bool closed = v->held && code == cudaSuccess;

	if (code == cudaSuccess)
		code = enqueue_batch(t, v, launches);
	if (closed)
		gate_open(&t->gate);
	if (code == cudaSuccess)
		code = cudaEventSynchronize(t->end);
	if (code == cudaSuccess)
		code = cudaEventElapsedTime(&ms, t->begin, t->end);
	*ns = (double)ms * 1e6;
	return code;
}

/* ---- before the samples ---- */

/* Runs every variant in turn for at least `ns`. */
static int run_for(struct timing *t, int64_t ns)
{
	int64_t until = clock_monotonic() + ns;

	do {
		for (int i = 0; i < t->n; i++) {
			cudaError_t code = launch(t, &t->timed[i], 1);

			if (code == cudaSuccess)
				code = cudaStreamSynchronize(t->w->stream);
			if (code != cudaSuccess)
				return worker_cuda_problem(t->w, t->timed[i].variant, t->size, code);
		}
	} while (clock_monotonic() < until);
	return 0;
}

/* Works until the SM clock has stopped rising. */
static int warm_up(struct timing *t)
{
	int64_t begin = clock_monotonic();
	long long last = nvml_sm_mhz(t->nvml);
	int steady = 1;

	if (run_for(t, WARM_UP_MIN_MS * MS) < 0)
		return -1;
	while (t->nvml != NULL && steady < STEADY_READINGS && clock_monotonic() - begin < WARM_UP_MAX_MS * MS) {
		long long now = nvml_sm_mhz(t->nvml);

		steady = llabs(now - last) <= STEADY_MHZ ? steady + 1 : 1;
		last = now;
		if (run_for(t, WARM_UP_STEP_MS * MS) < 0)
			return -1;
	}
	return 0;
}

/* Whether batches can be held back: kernels only (a copy may make the host wait for the stream), all of them loaded by
 * now, launched by nobody but the variant itself. */
static int choose_gate(struct timing *t, struct timed *v)
{
	struct enqueued done = {0};
	cudaError_t code = v->variant->launch(t->state, t->w->stream, &done);

	if (code == cudaSuccess)
		code = cudaStreamSynchronize(t->w->stream);
	if (code != cudaSuccess)
		return worker_cuda_problem(t->w, v->variant, t->size, code);
	v->held = done.kernels > 0 && done.kernels <= MAX_HELD / 2 && done.copies == 0 && done.memsets == 0 &&
		  !v->variant->opaque_launches && !environment_launches_block();
	v->max_launches = v->held ? MAX_HELD / (int)done.kernels - 1 : MAX_LAUNCHES;
	return 0;
}

/* Finds how many launches fill a batch. The shorter of two tries counts: a hiccup must not make batches too short. */
static int calibrate(struct timing *t, struct timed *v)
{
	if (choose_gate(t, v) < 0)
		return -1;
	for (v->launches = 1;; v->launches *= 2) {
		double ns[2];
		cudaError_t code;

		if (v->launches > v->max_launches)
			v->launches = v->max_launches;
		code = batch(t, v, v->launches, &ns[0]);
		if (code == cudaSuccess)
			code = batch(t, v, v->launches, &ns[1]);
		if (code != cudaSuccess)
			return worker_cuda_problem(t->w, v->variant, t->size, code);
		if ((ns[0] >= BATCH_NS && ns[1] >= BATCH_NS) || v->launches == v->max_launches)
			return 0;
	}
}

/* ---- samples ---- */

static struct value known(long long reading)
{
	return reading < 0 ? (struct value){.kind = VALUE_NULL} : VALUE_OF_INT(reading);
}

static void write_clocks(struct timing *t)
{
	struct nvml_clocks clocks;

	if (t->nvml == NULL)
		return;
	nvml_read(t->nvml, &clocks);
	const struct value row[CLOCK_NUMBER] = {
		[CLOCK_timestamp] = VALUE_OF_INT(clock_realtime()),
		[CLOCK_deviceId] = VALUE_OF_INT(t->w->options->device),
		[CLOCK_smMhz] = known(clocks.sm_mhz),
		[CLOCK_memMhz] = known(clocks.mem_mhz),
		[CLOCK_temperatureC] = known(clocks.temperature_c),
		[CLOCK_powerMw] = known(clocks.power_mw),
		[CLOCK_throttle] = known(clocks.throttle),
	};
	worker_row(t->w, TABLE_CLOCK, row);
}

static void write_sample(struct timing *t, const struct timed *v, int block, int position, double ns, long long mhz)
{
	const struct value row[SAMPLE_NUMBER] = {
		[SAMPLE_family] = VALUE_OF_TEXT(t->w->family->name),
		[SAMPLE_variant] = VALUE_OF_TEXT(v->variant->name),
		[SAMPLE_caseLabel] = VALUE_OF_TEXT(t->size->label),
		[SAMPLE_block] = VALUE_OF_INT(block),
		[SAMPLE_position] = VALUE_OF_INT(position),
		[SAMPLE_launches] = VALUE_OF_INT(v->launches),
		[SAMPLE_ns] = VALUE_OF_REAL(ns / v->launches),
		[SAMPLE_smClockMhz] = known(mhz),
	};
	worker_row(t->w, TABLE_SAMPLE, row);
}

/* The clock is read right after the batch, before the GPU can have slowed down again. */
static int sample(struct timing *t, struct timed *v, int block, int position)
{
	long long mhz;
	cudaError_t code;
	double ns;

	nvtx_push_variant(t->w->family, v->variant);
	nvtx_push_iteration(PASS_TIME, v->variant, t->size->label, v->samples);
	code = batch(t, v, v->launches, &ns);
	mhz = nvml_sm_mhz(t->nvml);
	nvtx_pop();
	nvtx_pop();
	if (code != cudaSuccess)
		return worker_cuda_problem(t->w, v->variant, t->size, code);
	v->samples++;
	write_sample(t, v, block, position, ns, mhz);
	return 0;
}

/* A B C C B A: whatever drifts during a block hits all variants alike. */
static int run_block(struct timing *t, int block)
{
	for (int i = 0; i < 2 * t->n; i++) {
		struct timed *v = &t->timed[i < t->n ? i : 2 * t->n - 1 - i];

		if (sample(t, v, block, i) < 0)
			return -1;
	}
	if (block % CLOCKS_EVERY == 0)
		write_clocks(t);
	return 0;
}

static int64_t case_budget_ns(const struct worker *w)
{
	int64_t ms = TOTAL_MS / select_timed_cases(w->options);

	if (ms < CASE_MIN_MS)
		ms = CASE_MIN_MS;
	return (ms > CASE_MAX_MS ? CASE_MAX_MS : ms) * MS;
}

/* Until there are enough blocks and the time is up. Slow cases end at a multiple of their time with fewer blocks. */
static int run_blocks(struct timing *t)
{
	int64_t begin = clock_monotonic(), budget = case_budget_ns(t->w);

	for (int block = 0; block < MAX_BLOCKS; block++) {
		int64_t spent = clock_monotonic() - begin;

		if ((block >= MIN_BLOCKS && spent >= budget) || spent >= 4 * budget)
			break;
		if (run_block(t, block) < 0)
			return -1;
	}
	return 0;
}

/* ---- cases ---- */

static int run_case(struct timing *t)
{
	if (warm_up(t) < 0)
		return -1;
	for (int i = 0; i < t->n; i++)
		if (calibrate(t, &t->timed[i]) < 0)
			return -1;
	return run_blocks(t);
}

/* What is wrong on purpose is never timed, nor what verify did not find right. */
static void choose(struct timing *t)
{
	t->n = 0;
	for (int i = 0; i < t->w->family->nvariants; i++) {
		const struct variant *variant = &t->w->family->variants[i];

		if (!variant->teaches_failure && worker_wants(t->w, variant, t->size) &&
			!select_skipped(t->w->options, t->w->family->name, variant->name, t->size->label))
			t->timed[t->n++] = (struct timed){.variant = variant};
	}
}

/* False if CUDA is dead. */
static bool time_case(struct timing *t, const struct size_case *size)
{
	int result;

	t->size = size;
	choose(t);
	if (t->n == 0)
		return true;
	t->cases++;
	worker_at(t->w, NULL, size);
	result = worker_set_up(t->w, size, &t->state);
	if (result == 0) {
		result = run_case(t);
		t->w->family->tear_down(t->state);
		worker_flush(t->w);
	}
	return result == 0 || worker_alive();
}

static void time_cases(struct timing *t)
{
	nvtx_push_family(t->w->family);
	for (int i = 0; i < t->w->ncases; i++)
		if (!t->w->cases[i].verify_only && !time_case(t, &t->w->cases[i]))
			break;
	nvtx_pop();
}

static int make_events(struct timing *t)
{
	struct error err = {""};
	cudaError_t code = cudaEventCreate(&t->begin);

	if (code == cudaSuccess) {
		code = cudaEventCreate(&t->end);
		if (code == cudaSuccess)
			return 0;
		(void)cudaEventDestroy(t->begin);
	}
	device_error(&err, code, "no CUDA event can be made");
	worker_problem(t->w, "%s", err.text);
	return -1;
}

static void open_nvml(struct timing *t)
{
	char pci[PCI_TEXT];
	struct error err = {""};

	device_pci(t->w->options->device, pci);
	t->nvml = nvml_open(pci, &err);
	if (t->nvml == NULL)
		worker_note(t->w, SEVERITY_WARNING, "clocks are not recorded: %s", err.text);
}

void pass_time(struct worker *w)
{
	struct timing t = {.w = w, .timed = calloc((size_t)w->family->nvariants, sizeof *t.timed)};

	if (t.timed == NULL) {
		worker_problem(w, "out of memory");
		return;
	}
	if (gate_init(&t.gate) < 0) {
		worker_problem(w, "no semaphore can be made: %s", strerror(errno));
		free(t.timed);
		return;
	}
	if (record_under_nsys())
		worker_note(w, SEVERITY_WARNING, "timed under Nsight Systems: the times include what it adds");
	if (make_events(&t) == 0) {
		open_nvml(&t);
		time_cases(&t);
		nvml_close(t.nvml);
		if (t.cases == 0)
			error_set(&w->skipped, "nothing to time: no chosen variant is supported here and right");
		/* After a lost context these fail, and that was told. */
		(void)cudaEventDestroy(t.begin);
		(void)cudaEventDestroy(t.end);
	}
	gate_destroy(&t.gate);
	free(t.timed);
}
