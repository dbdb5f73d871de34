/* handover.c: host threads that wait for each other. No recording shows that: it follows from calls that begin, round
 * after round, right when a call of the other thread has ended. Threads that put work into one stream must take turns:
 * there the one may begin later, if it calls only while the other one does not. */
#include <stdlib.h>

#include "analyze/replay/replay.h"
#include "util/alloc.h"

/* A thread goes on so soon after the one that it waited for (ns). */
enum { LONGEST_WAKE = 15000 };

/* Of more threads nobody hands over to each single other one: looking at all pairs would take too long. */
enum { THREADS_MOST = 64 };

/* How many rounds must show it, at least, and which part of all. */
enum { ROUNDS_SHOWN = 3 };
static const double part_shown = 0.5;

/* In nearly all rounds the one must have come before the other. */
static const double part_in_order = 0.95;

/* What a pair of loops is looked at for. */
struct handing {
	const struct replay_phase *phase;
	const struct replay_loop *from, *to;
	bool one_stream; /* both put work into it */
	struct handovers {
		struct replay_handover *item;
		size_t n, room;
	} * out;
};

/* A call of one loop ends where a call of the other begins: their places in their rounds, and how many rounds lie
 * between. */
struct meeting {
	uint32_t place; /* in the round of `from` */
	int64_t ahead;  /* its round less that of `to` */
	float lag;
};

static const struct replay_call *handing_call(const struct handing *handing, uint32_t turn)
{
	return &handing->phase->program->call[handing->phase->orders->by_thread[turn]];
}

/* The last turn of a loop whose call ends by `time`; REPLAY_NONE if there is none. */
static uint32_t last_ended(const struct handing *handing, int64_t time)
{
	const struct replay_loop *loop = handing->from;
	uint32_t low = loop->first[0], high = loop->first[loop->rounds];

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (handing_call(handing, middle)->end <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low > loop->first[0] ? low - 1 : REPLAY_NONE;
}

static uint32_t round_of_turn(const struct replay_loop *loop, uint32_t turn)
{
	uint32_t low = 0, high = (uint32_t)loop->rounds;

	while (low + 1 < high) {
		uint32_t middle = low + (high - low) / 2;

		if (loop->first[middle] <= turn)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Whether a call begins behind one of the other thread that ended since the call before (`gap` ns), and no other one of
 * that thread begins before it is over. */
static bool takes_turn(const struct handing *handing, uint32_t from, const struct replay_call *call, int64_t gap)
{
	const struct replay_loop *loop = handing->from;

	return handing->one_stream && call->start - handing_call(handing, from)->end < gap &&
	       (from + 1 == loop->first[loop->rounds] || handing_call(handing, from + 1)->start >= call->end);
}

/* Whether a call begins when one of the other thread has just ended, for which its own thread may have waited. */
static bool find_meeting(const struct handing *handing, uint32_t round, uint32_t turn, struct meeting *meeting)
{
	const struct replay_call *call = handing_call(handing, turn);
	uint32_t from = last_ended(handing, call->start), at;
	int64_t gap = turn > handing->to->first[0] ? call->start - handing_call(handing, turn - 1)->end : 0, lag;

	if (from == REPLAY_NONE || gap <= 0)
		return false;
	lag = call->start - handing_call(handing, from)->end;
	if ((lag > LONGEST_WAKE || lag * 4 > gap) && !takes_turn(handing, from, call, gap))
		return false;
	at = round_of_turn(handing->from, from);
	*meeting = (struct meeting){from - handing->from->first[at], (int64_t)at - round, (float)lag};
	return true;
}

static int handing_by_place(const void *left, const void *right)
{
	const struct meeting *a = left, *b = right;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->ahead != b->ahead)
		return a->ahead < b->ahead ? -1 : 1;
	return (a->lag > b->lag) - (a->lag < b->lag);
}

/* The most frequent meeting, with its median lag; returns how often it was. */
static size_t usual_meeting(struct meeting *meetings, size_t n, struct meeting *out)
{
	size_t most = 0, first = 0;

	if (n > 1)
		qsort(meetings, n, sizeof(*meetings), handing_by_place);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && meetings[i].place == meetings[first].place && meetings[i].ahead == meetings[first].ahead)
			continue;
		if (i - first > most) {
			most = i - first;
			*out = meetings[first + most / 2];
		}
		first = i;
	}
	return most;
}

