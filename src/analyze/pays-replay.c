/*
 * pays-replay.c: replays recorded work in another order. Three engines (copies in, kernels, copies out) take their work
 * in the order of issue; the host asks for it at the pace at which it did. docs/pays.md explains the model.
 */
#include "analyze/pays.h"

#include <math.h>
#include <stdlib.h>

#include "util/alloc.h"

enum { IN, OUT, COMPUTE, ENGINES };

/* The time between the end of a piece of work and the start of the next one that waited for it is a latency up to
 * here (ns); what is more is the host's. */
enum { LONGEST_LATENCY = 20000 };

/* With so much work waiting the host is ahead: what it does then keeps nothing waiting, and a call that takes long
 * waits for room in the queue. */
enum { FAR_AHEAD = 256 };

/* What a call that need not wait any more takes (ns). */
enum { SHORT_CALL = 5000 };

/* Small: a recording may have tens of millions. A float holds a minute to 4 us, and what is shorter more exactly. */
struct step {
	double time;   /* of a run: when it is asked for, once the host has come so far; when it ended, if it is over */
	float length;  /* ns on its engine */
	float latency; /* ns from the end of what it waits for */
	float delay;   /* ns of the host's own time before it is asked for */
	uint32_t round;
	uint32_t after; /* of a run: one more than the step before it in the order of what is not freed; 0: none */
	uint8_t engine;
	bool waits : 1;   /* the host waited before it */
	bool at_rest : 1; /* and had asked for more than a round since it last did */
	bool first : 1;   /* of its round */
	bool over : 1;    /* of a run */
};

struct pays_replay {
	const uint32_t *pick;
	size_t n, rounds;
	struct step *step;
	uint32_t *queue[ENGINES]; /* each engine's steps, in order */
	size_t queued[ENGINES];
	uint32_t *left; /* unfinished steps of each round */
	double *round_done;
};

/* One run. Its times are ns after the first step was asked for. */
struct state {
	struct pays_replay *replay;
	bool waits;
	double rate, now;
	size_t head[ENGINES];     /* of each queue: the next step to start */
	int64_t running[ENGINES]; /* a step, or -1 */
	double left[ENGINES];     /* of the running step */
	size_t asked;             /* steps whose issue is known */
	double host;              /* issue of the last of them */
	size_t over;              /* steps that have ended */
	double last_done;         /* when the last of them did */
};

static int engine_of(uint8_t cls)
{
	if (cls == WORK_H2D)
		return IN;
	return cls == WORK_D2H ? OUT : COMPUTE;
}

/* A round is over where the work goes back: to a copy in from anything else, to a kernel from a copy out. */
static bool begins_round(int before, int engine)
{
	static const int rank[ENGINES] = {[IN] = 0, [COMPUTE] = 1, [OUT] = 2};

	return rank[engine] < rank[before];
}

static void find_rounds(struct pays_replay *replay, const struct pays_lane *lane)
{
	uint32_t round = 0;

	for (size_t i = 0; i < replay->n; i++) {
		struct step *step = &replay->step[i];

		step->engine = (uint8_t)engine_of(lane->item[replay->pick[i]].cls);
		step->first = i == 0 || begins_round(replay->step[i - 1].engine, step->engine);
		if (step->first && i > 0)
			round++;
		step->round = round;
	}
	replay->rounds = replay->n ? round + 1 : 0;
}

/* The k-th of them in an order of pays_order(). */
static size_t pays_replay_in_order(const uint32_t *order, size_t k)
{
	return order ? order[k] : k;
}

/* Lengths such that all steps of an engine together take the union of their times, and the latency of each. */
static void find_lengths(struct pays_replay *replay, const struct pays_lane *lane, const uint32_t *starts)
{
	int64_t busy[ENGINES] = {INT64_MIN, INT64_MIN, INT64_MIN}, last = INT64_MIN;

	for (size_t k = 0; k < replay->n; k++) {
		struct step *step = &replay->step[pays_replay_in_order(starts, k)];
		const struct pays_item *item = &lane->item[replay->pick[pays_replay_in_order(starts, k)]];
		int64_t from = item->start > busy[step->engine] ? item->start : busy[step->engine];
		int64_t ready = item->known && item->issue > last ? item->issue : last;

		step->length = item->end > from ? (float)(item->end - from) : 0;
		if (k > 0 && item->start > ready)
			step->latency = fminf((float)(item->start - ready), LONGEST_LATENCY);
		if (item->end > busy[step->engine])
			busy[step->engine] = item->end;
		if (item->end > last)
			last = item->end;
	}
}

