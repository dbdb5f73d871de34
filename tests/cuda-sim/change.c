/* change.c: the program with k buffers.
 *
 *   - Pageable memory becomes pinned, and copies asynchronous. What a copy made the host wait for becomes a wait.
 *   - What round r had in stream S is in stream (S, r mod k), which is non-blocking and its thread's own.
 *   - Inside a round the order stays: what streams, the legacy default stream, events or a wait of the host between two
 *     pieces ordered.
 *   - Between rounds only this order is left: round r starts when round r - k is done. A stream's wait for an event of
 * an earlier round is for that of k - 1 rounds before it.
 *   - Where rounds communicate, kernels, memory sets and copies on the device or between devices stay in the order of
 * their streams, also between rounds: what is communicated in a round is for the next one.
 *   - Where the host waited in round r it waits for what it waited for at the same place in round r - (k - 1). Behind
 * the last round it waits for everything.
 *   - Threads that hand buffers over to each other (OP_POST, OP_TAKE) do so as they did. What of round r was asked for
 *     before a post comes before what is asked for behind the take that it lets go on, if that is of round r too.
 *   - A stream's wait for another thread's event is for that of the same round, or of the round whose buffer it takes
 *     over.
 *   - Of a loop that makes or frees memory in half of its rounds or more, this is done outside: what the host waited
 * for in cudaFree() still comes before what it asked for behind it in the round. Otherwise such calls stay.
 *   - Work outside of loops stays as it is. A loop begins when what its thread asked for before is done.
 */
#include <stdlib.h>
#include <string.h>

#include "change.h"

struct list {
	int *items, n, room;
};

/* A round of the loop that is being changed; numbers of calls are those of the thread as it was, or of the new one. */
struct round {
	struct list last;    /* new: the last piece in each of its streams */
	struct list *covers; /* new: what each of its waits waited for */
	int ncovers, covers_room;
	struct list records; /* new: of its events, in order */
};

/* What a thread had asked for in a round before it posted. */
struct posted {
	int round;
	struct list pieces;
};

/* The posts of a semaphore, in their order, and how many were taken. */
struct handed {
	struct posted *posts;
	int n, room, taken;
};

struct change {
	const struct program *p;
	struct program *changed;
	int k, thread;
	int *streams;         /* new stream of (stream, buffer), or NONE */
	int *renamed, *order; /* of each call as it was: its new number, and how many records its round had before it */
	int tail[MOST_STREAMS];     /* as it was: a stream's last piece, new number */
	int in_round[MOST_STREAMS]; /* the same of the current round */
	int fence[MOST_STREAMS];    /* what of the current round the host has waited for, new numbers */
	int computed[MOST_STREAMS]; /* where rounds communicate: what a stream computed last, new number */
	bool communicates;          /* so does some loop of the process */
	int *record;                /* as it was: an event's last record */
	struct round *rounds;
	int nrounds, rounds_room, loop;
	bool remakes; /* the loop makes or frees memory in its rounds */
	struct handed handed[MOST_SEMAPHORES];
	struct list *records; /* new: by event, its records in rounds, in their order */
	bool all_handed;      /* what is handed over is known, of all threads */
	struct list foreign;  /* new: what other threads handed over in the current round */
	struct list before;   /* new: what was asked for before the loop */
};

static void add_item(struct list *list, int item)
{
	if (item == NONE)
		return;
	for (int i = list->n; i-- > 0;)
		if (list->items[i] == item)
			return;
	if (list->n == list->room) {
		list->room = list->room == 0 ? 4 : 2 * list->room;
		list->items = realloc(list->items, (size_t)list->room * sizeof(*list->items));
		if (!list->items)
			abort();
	}
	list->items[list->n++] = item;
}

static void add_items(struct list *list, const struct list *more)
{
	for (int i = 0; i < more->n; i++)
		add_item(list, more->items[i]);
}

/* ---- streams ---- */

static int changed_stream(struct change *c, int stream, int round)
{
	int *known = &c->streams[stream * c->k + round % c->k];

	if (*known == NONE) {
		*known = program_stream(c->changed, STREAM_NON_BLOCKING, c->p->streams[stream].device);
		c->changed->streams[*known].process = c->p->streams[stream].process;
	}
	return *known;
}

