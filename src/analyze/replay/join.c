/* join.c: programs of several processes as one, since their collectives wait for each other. No recording says which
 * ones do: those of two GPUs that ran at the same time, one after the other. */
#include <stdlib.h>
#include <string.h>

#include "analyze/replay/pace.h"
#include "analyze/replay/replay.h"
#include "analyze/sort.h"
#include "analyze/thresholds.h"
#include "util/alloc.h"

/* Collectives meet if they share this part of the shorter one's time; and GPUs communicate if this part of the
 * collectives of the one that has fewer meet. */
static const double met_part = 0.5, meeting_part = 0.9;

/* ---- calls and pieces ---- */

/* What is joined, while it is. */
struct joining {
	const struct replay_program *const *program;
	const struct replay_orders *const *orders;
	size_t n;
	struct replay_joined *out;
	uint32_t **call;                 /* by part and its call: the joined program's */
	uint32_t *from_part, *from_call; /* by the joined program's call */
	uint32_t *streams, *devices;     /* by part: before its own */
};

/* The part whose next call begins first. */
static size_t next_part(const struct joining *joining, const size_t *next)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < joining->n; i++) {
		const struct replay_program *program = joining->program[i];

		if (next[i] == program->ncalls)
			continue;
		if (best == SIZE_MAX || program->call[next[i]].start < joining->program[best]->call[next[best]].start)
			best = i;
	}
	return best;
}

/* The calls of all parts, by start. */
static void order_joined_calls(struct joining *joining)
{
	size_t *next = xcalloc(joining->n + 1, sizeof(*next)), ncalls = joining->out->program.ncalls;

	joining->from_part = xcalloc(ncalls + 1, sizeof(*joining->from_part));
	joining->from_call = xcalloc(ncalls + 1, sizeof(*joining->from_call));
	for (uint32_t c = 0; c < ncalls; c++) {
		size_t part = next_part(joining, next);

		joining->from_part[c] = (uint32_t)part;
		joining->from_call[c] = (uint32_t)next[part];
		joining->call[part][next[part]++] = c;
	}
	free(next);
}

static void join_pieces_of(struct joining *joining, uint32_t c, struct replay_piece *pieces, uint32_t *n)
{
	uint32_t part = joining->from_part[c];
	const struct replay_program *program = joining->program[part];
	const struct replay_call *call = &program->call[joining->from_call[c]];

	for (uint32_t p = call->first; p < call->first + call->count; p++) {
		joining->out->part[part].piece[p] = *n;
		pieces[*n] = program->piece[p];
		pieces[*n].call = c;
		pieces[(*n)++].stream += (int32_t)joining->streams[part];
	}
}

static void join_calls(struct joining *joining)
{
	struct replay_program *out = &joining->out->program;
	struct replay_call *calls = xcalloc(out->ncalls + 1, sizeof(*calls));
	struct replay_piece *pieces = xcalloc(out->npieces + 1, sizeof(*pieces));
	uint32_t npieces = 0;

	for (uint32_t c = 0; c < out->ncalls; c++) {
		uint32_t part = joining->from_part[c];
		struct replay_call *call = &calls[c];

		*call = joining->program[part]->call[joining->from_call[c]];
		call->thread += joining->out->part[part].threads;
		call->first = npieces;
		call->event = call->event == REPLAY_NONE ? REPLAY_NONE : joining->call[part][call->event];
		call->stream += call->stream >= 0 ? (int32_t)joining->streams[part] : 0;
		join_pieces_of(joining, c, pieces, &npieces);
	}
	out->call = calls;
	out->piece = pieces;
}

static void join_all_streams(struct joining *joining)
{
	struct replay_program *out = &joining->out->program;
	struct replay_stream *streams = xcalloc(out->nstreams + 1, sizeof(*streams));
	bool *shared = xcalloc((size_t)out->ndevices + 1, sizeof(*shared));
	uint32_t *process = xcalloc(out->nthreads + 1, sizeof(*process));

	for (uint32_t i = 0; i < joining->n; i++) {
		const struct replay_program *program = joining->program[i];

		for (size_t s = 0; s < program->nstreams; s++) {
			streams[joining->streams[i] + s] = program->stream[s];
			streams[joining->streams[i] + s].device += (int)joining->devices[i];
		}
		for (int d = 0; d < program->ndevices; d++)
			shared[joining->devices[i] + (uint32_t)d] = program->shared_copies[d];
		for (size_t t = 0; t < program->nthreads; t++)
			process[joining->out->part[i].threads + t] = i;
	}
	out->stream = streams;
	out->shared_copies = shared;
	out->process = process;
}

