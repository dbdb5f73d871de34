/* loops.c: what each host thread repeats. */
#include <stdlib.h>
#include <string.h>

#include "analyze/replay/pauses.h"
#include "analyze/replay/replay.h"
#include "analyze/thresholds.h"
#include "util/alloc.h"

/* A copy matters so much more than other calls for what a round is. */
enum { COPY_WEIGHT = 1000 };

/* A loop whose rounds change how they use streams for so many rounds is two loops. */
enum { STEADY_ROUNDS = 4 };

/* A thread while its loops are looked for. Arrays by place: the calls of the thread, in order. Calls that allocate or
 * free behind the first work have no place: a caching allocator makes them in some rounds only. */
struct thread_calls {
	const struct replay_program *program;
	const struct replay_orders *orders;
	uint32_t first, end; /* its turns */
	size_t n;
	uint32_t *turn;
	uint32_t *token;
	uint16_t *weight;
	uint8_t *does;
	int8_t *cut;
	int32_t *stream;
	bool *mark;
};

static const struct replay_call *call_of_turn(
	const struct replay_program *program, const struct replay_orders *orders, size_t turn)
{
	return &program->call[orders->by_thread[turn]];
}

static bool is_copy_class(uint8_t cls)
{
	return cls == WORK_H2D || cls == WORK_D2H;
}

static bool loops_call_copies(const struct replay_program *program, const struct replay_call *call)
{
	return call->count > 0 && is_copy_class(program->piece[call->first].cls);
}

/* Whether all that a thread asked for is done when the call returns: it waited for the latest of it. */
static bool drains(const struct thread_calls *calls, size_t turn, uint32_t latest)
{
	uint32_t c = calls->orders->by_thread[turn];

	for (uint32_t w = calls->orders->call_first[c]; w < calls->orders->call_first[c + 1]; w++) {
		if (!calls->orders->waits[w].begun && calls->orders->waits[w].from >= latest)
			return true;
	}
	return false;
}

/* A round begins best at a mark, where the host has waited for everything, and where data comes in. Where it has waited
 * for data that came in, what is done with the data follows. */
static void weigh_cuts(struct thread_calls *calls)
{
	uint32_t latest = 0;
	uint8_t before = WORK_H2D;
	bool drained = false;
	size_t place = 0;

	for (uint32_t turn = calls->first; turn < calls->end; turn++) {
		const struct replay_call *call = call_of_turn(calls->program, calls->orders, turn);
		bool in = call->count && calls->program->piece[call->first].cls == WORK_H2D;

		if (place < calls->n && calls->turn[place] == turn)
			calls->cut[place++] =
				(int8_t)((call->kind == REPLAY_MARK ? 8 : 0) + (drained ? 4 : 0) +
					 (in && before != WORK_H2D ? 2 : 0) - (call->kind == REPLAY_WAIT ? 3 : 0));
		if (call->count) {
			latest = call->first + call->count - 1;
			before = calls->program->piece[call->first].cls;
		}
		if (call->kind != REPLAY_MARK)
			drained = before != WORK_H2D && drains(calls, turn, latest);
	}
}

static void thread_calls_make(struct thread_calls *calls, const struct replay_program *program,
	const struct replay_orders *orders, size_t thread)
{
	bool asked = false;

	*calls = (struct thread_calls){.program = program, .orders = orders};
	calls->first = (uint32_t)orders->thread_first[thread];
	calls->end = (uint32_t)orders->thread_first[thread + 1];
	calls->turn = xcalloc(calls->end - calls->first + 1, sizeof(*calls->turn));
	for (uint32_t turn = calls->first; turn < calls->end; turn++) {
		const struct replay_call *call = call_of_turn(program, orders, turn);

		if (!asked || !call->freeing)
			calls->turn[calls->n++] = turn;
		asked = asked || call->count > 0;
	}
	calls->token = xcalloc(calls->n + 1, sizeof(*calls->token));
	calls->weight = xcalloc(calls->n + 1, sizeof(*calls->weight));
	calls->does = xcalloc(calls->n + 1, sizeof(*calls->does));
	calls->cut = xcalloc(calls->n + 1, sizeof(*calls->cut));
	calls->stream = xcalloc(calls->n + 1, sizeof(*calls->stream));
	calls->mark = xcalloc(calls->n + 1, sizeof(*calls->mark));
	for (size_t i = 0; i < calls->n; i++) {
		const struct replay_call *call = call_of_turn(program, orders, calls->turn[i]);

		calls->mark[i] = call->kind == REPLAY_MARK;
		calls->token[i] = call->token;
		calls->weight[i] = loops_call_copies(program, call) ? COPY_WEIGHT : 1;
		for (uint32_t p = call->first; p < call->first + call->count; p++)
			calls->does[i] |= (uint8_t)(1U << program->piece[p].cls);
		calls->stream[i] = call->count ? program->piece[call->first].stream : -1;
	}
	weigh_cuts(calls);
}

