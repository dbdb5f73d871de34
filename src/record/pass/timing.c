/* timing.c: the samples of one case: variants interleaved A B B A, until the speed-up is known. See timing.h. */
#include "record/pass/timing.h"

#include <math.h>

#include "analyze/analyze.h"
#include "record/worker/nvtx.h"
#include "record/worker/select.h"
#include "util/clock.h"

enum {
	POINT_BLOCKS_MAX = 24, /* time of a run at a point of a sweep, of which there are many */
	STEADY_READINGS = 3,   /* equal SM clocks in a row */
};

static const double STEADY_SHARE = 0.005;
static const int64_t MS = 1000000;
static const int64_t WARM_UP_MIN_MS = 60, WARM_UP_MAX_MS = 400, WARM_UP_STEP_MS = 20;
static const int64_t TOTAL_MS = 9000, CASE_MIN_MS = 150,
		     CASE_MAX_MS = 400; /* time for sampling: of all cases; of a case in a run */
/* Blocks that a verdict needs take no longer in all runs of a case. With that, and with twelve launches of each variant
 * before and after, a run whose launches last 10 s ends before the session's patience does. */
static const int64_t LONG_MS = 155000;
static const int64_t SLOW_MS = 100; /* a launch that the gate does not hold and that takes so long is a batch */

static cudaError_t timing_launch(void *user)
{
	struct timed *v = user;

	return v->variant->launch(v->timing->state, v->timing->w->stream, &v->done);
}

static int timing_problem(struct timing *t, const struct timed *v, cudaError_t code)
{
	return worker_cuda_problem(t->w, v->variant, t->size, code);
}

/* ---- before the samples ---- */

/* Runs every variant in turn for at least `ns`. */
static int run_for(struct timing *t, int64_t ns)
{
	int64_t until = clock_monotonic() + ns;

	do {
		for (int i = 0; i < t->n; i++) {
			cudaError_t code = timing_launch(&t->timed[i]);

			if (code == cudaSuccess)
				code = cudaStreamSynchronize(t->w->stream);
			if (code != cudaSuccess)
				return timing_problem(t, &t->timed[i], code);
		}
	} while (clock_monotonic() < until);
	return 0;
}

/* Runs the first variant once and reads the SM clock right behind it. *mhz is NaN if it cannot be measured. */
static int read_clock(struct timing *t, double *mhz)
{
	struct timed *v = &t->timed[0];
	const struct batch_work work = {timing_launch, v, false, false};
	struct batch_result result;
	cudaError_t code = batch_run(&t->batcher, &work, 1, &result);

	*mhz = result.mhz;
	return code == cudaSuccess ? 0 : timing_problem(t, v, code);
}

/* Works until the SM clock is steady. */
static int timing_warm_up(struct timing *t)
{
	int64_t begin = clock_monotonic();
	double last = NAN, now = NAN;
	int steady = 0;

	if (run_for(t, (WARM_UP_MIN_MS - WARM_UP_STEP_MS) * MS) < 0)
		return -1;
	while (steady < STEADY_READINGS && clock_monotonic() - begin < WARM_UP_MAX_MS * MS) {
		if (read_clock(t, &now) < 0)
			return -1;
		steady = fabs(now - last) <= STEADY_SHARE * last ? steady + 1 : 1;
		last = now;
		if (steady < STEADY_READINGS && run_for(t, WARM_UP_STEP_MS / STEADY_READINGS * MS) < 0)
			return -1;
	}
	return 0;
}

/* One launch, to see what it enqueues. */
static int find_limits(struct timing *t, struct timed *v)
{
	const struct batch_work work = {timing_launch, v, false, false};
	int64_t begin = clock_monotonic();
	cudaError_t code;

	v->done = (struct enqueued){0};
	code = timing_launch(v);
	if (code == cudaSuccess)
		code = cudaStreamSynchronize(t->w->stream);
	v->took = clock_monotonic() - begin;
	v->limits = batch_limits(v->variant, &v->done);
	if (code == cudaSuccess && v->variant->opaque_launches)
		code = batch_try_library(&t->batcher, &work, &v->limits);
	return code == cudaSuccess ? 0 : timing_problem(t, v, code);
}

static void hold_pair_alike(struct timing *t)
{
	struct batch_limits *pair[2] = {NULL, NULL};

	for (int i = 0; i < t->n; i++)
		if (t->timed[i].kept)
			pair[t->timed[i].kept - t->pair] = &t->timed[i].limits;
	batch_hold_alike(pair[0], pair[1]);
}

/* Finds how many launches fill a batch. Where the host's time is part of it, a launch that takes long is one: another
 * four to find that out would take as long as those that count. */
