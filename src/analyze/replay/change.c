/* change.c: replays loops as they were, or with buffers that rounds use by turns. */
#include <math.h>
#include <stdlib.h>

#include "analyze/replay/changing.h"
#include "analyze/replay/pace.h"
#include "util/alloc.h"

/* ---- what corresponds ---- */

/* The call among turns [from, to) that does what the call of a turn does in a round that begins at `first`; REPLAY_NONE
 * if there is none. */
static uint32_t corresponding_call(
	const struct changing *changing, uint32_t first, uint32_t turn, uint32_t from, uint32_t to)
{
	const struct replay_call *call = changing->program->call;
	uint32_t token = call[call_at(changing, turn)].token, same = from + (turn - first);
	size_t left = 0;

	if (same < to && call[call_at(changing, same)].token == token)
		return call_at(changing, same);
	for (uint32_t t = first; t < turn; t++)
		left += call[call_at(changing, t)].token == token;
	for (uint32_t t = from; t < to; t++) {
		if (call[call_at(changing, t)].token == token && left-- == 0)
			return call_at(changing, t);
	}
	return REPLAY_NONE;
}

/* Whether a wait ends a batch of rounds, and stays as it was: rounds around have no such wait, and it is for all of the
 * GPU, or of rounds that have their buffers, since they take turns with streams. */
static bool ends_batch(const struct changing *changing, struct place_in_loop place, uint32_t call)
{
	const struct replay_loop *loop = &changing->phase->loop[place.loop];
	uint32_t other = place.round > 0 ? place.round - 1 : 1;

	return (loop->turns || changing->program->call[call].target == REPLAY_DEVICE) && loop->rounds > 1 &&
	       corresponding_call(changing, loop->first[place.round], changing->orders->turn[call], loop->first[other],
		       loop->first[other + 1]) == REPLAY_NONE;
}

/* The node that is the end of a piece that is replayed. */
static uint32_t end_node(const struct changing *changing, uint32_t piece)
{
	uint32_t call = changing->program->piece[piece].call;

	return place_in_phase(changing, call).piece + (piece - changing->program->call[call].first);
}

/* The node that is the end of the piece that corresponds to one, `back` rounds earlier. Where the round has no such
 * piece it is the end of the round. REPLAY_NONE: there is no such round. */
static uint32_t earlier_end(const struct changing *changing, uint32_t piece, uint32_t back)
{
	const struct replay_program *program = changing->program;
	uint32_t c = program->piece[piece].call, other;
	struct place_in_loop place = place_in_phase(changing, c);
	const struct replay_loop *loop = &changing->phase->loop[place.loop];

	if (place.round < back)
		return REPLAY_NONE;
	other = corresponding_call(changing, loop->first[place.round], changing->orders->turn[c],
		loop->first[place.round - back], loop->first[place.round - back + 1]);
	if (other == REPLAY_NONE || program->call[other].count <= piece - program->call[c].first)
		return changing->done[place.loop][place.round - back];
	return end_node(changing, program->call[other].first + (piece - program->call[c].first));
}

/* ---- edges ---- */

static uint32_t start_node(const struct changing *changing, uint32_t call)
{
	return (uint32_t)(2 * changing->graph.nwork) + 2 * place_in_phase(changing, call).call;
}

static bool is_copy(const struct changing *changing, uint32_t piece)
{
	uint8_t cls = changing->program->piece[piece].cls;

	return cls == WORK_H2D || cls == WORK_D2H;
}

/* Whether a piece stays in the order in which it was: nothing is changed, or it is a copy that is not freed. */
static bool is_held(const struct changing *changing, uint32_t piece)
{
	const struct replay_change *change = changing->change;

	return change->buffers < 2 || (change->freed && !change->freed[piece] && is_copy(changing, piece));
}

/* Whether rounds do not order two pieces any more: one is a copy that is freed, or neither is held. What computes and
 * communicates stays in its order where rounds communicate. */
static bool are_freed(const struct changing *changing, uint32_t a, uint32_t b)
{
	bool held_a = is_held(changing, a), held_b = is_held(changing, b);

	if (changing->communicates && !is_copy(changing, a) && !is_copy(changing, b))
		return false;
	return (!held_a && !held_b) || (is_copy(changing, a) && !held_a) || (is_copy(changing, b) && !held_b);
}