/* Where issues are not known the host's part is what the GPU idled beyond the latency. */
static void delay_by_idle(struct pays_replay *replay, const struct pays_lane *lane, const uint32_t *starts)
{
	int64_t last = INT64_MAX;

	for (size_t k = 0; k < replay->n; k++) {
		struct step *step = &replay->step[pays_replay_in_order(starts, k)];
		const struct pays_item *item = &lane->item[replay->pick[pays_replay_in_order(starts, k)]];

		if (!item->known && item->start > last)
			step->delay = (float)(item->start - last) - step->latency;
		if (k == 0 || item->end > last)
			last = item->end;
	}
}

/* The time that the host waited in [from, to): waits are a union, *w the first that may matter. */
static double waited(const struct pays_lane *lane, size_t *w, int64_t from, int64_t to, bool *any)
{
	double sum = 0;
	int64_t covered = from;

	while (*w < lane->nwaits && lane->wait[*w].start < to) {
		const struct pays_wait *wait = &lane->wait[*w];
		int64_t start = wait->start > covered ? wait->start : covered;
		int64_t end = wait->end < to ? wait->end : to;

		*any = *any || wait->start >= from;
		if (end > start) {
			sum += (double)(end - start);
			covered = end;
		}
		if (wait->end > to)
			break;
		++*w;
	}
	return sum;
}

static void find_delays(struct pays_replay *replay, const struct pays_lane *lane, const uint32_t *ends)
{
	size_t w = 0, ended = 0;

	for (size_t i = 1; i < replay->n; i++) {
		const struct pays_item *before = &lane->item[replay->pick[i - 1]], *item = &lane->item[replay->pick[i]];
		struct step *step = &replay->step[i];
		double own, wait;
		bool any = false;

		while (ended < replay->n &&
			lane->item[replay->pick[pays_replay_in_order(ends, ended)]].end <= item->issue)
			ended++;
		if (!item->known || !before->known)
			continue;
		wait = waited(lane, &w, before->issue, item->issue, &any);
		own = (double)(item->issue - before->issue) - wait + fmin(wait, SHORT_CALL);
		if (i > ended + FAR_AHEAD)
			own = fmin(own, SHORT_CALL);
		step->delay = (float)own;
		step->waits = any;
	}
}

/* A wait once a round is part of the loop; after several rounds it is a place where the host wants the results. */
static void find_rests(struct pays_replay *replay)
{
	size_t begun = 0;

	for (size_t i = 0; i < replay->n; i++) {
		struct step *step = &replay->step[i];

		if (step->waits) {
			step->at_rest = begun > 1;
			begun = 0;
		}
		begun += step->first;
	}
}

static void find_queues(struct pays_replay *replay)
{
	for (size_t i = 0; i < replay->n; i++) {
		const struct step *step = &replay->step[i];

		replay->queue[step->engine][replay->queued[step->engine]++] = (uint32_t)i;
	}
}

static void pays_replay_prepare(struct pays_replay *replay, const struct pays_lane *lane)
{
	uint32_t *order = pays_order(lane, replay->pick, replay->n, false);

	find_rounds(replay, lane);
	find_lengths(replay, lane, order);
	delay_by_idle(replay, lane, order);
	free(order);
	order = pays_order(lane, replay->pick, replay->n, true);
	find_delays(replay, lane, order);
	free(order);
	find_rests(replay);
	find_queues(replay);
}

struct pays_replay *pays_replay_new(const struct pays_lane *lane, const uint32_t *pick, size_t n)
{
	struct pays_replay *replay = xcalloc(1, sizeof(*replay));

	replay->pick = pick;
	replay->n = n;
	replay->step = xcalloc(n, sizeof(*replay->step));
	replay->left = xcalloc(n, sizeof(*replay->left));
	replay->round_done = xcalloc(n, sizeof(*replay->round_done));
	for (int e = 0; e < ENGINES; e++)
		replay->queue[e] = xcalloc(n, sizeof(*replay->queue[e]));
	pays_replay_prepare(replay, lane);
	return replay;
}

void pays_replay_free(struct pays_replay *replay)
{
	if (!replay)
		return;
	free(replay->step);
	free(replay->left);
	free(replay->round_done);
	for (int e = 0; e < ENGINES; e++)
		free(replay->queue[e]);
	free(replay);
}

