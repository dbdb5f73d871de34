/* rules.c: the simulator's rules one by one, in programs of a few calls, and what holds in every changed program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "change.h"
#include "programs.h"

/* A program, and when its work ran. */
static struct program *p;
static struct run *run;

static int setup(void **state)
{
	(void)state;
	p = program_new("rules", "rules", 1);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	if (run)
		run_free(run);
	run = NULL;
	program_free(p);
	return 0;
}

static void run_program(void)
{
	run = simulate(p);
}

/* The span of the work that a thread's n-th call asked for. */
static struct span work_of(int thread, int n)
{
	for (int i = 0; i < p->threads[thread].n; i++)
		if (is_work(&p->threads[thread].calls[i]) && n-- == 0)
			return run->pieces[run->piece_of[thread][i]].ran;
	fail_msg("there is no such work");
	return (struct span){0, 0};
}

static struct span work(int n)
{
	return work_of(0, n);
}

/* When a thread's first call of a kind began and returned. */
static struct span call_of(int thread, enum operation op)
{
	for (int i = 0; i < p->threads[thread].n; i++)
		if (p->threads[thread].calls[i].op == op)
			return run->calls[thread][i];
	fail_msg("there is no such call");
	return (struct span){0, 0};
}

#define assert_behind(a, b) assert_true((a).start >= (b).end)
#define assert_beside(a, b) assert_true((a).start < (b).end && (b).start < (a).end)
#define assert_length(span, ns) assert_in_range((span).end - (span).start, ns, (ns) + 1)

static void test_stream_order(void **state)
{
	int stream = program_stream(p, STREAM_NON_BLOCKING, 0);

	(void)state;
	program_copy(p, stream, WAY_IN, MS);
	program_kernel(p, stream, "work", MS);
	program_copy(p, stream, WAY_OUT, MS);
	run_program();
	assert_int_equal(work(1).start, work(0).end + p->machine.gap);
	assert_int_equal(work(2).start, work(1).end + p->machine.gap);
	assert_length(work(1), MS);
}

static void test_streams_run_beside_each_other(void **state)
{
	(void)state;
	program_copy(p, program_stream(p, STREAM_BLOCKING, 0), WAY_IN, MS);
	program_kernel(p, program_stream(p, STREAM_PER_THREAD, 0), "work", MS);
	run_program();
	assert_beside(work(0), work(1));
}

/* One copy of a direction at a time; both directions at once are slower. */
static void test_copy_engines(void **state)
{
	(void)state;
	program_copy(p, program_stream(p, STREAM_NON_BLOCKING, 0), WAY_IN, MS);
	program_copy(p, program_stream(p, STREAM_NON_BLOCKING, 0), WAY_IN, MS);
	program_copy(p, program_stream(p, STREAM_NON_BLOCKING, 0), WAY_OUT, 4 * MS);
	p->machine.duplex_in = p->machine.duplex_out = 0.5;
	run_program();
	assert_int_equal(work(1).start, work(0).end);
	assert_beside(work(2), work(0));
	assert_length(work(1), 2 * MS);
	assert_true(work(2).end - work(2).start > 5900 * US && work(2).end - work(2).start < 6100 * US);
}

/* Of what is ready, an engine takes what was asked for first, not what has been ready for longer. */
static void test_engines_take_by_request(void **state)
{
	int first = program_stream(p, STREAM_NON_BLOCKING, 0), second = program_stream(p, STREAM_NON_BLOCKING, 0);

	(void)state;
	program_kernel(p, first, "a", MS);
	program_kernel(p, first, "b", MS);
	program_kernel(p, second, "c", MS);
	program_copy(p, first, WAY_OUT, MS);
	program_kernel(p, first, "d", MS);
	run_program();
	assert_int_equal(work(1).start, work(0).end);
	assert_int_equal(work(2).start, work(1).end);
	/* The copy is done with the third kernel: the last one waited for it. */
	assert_behind(work(4), work(3));
}

static void test_one_copy_engine(void **state)
{
	(void)state;
	program_copy(p, program_stream(p, STREAM_NON_BLOCKING, 0), WAY_IN, MS);
	program_copy(p, program_stream(p, STREAM_NON_BLOCKING, 0), WAY_OUT, MS);
	p->machine.engines = 1;
	run_program();
	assert_behind(work(1), work(0));
	assert_length(work(1), MS);
}