/* Makes a node wait for the end (or start) of a piece, also of one that is not replayed. */
static void wait_for_piece(struct changing *changing, uint32_t piece, bool begun, uint32_t node, double delay)
{
	const struct replay_piece *work = &changing->program->piece[piece];
	double *time = changing->graph.time;

	if (place_in_phase(changing, work->call).call != REPLAY_NONE)
		graph_edge_add(&changing->graph,
			end_node(changing, piece) + (begun ? (uint32_t)changing->graph.nwork : 0), node, delay);
	else if (work->call < changing->end_call)
		time[node] = fmax(time[node], (double)((begun ? work->start : work->end) - changing->zero) + delay);
}

/* An engine goes from one piece to the next of its stream at once: what lies between is the engine's latency. */
static double latency_between(const struct changing *changing, uint32_t from, uint32_t to)
{
	const struct replay_piece *piece = changing->program->piece;
	bool same = replay_engine(changing->program, &piece[from]) == replay_engine(changing->program, &piece[to]);

	double latency = changing->orders->order_latency[to];

	return same && latency <= REPLAY_LONGEST_LATENCY ? 0 : latency;
}

/* Whether a piece waits until the buffer that it fills was read, by another thread's work: before a copy in, or behind
 * a copy out. Another wait between threads is for data of the same round. */
static bool waits_for_buffer(const struct changing *changing, uint32_t from, uint32_t to)
{
	const struct replay_piece *piece = changing->program->piece;

	return piece[to].cls == WORK_H2D || piece[from].cls == WORK_D2H;
}

/* One piece waits for another. In a round that stays; between rounds only events stay, for an earlier round. */
static void order_pieces(struct changing *changing, const struct replay_edge *edge, uint32_t piece)
{
	const struct replay_program *program = changing->program;
	struct place_in_loop from = place_in_phase(changing, program->piece[edge->from].call);
	struct place_in_loop to = place_in_phase(changing, program->piece[piece].call);
	uint32_t node = end_node(changing, piece), earlier;
	double delay = latency_between(changing, edge->from, piece);
	bool freed = are_freed(changing, edge->from, piece), same = from.loop == to.loop;

	if (!freed || from.loop < 0 || to.loop < 0 || (same && from.round == to.round) ||
		(!same && edge->event && !waits_for_buffer(changing, edge->from, piece))) {
		wait_for_piece(changing, edge->from, false, node, delay);
		return;
	}
	if (!edge->event)
		return;
	earlier = earlier_end(changing, edge->from, (uint32_t)changing->change->buffers - 1);
	if (earlier != REPLAY_NONE)
		graph_edge_add(&changing->graph, earlier, node, delay);
}

static struct held *held_by(const struct changing *changing, struct place_in_loop place, int engine)
{
	return &changing->held[place.loop * changing->graph.nengines + engine];
}

/* What the host waited for earlier in the round still comes before the piece. */
static void hold_piece(struct changing *changing, uint32_t piece)
{
	struct place_in_loop place = place_in_phase(changing, changing->program->piece[piece].call);
	uint32_t back = (uint32_t)changing->change->buffers, node = end_node(changing, piece);
	double delay = changing->orders->order_latency[piece];
	int engine = replay_engine(changing->program, &changing->program->piece[piece]);

	if (place.loop < 0 || changing->change->buffers < 2)
		return;
	graph_edge_add(&changing->graph, node, changing->done[place.loop][place.round], 0);
	if (place.round >= back)
		graph_edge_add(&changing->graph, changing->done[place.loop][place.round - back], node, delay);
	for (int e = 0; e < changing->graph.nengines; e++) {
		const struct held *held = held_by(changing, place, e);

		if (held->node != REPLAY_NONE && held->round == place.round)
			graph_edge_add(&changing->graph, held->node, node, e == engine ? 0 : delay);
	}
}

/* From now on, work of the round waits for a piece that the host does not wait for any more. */
static void hold_round(struct changing *changing, struct place_in_loop place, uint32_t piece)
{
	uint32_t node = graph_node(&changing->graph);
	struct held *held =
		held_by(changing, place, replay_engine(changing->program, &changing->program->piece[piece]));

	if (held->node != REPLAY_NONE && held->round == place.round)
		graph_edge_add(&changing->graph, held->node, node, 0);
	wait_for_piece(changing, piece, false, node, 0);
	*held = (struct held){node, place.round};
}

/* Whether the changed program has made the memory before, so that the call is gone. */
static bool is_gone(const struct changing *changing, uint32_t call)
{
	return changing->change->buffers > 1 && !changing->change->keeps_memory && makes_again(changing, call);
}

/* Memory that the rounds do not make again: what the call waited for still orders the round. */
static void order_without_memory(
	struct changing *changing, struct place_in_loop from, struct place_in_loop to, uint32_t piece)
{
	if (from.loop == to.loop && from.round == to.round)
		hold_round(changing, to, piece);
}