/* ---- orders ---- */

static void join_edges(struct joining *joining)
{
	struct replay_orders *out = &joining->out->orders;
	const struct replay_program *program = &joining->out->program;
	uint32_t nedges = 0, nwaits = 0, npieces = 0;

	for (uint32_t c = 0; c < program->ncalls; c++) {
		uint32_t part = joining->from_part[c], call = joining->from_call[c];
		const uint32_t *piece = joining->out->part[part].piece;
		const struct replay_orders *orders = joining->orders[part];
		const struct replay_call *of = &joining->program[part]->call[call];

		out->call_first[c] = nwaits;
		for (uint32_t w = orders->call_first[call]; w < orders->call_first[call + 1]; w++) {
			out->waits[nwaits] = orders->waits[w];
			out->waits[nwaits++].from = piece[orders->waits[w].from];
		}
		for (uint32_t p = of->first; p < of->first + of->count; p++) {
			out->piece_first[npieces++] = nedges;
			for (uint32_t e = orders->piece_first[p]; e < orders->piece_first[p + 1]; e++) {
				out->edge[nedges] = orders->edge[e];
				out->edge[nedges++].from = piece[orders->edge[e].from];
			}
		}
	}
	out->call_first[program->ncalls] = nwaits;
	out->piece_first[program->npieces] = nedges;
}

static void join_pace(struct joining *joining)
{
	struct replay_orders *out = &joining->out->orders;

	for (uint32_t c = 0; c < joining->out->program.ncalls; c++) {
		uint32_t part = joining->from_part[c], call = joining->from_call[c];
		const struct replay_orders *orders = joining->orders[part];

		out->gap[c] = orders->gap[call];
		out->own[c] = orders->own[call];
		out->lag[c] = orders->lag[call];
		out->room[c] = orders->room[call] == REPLAY_NONE ? REPLAY_NONE
								 : joining->out->part[part].piece[orders->room[call]];
		out->turn[c] = orders->turn[call] + joining->out->part[part].turns;
		out->by_thread[out->turn[c]] = c;
	}
	for (size_t i = 0; i < joining->n; i++) {
		const struct replay_orders *orders = joining->orders[i];

		for (size_t p = 0; p < joining->program[i]->npieces; p++) {
			uint32_t to = joining->out->part[i].piece[p];

			out->length[to] = orders->length[p];
			out->issue_latency[to] = orders->issue_latency[p];
			out->order_latency[to] = orders->order_latency[p];
			out->engine_latency[to] = orders->engine_latency[p];
		}
	}
}

/* The bits of devices that have others before them. */
static uint64_t devices_behind(uint64_t devices, uint32_t before)
{
	return before % 64 ? devices << before % 64 | devices >> (64 - before % 64) : devices;
}

static void join_threads(struct joining *joining)
{
	struct replay_orders *out = &joining->out->orders;

	for (size_t i = 0; i < joining->n; i++) {
		const struct replay_part *part = &joining->out->part[i];
		const struct replay_orders *orders = joining->orders[i];

		for (size_t t = 0; t < joining->program[i]->nthreads; t++) {
			out->thread_first[part->threads + t] = part->turns + orders->thread_first[t];
			out->devices[part->threads + t] = devices_behind(orders->devices[t], joining->devices[i]);
		}
		for (int d = 0; d < joining->program[i]->ndevices; d++)
			out->of_device[joining->devices[i] + (uint32_t)d] = orders;
	}
	out->thread_first[joining->out->program.nthreads] = joining->out->program.ncalls;
}

