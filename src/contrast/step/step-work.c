/* step-work.c: see step-work.h. Work counts by time, not by the call that asked for it: a step that copies ahead for
 * the next one would else have more of it than fits between its begin and its end. */
#include "contrast/step/step-work.h"

#include <stdlib.h>

#include "util/alloc.h"
#include "util/number.h"

/* What runs on the GPU that is looked at, and the pieces that may reach into the step that is next. */
struct step_sweep {
	struct device_work *piece; /* by start; owned */
	size_t n, next;
	struct device_work *open; /* by start; owned */
	size_t nopen;
};

/* ---- which GPU ---- */

static bool is_steady(const struct gather *gather, const struct gathered_work *work)
{
	return work->step != NO_STEP && gather->out->steps[work->step].left_out == LEFT_NOTHING;
}

/* The one whose kernels take the most time in steady steps; of several the first. NO_GPU if there is none. */
static int busiest_gpu(const struct gather *gather)
{
	struct numbering gpus = {0};
	int64_t *ns = xcalloc(gather->n + 1, sizeof(*ns));
	size_t best = 0;
	int gpu;

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];
		size_t place;

		if (work->gpu == NO_GPU || work->form == NO_FORM || !is_steady(gather, work))
			continue;
		place = numbering_place(&gpus, work->gpu);
		ns[place] = int64_sum(ns[place], work->end - work->start);
	}
	for (size_t i = 1; i < gpus.n; i++)
		best = ns[i] > ns[best] ? i : best;
	gpu = gpus.n ? (int)gpus.id[best] : NO_GPU;
	numbering_free(&gpus);
	free(ns);
	return gpu;
}

static int by_begin(const void *left, const void *right)
{
	const struct device_work *a = left, *b = right;

	return a->start != b->start ? int64_order(a->start, b->start) : int64_order(a->end, b->end);
}

static void take_pieces(const struct gather *gather, int gpu, struct step_sweep *sweep)
{
	sweep->piece = xcalloc(gather->n + 1, sizeof(*sweep->piece));
	sweep->open = xcalloc(gather->n + 1, sizeof(*sweep->open));
	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->gpu == gpu)
			sweep->piece[sweep->n++] = (struct device_work){work->start, work->end, work->cls};
	}
	qsort(sweep->piece, sweep->n, sizeof(*sweep->piece), by_begin);
}

/* ---- one step ---- */

/* Steps come by their start, so what has ended when one starts reaches into no later one. */
static void open_pieces(struct step_sweep *sweep, const struct launch_step *step)
{
	size_t n = 0;

	for (size_t i = 0; i < sweep->nopen; i++)
		if (sweep->open[i].end > step->start)
			sweep->open[n++] = sweep->open[i];
	for (; sweep->next < sweep->n && sweep->piece[sweep->next].start < step->end; sweep->next++)
		if (sweep->piece[sweep->next].end > step->start)
			sweep->open[n++] = sweep->piece[sweep->next];
	sweep->nopen = n;
}

/* The GPU is idle where nothing runs, also before the first piece and behind the last one. */
static void overlap_of_step(struct step_sweep *sweep, const struct launch_step *step, struct overlap *out)
{
	struct overlap_sweep sums = {0};

	open_pieces(sweep, step);
	for (size_t i = 0; i < sweep->nopen; i++) {
		struct device_work piece = sweep->open[i];

		piece.start = piece.start > step->start ? piece.start : step->start;
		piece.end = piece.end < step->end ? piece.end : step->end;
		overlap_add(&sums, &piece);
	}
	overlap_end(&sums, out);
	out->span = step->end - step->start;
	out->idle = out->span - out->busy_all;
}

/* ---- means ---- */

/* The times that are added up. */
static int64_t *overlap_time_at(struct overlap *o, size_t i)
{
	int64_t *const times[] = {&o->span, &o->idle, &o->busy[WORK_H2D], &o->busy[WORK_D2H], &o->busy[WORK_KERNEL],
		&o->busy[WORK_OTHER], &o->busy_copy, &o->busy_all, &o->overlap, &o->exposed_copy, &o->exposed_h2d,
		&o->exposed_d2h, &o->duplex};

	return i < sizeof(times) / sizeof(*times) ? times[i] : NULL;
}

static void sum_up_steps(const struct launches *run, struct step_sweep *sweep, struct overlap *mean)
{
	*mean = (struct overlap){0};
	for (size_t s = 0; s < run->nsteps; s++) {
		struct overlap step;

		if (run->steps[s].left_out != LEFT_NOTHING)
			continue;
		overlap_of_step(sweep, &run->steps[s], &step);
		for (size_t i = 0; overlap_time_at(mean, i); i++)
			*overlap_time_at(mean, i) = int64_sum(*overlap_time_at(mean, i), *overlap_time_at(&step, i));
	}
	for (size_t i = 0; overlap_time_at(mean, i); i++)
		*overlap_time_at(mean, i) /= (int64_t)run->nsteady;
}

/* Copies that steady steps asked for, whenever they ran. */
static void count_copies(const struct gather *gather, int gpu, struct step_work *out)
{
	int64_t bytes = 0;
	size_t copies = 0;

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];
		bool copy = work->cls == WORK_H2D || work->cls == WORK_D2H;

		if (!copy || work->gpu != gpu || !is_steady(gather, work))
			continue;
		copies++;
		bytes = int64_sum(bytes, work->bytes);
		out->pageable |= work->pageable;
	}
	out->copies = (double)copies / (double)gather->out->nsteady;
	out->copy_bytes = (double)bytes / (double)gather->out->nsteady;
}

void step_work_sum_up(struct gather *gather)
{
	struct launches *run = gather->out;
	int gpu = run->has_range && run->nsteady ? busiest_gpu(gather) : NO_GPU;
	struct step_sweep sweep = {0};

	if (gpu == NO_GPU)
		return;
	take_pieces(gather, gpu, &sweep);
	sum_up_steps(run, &sweep, &run->work.overlap);
	count_copies(gather, gpu, &run->work);
	run->work.known = true;
	free(sweep.piece);
	free(sweep.open);
}
