/* orders.c: what CUDA's rules put in order: streams, the legacy default stream, events, waits of the host. */
#include <stdlib.h>
#include <string.h>

#include "analyze/replay/replay.h"
#include "analyze/replay/pace.h"
#include "util/alloc.h"

/* A piece may seem to start so much before the one that it waited for has ended (ns): clocks are read apart. */
enum { CLOCK_SLACK = 2000 };

/* Pieces that something waits for: of a stream the latest one, which comes behind all others there. */
struct tail {
	uint32_t *piece;
	size_t n, room;
};

/* A stream while the calls are gone through. */
struct stream_state {
	uint32_t last;           /* its latest piece */
	struct tail joined;      /* of events that it was told to wait for since */
	uint32_t waited, waiter; /* the latest piece that a thread has waited for, and this thread */
};

struct ordering {
	const struct replay_program *program;
	struct replay_orders *orders;
	struct stream_state *stream;
	uint32_t *legacy;    /* by device: the latest piece in a legacy default stream */
	struct tail *record; /* by call: what its event waits for */
	size_t nedges, edges_room, nwaits, waits_room;
	struct tail tail; /* for a moment */
};

static void tail_push(struct tail *tail, uint32_t piece)
{
	xgrow(&tail->piece, tail->n, &tail->room, sizeof(*tail->piece));
	tail->piece[tail->n++] = piece;
}

static void tail_add(const struct ordering *ordering, struct tail *tail, uint32_t piece)
{
	const struct replay_piece *pieces = ordering->program->piece;

	if (piece == REPLAY_NONE)
		return;
	for (size_t i = 0; i < tail->n; i++) {
		if (pieces[tail->piece[i]].stream != pieces[piece].stream)
			continue;
		tail->piece[i] = piece > tail->piece[i] ? piece : tail->piece[i];
		return;
	}
	tail_push(tail, piece);
}

static void tail_add_all(const struct ordering *ordering, struct tail *tail, const struct tail *more)
{
	for (size_t i = 0; i < more->n; i++)
		tail_add(ordering, tail, more->piece[i]);
}

/* Whether the second of two pieces, either of which may be none, was asked for later. */
static bool is_later(uint32_t first, uint32_t second)
{
	return second != REPLAY_NONE && (first == REPLAY_NONE || second > first);
}

/* What the legacy default stream waits for beside its own work, of which `last` is the latest. */
static void add_blocking_streams(struct ordering *ordering, int device, uint32_t last)
{
	const struct replay_program *program = ordering->program;

	for (size_t s = 0; s < program->nstreams; s++) {
		if (program->stream[s].device == device && program->stream[s].kind != PAYS_STREAM_NON_BLOCKING &&
			is_later(last, ordering->stream[s].last))
			tail_push(&ordering->tail, ordering->stream[s].last);
	}
	for (size_t s = 0; s < program->nstreams; s++) {
		if (program->stream[s].device == device && program->stream[s].kind != PAYS_STREAM_NON_BLOCKING)
			tail_add_all(ordering, &ordering->tail, &ordering->stream[s].joined);
	}
}

/* What work that is put in a stream now waits for, into ordering->tail. */
static void stream_tail(struct ordering *ordering, int32_t stream)
{
	const struct replay_program *program = ordering->program;
	const struct replay_stream *kind = &program->stream[stream];
	struct stream_state *state = &ordering->stream[stream];

	ordering->tail.n = 0;
	if (state->last != REPLAY_NONE)
		tail_push(&ordering->tail, state->last);
	if (kind->kind == PAYS_STREAM_LEGACY)
		add_blocking_streams(ordering, kind->device, state->last);
	tail_add_all(ordering, &ordering->tail, &state->joined);
	if (kind->kind == PAYS_STREAM_BLOCKING && is_later(state->last, ordering->legacy[kind->device]))
		tail_add(ordering, &ordering->tail, ordering->legacy[kind->device]);
}

static void add_edge(struct ordering *ordering, uint32_t from, uint32_t to, bool event)
{
	const struct replay_piece *piece = ordering->program->piece;

	if (from == to || piece[from].end > piece[to].start + CLOCK_SLACK)
		return;
	xgrow(&ordering->orders->edge, ordering->nedges, &ordering->edges_room, sizeof(struct replay_edge));
	ordering->orders->edge[ordering->nedges++] = (struct replay_edge){.from = from, .event = event};
}

/* ---- pieces ---- */

static void order_piece(struct ordering *ordering, uint32_t p)
{
	const struct replay_program *program = ordering->program;
	int32_t stream = program->piece[p].stream;
	struct stream_state *state = &ordering->stream[stream];

	ordering->orders->piece_first[p] = (uint32_t)ordering->nedges;
	stream_tail(ordering, stream);
	for (size_t i = 0; i < ordering->tail.n; i++) {
		uint32_t from = ordering->tail.piece[i];

		add_edge(ordering, from, p,
			from != state->last && program->stream[stream].kind != PAYS_STREAM_LEGACY &&
				program->stream[program->piece[from].stream].kind != PAYS_STREAM_LEGACY);
	}
	state->joined.n = 0;
	state->last = p;
	if (program->stream[stream].kind == PAYS_STREAM_LEGACY)
		ordering->legacy[program->stream[stream].device] = p;
}