static void test_kernels_share_the_gpu(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		program_kernel(p, program_stream(p, STREAM_NON_BLOCKING, 0), "half", MS)->share = 0.5;
	program_memset(p, program_stream(p, STREAM_NON_BLOCKING, 0), MS);
	run_program();
	assert_beside(work(0), work(1));
	assert_behind(work(2), work(0));
	assert_behind(work(3), work(2));
}

/* Kernels of two GPUs have nothing to do with each other. */
static void test_devices(void **state)
{
	(void)state;
	p->devices = 2;
	program_kernel(p, program_stream(p, STREAM_LEGACY, 0), "work", MS);
	program_kernel(p, program_stream(p, STREAM_LEGACY, 1), "work", MS);
	run_program();
	assert_beside(work(0), work(1));
}

/* ---- the default stream ---- */

static void add_around_legacy(enum stream_kind kind)
{
	int legacy = program_stream(p, STREAM_LEGACY, 0);

	program_copy(p, program_stream(p, kind, 0), WAY_IN, MS);
	program_kernel(p, legacy, "work", MS);
	program_copy(p, program_stream(p, kind, 0), WAY_OUT, MS);
	run_program();
}

/* Collectives of two GPUs end together, as long behind the start of the later one as they take. */
static void test_collectives_wait_for_each_other(void **state)
{
	(void)state;
	p->devices = 2;
	p->meetings = 1;
	for (int device = 0; device < 2; device++) {
		int stream = program_stream(p, STREAM_NON_BLOCKING, device);

		program_kernel(p, stream, "work", (1 + 2 * device) * MS);
		program_kernel(p, stream, "ncclDevKernel_AllReduce", MS)->meeting = 1;
	}
	run_program();
	assert_int_equal(work(1).start, work(0).end);
	assert_true(work(1).start < work(2).end);
	assert_length(work(3), MS);
	assert_int_equal(work(1).end, work(3).end);
}

static void test_legacy_orders_blocking_streams(void **state)
{
	(void)state;
	add_around_legacy(STREAM_BLOCKING);
	assert_behind(work(1), work(0));
	assert_behind(work(2), work(1));
}

static void test_legacy_orders_streams_of_threads(void **state)
{
	(void)state;
	add_around_legacy(STREAM_PER_THREAD);
	assert_behind(work(1), work(0));
	assert_behind(work(2), work(1));
}

static void test_legacy_leaves_non_blocking_streams(void **state)
{
	(void)state;
	add_around_legacy(STREAM_NON_BLOCKING);
	assert_beside(work(1), work(0));
	assert_beside(work(2), work(1));
}

/* ---- events and waits ---- */

static void test_stream_wait(void **state)
{
	int first = program_stream(p, STREAM_NON_BLOCKING, 0), second = program_stream(p, STREAM_NON_BLOCKING, 0);
	int event = program_event(p), unused = program_event(p);

	(void)state;
	program_on_event(p, OP_STREAM_WAIT, second, unused);
	program_copy(p, second, WAY_OUT, MS);
	program_copy(p, first, WAY_IN, 3 * MS);
	program_on_event(p, OP_RECORD, first, event);
	program_kernel(p, first, "later", 5 * MS)->share = 0.5;
	program_on_event(p, OP_STREAM_WAIT, second, event);
	program_kernel(p, second, "work", MS)->share = 0.5;
	run_program();
	assert_beside(work(0), work(1));
	assert_behind(work(3), work(1));
	assert_beside(work(3), work(2));
}

/* What was recorded when the wait is called counts. */
static void test_event_sync(void **state)
{
	int stream = program_stream(p, STREAM_NON_BLOCKING, 0), event = program_event(p);

	(void)state;
	program_kernel(p, stream, "work", 2 * MS);
	program_on_event(p, OP_RECORD, stream, event);
	program_kernel(p, stream, "later", 2 * MS);
	program_on_event(p, OP_EVENT_SYNC, stream, event);
	run_program();
	assert_int_equal(call_of(0, OP_EVENT_SYNC).end, work(0).end + p->machine.wake);
}