static void order_host_wait(struct changing *changing, const struct replay_edge *wait, uint32_t call)
{
	struct place_in_loop from = place_in_phase(changing, changing->program->piece[wait->from].call);
	struct place_in_loop to = place_in_phase(changing, call);
	uint32_t end = start_node(changing, call) + 1, earlier;
	double lag = changing->orders->lag[call];

	if (is_gone(changing, call)) {
		order_without_memory(changing, from, to, wait->from);
		return;
	}
	/* Memory that is freed may be in use: this waits for all that was asked for, however many buffers there are. */
	if (changing->program->call[call].freeing || is_held(changing, wait->from) || from.loop < 0 || to.loop < 0 ||
		ends_batch(changing, to, call)) {
		wait_for_piece(changing, wait->from, wait->begun, end, lag);
		return;
	}
	if (from.loop != to.loop)
		return;
	if (from.round == to.round)
		hold_round(changing, to, wait->from);
	earlier = earlier_end(changing, wait->from, (uint32_t)changing->change->buffers - 1);
	if (earlier != REPLAY_NONE)
		graph_edge_add(&changing->graph, earlier, end, wait->begun ? 0 : lag);
}

/* ---- nodes ---- */

/* Copies that are moved are not hidden behind communication: that does not count as computation. */
static bool must_not_hide(const struct replay_piece *piece)
{
	return (piece->cls == WORK_H2D || piece->cls == WORK_D2H) && !piece->apart;
}

/* The copies between two kernels that are looked through: what lies farther back comes before the nearer ones. */
enum { COPIES_BETWEEN_MOST = 64 };

static bool is_in_list(const uint32_t *list, size_t n, uint32_t piece)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == piece)
			return true;
	return false;
}

/* A copy that is freed has lain between what computes, or communicates, in this round and in one before: these stay in
 * their order. Copies of two streams that wait for each other have many paths, so each is met once. */
static void keep_computing_order(struct changing *changing, uint32_t copy, uint32_t piece)
{
	const struct replay_orders *orders = changing->orders;
	uint32_t met[COPIES_BETWEEN_MOST] = {copy};
	size_t n = 1;

	for (size_t i = 0; i < n; i++) {
		for (uint32_t e = orders->piece_first[met[i]]; e < orders->piece_first[met[i] + 1]; e++) {
			uint32_t from = orders->edge[e].from;

			if (!is_copy(changing, from))
				wait_for_piece(changing, from, false, end_node(changing, piece), 0);
			else if (n < COPIES_BETWEEN_MOST && !is_in_list(met, n, from))
				met[n++] = from;
		}
	}
}

static void make_piece(struct changing *changing, uint32_t p)
{
	const struct replay_piece *piece = &changing->program->piece[p];
	const struct replay_orders *orders = changing->orders;
	uint32_t node = end_node(changing, p);
	bool moved = !is_held(changing, p) && place_in_phase(changing, piece->call).loop >= 0;
	bool meets = changing->graph.missing[piece->meeting] > 0;
	double length = piece->meeting && !meets ? (double)(piece->end - piece->start) : orders->length[p];

	changing->graph.work[node] = (struct graph_work){
		.length = moved ? fmin(length, piece->pinned) : length,
		.meeting = meets ? piece->meeting : 0,
		.engine_latency = orders->engine_latency[p],
		.asked = start_node(changing, piece->call),
		.beside_computing = moved && must_not_hide(piece),
		.engine = (int16_t)replay_engine(changing->program, piece),
		.kind = piece->kind,
	};
	graph_edge_add(&changing->graph, start_node(changing, piece->call), node, orders->issue_latency[p]);
	for (uint32_t e = orders->piece_first[p]; e < orders->piece_first[p + 1]; e++)
		order_pieces(changing, &orders->edge[e], p);
	for (uint32_t e = orders->piece_first[p]; e < orders->piece_first[p + 1]; e++) {
		if (changing->communicates && !is_copy(changing, p) && is_copy(changing, orders->edge[e].from))
			keep_computing_order(changing, orders->edge[e].from, p);
	}
	hold_piece(changing, p);
}