static void thread_calls_free(struct thread_calls *calls)
{
	free(calls->turn);
	free(calls->token);
	free(calls->weight);
	free(calls->does);
	free(calls->cut);
	free(calls->stream);
	free(calls->mark);
}

/* ---- what is a loop ---- */

/* Whether the rounds ask for work at all. */
static bool has_work(const struct thread_calls *calls, const uint32_t *first, size_t rounds)
{
	for (uint32_t turn = first[0]; turn < first[rounds]; turn++) {
		if (call_of_turn(calls->program, calls->orders, turn)->count > 0)
			return true;
	}
	return false;
}

/* The stream of a round's first work; -1 for none. */
static int32_t stream_of_round(
	const struct replay_program *program, const struct replay_orders *orders, const uint32_t *first, size_t round)
{
	for (uint32_t turn = first[round]; turn < first[round + 1]; turn++) {
		const struct replay_call *call = call_of_turn(program, orders, turn);

		if (call->count)
			return program->piece[call->first].stream;
	}
	return -1;
}

/* Whether most rounds are in another stream than the one before. */
static bool rounds_take_turns(
	const struct replay_program *program, const struct replay_orders *orders, const uint32_t *first, size_t rounds)
{
	size_t other = 0;

	for (size_t r = 1; r < rounds; r++)
		other += stream_of_round(program, orders, first, r) != stream_of_round(program, orders, first, r - 1);
	return other * 2 > rounds;
}

/* How many rounds from `from` on use streams in one way: always the same, or never that of the round before. */
static size_t steady_rounds(const struct replay_program *program, const struct replay_orders *orders,
	const uint32_t *first, size_t rounds, size_t from)
{
	size_t unlike = 0;
	bool same = false;

	for (size_t r = from + 1; r < rounds; r++) {
		bool now = stream_of_round(program, orders, first, r) == stream_of_round(program, orders, first, r - 1);

		if (r == from + 1)
			same = now;
		unlike = now == same ? 0 : unlike + 1;
		if (unlike == STEADY_ROUNDS)
			return r - from - STEADY_ROUNDS + (same ? 1 : 0);
	}
	return rounds - from;
}

struct loops {
	struct replay_loop *item;
	size_t n, room;
};

/* Adds a loop. Ranges that begin behind its last call are not part of it. */
static void loops_add(
	struct loops *loops, const struct thread_calls *calls, size_t thread, const uint32_t *first, size_t rounds)
{
	struct replay_loop *loop;

	xgrow(&loops->item, loops->n, &loops->room, sizeof(*loops->item));
	loop = &loops->item[loops->n++];
	*loop = (struct replay_loop){.thread = (uint32_t)thread,
		.rounds = rounds,
		.first = xmemdup(first, (rounds + 1) * sizeof(*first)),
		.turns = rounds_take_turns(calls->program, calls->orders, first, rounds)};
	while (loop->first[rounds] > loop->first[rounds - 1] + 1 &&
		call_of_turn(calls->program, calls->orders, loop->first[rounds] - 1)->kind == REPLAY_MARK)
		loop->first[rounds]--;
}

/* Whether a range begins right before a round, around it and others. */
static bool begins_range(const struct thread_calls *calls, const uint32_t *first, size_t round)
{
	return first[round] > calls->first &&
	       call_of_turn(calls->program, calls->orders, first[round] - 1)->kind == REPLAY_MARK;
}

/* Whether in a round, neither at its start nor at its end, a range begins behind a wait for the whole device: a
 * measured part begins. */
static bool begins_measured_part(const struct thread_calls *calls, const uint32_t *first, size_t round)
{
	bool waited = false, begun = false;

	for (uint32_t turn = first[round]; turn < first[round + 1]; turn++) {
		const struct replay_call *call = call_of_turn(calls->program, calls->orders, turn);

		begun = begun || (waited && call->kind == REPLAY_MARK);
		if (begun && call->count > 0)
			return true;
		waited = call->kind == REPLAY_WAIT ? call->target == REPLAY_DEVICE : waited && call->count == 0;
	}
	return false;
}

/* How many of `n` rounds come before the only one at which a range begins around it and others, as behind a warm-up;
 * `n` if there is none. Several such ranges, as of epochs, part nothing. A round in which a measured part begins
 * belongs to neither side, and counts as before. */