static void test_stream_sync(void **state)
{
	int stream = program_stream(p, STREAM_NON_BLOCKING, 0);

	(void)state;
	program_kernel(p, stream, "work", 2 * MS);
	program_copy(p, program_stream(p, STREAM_NON_BLOCKING, 0), WAY_IN, 9 * MS);
	program_call(p, OP_STREAM_SYNC, stream);
	program_call(p, OP_DEVICE_SYNC, stream);
	run_program();
	assert_int_equal(call_of(0, OP_STREAM_SYNC).end, work(0).end + p->machine.wake);
	assert_int_equal(call_of(0, OP_DEVICE_SYNC).end, work(1).end + p->machine.wake);
}

static bool copy_waits(enum way way, bool pageable, bool synchronous, int64_t bytes)
{
	struct call *copy = program_copy(p, program_stream(p, STREAM_LEGACY, 0), way, 5 * MS);

	copy->pageable = pageable;
	copy->synchronous = synchronous;
	copy->bytes = bytes;
	run_program();
	return call_of(0, OP_COPY).end >= work(0).end;
}

static void assert_waits(bool waits, enum way way, bool pageable, bool synchronous, int64_t bytes)
{
	assert_true(copy_waits(way, pageable, synchronous, bytes) == waits);
	teardown(NULL);
	setup(NULL);
}

static void test_which_copies_wait(void **state)
{
	(void)state;
	assert_waits(false, WAY_IN, false, false, 1 << 20);
	assert_waits(false, WAY_OUT, false, false, 1 << 20);
	assert_waits(true, WAY_IN, false, true, 1 << 10);
	assert_waits(true, WAY_OUT, false, true, 1 << 10);
	assert_waits(true, WAY_IN, true, false, 1 << 20);
	assert_waits(true, WAY_IN, true, true, 1 << 20);
	assert_waits(false, WAY_IN, true, false, 1 << 16);
	assert_waits(false, WAY_IN, true, true, 1 << 16);
	assert_waits(true, WAY_OUT, true, false, 4);
	assert_waits(true, WAY_OUT, true, true, 4);
	assert_waits(false, WAY_ON_DEVICE, false, true, 1 << 20);
}

/* The last part of a large pageable copy is on its way when the call returns. */
static void test_staging_ends_before_the_copy(void **state)
{
	int stream = program_stream(p, STREAM_NON_BLOCKING, 0);
	struct call *copy = program_copy(p, stream, WAY_IN, MS);

	(void)state;
	copy->pageable = true;
	copy->bytes = 10 * MS;
	p->machine.early = 20 * US;
	run_program();
	assert_int_equal(call_of(0, OP_COPY).end, work(0).end - 20 * US + p->machine.wake);
}

static void test_hand_over(void **state)
{
	int full = program_semaphore(p, 0), stream = program_stream(p, STREAM_NON_BLOCKING, 0);

	(void)state;
	program_host(p, 3 * MS);
	program_on_event(p, OP_POST, NONE, full);
	program_thread(p);
	program_on_event(p, OP_TAKE, NONE, full);
	program_kernel(p, stream, "work", MS);
	run_program();
	assert_true(call_of(1, OP_TAKE).end > 3 * MS);
	assert_true(work_of(1, 0).start > 3 * MS);
}

static void test_launches_return_at_once(void **state)
{
	int stream = program_stream(p, STREAM_NON_BLOCKING, 0);

	(void)state;
	for (int i = 0; i < 10; i++)
		program_kernel(p, stream, "work", MS);
	run_program();
	assert_true(run->calls[0][9].end < 100 * US);
	assert_true(work(0).start == run->calls[0][0].start + p->machine.latency);
}

/* ---- the changed program ---- */

/* 40 rounds of 4 ms: what is longest stays, with the ends of the first round and the last. */
static void test_change_of_a_chain(void **state)
{
	struct chain chain = {.in = MS, .kernel = 2 * MS, .out = MS};
	struct truth truth;

	(void)state;
	chain.stream = program_stream(p, STREAM_LEGACY, 0);
	program_chains(p, &chain, 40);
	truth = truth_of(p);
	assert_true(truth.loops > 160 * MS && truth.loops < 161 * MS);
	assert_true(truth.saving[2] > 77800 * US && truth.saving[2] < 78200 * US);
	assert_int_equal(truth.advised, 2);
}

