/* pace.c: how long pieces of work take alone, what lies between them, and how long the host takes for its own work. */
#include "analyze/replay/pace.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/replay/replay.h"
#include "util/alloc.h"
#include "analyze/sort.h"

/* Two kernels run at once if they share this part of the shorter one's time. */
static const double shared_part = 0.25;

int replay_engine(const struct replay_program *program, const struct replay_piece *piece)
{
	int device = program->stream[piece->stream].device, engine = REPLAY_COMPUTE;

	if (piece->apart)
		engine = REPLAY_APART;
	else if (piece->cls == WORK_H2D)
		engine = REPLAY_IN;
	else if (piece->cls == WORK_D2H)
		engine = program->shared_copies[device] ? REPLAY_IN : REPLAY_OUT;
	return device * REPLAY_ENGINES + engine;
}

/* ---- medians ---- */

static int pace_by_value(const void *left, const void *right)
{
	float a = *(const float *)left, b = *(const float *)right;

	return (a > b) - (a < b);
}

/* The most values whose median is looked for: of more, evenly spaced ones. */
enum { VALUES_MOST = 4096 };

float pace_median(float *value, size_t n)
{
	size_t step = n / VALUES_MOST + 1;

	if (n == 0)
		return NAN;
	for (size_t i = 0; i < n; i += step)
		value[i / step] = value[i];
	n = (n + step - 1) / step;
	qsort(value, n, sizeof(*value), pace_by_value);
	return value[n / 2];
}

/* ---- what runs beside what ---- */

struct by_start {
	int64_t start;
	uint32_t piece;
};

static int pace_by_start(const void *left, const void *right)
{
	const struct by_start *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->piece > b->piece) - (a->piece < b->piece);
}

static struct by_start *pieces_by_start(const struct replay_program *program)
{
	struct by_start *sorted = xcalloc(program->npieces + 1, sizeof(*sorted));

	for (size_t p = 0; p < program->npieces; p++)
		sorted[p] = (struct by_start){program->piece[p].start, (uint32_t)p};
	if (program->npieces > 1)
		sort_runs(sorted, program->npieces, sizeof(*sorted), pace_by_start);
	return sorted;
}

/* The most kernels that are looked at when another one starts. */
enum { RUNNING_MOST = 32 };

/* What an engine did while pieces are gone through by start. */
struct engine_state {
	uint32_t last; /* of those so far, the piece that ends last */
	int64_t free;  /* when the engine had nothing more to do */
	uint32_t running[RUNNING_MOST];
	size_t nrunning;
};

static bool run_at_once(const struct replay_piece *a, const struct replay_piece *b)
{
	int64_t end = a->end < b->end ? a->end : b->end, shorter = a->end - a->start;

	if (b->end - b->start < shorter)
		shorter = b->end - b->start;
	return shorter > 0 && (double)(end - b->start) >= shared_part * (double)shorter;
}

static double rate_beside(const struct replay_program *program, const struct replay_piece *copy)
{
	return copy->cls == WORK_H2D ? program->rate.in : program->rate.out;
}

/* Time that a copy shares with the other direction; `other` started before. */
static void share_copies(struct replay_orders *orders, const struct replay_program *program, uint32_t a, uint32_t b)
{
	const struct replay_piece *first = &program->piece[a], *second = &program->piece[b];
	int64_t end = first->end < second->end ? first->end : second->end;
	double shared = end > second->start ? (double)(end - second->start) : 0;

	orders->length[a] -= (float)(shared * (1 - rate_beside(program, first)));
	orders->length[b] -= (float)(shared * (1 - rate_beside(program, second)));
}

/* Forgets kernels that are over. */
static void forget_ended(struct engine_state *state, const struct replay_program *program, int64_t now)
{
	size_t kept = 0;

	for (size_t i = 0; i < state->nrunning; i++) {
		if (program->piece[state->running[i]].end > now)
			state->running[kept++] = state->running[i];
	}
	state->nrunning = kept;
}

static void see_at_once(struct replay_orders *orders, uint16_t kind, uint64_t kinds, uint8_t count)
{
	orders->beside[kind] |= kinds;
	if (count > orders->at_once[kind])
		orders->at_once[kind] = count;
}

/* A kernel starts while others of its GPU run. */
static void see_kernels(
	struct replay_orders *orders, const struct replay_program *program, struct engine_state *state, uint32_t p)
{
	const struct replay_piece *piece = &program->piece[p], *other[RUNNING_MOST];
	uint64_t kinds = 0;
	uint8_t n = 0;

