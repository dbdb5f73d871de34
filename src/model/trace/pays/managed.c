/* managed.c: migrations of managed memory where calls are known: which launch each belongs to, and those of a loop. */
#include <math.h>
#include <stdlib.h>

#include "model/trace/pays/phasing.h"
#include "util/alloc.h"
#include "util/number.h"

/* ---- the launch of each ---- */

/* A kernel of a device, by start. */
struct begun_kernel {
	int64_t start, end;
	uint32_t call;
};

static int begun_order(const void *left, const void *right)
{
	const struct begun_kernel *a = left, *b = right;

	return a->start != b->start ? int64_order(a->start, b->start) : (a->call > b->call) - (a->call < b->call);
}

/* The kernels of a device of the program; for free(). */
static struct begun_kernel *begun_kernels(const struct replay_program *program, int device, size_t *n)
{
	struct begun_kernel *kernels = xcalloc(program->npieces + 1, sizeof(*kernels));

	*n = 0;
	for (size_t p = 0; p < program->npieces; p++) {
		const struct replay_piece *piece = &program->piece[p];

		if (piece->cls == WORK_KERNEL && program->stream[piece->stream].device == device)
			kernels[(*n)++] = (struct begun_kernel){piece->start, piece->end, piece->call};
	}
	if (*n > 1)
		qsort(kernels, *n, sizeof(*kernels), begun_order);
	return kernels;
}

static void find_calls_on_device(struct pays_program *program, const struct trace *trace, int device)
{
	struct begun_kernel running = {.end = INT64_MIN}, *kernels;
	size_t n, next = 0;

	kernels = begun_kernels(&program->program, device, &n);
	for (size_t m = 0; m < program->nmigrations; m++) {
		struct pays_migration *migration = &program->migration[m];
		int64_t start = within_limit(trace->start[migration->work]);

		if (work_lane(trace, migration->work)->device != program->device[device])
			continue;
		for (; next < n && kernels[next].start <= start; next++)
			running = kernels[next].end > running.end ? kernels[next] : running;
		if (running.end > start)
			migration->call = running.call;
		else if (next < n)
			migration->call = kernels[next].call;
	}
	free(kernels);
}

void pays_find_migration_calls(struct pays_program *program, const struct trace *trace)
{
	for (int d = 0; d < program->program.ndevices && program->nmigrations > 0; d++)
		find_calls_on_device(program, trace, d);
}

/* ---- those of a loop ---- */

static bool is_in_loop(const struct phasing *phasing, uint32_t call)
{
	uint32_t thread = phasing->program->program.call[call].thread, turn = phasing->orders.turn[call];

	for (size_t l = 0; l < phasing->nloops; l++) {
		const struct replay_loop *loop = &phasing->loop[l];

		if (loop->thread == thread && turn >= loop->first[0] && turn < loop->first[loop->rounds])
			return true;
	}
	return false;
}

void list_migrations(const struct phasing *phasing, struct piece_list *list)
{
	const struct trace *trace = &phasing->model->trace;

	for (uint32_t m = 0; m < phasing->program->nmigrations; m++) {
		const struct pays_migration *migration = &phasing->program->migration[m];

		if (migration->call != REPLAY_NONE &&
			work_lane(trace, migration->work)->device == phasing->program->device[phasing->device] &&
			is_in_loop(phasing, migration->call))
			list_piece(list, m);
	}
}

void measure_managed(const struct phasing *phasing, const struct piece_list *list, struct pays_phase *phase)
{
	const struct trace *trace = &phasing->model->trace;
	struct interval *times = xcalloc(list->n + 1, sizeof(*times));
	struct pays_managed *managed = &phase->managed;

	managed->count = list->n;
	for (size_t i = 0; i < list->n; i++) {
		uint32_t work = phasing->program->migration[list->piece[i]].work;

		times[i] = (struct interval){within_limit(trace->start[work]), within_limit(trace->end[work])};
		managed->time += times[i].end - times[i].start;
		if (__builtin_add_overflow(managed->bytes, work_copy(trace, work)->bytes, &managed->bytes))
			managed->bytes = INT64_MAX;
	}
	managed->lost = phase_exposed(phasing, phasing->device, times, list->n);
	managed->most = fmin((double)managed->lost, fmax(phase->loop - (double)phase->floor, 0));
	managed->rest = fmax(phase->loop - (double)managed->lost - (double)phase->computing, 0);
	free(times);
}