/* ---- what a wait waited for ---- */

static void add_wait(struct ordering *ordering, const struct replay_call *call, uint32_t piece)
{
	const struct replay_piece *work = &ordering->program->piece[piece];
	struct replay_edge edge = {.from = piece};

	if (work->end > call->end + CLOCK_SLACK) {
		/* A copy from pageable memory may be done with the host's memory before it ends. */
		if (call->kind != REPLAY_LAUNCH || work->start >= call->end)
			return;
		edge.begun = true;
	}
	xgrow(&ordering->orders->waits, ordering->nwaits, &ordering->waits_room, sizeof(struct replay_edge));
	ordering->orders->waits[ordering->nwaits++] = edge;
}

/* Whether a stream is of a GPU that a call of memory may wait for: one that its thread uses. */
static bool may_wait_for(const struct ordering *ordering, const struct replay_call *call, size_t stream)
{
	uint64_t devices = ordering->orders->devices[call->thread];

	return !call->freeing || devices == 0 || devices >> (ordering->program->stream[stream].device & 63) & 1;
}

/* Whether some work that was asked for goes on behind a call: the call did not wait for it. */
static bool is_outlasted(const struct ordering *ordering, const struct replay_call *call)
{
	for (size_t s = 0; s < ordering->program->nstreams; s++) {
		uint32_t last = ordering->stream[s].last;

		if (last != REPLAY_NONE && may_wait_for(ordering, call, s) &&
			ordering->program->piece[last].end > call->end)
			return true;
	}
	return false;
}

/* The stream whose work ended last before the call returned, if some of it ended in the call. */
static void add_observed(struct ordering *ordering, const struct replay_call *call)
{
	const struct replay_program *program = ordering->program;
	uint32_t latest = REPLAY_NONE;

	for (size_t s = 0; s < program->nstreams; s++) {
		uint32_t last = ordering->stream[s].last;

		if (last == REPLAY_NONE || program->piece[last].end > call->end + CLOCK_SLACK ||
			program->piece[last].end <= call->start)
			continue;
		if (latest == REPLAY_NONE || program->piece[last].end > program->piece[latest].end)
			latest = last;
	}
	if (latest != REPLAY_NONE)
		add_wait(ordering, call, latest);
}

static void device_tail(struct ordering *ordering, const struct replay_call *call)
{
	for (size_t s = 0; s < ordering->program->nstreams; s++) {
		if (ordering->stream[s].last != REPLAY_NONE && may_wait_for(ordering, call, s))
			tail_push(&ordering->tail, ordering->stream[s].last);
	}
}

/* Of a wait for all streams: very many of them may stand still. What the thread has waited for in such a wait before is
 * left out of ordering->tail, but for the latest piece of all. */
static void drop_waited(struct ordering *ordering, const struct replay_call *call)
{
	const struct replay_piece *pieces = ordering->program->piece;
	uint32_t latest = REPLAY_NONE;
	size_t kept = 0;

	for (size_t i = 0; i < ordering->tail.n; i++)
		latest = is_later(latest, ordering->tail.piece[i]) ? ordering->tail.piece[i] : latest;
	for (size_t i = 0; i < ordering->tail.n; i++) {
		uint32_t piece = ordering->tail.piece[i];
		struct stream_state *state = &ordering->stream[pieces[piece].stream];

		if (state->waited == piece && state->waiter == call->thread && piece != latest)
			continue;
		if (pieces[piece].end <= call->end + CLOCK_SLACK) {
			state->waited = piece;
			state->waiter = call->thread;
		}
		ordering->tail.piece[kept++] = piece;
	}
	ordering->tail.n = kept;
}

static bool is_legacy(const struct ordering *ordering, int32_t stream)
{
	return stream >= 0 && ordering->program->stream[stream].kind == PAYS_STREAM_LEGACY;
}

static void order_wait(struct ordering *ordering, const struct replay_call *call)
{
	ordering->tail.n = 0;
	if (call->freeing && is_outlasted(ordering, call))
		return;
	if (call->target == REPLAY_STREAM && call->stream >= 0)
		stream_tail(ordering, call->stream);
	else if (call->target == REPLAY_EVENT && call->event != REPLAY_NONE)
		tail_add_all(ordering, &ordering->tail, &ordering->record[call->event]);
	else if (call->target == REPLAY_DEVICE || call->drains)
		device_tail(ordering, call);
	else
		add_observed(ordering, call);
	if (call->target == REPLAY_DEVICE || call->drains ||
		(call->target == REPLAY_STREAM && is_legacy(ordering, call->stream)))
		drop_waited(ordering, call);
	for (size_t i = 0; i < ordering->tail.n; i++)
		add_wait(ordering, call, ordering->tail.piece[i]);
}

