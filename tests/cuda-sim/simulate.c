/* simulate.c: CUDA's rules as a simulation of events. "API" is the Runtime API's "API synchronization behavior",
 * "Streams" its "Stream synchronization behavior", "Guide" the CUDA C++ Programming Guide, "Asynchronous Concurrent
 * Execution".
 *
 *   - Work in a stream runs in the order in which it was put there (Guide, Streams). Here that order is an edge from a
 *     stream's last piece to the next.
 *   - The legacy default stream waits for all blocking streams of its device, and they wait for it; not so non-blocking
 *     ones (Streams). A per-thread default stream is a blocking stream of its thread (Streams).
 *   - A stream that waits for an event goes on when the work that the event's last record captured is done; an event
 * that was never recorded is waited for by nobody (cudaStreamWaitEvent, cudaEventSynchronize).
 *   - An engine takes, of the work that is ready, what was asked for first: an H100 does so (docs/simulator.md).
 *   - A copy engine makes one copy at a time. With asyncEngines 1 copies of both directions share it; with 2 or more
 * they run beside each other (Guide, Concurrent Data Transfers; cudaDeviceProp.asyncEngineCount). Each is slower then.
 *   - Kernels of different streams run at once where the GPU has room for both (Guide, Concurrent Kernel Execution).
 *   - Memory sets and copies within a device are asynchronous to the host (API, Memset and Memcpy), and are work of the
 *     multiprocessors.
 *   - A collective's kernels wait for each other on the GPU: who comes first spins until the last one has begun (NCCL,
 * "Overview"). They take few multiprocessors.
 *   - Launches return at once (Guide, Asynchronous). Which copies do not is in waits_for_copy().
 *   - A stream's queue has an end: who asks for more waits for room. NVIDIA documents no length; a training loop on an
 *     H100 had 1,036 to 1,040 pieces of work in its stream whenever a launch took long (docs/pays.md).
 */
#include <stdlib.h>
#include <string.h>

#include "simulate.h"

enum { ENGINES = 4, ENGINE_IN = 0, ENGINE_OUT, ENGINE_COMPUTE, ENGINE_PEER };
enum { MOST_DEVICES = 8, MOST_RUNNING = 256 };
enum { SMALL_COPY = 65536 }; /* bytes */

/* What a piece of work goes through. */
struct state {
	const struct call *what;
	int engine; /* NONE for a point in a stream */
	int unmet;  /* pieces that it waits for and that are not done */
	bool done;
	int64_t ready; /* when all is met that was met so far */
	double left;   /* ns at full speed */
	int stager;    /* the thread that waits until its last part is staged, or NONE */
	int first_edge;
};

struct edge {
	int to, next;
};

struct running {
	int piece;
	double rate;
};

/* What is to happen at a time: a thread goes on, or a piece of work can start. */
struct due {
	int64_t at;
	int order;
	bool is_thread;
	int index;
};

struct host {
	int next; /* its next call */
	int unmet;
	int64_t wake; /* when all that it waits for was done, so far */
};

struct semaphore {
	int posts, waits; /* threads that may go on, and those that wait */
	int waiting[MOST_THREADS];
};

struct simulation {
	const struct program *p;
	struct run *run;
	struct state *states;
	int room;
	struct edge *edges;
	int nedges, edge_room;
	int tail[MOST_STREAMS]; /* a stream's last piece */
	int *put[MOST_STREAMS]; /* all that was put into a stream */
	int nput[MOST_STREAMS], put_room[MOST_STREAMS];
	int *record; /* an event's last record */
	struct due *due;
	int ndue, due_room, orders;
	int *queue[MOST_DEVICES * ENGINES]; /* what is ready, in the order in which it was asked for */
	int nqueue[MOST_DEVICES * ENGINES], queue_room[MOST_DEVICES * ENGINES];
	struct running running[MOST_RUNNING];
	int nrunning;
	struct host hosts[MOST_THREADS];
	struct semaphore semaphores[MOST_SEMAPHORES];
	int *missing; /* by meeting: collectives that have not begun */
	int64_t now;
};

/* Room for one more of `n`. */
static void *grown(void *all, int n, int *room, size_t size)
{
	if (n < *room)
		return all;
	*room = *room == 0 ? 64 : 2 * *room;
	all = realloc(all, (size_t)*room * size);
	if (!all)
		abort();
	return all;
}

/* ---- what is due, first what is due first ---- */

