/* scope.c: what is replayed with the loops of a phase: the calls of their threads, and of threads that use their GPUs,
 * as long as the loops run. */
#include <math.h>
#include <stdlib.h>

#include "analyze/replay/changing.h"
#include "util/alloc.h"

static void scope_ends(struct changing *changing)
{
	changing->first_call = REPLAY_NONE;
	for (size_t l = 0; l < changing->phase->nloops; l++) {
		const struct replay_loop *loop = &changing->phase->loop[l];
		uint32_t first = call_at(changing, loop->first[0]);
		uint32_t last = call_at(changing, loop->first[loop->rounds] - 1);

		changing->first_call = first < changing->first_call ? first : changing->first_call;
		changing->end_call = last + 1 > changing->end_call ? last + 1 : changing->end_call;
	}
	changing->zero = changing->program->call[changing->first_call].start;
}

/* The first turn of a thread whose call is `call` or a later one. */
static size_t turn_of_call(const struct replay_orders *orders, size_t thread, uint32_t call)
{
	size_t low = orders->thread_first[thread], high = orders->thread_first[thread + 1];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (orders->by_thread[middle] < call)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int scope_by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

static void scope_calls(struct changing *changing)
{
	const struct replay_orders *orders = changing->orders;
	uint64_t devices = 0;
	size_t threads = 0;

	for (size_t l = 0; l < changing->phase->nloops; l++)
		devices |= orders->devices[changing->phase->loop[l].thread];
	changing->call = xcalloc(changing->end_call - changing->first_call + 1, sizeof(*changing->call));
	for (size_t t = 0; t < changing->program->nthreads; t++) {
		size_t turn = turn_of_call(orders, t, changing->first_call);

		if (!(orders->devices[t] & devices))
			continue;
		threads++;
		for (; turn < orders->thread_first[t + 1] && orders->by_thread[turn] < changing->end_call; turn++)
			changing->call[changing->ncalls++] = orders->by_thread[turn];
	}
	if (threads > 1)
		qsort(changing->call, changing->ncalls, sizeof(*changing->call), scope_by_number);
}

static void scope_places(struct changing *changing)
{
	uint32_t n = changing->end_call - changing->first_call;

	changing->place = xreallocarray(NULL, n + 1, sizeof(*changing->place));
	for (uint32_t c = 0; c < n; c++)
		changing->place[c] = (struct place_in_loop){-1, 0, REPLAY_NONE, 0};
	for (uint32_t i = 0; i < changing->ncalls; i++) {
		struct place_in_loop *place = &changing->place[changing->call[i] - changing->first_call];

		place->call = i;
		place->piece = changing->npieces;
		changing->npieces += changing->program->call[changing->call[i]].count;
	}
	for (size_t l = 0; l < changing->phase->nloops; l++) {
		const struct replay_loop *loop = &changing->phase->loop[l];

		for (uint32_t r = 0; r < loop->rounds; r++) {
			for (uint32_t turn = loop->first[r]; turn < loop->first[r + 1]; turn++) {
				struct place_in_loop *place =
					&changing->place[call_at(changing, turn) - changing->first_call];

				place->loop = (int32_t)l;
				place->round = r;
			}
		}
	}
}

void replay_scope_make(struct changing *changing, const struct replay_phase *phase)
{
	*changing = (struct changing){.phase = phase, .program = phase->program, .orders = phase->orders};
	scope_ends(changing);
	scope_calls(changing);
	scope_places(changing);
	changing->remakes = xcalloc(phase->nloops + 1, sizeof(*changing->remakes));
	for (size_t l = 0; l < phase->nloops; l++)
		changing->remakes[l] = replay_loop_remakes(phase->program, phase->orders, &phase->loop[l]);
}

void replay_scope_free(struct changing *changing)
{
	free(changing->remakes);
	free(changing->place);
	free(changing->call);
}

/* The work of each engine that it does one piece after the other. */
static void add_engine_work(const struct changing *changing, const struct replay_call *call, double *work)
{
	const struct replay_orders *orders = changing->orders;

	for (uint32_t p = call->first; p < call->first + call->count; p++) {
		const struct replay_piece *piece = &changing->program->piece[p];
		int engine = replay_engine(changing->program, piece);
		bool alone = engine % REPLAY_ENGINES != REPLAY_COMPUTE ||
			     replay_orders_of(orders, engine / REPLAY_ENGINES)->at_once[piece->kind] <= 1;

		if (alone && !piece->apart)
			work[engine] += fmin(orders->length[p], piece->pinned);
	}
}

/* What a call of a loop takes a thread itself, with the thread's own work before it, if that lies in the loop. */
static double host_time(const struct changing *changing, uint32_t c)
{
	const struct replay_orders *orders = changing->orders;
	uint32_t turn = orders->turn[c];
	bool inside = turn > 0 && place_in_phase(changing, call_at(changing, turn - 1)).loop >= 0;

	return (makes_again(changing, c) ? 0 : orders->own[c]) + (inside ? orders->gap[c] : 0);
}

double replay_least(const struct replay_phase *phase)
{
	struct changing changing;
	size_t nengines = (size_t)phase->program->ndevices * REPLAY_ENGINES, nthreads = phase->program->nthreads;
	double *work, *host, least = 0;

	replay_scope_make(&changing, phase);
	work = xcalloc(nengines + nthreads + 1, sizeof(*work));
	host = work + nengines;
	for (uint32_t i = 0; i < changing.ncalls; i++) {
		uint32_t c = changing.call[i];

		if (!counts_in_phase(&changing, c))
			continue;
		add_engine_work(&changing, &phase->program->call[c], work);
		/* A thread that another one holds up has no time of its own that is known. */
		if (phase->nhandovers == 0)
			host[phase->program->call[c].thread] += host_time(&changing, c);
	}
	for (size_t i = 0; i < nengines + nthreads; i++)
		least = fmax(least, work[i]);
	free(work);
	replay_scope_free(&changing);
	return least;
}