static size_t rounds_before_range(const struct thread_calls *calls, const uint32_t *first, size_t n)
{
	size_t before = n;

	for (size_t r = 0; r + 1 < n; r++) {
		bool inside = begins_measured_part(calls, first, r) && !begins_measured_part(calls, first, r + 1);

		if (!inside && (r == 0 || !begins_range(calls, first, r) || begins_range(calls, first, r + 1)))
			continue;
		if (before < n)
			return n;
		before = inside ? r + 1 : r;
	}
	return before;
}

/* The first round of the next loop can look like the last one of this loop: a range that begins there tells. */
static size_t rounds_of_loop(const struct thread_calls *calls, const struct replay_repeat *repeat, size_t from)
{
	size_t n = steady_rounds(calls->program, calls->orders, repeat->first, repeat->rounds, from);

	if (n > 1 && from + n < repeat->rounds && begins_range(calls, repeat->first, from + n - 1) &&
		!begins_range(calls, repeat->first, from + n))
		n--;
	n = rounds_before_range(calls, repeat->first + from, n);
	return n ? n : 1;
}

static bool is_warm_up(const struct thread_calls *calls, const struct replay_repeat *repeat, size_t from, size_t n)
{
	return from == 0 && n < repeat->rounds - n && rounds_before_range(calls, repeat->first, repeat->rounds) == n;
}

/* Adds a loop of `n` rounds that ends at a pause, if there is one. A round with a pause inside is left out. */
static void add_part(
	struct loops *loops, const struct thread_calls *calls, size_t thread, const uint32_t *first, size_t n)
{
	if (n > 2 && has_work(calls, first, n))
		loops_add(loops, calls, thread, first, n);
}

/* Adds the loops between pauses. Few rounds ahead of a pause are a warm-up, which is no loop, unless a loop was before.
 */
static void take_rounds(
	struct loops *loops, const struct thread_calls *calls, size_t thread, const uint32_t *first, size_t n)
{
	size_t count, from = 0, before = loops->n;
	struct replay_pause *pause = replay_pauses_find(calls->program, calls->orders, first, n, &count);

	for (size_t i = 0; i < count; i++) {
		size_t end = pause[i].round + (pause[i].inside ? 0 : 1), next = i + 1 < count ? pause[i + 1].round : n;

		if (loops->n > before || (double)(end - from) > warm_up_part * (double)(next - pause[i].round))
			add_part(loops, calls, thread, first + from, end - from);
		from = pause[i].round + 1;
	}
	add_part(loops, calls, thread, first + from, n - from);
	free(pause);
}

static void take_repeat(
	struct loops *loops, const struct thread_calls *calls, size_t thread, const struct replay_repeat *repeat)
{
	for (size_t r = 0; r < repeat->rounds; r++)
		repeat->first[r] = calls->turn[repeat->first[r]];
	repeat->first[repeat->rounds] = calls->turn[repeat->first[repeat->rounds] - 1] + 1;
	for (size_t from = 0, n; from < repeat->rounds; from += n) {
		n = rounds_of_loop(calls, repeat, from);
		/* Fewer rounds than behind a range's begin are a warm-up, which is no loop. */
		if (is_warm_up(calls, repeat, from, n))
			continue;
		take_rounds(loops, calls, thread, repeat->first + from, n);
	}
}

struct replay_loop *replay_loops_find(
	const struct replay_program *program, const struct replay_orders *orders, size_t *n)
{
	struct loops loops = {0};

	for (size_t t = 0; t < program->nthreads; t++) {
		struct thread_calls calls;
		struct replay_repeat *repeats;
		size_t count;

		thread_calls_make(&calls, program, orders, t);
		repeats = replay_repeats(&(struct replay_tokens){calls.token, calls.n, calls.weight, calls.does,
						 calls.cut, calls.stream, calls.mark},
			&count);
		for (size_t r = 0; r < count; r++) {
			take_repeat(&loops, &calls, t, &repeats[r]);
			free(repeats[r].first);
		}
		free(repeats);
		thread_calls_free(&calls);
	}
	*n = loops.n;
	return replay_loops_part(program, orders, loops.item, n);
}

void replay_loops_free(struct replay_loop *loops, size_t n)
{
	for (size_t l = 0; l < n; l++)
		free(loops[l].first);
	free(loops);
}

bool replay_loop_remakes(
	const struct replay_program *program, const struct replay_orders *orders, const struct replay_loop *loop)
{
	size_t with = 0;

	for (size_t r = 0; r < loop->rounds; r++) {
		uint32_t turn = loop->first[r];

		while (turn < loop->first[r + 1] && !call_of_turn(program, orders, turn)->freeing)
			turn++;
		with += turn < loop->first[r + 1];
	}
	return 2 * with >= loop->rounds;
}
