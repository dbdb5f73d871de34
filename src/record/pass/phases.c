/* phases.c: what the warps of a block do from cycle to cycle. A second instantiation of each kernel takes time stamps;
 * the pass also measures what they cost. Kernels whose warps have roles are metered instead: roles.h. */
#include "record/pass/phases.h"
#include "record/pass/roles.h"
#include "record/pass/steps.h"
#include "record/worker/worker.h"

#include <stdlib.h>

#include "analyze/analyze.h"
#include "record/worker/nvtx.h"
#include "record/worker/select.h"
#include "tools/barrier-probe.h"
#include "util/alloc.h"

enum {
	LAUNCHES = 5,   /* whose stamps are read */
	TRIES = 2,      /* tries of a launch whose stamps look wrong */
	SAMPLES = 2000, /* blocks for each segment where stamps are spread: means of blocks stray by some 100 cycles */
	MAX_ROUNDS = 100,  /* launches for each segment */
	HELD_UP_LIVES = 2, /* a block that lives longer than so many others was held up, as by another process */
};

static cudaError_t phases_launch_stamped(void *user)
{
	struct phased *p = user;
	const struct launch *launch = &p->kernel.launch;

	return launch->variant->launch_phases(launch->state, launch->w->stream, &p->memory.board, &p->stamped);
}

/* ---- stamps ---- */

/* Makes one launch and brings its stamps to p->memory. */
static cudaError_t fetch_stamps(struct phased *p)
{
	cudaStream_t stream = p->kernel.launch.w->stream;
	cudaError_t code = phase_memory_clear(&p->memory, stream);

	if (code == cudaSuccess)
		code = phases_launch_stamped(p);
	return code == cudaSuccess ? phase_memory_fetch(&p->memory, stream) : code;
}

/* Why the stamps of the last launch cannot be right, or NULL. */
static const char *stamps_wrong(const struct phased *p)
{
	const char *why = NULL;

	for (unsigned i = 0; i < p->memory.stamped && !why; i++) {
		struct phase_block block = phase_memory_stamped(&p->memory, i);

		why = phase_block_wrong(&block);
	}
	for (unsigned i = 0; i < p->memory.compared && !why; i++) {
		struct phase_block block = phase_memory_compared(&p->memory, i);

		why = phase_block_wrong(&block);
	}
	return why;
}

/* A counter that just overflows reads 0, as if the stamp were missing. With millions of stamps, that happens in about
 * one recording of a thousand. It does not happen twice in a row; a stamp that is really missing does. */
static int take_stamps(struct phased *p)
{
	const char *why = NULL;

	for (int i = 0; i < TRIES; i++) {
		cudaError_t code = fetch_stamps(p);

		if (code != cudaSuccess)
			return instrumented_problem(&p->kernel, code);
		why = stamps_wrong(p);
		if (!why)
			return 0;
	}
	return instrumented_wrong(&p->kernel, why);
}

/* ---- the mean block ---- */

static int open_mean(struct phased *p)
{
	const struct phase_board *board = &p->memory.board;
	struct error err = {0};

	if (phase_spread_open(&p->spread, p->plan, p->steps, board->segments, board->warps, p->probed.leave, &err) < 0)
		return instrumented_wrong(&p->kernel, err.text);
	p->used = p->unused = 0;
	return 0;
}

/* Adds the blocks of one launch, without those that were held up. `life`: of most blocks (cycles). */
static void add_to_mean(struct phased *p, double life)
{
	const double most = HELD_UP_LIVES * life;

	for (unsigned i = 0; i < p->memory.stamped; i++) {
		struct phase_block block = phase_memory_stamped(&p->memory, i);

		if (phase_block_life(&block) > most) {
			p->unused++;
			continue;
		}
		p->used++;
		phase_spread_add(&p->spread, &block, phase_memory_segment(&p->memory, i));
	}
	for (unsigned i = 0; i < p->memory.compared; i++) {
		struct phase_block block = phase_memory_compared(&p->memory, i);

		if (phase_block_life(&block) <= most)
			phase_spread_compare(&p->spread, &block);
	}
}

