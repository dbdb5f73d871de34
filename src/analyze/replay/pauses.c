/* pauses.c: where a program pauses between the rounds of a loop: the loop ends there, and what follows is another. */
#include "analyze/replay/pauses.h"

#include <stdlib.h>

#include "analyze/replay/pace.h"
#include "analyze/replay/replay.h"
#include "analyze/thresholds.h"
#include "util/alloc.h"

/* So many pauses may come at equal distances by chance; one more is a rhythm, whatever stands before the first. */
enum { FEW_PAUSES = 2 };

/* The rounds of a thread while its time is gone through. */
struct pacing {
	const struct replay_program *program;
	const struct replay_orders *orders;
	int64_t done; /* when the calls so far had returned and their work was done */
};

struct round_pace {
	float time,
		longest; /* from what was done before it to what was done with it; the longest time without both (ns) */
	bool inside;     /* that time lies inside of the round */
};

static const struct replay_call *paced_call(const struct pacing *pacing, uint32_t turn)
{
	return &pacing->program->call[pacing->orders->by_thread[turn]];
}

/* Ranges that begin, and calls that allocate or free, are no calls of the loop: a pause may hold them. */
static bool is_of_loop(const struct replay_call *call)
{
	return call->kind != REPLAY_MARK && !call->freeing;
}

static void pass_gap(const struct pacing *pacing, const struct replay_call *call, bool inside, struct round_pace *pace)
{
	const float gap = (float)(call->start - pacing->done);

	if (gap > pace->longest) {
		pace->longest = gap;
		pace->inside = inside;
	}
}

/* The call, and the work that it asked for. */
static void pass_call(struct pacing *pacing, const struct replay_call *call)
{
	int64_t done = call->end;

	for (uint32_t p = call->first; p < call->first + call->count; p++)
		done = pacing->program->piece[p].end > done ? pacing->program->piece[p].end : done;
	pacing->done = done > pacing->done ? done : pacing->done;
}

/* Whether a call from `turn` on asks for work. */
static bool asks_later(const struct pacing *pacing, uint32_t turn, uint32_t end)
{
	for (; turn < end; turn++) {
		if (paced_call(pacing, turn)->count > 0)
			return true;
	}
	return false;
}

/* The first call of the loop from a turn on; NULL if there is none. */
static const struct replay_call *next_of_loop(const struct pacing *pacing, uint32_t turn, uint32_t end)
{
	for (; turn < end; turn++) {
		if (is_of_loop(paced_call(pacing, turn)))
			return paced_call(pacing, turn);
	}
	return NULL;
}

/* Goes through a round, up to the first call of the next. */
static struct round_pace pace_of_round(struct pacing *pacing, const uint32_t *first, bool last)
{
	struct round_pace pace = {0};
	const int64_t before = pacing->done;
	const struct replay_call *next = last ? NULL : next_of_loop(pacing, first[1], first[2]);

	for (uint32_t turn = first[0]; turn < first[1]; turn++) {
		const struct replay_call *call = paced_call(pacing, turn);

		if (!is_of_loop(call))
			continue;
		if (turn > first[0])
			pass_gap(pacing, call, asks_later(pacing, turn, first[1]), &pace);
		pass_call(pacing, call);
	}
	if (next)
		pass_gap(pacing, next, false, &pace);
	pace.time = (float)(pacing->done - before);
	return pace;
}

static float usual_round(const struct round_pace *pace, size_t n)
{
	float *time = xcalloc(n + 1, sizeof(*time)), usual;

	/* What was done before the first round is not known. */
	for (size_t r = 1; r < n; r++)
		time[r - 1] = pace[r].time;
	usual = pace_median(time, n - 1);
	free(time);
	return usual;
}

/* Whether two numbers of rounds are alike. */
static bool are_alike(size_t a, size_t b)
{
	size_t more = a > b ? a : b, less = a > b ? b : a;

	return (double)(more - less) <= 1 + pause_rhythm * (double)less;
}

/* How many of the pauses part the rounds: all, unless they come at equal distances and the last part is no longer than
 * they lie apart. Then only the first may, if it lies elsewhere: the rounds before it are a warm-up. */
static size_t parting_pauses(const struct replay_pause *pause, size_t count, size_t n)
{
	size_t apart, left;
	bool first;

	if (count < FEW_PAUSES)
		return count;
	apart = pause[1].round - pause[0].round;
	left = n - 1 - pause[count - 1].round;
	for (size_t i = 2; i < count; i++) {
		if (!are_alike(pause[i].round - pause[i - 1].round, apart))
			return count > PAUSES_MOST ? 0 : count;
	}
	first = are_alike(pause[0].round + 1, apart);
	if (left > apart && !are_alike(left, apart))
		return count > PAUSES_MOST ? 0 : count;
	if (count == FEW_PAUSES)
		return first ? 0 : count;
	return first ? 0 : 1;
}

/* Whether so many rounds are of the usual length that a pause stands out. */
static bool are_steady(const struct round_pace *pace, size_t n, float usual)
{
	size_t steady = 0;

	for (size_t r = 1; r < n; r++)
		steady += pace[r].time <= (float)pause_steady_times * usual;
	return n >= PAUSE_ROUNDS_LEAST && usual > 0 && (double)steady >= pause_steady_part * (double)(n - 1);
}

struct replay_pause *replay_pauses_find(const struct replay_program *program, const struct replay_orders *orders,
	const uint32_t *first, size_t n, size_t *count)
{
	struct pacing pacing = {.program = program, .orders = orders};
	struct round_pace *pace = xcalloc(n + 1, sizeof(*pace));
	struct replay_pause *pause = xcalloc(n + 1, sizeof(*pause));
	float usual;
	bool steady;

	pacing.done = program->call[orders->by_thread[first[0]]].start;
	for (size_t r = 0; r < n; r++)
		pace[r] = pace_of_round(&pacing, first + r, r + 1 == n);
	usual = usual_round(pace, n);
	steady = are_steady(pace, n, usual);
	*count = 0;
	for (size_t r = 0; r < n && steady; r++) {
		if ((double)pace[r].longest >= pause_rounds * (double)usual)
			pause[(*count)++] = (struct replay_pause){r, pace[r].inside};
	}
	*count = parting_pauses(pause, *count, n);
	free(pace);
	return pause;
}