static void join_orders(struct joining *joining)
{
	struct replay_orders *out = &joining->out->orders;
	const struct replay_program *program = &joining->out->program;
	size_t ncalls = program->ncalls + 1, npieces = program->npieces + 1, nedges = 1, nwaits = 1;

	for (size_t i = 0; i < joining->n; i++) {
		nedges += joining->orders[i]->piece_first[joining->program[i]->npieces];
		nwaits += joining->orders[i]->call_first[joining->program[i]->ncalls];
	}
	out->piece_first = xcalloc(npieces, sizeof(*out->piece_first));
	out->call_first = xcalloc(ncalls, sizeof(*out->call_first));
	out->edge = xcalloc(nedges, sizeof(*out->edge));
	out->waits = xcalloc(nwaits, sizeof(*out->waits));
	out->length = xcalloc(npieces, sizeof(float));
	out->issue_latency = xcalloc(npieces, sizeof(float));
	out->order_latency = xcalloc(npieces, sizeof(float));
	out->engine_latency = xcalloc(npieces, sizeof(float));
	out->devices = xcalloc(program->nthreads + 1, sizeof(*out->devices));
	out->turn = xcalloc(ncalls, sizeof(*out->turn));
	out->by_thread = xcalloc(ncalls, sizeof(*out->by_thread));
	out->thread_first = xcalloc(program->nthreads + 1, sizeof(*out->thread_first));
	out->room = xcalloc(ncalls, sizeof(*out->room));
	out->gap = xcalloc(ncalls, sizeof(float));
	out->own = xcalloc(ncalls, sizeof(float));
	out->lag = xcalloc(ncalls, sizeof(float));
	out->of_device = xcalloc((size_t)program->ndevices + 1, sizeof(struct replay_orders *));
	join_edges(joining);
	join_pace(joining);
	join_threads(joining);
}

/* ---- meetings ---- */

struct collective {
	int64_t start, end;
	uint32_t piece;
};

/* The collectives of a GPU, by start. Owned. */
struct collectives {
	struct collective *item;
	size_t n, room;
};

static int collective_by_start(const void *left, const void *right)
{
	const struct collective *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->piece > b->piece) - (a->piece < b->piece);
}

static struct collectives *find_collectives(const struct replay_program *program)
{
	struct collectives *of = xcalloc((size_t)program->ndevices + 1, sizeof(*of));

	for (uint32_t p = 0; p < program->npieces; p++) {
		const struct replay_piece *piece = &program->piece[p];
		struct collectives *list = &of[program->stream[piece->stream].device];

		if (piece->cls != WORK_KERNEL || piece->kind != REPLAY_COLLECTIVE)
			continue;
		xgrow(&list->item, list->n, &list->room, sizeof(*list->item));
		list->item[list->n++] = (struct collective){piece->start, piece->end, p};
	}
	for (int d = 0; d < program->ndevices; d++) {
		if (of[d].n > 1)
			sort_runs(of[d].item, of[d].n, sizeof(*of[d].item), collective_by_start);
	}
	return of;
}

static bool do_meet(const struct collective *a, const struct collective *b)
{
	int64_t start = a->start > b->start ? a->start : b->start, end = a->end < b->end ? a->end : b->end;
	int64_t left = a->end - a->start, right = b->end - b->start;

	return end > start && (double)(end - start) >= met_part * (double)(left < right ? left : right);
}

/* The piece that stands for all that a piece meets. */
static uint32_t root_of_meeting(uint32_t *root, uint32_t piece)
{
	while (root[piece] != piece)
		piece = root[piece] = root[root[piece]];
	return piece;
}

/* Goes through the collectives of two GPUs; `root` is NULL if they are only counted. */
static size_t meet_collectives(const struct collectives *a, const struct collectives *b, uint32_t *root)
{
	size_t i = 0, k = 0, n = 0;

	while (i < a->n && k < b->n) {
		const struct collective *left = &a->item[i], *right = &b->item[k];

		if (!do_meet(left, right)) {
			if (left->end < right->end)
				i++;
			else
				k++;
			continue;
		}
		if (root)
			root[root_of_meeting(root, left->piece)] = root_of_meeting(root, right->piece);
		n++;
		i++;
		k++;
	}
	return n;
}

