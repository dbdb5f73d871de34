/* program.c: programs are put together call by call. */
#include <stdlib.h>
#include <string.h>

#include "program.h"

/* As measured on an H100 under a profiler, rounded. */
static const struct machine usual_machine = {.engines = 3,
	.duplex_in = 0.9,
	.duplex_out = 0.9,
	.latency = 6000,
	.gap = 1200,
	.wake = 4000,
	.between = 300,
	.depth = 1036};

struct program *program_new(const char *class, const char *name, uint64_t seed)
{
	struct program *p = calloc(1, sizeof(*p));

	if (!p)
		abort();
	p->class = class;
	p->name = name;
	p->seed = p->random = seed;
	p->machine = usual_machine;
	p->nthreads = p->devices = 1;
	p->loop = p->round = NONE;
	return p;
}

void program_free(struct program *p)
{
	for (int t = 0; t < p->nthreads; t++) {
		for (int i = 0; i < p->threads[t].n; i++)
			free(p->threads[t].calls[i].after);
		free(p->threads[t].calls);
	}
	free(p);
}

/* splitmix64. */
double program_random(struct program *p)
{
	uint64_t x = p->random += UINT64_C(0x9E3779B97F4A7C15);

	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
	x ^= x >> 31;
	return (double)(x >> 11) / 9007199254740992.0;
}

int64_t program_between(struct program *p, int64_t least, int64_t most)
{
	return least + (int64_t)(program_random(p) * (double)(most - least + 1));
}

int64_t program_noise(struct program *p, int64_t middle, double spread)
{
	double where = (program_random(p) + program_random(p) + program_random(p)) * 2 / 3 - 1;
	int64_t ns = (int64_t)((double)middle * (1 + spread * where));

	return ns < 1 ? 1 : ns;
}

int program_stream(struct program *p, enum stream_kind kind, int device)
{
	if (p->nstreams == MOST_STREAMS)
		abort();
	p->streams[p->nstreams] = (struct stream){kind, device, p->threads[p->thread].process};
	return p->nstreams++;
}

int program_event(struct program *p)
{
	return p->nevents++;
}

int program_semaphore(struct program *p, int posts)
{
	if (p->nsemaphores == MOST_SEMAPHORES)
		abort();
	p->posts[p->nsemaphores] = posts;
	return p->nsemaphores++;
}

int program_thread(struct program *p)
{
	int process = p->threads[p->thread].process;

	if (p->nthreads == MOST_THREADS)
		abort();
	p->thread = p->nthreads++;
	p->threads[p->thread].process = process;
	return p->thread;
}

int program_process(struct program *p)
{
	int process = p->threads[p->nthreads - 1].process + 1;

	program_thread(p);
	p->threads[p->thread].process = process;
	return p->thread;
}

int program_loop(struct program *p)
{
	if (p->nloops == MOST_LOOPS)
		abort();
	return p->nloops++;
}

void program_round(struct program *p, int loop, int round)
{
	p->loop = loop;
	p->round = round;
}

void program_outside(struct program *p)
{
	program_round(p, NONE, NONE);
}

int program_append(struct program *p, int thread, struct call call)
{
	struct thread *t = &p->threads[thread];

	if (t->n == t->room) {
		t->room = t->room == 0 ? 256 : 2 * t->room;
		t->calls = realloc(t->calls, (size_t)t->room * sizeof(*t->calls));
		if (!t->calls)
			abort();
	}
	t->calls[t->n] = call;
	return t->n++;
}

struct call *program_call(struct program *p, enum operation op, int stream)
{
	int i = program_append(p, p->thread,
		(struct call){
			.op = op, .stream = stream, .event = NONE, .share = 1, .loop = p->loop, .round = p->round});

	return &p->threads[p->thread].calls[i];
}

struct call *program_kernel(struct program *p, int stream, const char *name, int64_t ns)
{
	struct call *call = program_call(p, OP_KERNEL, stream);

	call->name = name;
	call->ns = ns;
	return call;
}

struct call *program_memset(struct program *p, int stream, int64_t ns)
{
	struct call *call = program_call(p, OP_MEMSET, stream);

	call->ns = ns;
	call->bytes = ns * 1000;
	return call;
}

void program_luck(struct program *p)
{
	for (int t = 0; t < p->nthreads; t++)
		for (int i = 0; i < p->threads[t].n; i++)
			p->threads[t].calls[i].luck = program_random(p) < 0.005 ? 10 : 0.7 + 0.6 * program_random(p);
}

/* At 50 GB/s, as pinned memory gives it on PCIe 5.0. */
struct call *program_copy(struct program *p, int stream, enum way way, int64_t ns)
{
	struct call *call = program_call(p, OP_COPY, stream);

	call->way = way;
	call->ns = ns;
	call->bytes = ns * 50;
	return call;
}

struct call *program_on_event(struct program *p, enum operation op, int stream, int event)
{
	struct call *call = program_call(p, op, stream);

	call->event = event;
	return call;
}

void program_host(struct program *p, int64_t ns)
{
	program_call(p, OP_HOST, NONE)->ns = ns;
}

void program_range(struct program *p, const char *name)
{
	program_call(p, OP_PUSH, NONE)->name = name;
}

void program_end_range(struct program *p)
{
	program_call(p, OP_POP, NONE);
}

int number_of_call(int thread, int call)
{
	return thread * (1 << 24) + call;
}

int thread_of_number(int number)
{
	return number >> 24;
}

int call_of_number(int number)
{
	return number & ((1 << 24) - 1);
}

bool is_work(const struct call *call)
{
	return call->op == OP_KERNEL || call->op == OP_MEMSET || call->op == OP_COPY;
}