/* Whether the legacy default stream's rule orders work of two streams. */
static bool are_ordered(const struct program *p, int a, int b)
{
	const struct stream *one = &p->streams[a], *other = &p->streams[b];

	return one->device == other->device && one->process == other->process &&
	       (one->kind == STREAM_LEGACY || other->kind == STREAM_LEGACY) && one->kind != STREAM_NON_BLOCKING &&
	       other->kind != STREAM_NON_BLOCKING;
}

/* ---- a round's pieces ---- */

static struct round *round_of(struct change *c, int round)
{
	return round >= 0 && round < c->nrounds ? &c->rounds[round] : NULL;
}

/* The first piece of a round in a stream waits for the round whose buffers it takes over. */
static void add_gate(struct change *c, struct list *after, int round)
{
	const struct round *freed = round_of(c, round - c->k);

	add_items(after, freed ? &freed->last : &c->before);
}

static void add_order_inside(struct change *c, struct list *after, int stream)
{
	add_items(after, &c->foreign);
	for (int i = 0; i < c->p->nstreams; i++) {
		add_item(after, c->fence[i]);
		if (i != stream && are_ordered(c->p, i, stream))
			add_item(after, c->in_round[i]);
	}
}

/* What a stream waits for in place of an event's record: NONE if that is nothing. */
static int changed_record(struct change *c, int event, int round)
{
	int was = c->record[event];
	const struct call *record;
	const struct round *earlier;

	if (was == NONE)
		return NONE;
	record = &c->p->threads[c->thread].calls[was];
	if (record->loop != c->loop || record->round == round)
		return c->renamed[was];
	earlier = round_of(c, record->round - (c->k - 1));
	return earlier && c->order[was] < earlier->records.n ? earlier->records.items[c->order[was]] : NONE;
}

/* The record of another thread's event that a round's wait is for; NONE where no other thread has recorded it. */
static int foreign_record(const struct change *c, const struct call *call)
{
	const struct list *records = &c->records[call->event];
	int round = call->round - call->back * c->k;

	if (!c->all_handed || round < 0 || round >= records->n || thread_of_number(records->items[0]) == c->thread)
		return NONE;
	return records->items[round];
}

static int append(struct change *c, struct call call, struct list *after)
{
	call.after = after->items;
	call.nafter = after->n;
	return number_of_call(c->thread, program_append(c->changed, c->thread, call));
}

static bool is_of_host_memory(const struct call *call)
{
	return call->op == OP_COPY && (call->way == WAY_IN || call->way == WAY_OUT);
}

static bool is_communication(const struct call *call)
{
	return (call->op == OP_KERNEL && strncmp(call->name, "nccl", 4) == 0) ||
	       (call->op == OP_COPY && call->way == WAY_PEER);
}

/* Whether the rounds of a process communicate. */
static bool process_communicates(const struct program *p, int process)
{
	for (int t = 0; t < p->nthreads; t++)
		for (int i = 0; i < p->threads[t].n && p->threads[t].process == process; i++)
			if (p->threads[t].calls[i].loop != NONE && is_communication(&p->threads[t].calls[i]))
				return true;
	return false;
}

/* Work, the record of an event, or a stream's wait for one. */
static void change_piece(struct change *c, int i)
{
	struct call call = c->p->threads[c->thread].calls[i];
	struct list after = {0};
	int was = call.stream;
	bool keeps_order = c->communicates && !is_of_host_memory(&call);

	if (c->in_round[was] == NONE)
		add_gate(c, &after, call.round);
	add_order_inside(c, &after, was);
	if (keeps_order)
		add_item(&after, c->computed[was]);
	if (call.op == OP_STREAM_WAIT)
		add_item(&after, c->record[call.event] == NONE ? foreign_record(c, &call)
							       : changed_record(c, call.event, call.round));
	call.stream = changed_stream(c, was, call.round);
	call.event = NONE;
	call.ns = call.pageable && call.pinned_ns > 0 ? call.pinned_ns : call.ns;
	call.pageable = call.synchronous = false;
	c->renamed[i] = c->tail[was] = c->in_round[was] = append(c, call, &after);
	if (keeps_order)
		c->computed[was] = c->renamed[i];
}