/* The turn in the other loop that a round's call waits for; REPLAY_NONE if there is none. */
static uint32_t turn_of_meeting(const struct handing *handing, uint32_t round, const struct meeting *meeting)
{
	int64_t other = round + meeting->ahead;
	uint32_t turn;

	if (other < 0 || other >= (int64_t)handing->from->rounds)
		return REPLAY_NONE;
	turn = handing->from->first[other] + meeting->place;
	return turn < handing->from->first[other + 1] ? turn : REPLAY_NONE;
}

static bool is_in_order(const struct handing *handing, uint32_t place, const struct meeting *meeting)
{
	size_t in_order = 0, all = 0;

	for (uint32_t r = 0; r < handing->to->rounds; r++) {
		uint32_t from = turn_of_meeting(handing, r, meeting), turn = handing->to->first[r] + place;

		if (from == REPLAY_NONE || turn >= handing->to->first[r + 1])
			continue;
		all++;
		in_order += handing_call(handing, from)->end <= handing_call(handing, turn)->start;
	}
	return all > 0 && (double)in_order >= part_in_order * (double)all;
}

static void add_handovers(const struct handing *handing, uint32_t place, const struct meeting *meeting)
{
	struct handovers *out = handing->out;

	for (uint32_t r = 0; r < handing->to->rounds; r++) {
		uint32_t from = turn_of_meeting(handing, r, meeting), turn = handing->to->first[r] + place;

		/* A call that had begun before has not waited; work would wait for itself. */
		if (from == REPLAY_NONE || turn >= handing->to->first[r + 1] ||
			handing_call(handing, from)->end > handing_call(handing, turn)->start)
			continue;
		xgrow(&out->item, out->n, &out->room, sizeof(*out->item));
		out->item[out->n++] = (struct replay_handover){handing->phase->orders->by_thread[from],
			handing->phase->orders->by_thread[turn], meeting->lag, meeting->ahead == 0};
	}
}

/* Looks at the call at one place of the rounds of `to`. */
static void look_at_place(const struct handing *handing, uint32_t place)
{
	struct meeting *meetings = xcalloc(handing->to->rounds + 1, sizeof(*meetings)), usual = {0};
	size_t n = 0, most;

	for (uint32_t r = 0; r < handing->to->rounds; r++) {
		uint32_t turn = handing->to->first[r] + place;

		n += turn < handing->to->first[r + 1] && find_meeting(handing, r, turn, &meetings[n]);
	}
	most = usual_meeting(meetings, n, &usual);
	if (most >= ROUNDS_SHOWN && (double)most >= part_shown * (double)handing->to->rounds &&
		is_in_order(handing, place, &usual))
		add_handovers(handing, place, &usual);
	free(meetings);
}

static int by_receiver(const void *left, const void *right)
{
	const struct replay_handover *a = left, *b = right;

	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

/* The streams of a loop's work, as flags by stream. */
static void mark_streams(const struct replay_phase *phase, const struct replay_loop *loop, bool *used)
{
	for (uint32_t turn = loop->first[0]; turn < loop->first[loop->rounds]; turn++) {
		const struct replay_call *call = &phase->program->call[phase->orders->by_thread[turn]];

		for (uint32_t p = call->first; p < call->first + call->count; p++)
			used[phase->program->piece[p].stream] = true;
	}
}

static bool share_stream(const struct replay_phase *phase, const struct replay_loop *a, const struct replay_loop *b)
{
	const size_t n = phase->program->nstreams;
	bool *used = xcalloc(2 * n + 1, sizeof(*used)), shared = false;

	mark_streams(phase, a, used);
	mark_streams(phase, b, used + n);
	for (size_t s = 0; s < n; s++)
		shared = shared || (used[s] && used[n + s]);
	free(used);
	return shared;
}

static bool may_hand_over(const struct replay_phase *phase, size_t a, size_t b)
{
	const uint32_t *process = phase->program->process;

	return a != b && (!process || process[phase->loop[a].thread] == process[phase->loop[b].thread]);
}

struct replay_handover *replay_handovers_find(const struct replay_phase *phase, size_t *n)
{
	struct handovers out = {0};

	for (size_t a = 0; a < phase->nloops && phase->nloops <= THREADS_MOST; a++) {
		for (size_t b = 0; b < phase->nloops; b++) {
			const struct handing handing = {phase, &phase->loop[a], &phase->loop[b],
				a != b && share_stream(phase, &phase->loop[a], &phase->loop[b]), &out};
			uint32_t places = phase->loop[b].first[1] - phase->loop[b].first[0];

			if (!may_hand_over(phase, a, b))
				continue;
			for (uint32_t place = 0; place < places; place++)
				look_at_place(&handing, place);
		}
	}
	if (out.n > 1)
		qsort(out.item, out.n, sizeof(*out.item), by_receiver);
	*n = out.n;
	return out.item;
}