/* A wait a round moves too: without that there is nothing to be gained. */
static void test_change_of_waits(void **state)
{
	struct chain chain = {.in = MS, .kernel = 2 * MS, .out = MS, .wait = WAIT_DEVICE, .synchronous = true};
	struct truth truth;

	(void)state;
	chain.stream = program_stream(p, STREAM_LEGACY, 0);
	program_chains(p, &chain, 40);
	truth = truth_of(p);
	assert_true(truth.saving[2] > 77000 * US);
}

/* Memory that is made in each round is made once, before. */
static void test_change_of_memory(void **state)
{
	struct chain chain = {.in = MS, .kernel = 2 * MS, .out = MS, .memory = 1};
	struct program *changed;

	(void)state;
	chain.stream = program_stream(p, STREAM_BLOCKING, 0);
	program_chains(p, &chain, 40);
	assert_true(truth_of(p).saving[2] > 77000 * US);
	changed = change_buffers(p, 2);
	for (int i = 0; i < changed->threads[0].n; i++) {
		assert_int_not_equal(changed->threads[0].calls[i].op, OP_MALLOC);
		assert_int_not_equal(changed->threads[0].calls[i].op, OP_FREE);
	}
	program_free(changed);
}

/* In few rounds it stays there, and cudaFree() ends what runs at once. */
static void test_change_of_some_memory(void **state)
{
	struct chain chain = {.in = MS, .kernel = 2 * MS, .out = MS, .memory = 10};
	int64_t saving;

	(void)state;
	chain.stream = program_stream(p, STREAM_BLOCKING, 0);
	program_chains(p, &chain, 40);
	saving = truth_of(p).saving[2];
	assert_in_range(saving, 70000 * US, 74000 * US);
}

/* Work of a round stays behind what cudaFree() waited for in it. */
static void test_change_of_order_by_memory(void **state)
{
	int first = program_stream(p, STREAM_NON_BLOCKING, 0), second = program_stream(p, STREAM_NON_BLOCKING, 0),
	    loop = program_loop(p);
	struct program *changed;

	(void)state;
	for (int i = 0; i < 4; i++) {
		program_round(p, loop, i);
		program_copy(p, first, WAY_IN, MS);
		program_call(p, OP_FREE, first);
		program_kernel(p, second, "work", MS);
	}
	program_outside(p);
	changed = change_buffers(p, 2);
	program_free(p);
	p = changed;
	run_program();
	for (int i = 0; i < 4; i++)
		assert_behind(work(2 * i + 1), work(2 * i));
}

/* What each of two threads asks for in a round stays behind what the other one handed over in it. */
static void test_change_of_hand_overs(void **state)
{
	struct trainer trainer = {.in = MS, .kernel = MS, .kernels = 1, .host = US, .there = US, .back = US};
	struct program *changed;

	(void)state;
	program_trainer(p, &trainer, 8);
	changed = change_buffers(p, 2);
	program_free(p);
	p = changed;
	run_program();
	for (int i = 0; i < 8; i++) {
		struct span forward = work(4 * i + 2), optimizer = work(4 * i + 3), backward = work_of(1, i);

		assert_behind(backward, forward);
		assert_behind(optimizer, backward);
	}
	assert_true(work(4).start < work(2).end); /* the second batch, beside the first forward pass */
}

/* What is communicated in a round is for the next one: its kernels stay behind that, and only the copies move. */
static void test_change_of_rounds_that_communicate(void **state)
{
	int own = program_stream(p, STREAM_LEGACY, 0), comm = program_stream(p, STREAM_NON_BLOCKING, 0);
	int computed = program_event(p), summed = program_event(p), loop = program_loop(p);
	int64_t saving;

	(void)state;
	for (int i = 0; i < 40; i++) {
		program_round(p, loop, i);
		program_copy(p, own, WAY_IN, MS);
		program_kernel(p, own, "work", 2 * MS)->share = 0.9;
		program_on_event(p, OP_RECORD, own, computed);
		program_on_event(p, OP_STREAM_WAIT, comm, computed);
		program_kernel(p, comm, "ncclDevKernel_AllReduce", MS)->share = 0.1;
		program_on_event(p, OP_RECORD, comm, summed);
		program_on_event(p, OP_STREAM_WAIT, own, summed);
	}
	saving = truth_of(p).saving[2];
	assert_in_range(saving, 38500 * US, 39500 * US);
}

static void test_nothing_without_a_loop(void **state)
{
	struct chain chain = {.in = MS, .kernel = 2 * MS, .out = MS};

	(void)state;
	chain.stream = program_stream(p, STREAM_LEGACY, 0);
	program_chain(p, &chain);
	assert_int_equal(truth_of(p).saving[2], 0);
}