/* ---- waits ---- */

static bool is_waiting_copy(const struct call *call)
{
	if (call->op != OP_COPY || call->way == WAY_ON_DEVICE || call->way == WAY_PEER)
		return false;
	if (call->way == WAY_IN && call->pageable)
		return call->bytes > 65536;
	return call->synchronous || call->pageable;
}

static bool is_wait(const struct call *call)
{
	return call->op == OP_EVENT_SYNC || call->op == OP_STREAM_SYNC || call->op == OP_DEVICE_SYNC ||
	       is_waiting_copy(call);
}

/* What a wait waits for as the program was, of its own thread's work: new numbers. */
static struct list covers_of(struct change *c, const struct call *call, int i)
{
	struct list covers = {0};

	if (call->op == OP_EVENT_SYNC) {
		add_item(&covers, c->record[call->event] == NONE ? NONE : c->renamed[c->record[call->event]]);
	} else if (is_work(call)) {
		add_item(&covers, c->renamed[i]);
	} else {
		bool device = call->op == OP_DEVICE_SYNC || call->op == OP_FREE;

		for (int s = 0; s < c->p->nstreams; s++)
			if (s == call->stream || are_ordered(c->p, s, call->stream) ||
				(device && c->p->streams[s].device == c->p->streams[call->stream].device &&
					c->p->streams[s].process == c->p->streams[call->stream].process))
				add_item(&covers, c->tail[s]);
	}
	return covers;
}

/* Later work of the round stays behind what of the round the host waited for. */
static void add_fence(struct change *c, const struct list *covers, int round)
{
	const struct thread *t = &c->changed->threads[c->thread];

	for (int i = 0; i < covers->n; i++) {
		const struct call *piece = &t->calls[call_of_number(covers->items[i])];

		for (int s = 0; s < c->p->nstreams && piece->loop == c->loop && piece->round == round; s++)
			if (c->streams[s * c->k + round % c->k] == piece->stream)
				c->fence[s] = covers->items[i];
	}
}

static void change_wait(struct change *c, int i)
{
	struct call call = c->p->threads[c->thread].calls[i];
	struct round *own = &c->rounds[call.round];
	const struct round *earlier = round_of(c, call.round - (c->k - 1));
	struct list after = {0};

	if (own->ncovers == own->covers_room) {
		own->covers_room = own->covers_room == 0 ? 4 : 2 * own->covers_room;
		own->covers = realloc(own->covers, (size_t)own->covers_room * sizeof(*own->covers));
		if (!own->covers)
			abort();
	}
	own->covers[own->ncovers] = covers_of(c, &call, i);
	add_fence(c, &own->covers[own->ncovers], call.round);
	if (earlier)
		add_items(&after, own->ncovers < earlier->ncovers ? &earlier->covers[own->ncovers] : &earlier->last);
	own->ncovers++;
	call.cost = call.op == OP_COPY ? 0 : call.cost;
	call.op = OP_WAIT_FOR;
	append(c, call, &after);
}

/* ---- memory ---- */

static bool is_of_memory(const struct call *call)
{
	return call->op == OP_MALLOC || call->op == OP_FREE;
}

/* Whether a loop that begins at call i of its thread has such calls in half of its rounds or more. */
static bool remakes_memory(const struct thread *t, int i)
{
	int loop = t->calls[i].loop, rounds = 0, with = 0, last = NONE;

	for (; i < t->n; i++) {
		if (t->calls[i].loop != loop)
			continue;
		rounds = t->calls[i].round + 1;
		if (is_of_memory(&t->calls[i]) && t->calls[i].round != last) {
			with++;
			last = t->calls[i].round;
		}
	}
	return 2 * with >= rounds;
}

static void leave_out_memory(struct change *c, const struct call *call)
{
	struct list covers = {0};

	if (call->op == OP_FREE) {
		covers = covers_of(c, call, NONE);
		add_fence(c, &covers, call->round);
	}
	free(covers.items);
}

/* ---- threads that hand over ---- */