static bool is_before(const struct due *a, const struct due *b)
{
	return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void swap_due(struct due *a, struct due *b)
{
	struct due kept = *a;

	*a = *b;
	*b = kept;
}

static void push_due(struct simulation *sim, int64_t at, bool is_thread, int index)
{
	int i = sim->ndue;

	sim->due = grown(sim->due, sim->ndue, &sim->due_room, sizeof(*sim->due));
	/* Work that is ready at one time is taken in the order in which it was asked for. */
	sim->due[sim->ndue++] = (struct due){at, is_thread ? sim->orders++ : index - (1 << 30), is_thread, index};
	for (; i > 0 && is_before(&sim->due[i], &sim->due[(i - 1) / 2]); i = (i - 1) / 2)
		swap_due(&sim->due[i], &sim->due[(i - 1) / 2]);
}

static struct due pop_due(struct simulation *sim)
{
	struct due first = sim->due[0];

	sim->due[0] = sim->due[--sim->ndue];
	for (int i = 0;;) {
		int least = i;

		for (int child = 2 * i + 1; child <= 2 * i + 2; child++)
			if (child < sim->ndue && is_before(&sim->due[child], &sim->due[least]))
				least = child;
		if (least == i)
			return first;
		swap_due(&sim->due[i], &sim->due[least]);
		i = least;
	}
}

/* ---- pieces and what they wait for ---- */

static int device_of(const struct simulation *sim, const struct call *call)
{
	return sim->p->streams[call->stream].device;
}

static int engine_of(const struct simulation *sim, const struct call *call)
{
	int engine = ENGINE_COMPUTE;

	if (!is_work(call))
		return NONE;
	if (call->op == OP_COPY && call->way == WAY_PEER)
		engine = ENGINE_PEER;
	else if (call->op == OP_COPY && call->way != WAY_ON_DEVICE)
		engine = call->way == WAY_OUT && sim->p->machine.engines > 1 ? ENGINE_OUT : ENGINE_IN;
	return device_of(sim, call) * ENGINES + engine;
}

/* A machine's time, as a call meets it. */
static int64_t with_luck(const struct call *call, int64_t ns)
{
	return call->luck > 0 ? (int64_t)((double)ns * call->luck) : ns;
}

static int64_t gap_of(const struct simulation *sim, const struct state *state)
{
	return state->engine == NONE ? 0 : with_luck(state->what, sim->p->machine.gap);
}

static void add_edge(struct simulation *sim, int from, int to)
{
	struct state *before, *behind = &sim->states[to];

	if (from == NONE)
		return;
	before = &sim->states[from];
	if (before->done) {
		int64_t end = sim->run->pieces[from].ran.end + gap_of(sim, behind);

		if (end > behind->ready)
			behind->ready = end;
		return;
	}
	sim->edges = grown(sim->edges, sim->nedges, &sim->edge_room, sizeof(*sim->edges));
	sim->edges[sim->nedges] = (struct edge){to, before->first_edge};
	before->first_edge = sim->nedges++;
	behind->unmet++;
}

/* The order that streams give: see the top. */
static void add_stream_edges(struct simulation *sim, int piece, int stream)
{
	const struct stream *own = &sim->p->streams[stream];

	add_edge(sim, sim->tail[stream], piece);
	for (int i = 0; i < sim->p->nstreams; i++) {
		const struct stream *other = &sim->p->streams[i];
		bool legacy = own->kind == STREAM_LEGACY || other->kind == STREAM_LEGACY;

		if (i != stream && other->device == own->device && other->process == own->process && legacy &&
			own->kind != STREAM_NON_BLOCKING && other->kind != STREAM_NON_BLOCKING)
			add_edge(sim, sim->tail[i], piece);
	}
	sim->tail[stream] = piece;
}

static int64_t latency_of(const struct simulation *sim, const struct call *call)
{
	if (!is_work(call))
		return 0;
	return call->latency > 0 ? call->latency : with_luck(call, sim->p->machine.latency);
}

static int new_piece(struct simulation *sim, int thread, int i)
{
	const struct call *call = &sim->p->threads[thread].calls[i];
	int piece = sim->run->npieces++, room = sim->room;

	sim->states = grown(sim->states, piece, &room, sizeof(*sim->states));
	sim->run->pieces = grown(sim->run->pieces, piece, &sim->room, sizeof(*sim->run->pieces));
	sim->states[piece] = (struct state){.what = call,
		.engine = engine_of(sim, call),
		.ready = sim->now + latency_of(sim, call),
		.left = (double)call->ns,
		.stager = NONE,
		.first_edge = NONE};
	sim->run->pieces[piece] = (struct piece){thread, i, {0, 0}};
	sim->run->piece_of[thread][i] = piece;
	return piece;
}

static int piece_of_number(const struct simulation *sim, int number)
{
	return sim->run->piece_of[thread_of_number(number)][call_of_number(number)];
}

/* Puts a call's piece into its stream. */
static void enqueue(struct simulation *sim, int thread, int i)
{
	const struct call *call = &sim->p->threads[thread].calls[i];
	int piece = new_piece(sim, thread, i);

	add_stream_edges(sim, piece, call->stream);
	sim->put[call->stream] = grown(sim->put[call->stream], sim->nput[call->stream], &sim->put_room[call->stream],
		sizeof(*sim->put[call->stream]));
	sim->put[call->stream][sim->nput[call->stream]++] = piece;
	for (int k = 0; k < call->nafter; k++)
		add_edge(sim, piece_of_number(sim, call->after[k]), piece);
	if (call->op == OP_STREAM_WAIT && call->event != NONE)
		add_edge(sim, sim->record[call->event], piece);
	if (call->op == OP_RECORD && call->event != NONE)
		sim->record[call->event] = piece;
	if (sim->states[piece].unmet == 0)
		push_due(sim, sim->states[piece].ready, false, piece);
}

/* ---- engines ---- */

static void put_in_queue(struct simulation *sim, int piece)
{
	int engine = sim->states[piece].engine, at;

	sim->queue[engine] =
		grown(sim->queue[engine], sim->nqueue[engine], &sim->queue_room[engine], sizeof(*sim->queue[engine]));
	for (at = sim->nqueue[engine]++; at > 0 && sim->queue[engine][at - 1] > piece; at--)
		sim->queue[engine][at] = sim->queue[engine][at - 1];
	sim->queue[engine][at] = piece;
}

/* Whether an engine has room for a piece: copies one by one, kernels as long as they share the GPU. */
static bool has_room(const struct simulation *sim, int engine, int piece)
{
	double taken = 0;

	for (int i = 0; i < sim->nrunning; i++)
		if (sim->states[sim->running[i].piece].engine == engine)
			taken +=
				engine % ENGINES == ENGINE_COMPUTE ? sim->states[sim->running[i].piece].what->share : 1;
	return taken == 0 || (engine % ENGINES == ENGINE_COMPUTE && taken + sim->states[piece].what->share < 1.000001);
}

static void host_met(struct simulation *sim, int thread, int64_t at)
{
	struct host *host = &sim->hosts[thread];
	int64_t wake = at + sim->p->machine.wake + sim->p->threads[thread].calls[host->next - 1].behind;

	if (wake > host->wake)
		host->wake = wake;
	if (--host->unmet == 0)
		push_due(sim, host->wake, true, thread);
}

/* The host copies the parts of pageable memory one by one, and goes on while the last one is on its way. */
static void stage(struct simulation *sim, const struct state *state)
{
	int64_t ns = state->what->ns - sim->p->machine.early;

	if (state->stager != NONE)
		host_met(sim, state->stager, sim->now + (ns > 0 ? ns : 0));
}

static void start_ready(struct simulation *sim)
{
	for (int engine = 0; engine < sim->p->devices * ENGINES; engine++) {
		while (sim->nqueue[engine] > 0 && has_room(sim, engine, sim->queue[engine][0])) {
			int piece = sim->queue[engine][0];

			if (sim->nrunning == MOST_RUNNING)
				abort();
			memmove(sim->queue[engine], sim->queue[engine] + 1,
				(size_t)--sim->nqueue[engine] * sizeof(*sim->queue[engine]));
			sim->running[sim->nrunning++] = (struct running){piece, 1};
			sim->run->pieces[piece].ran.start = sim->now;
			sim->missing[sim->states[piece].what->meeting] -= sim->states[piece].what->meeting > 0;
			stage(sim, &sim->states[piece]);
		}
	}
}

/* Copies in both directions share the link. A collective spins until all others have come. */
static void set_rates(struct simulation *sim)
{
	bool busy[MOST_DEVICES * ENGINES] = {false};

	for (int i = 0; i < sim->nrunning; i++)
		busy[sim->states[sim->running[i].piece].engine] = true;
	for (int i = 0; i < sim->nrunning; i++) {
		int engine = sim->states[sim->running[i].piece].engine, own = engine % ENGINES;
		bool both = busy[engine - own + ENGINE_IN] && busy[engine - own + ENGINE_OUT];

		if (sim->missing[sim->states[sim->running[i].piece].what->meeting] > 0) {
			sim->running[i].rate = 0;
			continue;
		}
		sim->running[i].rate = !both               ? 1
				       : own == ENGINE_IN  ? sim->p->machine.duplex_in
				       : own == ENGINE_OUT ? sim->p->machine.duplex_out
							   : 1;
	}
}

/* When a running piece ends, if nothing changes; at least the next nanosecond's end. */
static int64_t end_of(const struct simulation *sim, const struct running *running)
{
	double left = running->rate > 0 ? sim->states[running->piece].left / running->rate : 0;
	int64_t whole = (int64_t)left;

	if (!(running->rate > 0))
		return INT64_MAX;
	return sim->now + whole + (left > (double)whole + 0.0001);
}

static void met(struct simulation *sim, int piece, int64_t end, int from)
{
	struct state *state = &sim->states[piece];
	/* An engine goes from one piece to the next of its stream without a look at other streams. */
	end += state->engine == from ? 0 : gap_of(sim, state);
	if (end > state->ready)
		state->ready = end;
	if (--state->unmet == 0)
		push_due(sim, state->ready, false, piece);
}

/* Edges to pieces are numbers, those to threads lie below NONE. */
static void finish(struct simulation *sim, int piece)
{
	struct state *state = &sim->states[piece];

	state->done = true;
	sim->run->pieces[piece].ran.end = sim->now;
	if (state->engine == NONE)
		sim->run->pieces[piece].ran.start = sim->now;
	for (int i = state->first_edge; i != NONE; i = sim->edges[i].next) {
		if (sim->edges[i].to < NONE)
			host_met(sim, -2 - sim->edges[i].to, sim->now);
		else
			met(sim, sim->edges[i].to, sim->now, state->engine);
	}
}

static void advance_to(struct simulation *sim, int64_t to)
{
	double passed = (double)(to - sim->now);

	for (int i = 0; i < sim->nrunning; i++)
		sim->states[sim->running[i].piece].left -= passed * sim->running[i].rate;
	sim->now = to;
	for (int i = 0; i < sim->nrunning;) {
		int piece = sim->running[i].piece;

		if (sim->states[piece].left > 0.0001) {
			i++;
			continue;
		}
		sim->running[i] = sim->running[--sim->nrunning];
		finish(sim, piece);
	}
}

/* ---- the host ---- */

/* What a call costs the host, as found in traces of an H100's programs. */
static int64_t cost_of(const struct call *call)
{
	static const int64_t costs[] = {[OP_KERNEL] = 5000,
		[OP_MEMSET] = 5000,
		[OP_COPY] = 4500,
		[OP_RECORD] = 1500,
		[OP_STREAM_WAIT] = 1200,
		[OP_EVENT_SYNC] = 2000,
		[OP_EVENT_QUERY] = 1000,
		[OP_STREAM_SYNC] = 2500,
		[OP_DEVICE_SYNC] = 3000,
		[OP_WAIT_FOR] = 2500,
		[OP_HOST] = 0,
		[OP_MALLOC] = 60000,
		[OP_FREE] = 30000,
		[OP_GRAPH] = 9000,
		[OP_POST] = 200,
		[OP_TAKE] = 200,
		[OP_PUSH] = 100,
		[OP_POP] = 100};

	return call->node ? 0 : call->cost > 0 ? call->cost : costs[call->op];
}

/* Staging a small pageable copy takes the host's memory's speed. */
static int64_t host_ns_of(const struct call *call)
{
	bool staged = call->op == OP_COPY && call->pageable && call->way == WAY_IN && call->bytes <= SMALL_COPY;

	return with_luck(call, cost_of(call)) + (call->op == OP_HOST ? call->ns : staged ? call->bytes / 10 : 0);
}

static void host_waits_for(struct simulation *sim, int thread, int piece)
{
	struct state *state;

	if (piece == NONE)
		return;
	state = &sim->states[piece];
	if (state->done)
		return;
	sim->edges = grown(sim->edges, sim->nedges, &sim->edge_room, sizeof(*sim->edges));
	sim->edges[sim->nedges] = (struct edge){-2 - thread, state->first_edge};
	state->first_edge = sim->nedges++;
	sim->hosts[thread].unmet++;
}

static void host_stages(struct simulation *sim, int thread, int piece)
{
	sim->states[piece].stager = thread;
	sim->hosts[thread].unmet++;
}

static void host_waits_for_device(struct simulation *sim, int thread, int device)
{
	for (int i = 0; i < sim->p->nstreams; i++)
		if (sim->p->streams[i].device == device &&
			sim->p->streams[i].process == sim->p->threads[thread].process)
			host_waits_for(sim, thread, sim->tail[i]);
}

/* Whether the host waits until a copy is done (API, Memcpy):
 *   synchronous   "For transfers from pinned host memory to device memory, the function is synchronous with respect to
 *                 the host", and from the device to either memory "returns only once the copy has completed"; "for
 *                 transfers from device memory to device memory, no host-side synchronization is performed"
 *   asynchronous  "For transfers from device memory to pageable host memory, the function will return only once the
 *                 copy has completed"; pageable memory must "be staged to pinned memory first": the call
 *                 returns when the last part is staged, machine.early before the end of the copy
 *   both          "Memory copies from host to device of a memory block of 64 KB or less" do not wait (Guide) */
static bool waits_for_copy(const struct call *call)
{
	if (call->op != OP_COPY || call->way == WAY_ON_DEVICE || call->way == WAY_PEER)
		return false;
	if (call->way == WAY_IN && call->pageable)
		return call->bytes > SMALL_COPY;
	return call->synchronous || call->pageable;
}

/* "The legacy default stream, when an action is taken in it, first waits on all blocking streams" (Streams): so does
 * who waits for it. */
static void host_waits_for_stream(struct simulation *sim, int thread, int stream)
{
	host_waits_for(sim, thread, sim->tail[stream]);
	for (int i = 0; i < sim->p->nstreams && sim->p->streams[stream].kind == STREAM_LEGACY; i++)
		if (sim->p->streams[i].kind != STREAM_NON_BLOCKING &&
			sim->p->streams[i].process == sim->p->streams[stream].process &&
			sim->p->streams[i].device == sim->p->streams[stream].device)
			host_waits_for(sim, thread, sim->tail[i]);
}

static void take(struct simulation *sim, int thread, struct semaphore *semaphore)
{
	if (semaphore->posts > 0) {
		semaphore->posts--;
		return;
	}
	semaphore->waiting[semaphore->waits++] = thread;
	sim->hosts[thread].unmet++;
}

/* Whoever has waited longest goes on. */
static void post(struct simulation *sim, struct semaphore *semaphore)
{
	int first = semaphore->waiting[0];

	if (semaphore->waits == 0) {
		semaphore->posts++;
		return;
	}
	semaphore->waits--;
	memmove(semaphore->waiting, semaphore->waiting + 1, (size_t)semaphore->waits * sizeof(first));
	host_met(sim, first, sim->now);
}

/* Until no more than the queue's length is before a piece that was put into a stream. */
static void host_waits_for_room(struct simulation *sim, int thread, int stream)
{
	int too_many = sim->nput[stream] - 1 - sim->p->machine.depth;

	if (too_many >= 0)
		host_waits_for(sim, thread, sim->put[stream][too_many]);
}

/* cudaFree() waits for the device, as every program shows; cudaMalloc() takes its time only. */
static void make_host_wait(struct simulation *sim, int thread, int i)
{
	const struct call *call = &sim->p->threads[thread].calls[i];

	if (call->op == OP_TAKE)
		take(sim, thread, &sim->semaphores[call->event]);
	else if (call->op == OP_POST)
		post(sim, &sim->semaphores[call->event]);
	else if (call->op == OP_EVENT_SYNC)
		host_waits_for(sim, thread, call->event == NONE ? NONE : sim->record[call->event]);
	else if (call->op == OP_STREAM_SYNC)
		host_waits_for_stream(sim, thread, call->stream);
	else if (call->op == OP_DEVICE_SYNC || call->op == OP_FREE)
		host_waits_for_device(sim, thread, device_of(sim, call));
	else if (call->op == OP_WAIT_FOR)
		for (int k = 0; k < call->nafter; k++)
			host_waits_for(sim, thread, piece_of_number(sim, call->after[k]));
	else if (waits_for_copy(call) && call->way == WAY_IN && call->pageable && sim->p->machine.early > 0)
		host_stages(sim, thread, sim->run->piece_of[thread][i]);
	else if (waits_for_copy(call))
		host_waits_for(sim, thread, sim->run->piece_of[thread][i]);
}

static bool has_piece(const struct call *call)
{
	return is_work(call) || call->op == OP_RECORD || call->op == OP_STREAM_WAIT;
}

/* A thread makes calls until it has to let time pass. */
static void go_on(struct simulation *sim, int thread)
{
	const struct thread *t = &sim->p->threads[thread];
	struct host *host = &sim->hosts[thread];
	struct span *span;
	int i = host->next;

	if (i > 0 && sim->run->calls[thread][i - 1].end == NONE) {
		sim->run->calls[thread][i - 1].end = sim->now;
		push_due(sim, sim->now + with_luck(&t->calls[i - 1], sim->p->machine.between), true, thread);
		return;
	}
	if (i == t->n)
		return;
	host->next++;
	span = &sim->run->calls[thread][i];
	*span = (struct span){sim->now, NONE};
	if (has_piece(&t->calls[i]))
		enqueue(sim, thread, i);
	host->wake = sim->now + host_ns_of(&t->calls[i]);
	if (has_piece(&t->calls[i]) && !t->calls[i].node)
		host_waits_for_room(sim, thread, t->calls[i].stream);
	make_host_wait(sim, thread, i);
	if (host->unmet == 0)
		push_due(sim, host->wake, true, thread);
}

/* ---- all of it ---- */

static void happen(struct simulation *sim)
{
	struct due first = pop_due(sim);

	if (first.is_thread)
		go_on(sim, first.index);
	else if (sim->states[first.index].engine == NONE)
		finish(sim, first.index);
	else
		put_in_queue(sim, first.index);
}

static int64_t next_time(const struct simulation *sim)
{
	int64_t next = sim->ndue > 0 ? sim->due[0].at : INT64_MAX;

	for (int i = 0; i < sim->nrunning; i++) {
		int64_t end = end_of(sim, &sim->running[i]);

		if (end < next)
			next = end;
	}
	return next;
}

static void run_to_end(struct simulation *sim)
{
	for (int64_t next; (next = next_time(sim)) != INT64_MAX;) {
		advance_to(sim, next);
		while (sim->ndue > 0 && sim->due[0].at <= sim->now)
			happen(sim);
		start_ready(sim);
		set_rates(sim);
	}
}

static void *room_for(int n, size_t size)
{
	void *all = calloc((size_t)n + 1, size);

	if (!all)
		abort();
	return all;
}

static void begin(struct simulation *sim, const struct program *p)
{
	sim->p = p;
	sim->run = room_for(1, sizeof(*sim->run));
	sim->record = room_for(p->nevents, sizeof(*sim->record));
	for (int i = 0; i < p->nevents; i++)
		sim->record[i] = NONE;
	for (int i = 0; i < p->nsemaphores; i++)
		sim->semaphores[i].posts = p->posts[i];
	for (int i = 0; i < p->nstreams; i++)
		sim->tail[i] = NONE;
	sim->missing = room_for(p->meetings, sizeof(*sim->missing));
	for (int t = 0; t < p->nthreads; t++) {
		for (int i = 0; i < p->threads[t].n; i++)
			sim->missing[p->threads[t].calls[i].meeting] += p->threads[t].calls[i].meeting > 0;
		sim->run->calls[t] = room_for(p->threads[t].n, sizeof(*sim->run->calls[t]));
		sim->run->piece_of[t] = room_for(p->threads[t].n, sizeof(*sim->run->piece_of[t]));
		for (int i = 0; i < p->threads[t].n; i++)
			sim->run->piece_of[t][i] = NONE;
		push_due(sim, 1000, true, t);
	}
}

struct run *simulate(const struct program *p)
{
	struct simulation sim = {0};

	begin(&sim, p);
	run_to_end(&sim);
	for (int i = 0; i < MOST_DEVICES * ENGINES; i++)
		free(sim.queue[i]);
	for (int i = 0; i < p->nstreams; i++)
		free(sim.put[i]);
	free(sim.states);
	free(sim.edges);
	free(sim.record);
	free(sim.missing);
	free(sim.due);
	return sim.run;
}

void run_free(struct run *run)
{
	for (int t = 0; t < MOST_THREADS; t++) {
		free(run->calls[t]);
		free(run->piece_of[t]);
	}
	free(run->pieces);
	free(run);
}
