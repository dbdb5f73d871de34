/* beside.c: parts a loop where the loops beside it change: a thread goes on, and another thread takes the place of one
 * that has ended. */
#include <stdlib.h>

#include "analyze/replay/replay.h"
#include "util/alloc.h"

/* The fewest rounds of a part. */
enum { PART_ROUNDS = 3 };

/* The loops of all threads while they are parted. */
struct parting {
	const struct replay_program *program;
	const struct replay_orders *orders;
	struct replay_loop *out;
	size_t n, room;
};

/* A loop of another thread. */
struct beside {
	int64_t start, end;
	uint32_t thread;
};

static const struct replay_call *call_at_turn(const struct parting *parting, uint32_t turn)
{
	return &parting->program->call[parting->orders->by_thread[turn]];
}

static struct beside span_of_loop(const struct parting *parting, const struct replay_loop *loop)
{
	return (struct beside){call_at_turn(parting, loop->first[0])->start,
		call_at_turn(parting, loop->first[loop->rounds] - 1)->end, loop->thread};
}

static int beside_by_start(const void *left, const void *right)
{
	const struct beside *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

/* Whether a loop of another thread, on the same GPUs, runs for most of its time while this one does. */
static bool runs_beside(const struct parting *parting, const struct beside *loop, const struct beside *other)
{
	const uint64_t *devices = parting->orders->devices;
	int64_t start = loop->start > other->start ? loop->start : other->start;
	int64_t end = loop->end < other->end ? loop->end : other->end;

	return loop->thread != other->thread && (devices[loop->thread] & devices[other->thread]) &&
	       2 * (end - start) > other->end - other->start;
}

/* The loops beside one, by start; for free(). */
static struct beside *find_loops_beside(
	const struct parting *parting, const struct replay_loop *loops, size_t n, size_t l, size_t *count)
{
	struct beside *list = xcalloc(n + 1, sizeof(*list)), loop = span_of_loop(parting, &loops[l]);

	*count = 0;
	for (size_t i = 0; i < n; i++) {
		struct beside other = span_of_loop(parting, &loops[i]);

		if (runs_beside(parting, &loop, &other))
			list[(*count)++] = other;
	}
	if (*count > 1)
		qsort(list, *count, sizeof(*list), beside_by_start);
	return list;
}

/* The round from `from` on whose begin lies nearest to a time. */
static size_t nearest_round(const struct parting *parting, const struct replay_loop *loop, size_t from, int64_t time)
{
	size_t best = from;
	int64_t least = INT64_MAX;

	for (size_t r = from; r < loop->rounds; r++) {
		int64_t begin = call_at_turn(parting, loop->first[r])->start;
		int64_t away = begin > time ? begin - time : time - begin;

		if (away >= least)
			break;
		least = away;
		best = r;
	}
	return best;
}

static void add_rounds(struct parting *parting, const struct replay_loop *loop, size_t from, size_t to)
{
	struct replay_loop *part;

	xgrow(&parting->out, parting->n, &parting->room, sizeof(*parting->out));
	part = &parting->out[parting->n++];
	*part = *loop;
	part->rounds = to - from;
	part->first = xmemdup(loop->first + from, (to - from + 1) * sizeof(*part->first));
}

/* Adds a loop, parted between the end of all loops beside it and the start of another thread's. */
static void part_loop(
	struct parting *parting, const struct replay_loop *loop, const struct beside *beside, size_t count)
{
	int64_t end = count ? beside[0].end : 0;
	size_t from = 0;

	for (size_t i = 1; i < count; i++) {
		size_t cut;

		if (beside[i].start >= end && beside[i].thread != beside[i - 1].thread) {
			cut = nearest_round(parting, loop, from, end + (beside[i].start - end) / 2);
			if (cut - from >= PART_ROUNDS && loop->rounds - cut >= PART_ROUNDS) {
				add_rounds(parting, loop, from, cut);
				from = cut;
			}
		}
		end = beside[i].end > end ? beside[i].end : end;
	}
	add_rounds(parting, loop, from, loop->rounds);
}

struct replay_loop *replay_loops_part(
	const struct replay_program *program, const struct replay_orders *orders, struct replay_loop *loops, size_t *n)
{
	struct parting parting = {.program = program, .orders = orders};

	for (size_t l = 0; l < *n; l++) {
		size_t count;
		struct beside *beside = find_loops_beside(&parting, loops, *n, l, &count);

		part_loop(&parting, &loops[l], beside, count);
		free(beside);
	}
	replay_loops_free(loops, *n);
	*n = parting.n;
	return parting.out;
}