static void hand_over(struct change *c, const struct call *call)
{
	struct handed *handed = &c->handed[call->event];
	struct posted posted = {.round = call->round};

	if (c->all_handed)
		return;
	for (int i = 0; i < c->p->nstreams; i++)
		add_item(&posted.pieces, c->in_round[i]);
	if (handed->n == handed->room) {
		handed->room = handed->room == 0 ? 64 : 2 * handed->room;
		handed->posts = realloc(handed->posts, (size_t)handed->room * sizeof(*handed->posts));
		if (!handed->posts)
			abort();
	}
	handed->posts[handed->n++] = posted;
}

static void take_over(struct change *c, const struct call *call)
{
	struct handed *handed = &c->handed[call->event];
	int post = handed->taken++ - c->p->posts[call->event];

	if (post >= 0 && post < handed->n && handed->posts[post].round == call->round)
		add_items(&c->foreign, &handed->posts[post].pieces);
}

static void take_from_start(struct change *c)
{
	for (int i = 0; i < MOST_SEMAPHORES; i++)
		c->handed[i].taken = 0;
}

static void forget_handed(struct change *c)
{
	for (int i = 0; i < MOST_SEMAPHORES; i++) {
		for (int j = 0; j < c->handed[i].n; j++)
			free(c->handed[i].posts[j].pieces.items);
		free(c->handed[i].posts);
	}
	free(c->foreign.items);
}

/* ---- rounds and loops ---- */

static void end_round(struct change *c)
{
	struct round *round = &c->rounds[c->nrounds - 1];

	for (int i = 0; i < c->p->nstreams; i++) {
		add_item(&round->last, c->in_round[i]);
		c->in_round[i] = c->fence[i] = NONE;
	}
	c->foreign.n = 0;
}

static void forget_rounds(struct change *c)
{
	for (int i = 0; i < c->nrounds; i++) {
		for (int j = 0; j < c->rounds[i].ncovers; j++)
			free(c->rounds[i].covers[j].items);
		free(c->rounds[i].covers);
		free(c->rounds[i].last.items);
		free(c->rounds[i].records.items);
	}
	c->nrounds = 0;
	c->before.n = 0;
	c->loop = NONE;
}

/* The host waits for everything. */
static void end_loop(struct change *c)
{
	struct call call = {.op = OP_WAIT_FOR, .stream = NONE, .event = NONE, .loop = c->loop, .round = c->nrounds - 1};
	struct list all = {0};

	end_round(c);
	for (int i = 0; i < c->nrounds; i++)
		if (i + c->k >= c->nrounds)
			add_items(&all, &c->rounds[i].last);
	append(c, call, &all);
	forget_rounds(c);
}

static void begin_loop(struct change *c, int first)
{
	c->loop = c->p->threads[c->thread].calls[first].loop;
	c->remakes = remakes_memory(&c->p->threads[c->thread], first);
	for (int i = 0; i < c->p->nstreams; i++)
		add_item(&c->before, c->tail[i]);
}

static void begin_rounds(struct change *c, int round)
{
	while (c->nrounds <= round) {
		if (c->nrounds > 0)
			end_round(c);
		if (c->nrounds == c->rounds_room) {
			c->rounds_room = c->rounds_room == 0 ? 64 : 2 * c->rounds_room;
			c->rounds = realloc(c->rounds, (size_t)c->rounds_room * sizeof(*c->rounds));
			if (!c->rounds)
				abort();
		}
		memset(&c->rounds[c->nrounds++], 0, sizeof(*c->rounds));
	}
}

static void change_call(struct change *c, int i)
{
	const struct call *call = &c->p->threads[c->thread].calls[i];
	bool is_piece = is_work(call) || call->op == OP_RECORD || call->op == OP_STREAM_WAIT;

	begin_rounds(c, call->round);
	if (is_piece)
		change_piece(c, i);
	if (call->op == OP_RECORD) {
		c->record[call->event] = i;
		c->order[i] = c->rounds[call->round].records.n;
		add_item(&c->rounds[call->round].records, c->renamed[i]);
		add_item(&c->records[call->event], c->renamed[i]);
	}
	if (call->op == OP_POST)
		hand_over(c, call);
	if (call->op == OP_TAKE)
		take_over(c, call);
	if (is_wait(call))
		change_wait(c, i);
	else if (c->remakes && is_of_memory(call))
		leave_out_memory(c, call);
	else if (!is_piece)
		append(c, *call, &(struct list){0});
}