static int calibrate_batches(struct timing *t, struct timed *v)
{
	const struct batch_work work = {timing_launch, v, v->limits.held, false};
	cudaError_t code = cudaSuccess;
	double ns = (double)v->took;

	v->launches = 1;
	if (v->limits.held || v->took < SLOW_MS * MS)
		code = batch_calibrate(&t->batcher, &work, BATCH_NS, v->limits.launches, &v->launches, &ns);
	v->is_long = batch_long(&v->done, ns / v->launches);
	return code == cudaSuccess ? 0 : timing_problem(t, v, code);
}

/* ---- samples ---- */

static void keep(struct kept_samples *kept, int block, double ns)
{
	kept->ns[kept->n] = ns;
	kept->block[kept->n++] = block;
}

static int timing_sample(struct timing *t, struct timed *v, int block, int position)
{
	const struct batch_work work = {timing_launch, v, v->limits.held, t->cold};
	struct batch_result result;
	cudaError_t code;

	nvtx_push_variant(t->w->family, v->variant);
	nvtx_push_iteration(PASS_TIME, v->variant, t->size->label, v->samples++);
	code = batch_run(&t->batcher, &work, v->launches, &result);
	nvtx_pop();
	nvtx_pop();
	if (code != cudaSuccess)
		return timing_problem(t, v, code);
	timing_write_sample(t, v, block, position, &result);
	if (v->kept)
		keep(v->kept, block, result.ns / v->launches);
	return 0;
}

/* A B C C B A: a drift during the block hits all variants alike. */
static int run_block(struct timing *t, int block)
{
	for (int i = 0; i < 2 * t->n; i++)
		if (timing_sample(t, &t->timed[i < t->n ? i : 2 * t->n - 1 - i], block, i) < 0)
			return -1;
	timing_write_clocks(t, block);
	return 0;
}

static int64_t case_budget_ns(const struct worker *w)
{
	int64_t ms = TOTAL_MS / select_timed_cases(w->options) / w->options->runs;

	if (ms < CASE_MIN_MS)
		ms = CASE_MIN_MS;
	return (ms > CASE_MAX_MS ? CASE_MAX_MS : ms) * MS;
}

/* Whether the speed-up is known well enough; never without both of the pair. */
static bool pair_settled(const struct timing *t)
{
	const struct kept_samples *a = &t->pair[0], *b = &t->pair[1];
	const struct blocked_samples single = {a->ns, a->block, a->n, NULL}, dbl = {b->ns, b->block, b->n, NULL};

	return ratio_settled(&single, &dbl, settled_width);
}

bool timing_block_follows(const struct block_plan *plan, int blocks, int64_t elapsed)
{
	if (blocks == 0 || blocks >= plan->most)
		return blocks == 0;
	if (blocks >= plan->least)
		return elapsed < plan->budget;
	return elapsed + elapsed / blocks <= plan->longest;
}

static void tell_too_few(struct timing *t, const struct block_plan *plan, int blocks, bool settled)
{
	if (!settled && blocks < plan->least)
		worker_note(t->w, SEVERITY_INFO,
			"%s, case %s: launches take so long that %d of %d blocks were timed in this run",
			t->w->family->name, t->size->label, blocks, plan->least);
}

/* Samples until the speed-up is known or the time is up, but at least this run's share of the blocks that a verdict
 * needs, if they end some day. */
static int run_blocks(struct timing *t)
{
	const int runs = t->w->options->runs, first = t->w->options->run * BLOCKS_MAX;
	const struct block_plan plan = {(BLOCKS_NEEDED - 1) / runs + 1, !t->size->sweep ? BLOCKS_MAX : POINT_BLOCKS_MAX,
		case_budget_ns(t->w), LONG_MS * MS / runs};
	int64_t begin = clock_monotonic();
	bool settled = false;
	int i;

	for (i = 0; !settled && timing_block_follows(&plan, i, clock_monotonic() - begin); i++) {
		if (run_block(t, first + i) < 0)
			return -1;
		settled = pair_settled(t);
	}
	tell_too_few(t, &plan, i, settled);
	return 0;
}

int time_variants(struct timing *t)
{
	if (timing_warm_up(t) < 0)
		return -1;
	for (int i = 0; i < t->n; i++)
		if (find_limits(t, &t->timed[i]) < 0)
			return -1;
	hold_pair_alike(t);
	t->cold = true;
	for (int i = 0; i < t->n; i++) {
		if (calibrate_batches(t, &t->timed[i]) < 0)
			return -1;
		/* The same for all variants, so that the two of a pair are alike. The parts of the work are shorter,
		 * and follow the others. */
		t->cold = t->cold && (t->timed[i].is_long || variant_is_part(t->timed[i].variant->kind));
	}
	return run_blocks(t);
}
