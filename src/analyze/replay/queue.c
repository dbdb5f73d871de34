/* queue.c: launches that wait for room. A stream's queue holds a limited number of pieces of work, about a thousand on
 * an H100. A call that asks for more returns when earlier work is done. No recording says so: it follows from how full
 * the queue was and how long the calls took. */
#include <math.h>
#include <stdlib.h>

#include "analyze/replay/pace.h"
#include "analyze/replay/replay.h"
#include "util/alloc.h"

enum {
	LEAST_DEPTH = 64,  /* a queue is not full with less */
	LEAST_HELD = 16,   /* so many calls must have taken long */
	EDGE_STEEPNESS = 4 /* so many times more calls found it full than a little less full */
};

/* Depths of a full queue differ by this part: events take room as well. */
static const double queue_band = 0.02;
/* A call that took so many times as long as usual may have waited: where pieces are short, it waited for little. Either
 * half of the calls that found the queue full took longer, or some took long. */
static const float queue_longer = 1.5F, queue_long = 4;

/* What a stream's queue held when a call began that put something into it. */
struct queue_depth {
	uint32_t call, depth; /* in calls */
	uint32_t room;        /* the latest piece that was over while the call ran; REPLAY_NONE */
};

/* Calls that put work in a stream, as they are gone through by start. */
struct queue {
	struct queue_depth *item; /* by call */
	size_t n, done;           /* item[0 .. done) had ended when the latest call began */
};

static int64_t end_of_call_work(const struct replay_program *program, uint32_t call)
{
	const struct replay_call *of = &program->call[call];

	return program->piece[of->first + of->count - 1].end;
}

static void queue_add(struct queue *queue, const struct replay_program *program, uint32_t c)
{
	const struct replay_call *call = &program->call[c];
	struct queue_depth *item = &queue->item[queue->n];
	size_t ended;

	while (queue->done < queue->n && end_of_call_work(program, queue->item[queue->done].call) <= call->start)
		queue->done++;
	*item = (struct queue_depth){c, (uint32_t)(queue->n - queue->done), REPLAY_NONE};
	for (ended = queue->done; ended < queue->n; ended++) {
		if (end_of_call_work(program, queue->item[ended].call) > call->end)
			break;
	}
	if (ended > queue->done) {
		const struct replay_call *last = &program->call[queue->item[ended - 1].call];

		item->room = last->first + last->count - 1;
	}
	queue->n++;
}

static float length_of_call(const struct replay_program *program, uint32_t call)
{
	return (float)(program->call[call].end - program->call[call].start);
}

/* What a call took that found the queue less full than `low`. */
static float usual_below(const struct queue *queue, const struct replay_program *program, uint32_t low)
{
	float *value = xcalloc(queue->n + 1, sizeof(*value)), usual;
	size_t n = 0;

	for (size_t i = 0; i < queue->n; i++) {
		if (queue->item[i].depth < low)
			value[n++] = length_of_call(program, queue->item[i].call);
	}
	usual = pace_median(value, n);
	free(value);
	return isnan(usual) ? SHORT_CALL : fminf(usual, 4 * SHORT_CALL);
}

static bool took_longer(const struct replay_program *program, const struct queue_depth *item, float least)
{
	return item->room != REPLAY_NONE && length_of_call(program, item->call) > least;
}

static uint32_t most_depth(const struct queue *queue)
{
	uint32_t most = 0;

	for (size_t i = 0; i < queue->n; i++)
		most = queue->item[i].depth > most ? queue->item[i].depth : most;
	return most;
}

/* Whether a queue that held `depth` was full from `low` on: very many calls found it as full, few a little less full,
 * and many of them took long. */
static bool was_full(
	const struct queue *queue, const struct replay_program *program, uint32_t depth, uint32_t low, float usual)
{
	uint32_t lower = depth - 2 * (depth - low);
	size_t full = 0, nearly = 0, longer = 0, held = 0;

	for (size_t i = 0; i < queue->n; i++) {
		full += queue->item[i].depth >= low;
		nearly += queue->item[i].depth >= lower && queue->item[i].depth < low;
		if (queue->item[i].depth < low)
			continue;
		longer += took_longer(program, &queue->item[i], queue_longer * usual);
		held += took_longer(program, &queue->item[i], queue_long * usual);
	}
	return (held >= LEAST_HELD || (longer >= LEAST_HELD && 2 * longer >= full)) && full >= EDGE_STEEPNESS * nearly;
}

/* A call that took long waited for what was over last before it returned. Another one waits for what is as far before
 * it as the queue is long. */
static void find_room_of_stream(
	struct replay_orders *orders, const struct replay_program *program, const struct queue *queue)
{
	uint32_t most = most_depth(queue), low = most - (uint32_t)(queue_band * most);
	float usual;

	if (most < LEAST_DEPTH)
		return;
	usual = usual_below(queue, program, low);
	if (!was_full(queue, program, most, low, usual))
		return;
	for (size_t i = 0; i < queue->n; i++) {
		const struct queue_depth *item = &queue->item[i];

		if (item->depth >= low && took_longer(program, item, queue_longer * usual)) {
			orders->room[item->call] = item->room;
		} else if (i > most) {
			const struct replay_call *before = &program->call[queue->item[i - most - 1].call];

			orders->room[item->call] = before->first + before->count - 1;
		}
	}
}

void replay_find_room(struct replay_orders *orders, const struct replay_program *program)
{
	size_t *calls = xcalloc(program->nstreams + 1, sizeof(*calls)), at = 0;
	struct queue *queue = xcalloc(program->nstreams + 1, sizeof(*queue));
	struct queue_depth *items = xcalloc(program->npieces + 1, sizeof(*items));

	orders->room = xreallocarray(NULL, program->ncalls + 1, sizeof(*orders->room));
	for (size_t c = 0; c < program->ncalls; c++) {
		orders->room[c] = REPLAY_NONE;
		if (program->call[c].count > 0)
			calls[program->piece[program->call[c].first].stream]++;
	}
	for (size_t s = 0; s < program->nstreams; s++) {
		queue[s].item = items + at;
		at += calls[s];
	}
	for (uint32_t c = 0; c < program->ncalls; c++) {
		if (program->call[c].count > 0)
			queue_add(&queue[program->piece[program->call[c].first].stream], program, c);
	}
	for (size_t s = 0; s < program->nstreams; s++)
		find_room_of_stream(orders, program, &queue[s]);
	free(calls);
	free(queue);
	free(items);
}
