/* step-work.c: see step-work.h. Work counts by time, not by the call that asked for it: a step that copies ahead for
 * the next one would else have more of it than fits between its begin and its end. */
#include "contrast/step/step-work.h"

#include <stdlib.h>

#include "contrast/step/step-gpu.h"
#include "util/alloc.h"
#include "util/number.h"

/* A step, or its period, begins or ends. */
struct step_edge {
	int64_t at;
	size_t step; /* place in run->steps */
	bool is_end;
};

/* What runs on the GPU that is looked at. All times of a step are lengths of time in which something holds: so each is
 * what was counted up to its end, less what was counted up to its begin, however many steps lie over each other. */
struct step_sweep {
	struct device_work *piece; /* by start; owned */
	size_t n, next;
	struct overlap_sweep sums;
	struct overlap_sweep *begun; /* the sums when each step began, by place in run->steps; owned */
};

static int by_begin(const void *left, const void *right)
{
	const struct device_work *a = left, *b = right;

	return a->start != b->start ? int64_order(a->start, b->start) : int64_order(a->end, b->end);
}

/* The processes that have work on the GPU: what they have on other GPUs is asked for by the same hosts. */
struct sharing {
	struct numbering users;
	size_t nusers; /* behind them stand others that were looked for */
};

static struct sharing users_of_gpu(const struct gather *gather, int gpu)
{
	struct sharing out = {.nusers = 0};

	for (size_t i = 0; i < gather->n; i++) {
		if (gather->work[i].gpu == gpu)
			(void)numbering_place(&out.users, gather->work[i].process);
	}
	out.nusers = out.users.n;
	return out;
}

static bool is_communication(const struct gathered_work *work)
{
	return work->form != NO_FORM && work->cls == WORK_OTHER;
}

/* A kernel that communicates may wait for this GPU. */
static bool works_elsewhere(struct sharing *sharing, const struct gathered_work *work)
{
	return work->gpu != NO_GPU && !is_communication(work) &&
	       numbering_place(&sharing->users, work->process) < sharing->nusers;
}

/* The work that is looked at. */
struct wanted_work {
	int gpu;
	struct sharing *sharing; /* NULL: of this GPU alone */
	bool communication;      /* kernels that communicate alone */
};

static bool is_wanted_work(const struct wanted_work *wanted, const struct gathered_work *work)
{
	if (wanted->communication && !is_communication(work))
		return false;
	return work->gpu == wanted->gpu || (wanted->sharing && works_elsewhere(wanted->sharing, work));
}

static void take_pieces(const struct gather *gather, const struct wanted_work *wanted, struct step_sweep *sweep)
{
	sweep->piece = xcalloc(gather->n + 1, sizeof(*sweep->piece));
	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (is_wanted_work(wanted, work))
			sweep->piece[sweep->n++] = (struct device_work){work->start, work->end, work->cls};
	}
	qsort(sweep->piece, sweep->n, sizeof(*sweep->piece), by_begin);
}

/* ---- one step ---- */

static int by_edge(const void *left, const void *right)
{
	const struct step_edge *a = left, *b = right;

	return a->at != b->at ? int64_order(a->at, b->at) : a->is_end - b->is_end;
}

/* Begins and ends of the steady steps, or of their periods, in order; for free(). */
static struct step_edge *edges_of_steps(const struct launches *run, enum step_measure measure, size_t *n)
{
	struct step_edge *edges = xcalloc(2 * run->nsteps + 1, sizeof(*edges));

	*n = 0;
	for (size_t s = 0; s < run->nsteps; s++) {
		const struct launch_step *step = &run->steps[s];

		if (step->host_ns[measure] == NO_TIME)
			continue;
		edges[(*n)++] = (struct step_edge){step->start, s, false};
		edges[(*n)++] = (struct step_edge){step->start + step->host_ns[measure], s, true};
	}
	qsort(edges, *n, sizeof(*edges), by_edge);
	return edges;
}

static void sweep_to(struct step_sweep *sweep, int64_t at)
{
	for (; sweep->next < sweep->n && sweep->piece[sweep->next].start < at; sweep->next++)
		overlap_add(&sweep->sums, &sweep->piece[sweep->next]);
	if (sweep->sums.begun && at > sweep->sums.at)
		overlap_advance(&sweep->sums, at);
}