/* The first hand-over to a call or a later one. */
static size_t first_handover(const struct replay_phase *phase, uint32_t call)
{
	size_t low = 0, high = phase->nhandovers;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (phase->handover[middle].to < call)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What the other thread asked for in the round comes before what this one asks for from now on. */
static void hold_for_other(struct changing *changing, const struct replay_handover *handover)
{
	struct place_in_loop from = place_in_phase(changing, handover->from),
			     to = place_in_phase(changing, handover->to);
	uint32_t *handed, first;

	if (changing->change->buffers < 2 || !handover->same_round || from.loop < 0 || to.loop < 0)
		return;
	handed = &changing->handed[(size_t)to.loop * changing->phase->nloops + (size_t)from.loop];
	first = changing->phase->loop[from.loop].first[from.round];
	for (*handed = *handed > first ? *handed : first; *handed <= changing->orders->turn[handover->from];
		++*handed) {
		const struct replay_call *call = &changing->program->call[call_at(changing, *handed)];

		for (uint32_t p = call->first; p < call->first + call->count; p++)
			hold_round(changing, to, p);
	}
}

/* Whether a call begins when another thread lets it; if so, its start is put behind that. */
static bool make_handovers(struct changing *changing, uint32_t c)
{
	const struct replay_phase *phase = changing->phase;
	bool any = false;

	for (size_t h = first_handover(phase, c); h < phase->nhandovers && phase->handover[h].to == c; h++) {
		const struct replay_handover *handover = &phase->handover[h];

		if (place_in_phase(changing, handover->from).call == REPLAY_NONE)
			continue;
		graph_edge_add(&changing->graph, start_node(changing, handover->from) + 1, start_node(changing, c),
			handover->lag);
		hold_for_other(changing, handover);
		any = true;
	}
	return any;
}

/* Whether the piece that makes room for a call is of the loop's rounds before those that are replayed: with buffers
 * these rounds would have been faster as well. */
static bool is_room_of_before(const struct changing *changing, uint32_t piece)
{
	return changing->phase->middle && changing->change->buffers > 1 &&
	       place_in_phase(changing, changing->program->piece[piece].call).call == REPLAY_NONE;
}

static void make_call(struct changing *changing, uint32_t c)
{
	const struct replay_call *call = &changing->program->call[c];
	const struct replay_orders *orders = changing->orders;
	uint32_t turn = orders->turn[c], start = start_node(changing, c);
	bool handed = make_handovers(changing, c);

	if (turn > orders->thread_first[call->thread] && call_at(changing, turn - 1) >= changing->first_call)
		graph_edge_add(&changing->graph, start_node(changing, call_at(changing, turn - 1)) + 1, start,
			handed ? 0 : orders->gap[c]);
	else
		changing->graph.time[start] = (double)(call->start - changing->zero);
	graph_edge_add(&changing->graph, start, start + 1, is_gone(changing, c) ? 0 : orders->own[c]);
	for (uint32_t p = call->first; p < call->first + call->count; p++)
		make_piece(changing, p);
	for (uint32_t w = orders->call_first[c]; w < orders->call_first[c + 1]; w++)
		order_host_wait(changing, &orders->waits[w], c);
	if (orders->room[c] != REPLAY_NONE && !is_room_of_before(changing, orders->room[c]))
		wait_for_piece(changing, orders->room[c], false, start + 1, orders->lag[c]);
}

static void make_rounds(struct changing *changing)
{
	size_t nloops = changing->phase->nloops;

	changing->done = xcalloc(nloops + 1, sizeof(*changing->done));
	changing->held = xcalloc(nloops * (size_t)changing->graph.nengines + 1, sizeof(*changing->held));
	changing->handed = xcalloc(nloops * nloops + 1, sizeof(*changing->handed));
	for (size_t h = 0; h < nloops * (size_t)changing->graph.nengines; h++)
		changing->held[h].node = REPLAY_NONE;
	for (size_t l = 0; l < nloops; l++) {
		size_t rounds = changing->phase->loop[l].rounds;

		changing->done[l] = xcalloc(rounds + 1, sizeof(**changing->done));
		for (size_t r = 0; r < rounds; r++)
			changing->done[l][r] = graph_node(&changing->graph);
	}
}

/* Until when each engine does what was asked for before: at most until it did the first piece that is replayed. */
static void find_busy(struct changing *changing)
{
	const struct replay_program *program = changing->program;
	const struct replay_call *before = &program->call[changing->first_call];
	double *busy = changing->graph.busy;

	for (uint32_t p = 0; p < before->first; p++) {
		int engine = replay_engine(program, &program->piece[p]);

		busy[engine] = fmax(busy[engine], (double)(program->piece[p].end - changing->zero));
	}
	for (uint32_t i = 0; i < changing->ncalls; i++) {
		const struct replay_call *call = &program->call[changing->call[i]];

		for (uint32_t p = call->first; p < call->first + call->count; p++) {
			int engine = replay_engine(program, &program->piece[p]);

			busy[engine] = fmin(busy[engine], (double)(program->piece[p].start - changing->zero));
		}
	}
}

/* By meeting, how many collectives are replayed that wait for each other; 0 where not all of them are. Owned. */
static uint32_t *count_meetings(const struct changing *changing)
{
	const struct replay_program *program = changing->program;
	uint32_t *count = xcalloc(program->nmeetings + 1, sizeof(*count));
	bool *left_out = xcalloc(program->nmeetings + 1, sizeof(*left_out));

	for (size_t p = 0; p < program->npieces && program->nmeetings > 0; p++) {
		uint32_t meeting = program->piece[p].meeting;

		if (place_in_phase(changing, program->piece[p].call).call == REPLAY_NONE)
			left_out[meeting] = true;
		count[meeting]++;
	}
	for (size_t m = 0; m <= program->nmeetings; m++)
		count[m] = m == 0 || left_out[m] ? 0 : count[m];
	free(left_out);
	return count;
}

/* Whether GPUs communicate in the rounds of the loops, and buffers are added. */
static bool is_communicating(const struct changing *changing)
{
	for (uint32_t i = 0; i < changing->ncalls && changing->change->buffers > 1; i++) {
		const struct replay_call *call = &changing->program->call[changing->call[i]];

		if (place_in_phase(changing, changing->call[i]).loop < 0)
			continue;
		for (uint32_t p = call->first; p < call->first + call->count; p++) {
			const struct replay_piece *piece = &changing->program->piece[p];

			if (piece->apart || (piece->cls == WORK_KERNEL && piece->kind == REPLAY_COLLECTIVE))
				return true;
		}
	}
	return false;
}

static void make_graph(struct changing *changing)
{
	struct replay_graph *graph = &changing->graph;

	changing->communicates = is_communicating(changing);
	graph_begin(graph, changing->npieces, changing->program->ndevices * REPLAY_ENGINES);
	if (changing->phase->middle)
		find_busy(changing);
	graph->rate = changing->program->rate;
	graph->orders = changing->orders;
	graph->missing = count_meetings(changing);
	for (uint32_t i = 0; i < 2 * changing->ncalls; i++)
		graph_node(graph);
	make_rounds(changing);
	for (uint32_t i = 0; i < changing->ncalls; i++)
		make_call(changing, changing->call[i]);
}

/* ---- durations ---- */

/* When the first of these calls begins, as recorded and as replayed. */
static double loops_begin(const struct changing *changing)
{
	uint32_t c = changing->first_call;

	while (!counts_in_phase(changing, c))
		c++;
	return (double)(changing->program->call[c].start - changing->zero);
}

static double loops_end(const struct changing *changing)
{
	double end = 0;

	for (uint32_t c = changing->first_call; c < changing->end_call; c++) {
		const struct replay_call *call = &changing->program->call[c];

		if (!counts_in_phase(changing, c))
			continue;
		end = fmax(end, changing->graph.time[start_node(changing, c) + 1]);
		for (uint32_t p = call->first; p < call->first + call->count; p++)
			end = fmax(end, changing->graph.time[end_node(changing, p)]);
	}
	return end;
}

double replay_recorded(const struct replay_phase *phase)
{
	struct changing changing;
	double begin;
	int64_t end;

	replay_scope_make(&changing, phase);
	end = changing.zero;
	for (uint32_t c = changing.first_call; c < changing.end_call; c++) {
		const struct replay_call *call = &phase->program->call[c];

		if (!counts_in_phase(&changing, c))
			continue;
		end = call->end > end ? call->end : end;
		for (uint32_t p = call->first; p < call->first + call->count; p++)
			end = phase->program->piece[p].end > end ? phase->program->piece[p].end : end;
	}
	begin = loops_begin(&changing);
	replay_scope_free(&changing);
	return (double)(end - changing.zero) - begin;
}

double replay_duration(const struct replay_phase *phase, const struct replay_change *change)
{
	struct changing changing;
	double end;

	replay_scope_make(&changing, phase);
	changing.change = change;
	make_graph(&changing);
	graph_run(&changing.graph);
	end = loops_end(&changing) - loops_begin(&changing);
	for (size_t l = 0; l < phase->nloops; l++)
		free(changing.done[l]);
	free(changing.done);
	free(changing.held);
	free(changing.handed);
	replay_scope_free(&changing);
	graph_free(&changing.graph);
	return end;
}