	forget_ended(state, program, piece->start);
	for (size_t i = 0; i < state->nrunning; i++) {
		other[n] = &program->piece[state->running[i]];
		if (other[n]->stream == piece->stream || !run_at_once(other[n], piece))
			continue;
		kinds |= UINT64_C(1) << other[n++]->kind;
	}
	for (uint8_t i = 0; i < n; i++)
		see_at_once(orders, other[i]->kind, UINT64_C(1) << piece->kind, (uint8_t)(n + 1));
	see_at_once(orders, piece->kind, kinds, (uint8_t)(n + 1));
	if (state->nrunning < RUNNING_MOST)
		state->running[state->nrunning++] = p;
}

static void see_beside(struct replay_orders *orders, const struct replay_program *program, struct engine_state *engines,
	uint32_t p, int engine)
{
	int kind = engine % REPLAY_ENGINES;
	uint32_t other = kind == REPLAY_IN    ? engines[engine + REPLAY_OUT - REPLAY_IN].last
			 : kind == REPLAY_OUT ? engines[engine + REPLAY_IN - REPLAY_OUT].last
					      : REPLAY_NONE;

	if (kind == REPLAY_COMPUTE)
		see_kernels(orders, program, &engines[engine], p);
	if (other != REPLAY_NONE)
		share_copies(orders, program, other, p);
}

/* ---- latencies ---- */

enum { HELD_BY_ISSUE, HELD_BY_ORDER, HELD_BY_ENGINE, HELD };

struct latencies {
	float *value[HELD]; /* those that are known */
	size_t n[HELD];
	uint8_t *held; /* by piece */
	float *own;    /* by piece */
};

static int64_t ends_before(const struct replay_orders *orders, const struct replay_program *program, uint32_t p)
{
	int64_t latest = INT64_MIN;

	for (uint32_t e = orders->piece_first[p]; e < orders->piece_first[p + 1]; e++) {
		int64_t end = program->piece[orders->edge[e].from].end;

		latest = end > latest ? end : latest;
	}
	return latest;
}

/* What held a piece up is what was over last before it started; its engine, if that did what it waited for. */
static void see_latency(struct latencies *latencies, const struct replay_orders *orders,
	const struct replay_program *program, uint32_t p, int64_t engine_free)
{
	int64_t time[HELD] = {
		program->call[program->piece[p].call].start, ends_before(orders, program, p), engine_free};
	int held = HELD_BY_ISSUE;
	float value;

	for (int h = HELD_BY_ORDER; h < HELD; h++) {
		if (time[h] >= time[held] && time[h] > INT64_MIN)
			held = h;
	}
	value = (float)(program->piece[p].start - time[held]);
	value = value > 0 ? value : 0;
	/* More than a latency is nothing that an engine does. */
	if (held == HELD_BY_ENGINE && time[HELD_BY_ORDER] == time[held] && value > REPLAY_LONGEST_LATENCY)
		held = HELD_BY_ORDER;
	latencies->held[p] = (uint8_t)held;
	latencies->own[p] = value;
	if (value <= REPLAY_LONGEST_LATENCY)
		latencies->value[held][latencies->n[held]++] = value;
}

static void settle_latencies(struct latencies *latencies, struct replay_orders *orders, size_t n)
{
	float usual[HELD], *out[HELD] = {orders->issue_latency, orders->order_latency, orders->engine_latency};

	for (int h = 0; h < HELD; h++)
		usual[h] = pace_median(latencies->value[h], latencies->n[h]);
	if (isnan(usual[HELD_BY_ORDER]))
		usual[HELD_BY_ORDER] = 0;
	if (isnan(usual[HELD_BY_ENGINE]))
		usual[HELD_BY_ENGINE] = 0;
	if (isnan(usual[HELD_BY_ISSUE]))
		usual[HELD_BY_ISSUE] = usual[HELD_BY_ORDER];
	for (size_t p = 0; p < n; p++) {
		for (int h = 0; h < HELD; h++)
			out[h][p] = latencies->held[p] == h ? latencies->own[p] : usual[h];
	}
}

static void find_lengths_and_latencies(struct replay_orders *orders, const struct replay_program *program)
{
	size_t n = program->npieces, nengines = (size_t)program->ndevices * REPLAY_ENGINES;
	struct by_start *sorted = pieces_by_start(program);
	struct engine_state *engines = xcalloc(nengines + 1, sizeof(*engines));
	struct latencies latencies = {.held = xcalloc(n + 1, 1), .own = xcalloc(n + 1, sizeof(float))};

	for (int h = 0; h < HELD; h++)
		latencies.value[h] = xcalloc(n + 1, sizeof(float));
	for (size_t e = 0; e < nengines; e++)
		engines[e] = (struct engine_state){.last = REPLAY_NONE, .free = INT64_MIN};
	for (size_t i = 0; i < n; i++) {
		uint32_t p = sorted[i].piece;
		const struct replay_piece *piece = &program->piece[p];
		int engine = replay_engine(program, piece);
		struct engine_state *state = &engines[engine];

		orders->length[p] = (float)(piece->end - piece->start);
		see_beside(orders, program, engines, p, engine);
		see_latency(&latencies, orders, program, p, state->free <= piece->start ? state->free : INT64_MIN);
		if (state->last == REPLAY_NONE || piece->end > program->piece[state->last].end)
			state->last = p;
		state->free = piece->end > state->free ? piece->end : state->free;
	}
	for (size_t p = 0; p < n; p++)
		orders->length[p] = orders->length[p] > 0 ? orders->length[p] : 0;
	settle_latencies(&latencies, orders, n);
	for (int h = 0; h < HELD; h++)
		free(latencies.value[h]);
	free(latencies.held);
	free(latencies.own);
	free(engines);
	free(sorted);
}