/* The GPU is idle where nothing runs, also before the first piece and behind the last one. */
static void overlap_of_step(
	const struct step_sweep *sweep, int64_t length, const struct overlap_sweep *begun, struct overlap *out)
{
	const struct overlap_sweep *ended = &sweep->sums;
	struct overlap_sweep sums = {
		.busy_copy = ended->busy_copy - begun->busy_copy,
		.busy_all = ended->busy_all - begun->busy_all,
		.overlap = ended->overlap - begun->overlap,
		.duplex = ended->duplex - begun->duplex,
		.h2d_kernel = ended->h2d_kernel - begun->h2d_kernel,
		.d2h_kernel = ended->d2h_kernel - begun->d2h_kernel,
	};

	for (int c = 0; c < WORK_CLASSES; c++)
		sums.busy[c] = ended->busy[c] - begun->busy[c];
	overlap_end(&sums, out);
	out->span = length;
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

static void add_times_of_step(struct overlap *sum, struct overlap *step)
{
	for (size_t i = 0; overlap_time_at(sum, i); i++)
		*overlap_time_at(sum, i) = int64_sum(*overlap_time_at(sum, i), *overlap_time_at(step, i));
}

static void sum_up_steps(
	const struct launches *run, enum step_measure measure, struct step_sweep *sweep, struct overlap *mean)
{
	size_t n;
	struct step_edge *edges = edges_of_steps(run, measure, &n);

	*mean = (struct overlap){0};
	for (size_t i = 0; i < n; i++) {
		size_t s = edges[i].step;
		struct overlap step;

		sweep_to(sweep, edges[i].at);
		if (!edges[i].is_end) {
			sweep->begun[s] = sweep->sums;
			continue;
		}
		overlap_of_step(sweep, edges[i].at - run->steps[s].start, &sweep->begun[s], &step);
		add_times_of_step(mean, &step);
	}
	for (size_t i = 0; n > 0 && overlap_time_at(mean, i); i++)
		*overlap_time_at(mean, i) /= (int64_t)(n / 2);
	free(edges);
}

/* Copies that steady steps asked for, whenever they ran. */
static void count_copies(const struct gather *gather, int gpu, struct step_work *out)
{
	int64_t bytes = 0;
	size_t copies = 0;

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];
		bool copy = work->cls == WORK_H2D || work->cls == WORK_D2H;

		if (!copy || work->gpu != gpu || !step_gpu_is_steady(gather, work))
			continue;
		copies++;
		bytes = int64_sum(bytes, work->bytes);
		out->pageable |= work->pageable;
	}
	out->copies = (double)copies / (double)gather->out->nsteady;
	out->copy_bytes = (double)bytes / (double)gather->out->nsteady;
}

static void sum_up_pieces(
	const struct gather *gather, const struct wanted_work *wanted, enum step_measure measure, struct overlap *mean)
{
	const struct launches *run = gather->out;
	struct step_sweep sweep = {0};

	take_pieces(gather, wanted, &sweep);
	sweep.begun = xcalloc(run->nsteps + 1, sizeof(*sweep.begun));
	sum_up_steps(run, measure, &sweep, mean);
	free(sweep.piece);
	free(sweep.begun);
}

static bool has_others(const struct gather *gather, int gpu)
{
	size_t i = 0;

	while (i < gather->n && (gather->work[i].gpu == gpu || gather->work[i].gpu == NO_GPU))
		i++;
	return i < gather->n;
}

/* While anything works, and nothing on the GPU. */
static int64_t elsewhere_ns(const struct gather *gather, int gpu, enum step_measure measure, const struct overlap *own)
{
	struct sharing sharing = users_of_gpu(gather, gpu);
	struct overlap any;

	sum_up_pieces(gather, &(struct wanted_work){.gpu = gpu, .sharing = &sharing}, measure, &any);
	numbering_free(&sharing.users);
	return any.busy_all - own->busy_all;
}

/* With kernels that communicate. */
static int64_t communication_ns(const struct gather *gather, int gpu, enum step_measure measure)
{
	struct overlap communication;

	sum_up_pieces(gather, &(struct wanted_work){.gpu = gpu, .communication = true}, measure, &communication);
	return communication.busy_all;
}

static void sum_up_measure(const struct gather *gather, int gpu, enum step_measure measure)
{
	struct step_work *out = &gather->out->work[measure];

	sum_up_pieces(gather, &(struct wanted_work){.gpu = gpu}, measure, &out->overlap);
	if (out->overlap.busy[WORK_OTHER] > 0)
		out->communication_ns = communication_ns(gather, gpu, measure);
	if (has_others(gather, gpu))
		out->elsewhere_ns = elsewhere_ns(gather, gpu, measure, &out->overlap);
	count_copies(gather, gpu, out);
	out->known = true;
}

void step_work_sum_up(struct gather *gather)
{
	struct launches *run = gather->out;
	int gpu = run->has_range && run->nsteady ? step_gpu_busiest(gather) : NO_GPU;

	if (gpu == NO_GPU)
		return;
	for (enum step_measure m = 0; m < STEP_MEASURES; m++)
		if (m == STEP_DURATION || run->pace.by[m].periods)
			sum_up_measure(gather, gpu, m);
}