/* ---- lives ---- */

/* Adds how long the blocks of one launch ran. */
static void add_lives(const struct phased *p, double *plain, size_t *nplain, double *stamped, size_t *nstamped)
{
	for (unsigned i = 0; i < p->memory.stamped; i++) {
		struct phase_block block = phase_memory_stamped(&p->memory, i);

		stamped[(*nstamped)++] = phase_block_life(&block);
	}
	for (unsigned i = 0; i < p->memory.compared; i++) {
		struct phase_block block = phase_memory_compared(&p->memory, i);

		plain[(*nplain)++] = phase_block_life(&block);
	}
}

/* NaN of no values. */
static double phases_median(const double *values, size_t n)
{
	struct summary summary;

	summarize(values, n, &summary);
	return summary.median;
}

/* So that each window takes the stamps of each segment equally often. */
static unsigned count_launches(const struct phased *p)
{
	const unsigned rounds = (SAMPLES + p->memory.stamped - 1) / p->memory.stamped;

	if (p->memory.board.segments == 0)
		return LAUNCHES;
	return p->memory.board.segments * (rounds < MAX_ROUNDS ? rounds : MAX_ROUNDS);
}

static int take_lives(struct phased *p)
{
	const unsigned launches = count_launches(p);
	size_t room = (size_t)launches * (p->memory.stamped + p->memory.compared), nplain = 0, nstamped = 0;
	double *plain = xcalloc(2 * room, sizeof(*plain));
	int result = 0;

	for (unsigned i = 0; i < launches && result == 0; i++) {
		p->memory.board.turn = i;
		result = take_stamps(p);
		if (result != 0)
			break;
		add_lives(p, plain, &nplain, plain + room, &nstamped);
		if (p->is_mean)
			add_to_mean(p, phases_median(plain + nplain - p->memory.compared, p->memory.compared));
	}
	p->plain_cycles = phases_median(plain, nplain);
	p->stamped_cycles = phases_median(plain + room, nstamped);
	free(plain);
	return result;
}

/* ---- variants ---- */

static int phases_measure(struct phased *p)
{
	int result;

	nvtx_push_variant(p->kernel.launch.w->family, p->kernel.launch.variant);
	nvtx_push_iteration(PASS_PHASES, p->kernel.launch.variant, p->kernel.launch.size->label, 0);
	result = instrumented_time(&p->kernel);
	if (result == 0)
		result = take_lives(p);
	nvtx_pop();
	nvtx_pop();
	if (result == 0 && p->is_mean && !phase_spread_bounds(&p->spread, p->bounds, &p->cut))
		return instrumented_wrong(&p->kernel, "all blocks that took some of the stamps were held up");
	if (result == 0)
		phases_write(p);
	return result;
}

static int phases_measure_variant(struct phased *p)
{
	const struct variant *variant = p->kernel.launch.variant;
	struct error err = {0};
	cudaError_t code;
	int result;

	worker_at(p->kernel.launch.w, variant, p->kernel.launch.size);
	code = variant->config(p->kernel.launch.state, &p->plain);
	if (code != cudaSuccess)
		return instrumented_problem(&p->kernel, code);
	p->plan = variant->phases;
	p->steps = p->plan->steps(p->kernel.launch.state);
	if (p->steps < 0)
		return instrumented_wrong(&p->kernel, "steps() is below 0");
	p->phases = phase_plan_length(p->plan, p->steps);
	if (phase_memory_open(&p->memory, &p->plain, phase_plan_stamps(p->plan, p->steps),
		    phase_plan_segments(p->plan, p->kernel.launch.state), &err) < 0)
		return instrumented_wrong(&p->kernel, err.text);
	p->is_mean = p->memory.board.segments > 0;
	p->bounds = xcalloc((size_t)p->memory.board.warps * (p->phases + 1), sizeof(*p->bounds));
	code = barrier_probe(p->kernel.launch.w->stream, &p->probed);
	result = code == cudaSuccess ? 0 : instrumented_problem(&p->kernel, code);
	if (result == 0 && p->is_mean)
		result = open_mean(p);
	if (result == 0)
		result = instrumented_check(&p->kernel);
	if (result == 0)
		result = phases_measure(p);
	phase_spread_close(&p->spread);
	free(p->bounds);
	phase_memory_close(&p->memory);
	worker_flush(p->kernel.launch.w);
	return result;
}