/* A copy whose call waits: it is synchronous, or stages pageable memory. */
static void order_launch(struct ordering *ordering, const struct replay_call *call)
{
	for (uint32_t p = call->first; p < call->first + call->count; p++) {
		const struct replay_piece *piece = &ordering->program->piece[p];

		order_piece(ordering, p);
		if ((call->blocking || piece->pageable) && call->count == 1)
			add_wait(ordering, call, p);
	}
}

/* ---- all calls ---- */

static void order_record(struct ordering *ordering, uint32_t c)
{
	const struct replay_call *call = &ordering->program->call[c];

	if (call->stream < 0)
		return;
	stream_tail(ordering, call->stream);
	tail_add_all(ordering, &ordering->record[c], &ordering->tail);
}

static void order_join(struct ordering *ordering, const struct replay_call *call)
{
	if (call->stream >= 0 && call->event != REPLAY_NONE)
		tail_add_all(ordering, &ordering->stream[call->stream].joined, &ordering->record[call->event]);
}

static void order_calls(struct ordering *ordering)
{
	const struct replay_program *program = ordering->program;

	for (uint32_t c = 0; c < program->ncalls; c++) {
		const struct replay_call *call = &program->call[c];

		ordering->orders->call_first[c] = (uint32_t)ordering->nwaits;
		if (call->kind == REPLAY_LAUNCH)
			order_launch(ordering, call);
		else if (call->kind == REPLAY_WAIT)
			order_wait(ordering, call);
		else if (call->kind == REPLAY_RECORD)
			order_record(ordering, c);
		else if (call->kind == REPLAY_JOIN)
			order_join(ordering, call);
	}
	ordering->orders->call_first[program->ncalls] = (uint32_t)ordering->nwaits;
	ordering->orders->piece_first[program->npieces] = (uint32_t)ordering->nedges;
}

static void ordering_free(struct ordering *ordering)
{
	for (size_t s = 0; s < ordering->program->nstreams; s++)
		free(ordering->stream[s].joined.piece);
	for (size_t c = 0; c < ordering->program->ncalls; c++)
		free(ordering->record[c].piece);
	free(ordering->stream);
	free(ordering->legacy);
	free(ordering->record);
	free(ordering->tail.piece);
}

/* Calls by thread; they stand by start. And which devices each thread uses. */
static void sort_by_thread(struct replay_orders *orders, const struct replay_program *program)
{
	size_t *next;

	orders->thread_first = xcalloc(program->nthreads + 1, sizeof(*orders->thread_first));
	orders->by_thread = xcalloc(program->ncalls + 1, sizeof(*orders->by_thread));
	orders->turn = xcalloc(program->ncalls + 1, sizeof(*orders->turn));
	for (size_t c = 0; c < program->ncalls; c++)
		orders->thread_first[program->call[c].thread + 1]++;
	for (size_t t = 0; t < program->nthreads; t++)
		orders->thread_first[t + 1] += orders->thread_first[t];
	next = xmemdup(orders->thread_first, (program->nthreads + 1) * sizeof(*next));
	for (size_t c = 0; c < program->ncalls; c++) {
		orders->turn[c] = (uint32_t)next[program->call[c].thread]++;
		orders->by_thread[orders->turn[c]] = (uint32_t)c;
	}
	free(next);
	orders->devices = xcalloc(program->nthreads + 1, sizeof(*orders->devices));
	for (size_t p = 0; p < program->npieces; p++) {
		const struct replay_piece *piece = &program->piece[p];

		orders->devices[program->call[piece->call].thread] |= UINT64_C(1)
								      << (program->stream[piece->stream].device & 63);
	}
}

void replay_orders_make(struct replay_orders *orders, const struct replay_program *program)
{
	struct ordering ordering = {.program = program, .orders = orders};

	*orders = (struct replay_orders){0};
	orders->piece_first = xcalloc(program->npieces + 1, sizeof(*orders->piece_first));
	orders->call_first = xcalloc(program->ncalls + 1, sizeof(*orders->call_first));
	ordering.stream = xcalloc(program->nstreams + 1, sizeof(*ordering.stream));
	ordering.legacy = xcalloc((size_t)program->ndevices + 1, sizeof(*ordering.legacy));
	ordering.record = xcalloc(program->ncalls + 1, sizeof(*ordering.record));
	for (size_t s = 0; s < program->nstreams; s++)
		ordering.stream[s].last = ordering.stream[s].waited = REPLAY_NONE;
	for (int d = 0; d < program->ndevices; d++)
		ordering.legacy[d] = REPLAY_NONE;
	sort_by_thread(orders, program);
	order_calls(&ordering);
	ordering_free(&ordering);
	replay_find_pace(orders, program);
}

void replay_orders_free(struct replay_orders *orders)
{
	free(orders->piece_first);
	free(orders->call_first);
	free(orders->edge);
	free(orders->waits);
	free(orders->length);
	free(orders->issue_latency);
	free(orders->order_latency);
	free(orders->engine_latency);
	free(orders->devices);
	free(orders->turn);
	free(orders->by_thread);
	free(orders->thread_first);
	free(orders->room);
	free(orders->gap);
	free(orders->own);
	free(orders->lag);
}