/* Numbers what meets, and takes a collective from when the last one has begun. */
static void number_meetings(struct replay_joined *joined, struct replay_piece *piece, uint32_t *root)
{
	size_t n = joined->program.npieces;
	uint32_t *number = xcalloc(n + 1, sizeof(*number)), *count = xcalloc(n + 1, sizeof(*count));
	int64_t *last = xcalloc(n + 1, sizeof(*last));

	for (uint32_t p = 0; p < n; p++) {
		uint32_t of = root_of_meeting(root, p);

		last[of] = count[of] == 0 || piece[p].start > last[of] ? piece[p].start : last[of];
		count[of]++;
	}
	for (uint32_t p = 0; p < n; p++) {
		uint32_t of = root_of_meeting(root, p);

		if (count[of] < 2)
			continue;
		if (number[of] == 0)
			number[of] = (uint32_t)++joined->program.nmeetings;
		piece[p].meeting = number[of];
		joined->orders.length[p] = piece[p].end > last[of] ? (float)(piece[p].end - last[of]) : 0;
	}
	free(number);
	free(count);
	free(last);
}

/* When the collectives of a GPU wait for those of others. */
static struct replay_spins spins_of(const struct replay_joined *joined, const struct collectives *of)
{
	struct replay_spins spins = {.time = xcalloc(of->n + 1, sizeof(*spins.time))};

	for (size_t i = 0; i < of->n; i++) {
		const struct collective *item = &of->item[i];

		if (joined->program.piece[item->piece].meeting > 0)
			spins.time[spins.n++] =
				(struct interval){item->start, item->end - (int64_t)joined->orders.length[item->piece]};
	}
	spins.n = intervals_union(spins.time, spins.n);
	return spins;
}

static void find_meetings(struct replay_joined *joined)
{
	const struct replay_program *program = &joined->program;
	struct collectives *of = find_collectives(program);
	uint32_t *root = xcalloc(program->npieces + 1, sizeof(*root));

	for (uint32_t p = 0; p < program->npieces; p++)
		root[p] = p;
	for (int a = 0; a < program->ndevices && program->ndevices <= REPLAY_JOINED_GPUS_MOST; a++) {
		for (int b = a + 1; b < program->ndevices; b++) {
			size_t fewer = of[a].n < of[b].n ? of[a].n : of[b].n;

			if (fewer > 0 && (double)meet_collectives(&of[a], &of[b], NULL) >= meeting_part * (double)fewer)
				meet_collectives(&of[a], &of[b], root);
		}
	}
	number_meetings(joined, (struct replay_piece *)program->piece, root);
	joined->spins = xcalloc((size_t)program->ndevices + 1, sizeof(*joined->spins));
	for (int d = 0; d < program->ndevices; d++) {
		joined->spins[d] = spins_of(joined, &of[d]);
		free(of[d].item);
	}
	free(of);
	free(root);
}

/* ---- kernels beside collectives that wait ---- */

/* A loop of a part, in the joined program. */
struct calming {
	struct replay_joined *joined;
	const struct replay_loop *loop;
	uint32_t turns; /* before those of the part */
};

/* The only piece of the call at a place of a round, if it is a kernel that computes and the call does what that with
 * `token` does; REPLAY_NONE else. */
static uint32_t kernel_at(const struct calming *calming, size_t round, uint32_t place, uint32_t token)
{
	const struct replay_program *program = &calming->joined->program;
	uint32_t turn = calming->loop->first[round] + place;
	const struct replay_call *call;

	if (turn >= calming->loop->first[round + 1])
		return REPLAY_NONE;
	call = &program->call[calming->joined->orders.by_thread[calming->turns + turn]];
	if (call->token != token || call->count != 1 || program->piece[call->first].cls != WORK_KERNEL ||
		program->piece[call->first].kind == REPLAY_COLLECTIVE)
		return REPLAY_NONE;
	return call->first;
}

static bool is_beside_spin(const struct replay_joined *joined, uint32_t p)
{
	const struct replay_piece *piece = &joined->program.piece[p];
	const struct replay_spins *spins = &joined->spins[joined->program.stream[piece->stream].device];

	return intervals_overlap(&(struct interval){piece->start, piece->end}, 1, spins->time, spins->n) >=
	       STRETCHING_WAIT;
}