/* All variants in the headline case, and the contrasted pair in the others: some of these have more blocks, so that the
 * stamps of one block cost a smaller share. */
static bool phases_wanted(const struct worker *w, const struct variant *variant, const struct size_case *size)
{
	const struct family *f = w->family;

	return variant->launch_phases && launch_wanted(w, variant, size) && !size->verify_only &&
	       (size == &w->cases[0] || variant == variant_find(f, f->single) ||
		       variant == variant_find(f, f->double_));
}

static int count_wanted(const struct worker *w, const struct size_case *size)
{
	int n = 0;

	for (int i = 0; i < w->family->nvariants; i++)
		n += phases_wanted(w, &w->family->variants[i], size) || roles_wanted(w, &w->family->variants[i], size);
	return n;
}

static int phases_measure_all(struct phased *p)
{
	const struct worker *w = p->kernel.launch.w;
	int result = 0;

	if (phases_wanted(w, p->kernel.launch.variant, p->kernel.launch.size))
		result = phases_measure_variant(p);
	if (roles_wanted(w, p->kernel.launch.variant, p->kernel.launch.size) && (result == 0 || worker_alive(w)))
		result = roles_measure_variant(&p->kernel.launch, p->kernel.batcher) < 0 ? -1 : result;
	return result;
}

/* An error in one variant does not touch the others, as long as CUDA works. */
static int phases_measure_case(struct phased *p)
{
	struct worker *w = p->kernel.launch.w;
	int result = 0;

	worker_at(w, NULL, p->kernel.launch.size);
	if (worker_set_up(w, p->kernel.launch.size, &p->kernel.launch.state) < 0)
		return -1;
	for (int i = 0; i < w->family->nvariants && result == 0; i++) {
		p->kernel.launch.variant = &w->family->variants[i];
		if (phases_measure_all(p) < 0 && !worker_alive(w))
			result = -1;
	}
	w->family->tear_down(p->kernel.launch.state);
	return result;
}

static bool phases_has_stamps(const struct family *f)
{
	for (int i = 0; i < f->nvariants; i++)
		if (f->variants[i].launch_phases || f->variants[i].launch_roles)
			return true;
	return false;
}

static void pass_phases_run(struct worker *w)
{
	struct batcher batcher;
	struct phased p = {.kernel = {.launch = {.w = w, .size = &w->cases[0]},
				   .batcher = &batcher,
				   .how = "with time stamps",
				   .plain_config = &p.plain,
				   .other_config = &p.stamped,
				   .other = phases_launch_stamped,
				   .user = &p}};
	struct error err = {0}, why = {0};
	int result = 0;

	if (count_wanted(w, &w->cases[0]) == 0) {
		error_set(&w->skipped, "%s",
			phases_has_stamps(w->family) ? "no variant with time stamps is chosen, supported here and right"
						     : "the kernels of this family take no time stamps");
		return;
	}
	if (batcher_open(&batcher, w->stream, &err) < 0) {
		worker_problem(w, "%s", err.text);
		return;
	}
	for (int i = 0; i < w->ncases && result == 0; i++) {
		p.kernel.launch.size = &w->cases[i];
		if (count_wanted(w, p.kernel.launch.size) > 0 && !worker_leaves_out(w, p.kernel.launch.size, &why))
			result = phases_measure_case(&p);
	}
	batcher_close(&batcher);
}

const struct pass_steps pass_phases = {NULL, pass_phases_run, NULL};