/* ---- the host ---- */

/* When the last that a call waited for was over, or INT64_MIN. */
static int64_t waited_until(const struct replay_orders *orders, const struct replay_program *program, uint32_t c)
{
	int64_t latest = INT64_MIN;

	for (uint32_t w = orders->call_first[c]; w < orders->call_first[c + 1]; w++) {
		const struct replay_piece *piece = &program->piece[orders->waits[w].from];
		int64_t time = orders->waits[w].begun ? piece->start : piece->end;

		latest = time > latest ? time : latest;
	}
	if (orders->room[c] != REPLAY_NONE && program->piece[orders->room[c]].end > latest)
		latest = program->piece[orders->room[c]].end;
	return latest;
}

/* What a launch takes that waits for nothing. */
static float usual_launch(const struct replay_orders *orders, const struct replay_program *program)
{
	float *value = xcalloc(program->ncalls + 1, sizeof(*value)), usual;
	size_t n = 0;

	for (size_t c = 0; c < program->ncalls; c++) {
		const struct replay_call *call = &program->call[c];

		if (call->kind == REPLAY_LAUNCH && waited_until(orders, program, c) <= call->start)
			value[n++] = (float)(call->end - call->start);
	}
	usual = pace_median(value, n);
	free(value);
	return isnan(usual) ? SHORT_CALL : fminf(usual, 4 * SHORT_CALL);
}

/* Whether a call goes on beside the copy whose start it waited for: it stages pageable memory. */
static bool stages(const struct replay_orders *orders, uint32_t c)
{
	return orders->call_first[c] < orders->call_first[c + 1] && orders->waits[orders->call_first[c]].begun;
}

static void find_own(struct replay_orders *orders, const struct replay_program *program, uint32_t c, float usual)
{
	const struct replay_call *call = &program->call[c];
	int64_t until = waited_until(orders, program, c);
	float length = (float)(call->end - call->start), least = call->kind == REPLAY_LAUNCH ? usual : 0;

	orders->own[c] = length;
	orders->lag[c] = 0;
	if (until == INT64_MIN || (until <= call->start && !stages(orders, c)))
		return;
	orders->lag[c] = fmaxf((float)(call->end - until), 0);
	/* What is staged is no work that the host has with pinned memory. */
	orders->own[c] = fminf(length, stages(orders, c) ? least : fmaxf(orders->lag[c], least));
}

static void find_host(struct replay_orders *orders, const struct replay_program *program)
{
	float usual;

	replay_find_room(orders, program);
	usual = usual_launch(orders, program);
	for (uint32_t c = 0; c < program->ncalls; c++) {
		uint32_t turn = orders->turn[c];
		const struct replay_call *call = &program->call[c], *before;

		find_own(orders, program, c, usual);
		if (turn == orders->thread_first[call->thread])
			continue;
		before = &program->call[orders->by_thread[turn - 1]];
		orders->gap[c] = (float)(call->start > before->end ? call->start - before->end : 0);
	}
}

void replay_find_pace(struct replay_orders *orders, const struct replay_program *program)
{
	orders->length = xcalloc(program->npieces + 1, sizeof(float));
	orders->issue_latency = xcalloc(program->npieces + 1, sizeof(float));
	orders->order_latency = xcalloc(program->npieces + 1, sizeof(float));
	orders->engine_latency = xcalloc(program->npieces + 1, sizeof(float));
	orders->gap = xcalloc(program->ncalls + 1, sizeof(float));
	orders->own = xcalloc(program->ncalls + 1, sizeof(float));
	orders->lag = xcalloc(program->ncalls + 1, sizeof(float));
	orders->beside[REPLAY_COLLECTIVE] = UINT64_C(1) << REPLAY_COLLECTIVE;
	orders->at_once[REPLAY_COLLECTIVE] = UINT8_MAX;
	find_lengths_and_latencies(orders, program);
	find_host(orders, program);
}