static struct span span_of_round(const struct program *changed, const struct run *ran, int thread, int loop, int round)
{
	struct span span = {INT64_MAX, 0};

	for (int i = 0; i < changed->threads[thread].n; i++) {
		const struct call *call = &changed->threads[thread].calls[i];
		const struct span *piece;

		if (!is_work(call) || call->loop != loop || call->round != round)
			continue;
		piece = &ran->pieces[ran->piece_of[thread][i]].ran;
		span.start = piece->start < span.start ? piece->start : span.start;
		span.end = piece->end > span.end ? piece->end : span.end;
	}
	return span;
}

static int64_t time_if_pinned(const struct call *call)
{
	return call->pageable && call->pinned_ns > 0 ? call->pinned_ns : call->ns;
}

/* Work is asked for as often, on each GPU and in each round, and takes as long. */
static void assert_same_work(const struct program *changed)
{
	for (int t = 0; t < p->nthreads; t++) {
		const struct thread *was = &p->threads[t], *is = &changed->threads[t];
		int k = 0;

		for (int i = 0; i < was->n; i++) {
			if (!is_work(&was->calls[i]))
				continue;
			while (k < is->n && !is_work(&is->calls[k]))
				k++;
			assert_true(k < is->n);
			assert_int_equal(is->calls[k].round, was->calls[i].round);
			assert_int_equal(is->calls[k].ns, time_if_pinned(&was->calls[i]));
			assert_int_equal(
				changed->streams[is->calls[k].stream].device, p->streams[was->calls[i].stream].device);
			k++;
		}
	}
}

/* No buffer is used by two rounds at once. */
static void assert_buffers_hold(int k)
{
	struct program *changed = change_buffers(p, k);
	struct run *ran = simulate(changed);

	assert_same_work(changed);
	for (int t = 0; t < p->nthreads; t++) {
		for (int loop = 0; loop < p->nloops; loop++) {
			for (int round = k;; round++) {
				struct span freed = span_of_round(changed, ran, t, loop, round - k);
				struct span taken = span_of_round(changed, ran, t, loop, round);

				if (taken.end == 0)
					break;
				assert_behind(taken, freed);
			}
		}
	}
	run_free(ran);
	program_free(changed);
}

static void test_changed_programs(void **state)
{
	(void)state;
	for (const struct recipe *recipe = random_programs; recipe->class; recipe++) {
		program_free(p);
		p = recipe->make(recipe, 7);
		assert_buffers_hold(2);
		assert_buffers_hold(5);
	}
}

static void test_same_seed_same_run(void **state)
{
	const struct recipe *recipe = &random_programs[0];
	struct program *again = recipe->make(recipe, 3);
	struct run *other;

	(void)state;
	program_free(p);
	p = recipe->make(recipe, 3);
	run_program();
	other = simulate(again);
	assert_int_equal(run->npieces, other->npieces);
	assert_memory_equal(run->pieces, other->pieces, (size_t)run->npieces * sizeof(*run->pieces));
	run_free(other);
	program_free(again);
}

#define rule(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		rule(test_stream_order),
		rule(test_streams_run_beside_each_other),
		rule(test_copy_engines),
		rule(test_engines_take_by_request),
		rule(test_one_copy_engine),
		rule(test_kernels_share_the_gpu),
		rule(test_devices),
		rule(test_collectives_wait_for_each_other),
		rule(test_legacy_orders_blocking_streams),
		rule(test_legacy_orders_streams_of_threads),
		rule(test_legacy_leaves_non_blocking_streams),
		rule(test_stream_wait),
		rule(test_event_sync),
		rule(test_stream_sync),
		rule(test_which_copies_wait),
		rule(test_staging_ends_before_the_copy),
		rule(test_hand_over),
		rule(test_launches_return_at_once),
		rule(test_change_of_a_chain),
		rule(test_change_of_waits),
		rule(test_change_of_memory),
		rule(test_change_of_some_memory),
		rule(test_change_of_order_by_memory),
		rule(test_change_of_hand_overs),
		rule(test_change_of_rounds_that_communicate),
		rule(test_nothing_without_a_loop),
		rule(test_changed_programs),
		rule(test_same_seed_same_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
