/*
 * cuda-queue.c: the time line. Work is done in the order of its calls, which is right for every stream and event: what
 * the host sees of it, the data, is then there early. When it began and ended is worked out: not before its call, what
 * its stream did before, or what its engine does. What stands behind a host function that has not run waits in a queue
 * until somebody waits for it, and so do host functions.
 */
#include "cuda-parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static pthread_mutex_t draining = PTHREAD_MUTEX_INITIALIZER;
static struct op *first, **end = &first;
static uint64_t engine_free[MAX_DEVICES][ENGINES_NUMBER];

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

struct op *queue_op(enum op_kind kind, cudaStream_t stream)
{
	struct op *op = calloc(1, sizeof *op);

	if (op == NULL)
		return NULL;
	op->kind = kind;
	op->stream = stream;
	op->enqueued = stand_in_now();
	op->work.device = (uint32_t)stream->device;
	op->work.context = stream->context;
	op->work.stream = stream->id;
	return op;
}

static void change_data(const struct op *op)
{
	if (op->work.kind == STAND_IN_KERNEL)
		kernel_run(op);
	else if (op->work.kind == STAND_IN_COPY)
		memmove(op->to, op->from, op->work.bytes);
	else
		memset(op->to, op->byte, op->work.bytes);
}

static void do_work(struct op *op)
{
	uint64_t none = 0, *engine = &engine_free[op->stream->device][op->engine];

	if (stand_in()->concurrent && op->work.kind == STAND_IN_KERNEL)
		engine = &none;
	op->work.start = later(later(op->enqueued, op->stream->end), *engine);
	op->work.end = *engine = op->stream->end = op->work.start + op->length;
	change_data(op);
	totals_add(&op->work);
	stand_in_work_done(&op->work);
}

/* A host function: as long as it took. */
static void do_call(struct op *op)
{
	wait_until(op->stream->end);
	pthread_mutex_unlock(&lock);
	op->call(op->user);
	pthread_mutex_lock(&lock);
	op->stream->end = later(op->stream->end, stand_in_now());
}

/* With the lock. */
static void do_op(struct op *op)
{
	switch (op->kind) {
	case OP_WORK:
		do_work(op);
		break;
	case OP_HOST:
		do_call(op);
		break;
	case OP_RECORD:
		op->event->time = later(op->enqueued, op->stream->end);
		op->event->pending--;
		break;
	case OP_WAIT:
		op->stream->end = later(op->stream->end, op->event->time);
		break;
	}
}

cudaError_t queue_add(struct op *op)
{
	if (op == NULL)
		return cuda_note(cudaErrorMemoryAllocation);
	if (op->stream->is_captured) {
		graph_add(op->stream->graph, op);
		return cudaSuccess;
	}
	pthread_mutex_lock(&lock);
	if (op->kind == OP_RECORD) {
		op->event->recorded = true;
		op->event->pending++;
	}
	if (first == NULL && op->kind != OP_HOST) {
		do_op(op);
		free(op);
	} else {
		*end = op;
		end = &op->next;
	}
	pthread_mutex_unlock(&lock);
	return cudaSuccess;
}

/* One thread at a time. The op stays first while it is done, so that nothing overtakes it. */
void queue_drain(void)
{
	pthread_mutex_lock(&draining);
	pthread_mutex_lock(&lock);
	while (first != NULL) {
		struct op *op = first;

		do_op(op);
		first = op->next;
		if (first == NULL)
			end = &first;
		free(op);
	}
	pthread_mutex_unlock(&lock);
	pthread_mutex_unlock(&draining);
}

void wait_until(uint64_t ns)
{
	enum { SPIN_NS = 100000 };

	for (uint64_t now; (now = stand_in_now()) < ns;) {
		uint64_t rest = ns - now;
		const struct timespec nap = {
			(time_t)((rest - SPIN_NS) / 1000000000), (long)((rest - SPIN_NS) % 1000000000)};

		if (rest > SPIN_NS)
			nanosleep(&nap, NULL);
	}
}