/* A call that belongs to no round. */
static void keep_call(struct change *c, int i)
{
	const struct call *call = &c->p->threads[c->thread].calls[i];
	int number = append(c, *call, &(struct list){0});

	c->renamed[i] = number;
	if (call->op == OP_RECORD)
		c->record[call->event] = i;
	if (is_work(call) || call->op == OP_RECORD || call->op == OP_STREAM_WAIT)
		c->tail[call->stream] = number;
}

/* The host's own work and its ranges: no calls of CUDA. */
static bool is_of_host(const struct call *call)
{
	return call->op == OP_HOST || call->op == OP_PUSH || call->op == OP_POP;
}

/* A loop ends with its last call: the host's work behind it belongs to no round. */
static bool is_last_of_loop(const struct thread *t, int i)
{
	for (int k = i + 1; k < t->n; k++)
		if (t->calls[k].loop != NONE && !is_of_host(&t->calls[k]))
			return t->calls[k].loop != t->calls[i].loop;
	return true;
}

static void change_calls(struct change *c)
{
	const struct thread *t = &c->p->threads[c->thread];

	for (int i = 0; i < t->n; i++) {
		int loop = t->calls[i].loop;

		if (loop == NONE || (c->loop == NONE && is_of_host(&t->calls[i]))) {
			keep_call(c, i);
			continue;
		}
		if (c->loop == NONE)
			begin_loop(c, i);
		change_call(c, i);
		if (!is_of_host(&t->calls[i]) && is_last_of_loop(t, i))
			end_loop(c);
	}
}

static int *numbers(int n)
{
	int *all = malloc(((size_t)n + 1) * sizeof(*all));

	if (!all)
		abort();
	for (int i = 0; i < n; i++)
		all[i] = NONE;
	return all;
}

static void change_thread(struct change *c, int thread)
{
	int n = c->p->threads[thread].n;

	c->thread = thread;
	c->loop = NONE;
	c->streams = numbers(c->p->nstreams * c->k);
	c->renamed = numbers(n);
	c->order = numbers(n);
	c->record = numbers(c->p->nevents);
	for (int i = 0; i < c->p->nstreams; i++)
		c->tail[i] = c->in_round[i] = c->fence[i] = c->computed[i] = NONE;
	c->communicates = process_communicates(c->p, c->p->threads[thread].process);
	change_calls(c);
	free(c->streams);
	free(c->renamed);
	free(c->order);
	free(c->record);
}

static struct program *change_threads(struct change *c)
{
	const struct program *p = c->p;
	struct program *changed = program_new(p->class, p->name, p->seed);

	c->changed = changed;
	changed->machine = p->machine;
	changed->nthreads = p->nthreads;
	for (int t = 0; t < p->nthreads; t++)
		changed->threads[t].process = p->threads[t].process;
	changed->nstreams = p->nstreams;
	changed->nevents = p->nevents;
	changed->nsemaphores = p->nsemaphores;
	memcpy(changed->posts, p->posts, sizeof(p->posts));
	changed->nloops = p->nloops;
	changed->meetings = p->meetings;
	changed->devices = p->devices;
	memcpy(changed->streams, p->streams, sizeof(p->streams));
	for (int t = 0; t < p->nthreads; t++)
		change_thread(c, t);
	return changed;
}

/* Threads hand over in both directions: what the later ones post is known when all were changed once. Their calls have
 * the same numbers when they are changed again. */
struct program *change_buffers(const struct program *p, int k)
{
	struct change c = {.p = p, .k = k, .records = calloc((size_t)p->nevents + 1, sizeof(*c.records))};
	struct program *changed;

	if (!c.records)
		abort();
	changed = change_threads(&c);

	if (p->nsemaphores > 0) {
		program_free(changed);
		take_from_start(&c);
		c.all_handed = true;
		changed = change_threads(&c);
	}
	forget_handed(&c);
	for (int e = 0; e < p->nevents; e++)
		free(c.records[e].items);
	free(c.records);
	free(c.rounds);
	free(c.before.items);
	return changed;
}