size_t pays_replay_rounds(const struct pays_replay *replay)
{
	return replay->rounds;
}

static void reset(struct state *state, const bool *freed)
{
	struct pays_replay *replay = state->replay;
	uint32_t last = 0;

	for (size_t r = 0; r < replay->rounds; r++)
		replay->left[r] = 0;
	for (size_t i = 0; i < replay->n; i++) {
		struct step *step = &replay->step[i];

		step->over = false;
		step->after = 0;
		replay->left[step->round]++;
		if (freed && !freed[replay->pick[i]]) {
			step->after = last;
			last = (uint32_t)i + 1;
		}
	}
	for (int e = 0; e < ENGINES; e++)
		state->running[e] = -1;
}

/* Whether the work of the round before the last one is done, whose buffers and stream a round takes over; *time is
 * moved to when it was. */
static bool buffers_free(const struct state *state, const struct step *step, double *time)
{
	if (step->round < 2)
		return true;
	if (state->replay->left[step->round - 2])
		return false;
	*time = fmax(*time, state->replay->round_done[step->round - 2]);
	return true;
}

/* Goes on with the host as far as it need not wait. */
static void ask(struct state *state)
{
	for (; state->asked < state->replay->n; state->asked++) {
		struct step *step = &state->replay->step[state->asked];

		if (step->waits && (state->waits || step->at_rest)) {
			if (state->over < state->asked)
				return;
			state->host = fmax(state->host, state->last_done);
		} else if (step->waits && !buffers_free(state, step, &state->host)) {
			return;
		}
		state->host += step->delay;
		step->time = state->host;
	}
}

/* When a step may start, or INFINITY while it waits for work that is not done. */
static double ready(const struct state *state, size_t i)
{
	const struct step *steps = state->replay->step, *step = &steps[i];
	double time = step->time;

	if (i >= state->asked)
		return INFINITY;
	if (!step->first) {
		if (!steps[i - 1].over)
			return INFINITY;
		time = fmax(time, steps[i - 1].time);
	} else if (!buffers_free(state, step, &time)) {
		return INFINITY;
	}
	if (step->after) {
		if (!steps[step->after - 1].over)
			return INFINITY;
		time = fmax(time, steps[step->after - 1].time);
	}
	return time + step->latency;
}

/* Starts what can start now; returns when the next step that waits only for its time can. */
static double pays_replay_start(struct state *state)
{
	double next = INFINITY;

	for (int e = 0; e < ENGINES; e++) {
		size_t step;
		double time;

		if (state->running[e] >= 0 || state->head[e] == state->replay->queued[e])
			continue;
		step = state->replay->queue[e][state->head[e]];
		time = ready(state, step);
		if (time > state->now) {
			next = fmin(next, time);
			continue;
		}
		state->head[e]++;
		state->running[e] = (int64_t)step;
		state->left[e] = state->replay->step[step].length;
	}
	return next;
}

static void pays_replay_finish(struct state *state, int e)
{
	struct pays_replay *replay = state->replay;
	struct step *step = &replay->step[state->running[e]];

	step->over = true;
	step->time = state->last_done = state->now;
	state->over++;
	state->running[e] = -1;
	if (--replay->left[step->round] == 0)
		replay->round_done[step->round] = state->now;
}

/* Moves on to the end of the next step, or to `next`. */
static void pays_replay_advance(struct state *state, double next)
{
	double speed[ENGINES] = {1, 1, 1}, time = next - state->now;
	int ends = -1;

	if (state->running[IN] >= 0 && state->running[OUT] >= 0)
		speed[IN] = speed[OUT] = state->rate;
	for (int e = 0; e < ENGINES; e++) {
		if (state->running[e] >= 0 && state->left[e] / speed[e] <= time) {
			time = state->left[e] / speed[e];
			ends = e;
		}
	}
	state->now = ends < 0 ? next : state->now + time;
	for (int e = 0; e < ENGINES; e++)
		if (state->running[e] >= 0)
			state->left[e] -= time * speed[e];
	if (ends >= 0)
		pays_replay_finish(state, ends);
}

double pays_replay_run(struct pays_replay *replay, const bool *freed, bool waits, double rate)
{
	struct state state = {.replay = replay, .waits = waits, .rate = rate};

	reset(&state, freed);
	while (state.over < replay->n) {
		ask(&state);
		pays_replay_advance(&state, pays_replay_start(&state));
	}
	return state.last_done;
}