static void calm_place(const struct calming *calming, uint32_t place, float *length)
{
	const size_t middle = calming->loop->rounds / 2;
	uint32_t turn = calming->turns + calming->loop->first[middle] + place;
	uint32_t token = calming->joined->program.call[calming->joined->orders.by_thread[turn]].token;
	struct replay_piece *pieces = (struct replay_piece *)calming->joined->program.piece;
	size_t n = 0;
	float usual;

	for (size_t r = 0; r < calming->loop->rounds; r++) {
		uint32_t p = kernel_at(calming, r, place, token);

		if (p != REPLAY_NONE)
			length[n++] = calming->joined->orders.length[p];
	}
	usual = pace_median(length, n);
	for (size_t r = 0; r < calming->loop->rounds && n > 0; r++) {
		uint32_t p = kernel_at(calming, r, place, token);

		if (p != REPLAY_NONE && calming->joined->orders.length[p] > stretched_kernel * usual &&
			is_beside_spin(calming->joined, p))
			pieces[p].pinned = usual;
	}
}

void replay_calm_kernels(struct replay_joined *joined, size_t part, const struct replay_loop *loop)
{
	const struct calming calming = {joined, loop, joined->part[part].turns};
	const size_t middle = loop->rounds / 2;
	float *length = xcalloc(loop->rounds + 1, sizeof(*length));

	for (uint32_t place = 0; place < loop->first[middle + 1] - loop->first[middle]; place++)
		calm_place(&calming, place, length);
	free(length);
}

/* ---- all of it ---- */

static void count_parts(struct joining *joining)
{
	struct replay_joined *out = joining->out;

	out->program.rate = joining->program[0]->rate;
	for (size_t i = 0; i < joining->n; i++) {
		const struct replay_program *program = joining->program[i];

		out->part[i] = (struct replay_part){.piece = xcalloc(program->npieces + 1, sizeof(uint32_t)),
			.threads = (uint32_t)out->program.nthreads,
			.turns = (uint32_t)out->program.ncalls};
		joining->call[i] = xcalloc(program->ncalls + 1, sizeof(uint32_t));
		joining->streams[i] = (uint32_t)out->program.nstreams;
		joining->devices[i] = (uint32_t)out->program.ndevices;
		out->program.ncalls += program->ncalls;
		out->program.npieces += program->npieces;
		out->program.nstreams += program->nstreams;
		out->program.nthreads += program->nthreads;
		out->program.ndevices += program->ndevices;
	}
}

void replay_join(struct replay_joined *joined, const struct replay_program *const *program,
	const struct replay_orders *const *orders, size_t n)
{
	struct joining joining = {.program = program, .orders = orders, .n = n, .out = joined};

	*joined = (struct replay_joined){.nparts = n, .part = xcalloc(n + 1, sizeof(*joined->part))};
	joining.call = xcalloc(n + 1, sizeof(*joining.call));
	joining.streams = xcalloc(n + 1, sizeof(*joining.streams));
	joining.devices = xcalloc(n + 1, sizeof(*joining.devices));
	count_parts(&joining);
	order_joined_calls(&joining);
	join_calls(&joining);
	join_all_streams(&joining);
	join_orders(&joining);
	find_meetings(joined);
	for (size_t i = 0; i < n; i++)
		free(joining.call[i]);
	free(joining.call);
	free(joining.streams);
	free(joining.devices);
	free(joining.from_part);
	free(joining.from_call);
}

void replay_joined_free(struct replay_joined *joined)
{
	for (size_t i = 0; i < joined->nparts; i++)
		free(joined->part[i].piece);
	free(joined->part);
	for (int d = 0; d < joined->program.ndevices; d++)
		free(joined->spins[d].time);
	free(joined->spins);
	free((void *)joined->program.call);
	free((void *)joined->program.piece);
	free((void *)joined->program.stream);
	free((void *)joined->program.shared_copies);
	free((void *)joined->program.process);
	free(joined->orders.of_device);
	replay_orders_free(&joined->orders);
}