/* ---- what it saves ---- */

static void widen(struct span *span, int64_t start, int64_t end)
{
	if (start < span->start)
		span->start = start;
	if (end > span->end)
		span->end = end;
}

/* From its first call to the end of its last work or wait. */
static void span_call(struct span *span, const struct run *run, const struct program *p, int thread, int i)
{
	const struct call *call = &p->threads[thread].calls[i];
	int piece = run->piece_of[thread][i];

	if (call->op == OP_HOST || call->op == OP_POST || call->op == OP_TAKE || call->op == OP_PUSH ||
		call->op == OP_POP)
		return;
	widen(span, run->calls[thread][i].start, run->calls[thread][i].start);
	if (is_work(call))
		widen(span, run->pieces[piece].ran.start, run->pieces[piece].ran.end);
	if (is_wait(call) || call->op == OP_WAIT_FOR)
		widen(span, run->calls[thread][i].start, run->calls[thread][i].end);
}

static int by_start(const void *a, const void *b)
{
	const struct span *one = a, *other = b;

	return (one->start > other->start) - (one->start < other->start);
}

/* The time in which at least one of these loops runs. */
static int64_t time_of_spans(struct span *spans, int n)
{
	int64_t all = 0, reached = 0;

	qsort(spans, (size_t)n, sizeof(*spans), by_start);
	for (int i = 0; i < n; i++) {
		int64_t from = spans[i].start > reached ? spans[i].start : reached;

		all += spans[i].end > from ? spans[i].end - from : 0;
		reached = spans[i].end > reached ? spans[i].end : reached;
	}
	return all;
}

/* Of each GPU for itself, and all together. A loop belongs to the GPU of its work. */
static int64_t time_of_loops(const struct program *p, const struct run *run)
{
	int device_of_loop[MOST_LOOPS];
	int64_t all = 0;

	for (int device = 0; device < p->devices; device++) {
		struct span spans[MOST_LOOPS], own[MOST_LOOPS];
		int n = 0;

		for (int i = 0; i < p->nloops; i++) {
			spans[i] = (struct span){INT64_MAX, 0};
			device_of_loop[i] = NONE;
		}
		for (int t = 0; t < p->nthreads; t++) {
			for (int i = 0; i < p->threads[t].n; i++) {
				const struct call *call = &p->threads[t].calls[i];

				if (call->loop == NONE)
					continue;
				span_call(&spans[call->loop], run, p, t, i);
				if (is_work(call))
					device_of_loop[call->loop] = p->streams[call->stream].device;
			}
		}
		for (int i = 0; i < p->nloops; i++)
			if (device_of_loop[i] == device)
				own[n++] = spans[i];
		all += time_of_spans(own, n);
	}
	return all;
}

static int64_t span_of_run(const struct program *p, const struct run *run)
{
	int64_t end = 0;

	for (int t = 0; t < p->nthreads; t++)
		if (p->threads[t].n > 0 && run->calls[t][p->threads[t].n - 1].end > end)
			end = run->calls[t][p->threads[t].n - 1].end;
	return end;
}

static int advised_of(const struct truth *truth)
{
	int64_t best = 0, band = truth->loops / 50;

	for (int k = LEAST_BUFFERS; k <= MOST_BUFFERS; k++)
		best = truth->saving[k] > best ? truth->saving[k] : best;
	for (int k = LEAST_BUFFERS; k <= MOST_BUFFERS && best >= band; k++)
		if (truth->saving[k] >= best - band)
			return k;
	return 1;
}

struct truth truth_of(const struct program *p)
{
	struct run *was = simulate(p);
	struct truth truth = {.span = span_of_run(p, was), .loops = time_of_loops(p, was)};

	for (int k = LEAST_BUFFERS; k <= MOST_BUFFERS && p->nloops > 0; k++) {
		struct program *changed = change_buffers(p, k);
		struct run *run = simulate(changed);

		truth.saving[k] = truth.loops - time_of_loops(changed, run);
		run_free(run);
		program_free(changed);
	}
	truth.advised = advised_of(&truth);
	run_free(was);
	return truth;
}
