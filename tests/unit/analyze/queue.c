/* queue.c: launches that wait for room in a stream's queue are told from launches that take long. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analyze/replay/replay.h"

enum { CALLS = 4000, CALL_NS = 5000, WAKE_NS = 4000 };

/* A host thread that launches kernels of equal length, faster than they run. */
struct launches {
	struct replay_call call[2 * CALLS];
	struct replay_piece piece[CALLS];
	struct replay_program program;
	struct replay_orders orders;
	int64_t now;             /* of the host */
	int64_t free[2];         /* by stream: when all that it has is done */
	uint32_t last[2][CALLS]; /* by stream: its pieces */
	size_t put[2];
};

static const struct replay_stream streams[2] = {{PAYS_STREAM_NON_BLOCKING, 0}, {PAYS_STREAM_NON_BLOCKING, 0}};
static const bool two_engines = false;

static void begin(struct launches *launches)
{
	*launches = (struct launches){.now = 1};
	launches->program = (struct replay_program){.call = launches->call,
		.piece = launches->piece,
		.stream = streams,
		.nstreams = 2,
		.nthreads = 1,
		.ndevices = 1,
		.shared_copies = &two_engines,
		.rate = {1, 1}};
}

static struct replay_call *add_call(struct launches *launches, int kind, int64_t ns)
{
	struct replay_call *call = &launches->call[launches->program.ncalls++];

	*call = (struct replay_call){.start = launches->now,
		.end = launches->now + ns,
		.token = (uint32_t)kind + 1,
		.event = REPLAY_NONE,
		.first = (uint32_t)launches->program.npieces,
		.kind = (uint8_t)kind};
	launches->now = call->end + 200;
	return call;
}

/* Launches a kernel; where the stream holds `depth` pieces the call waits for room. */
static void launch(struct launches *launches, int stream, int64_t kernel_ns, size_t depth, int64_t call_ns)
{
	size_t p = launches->program.npieces, n = launches->put[stream];
	struct replay_call *call = add_call(launches, REPLAY_LAUNCH, call_ns);
	int64_t start =
		call->start + 6000 > launches->free[stream] ? call->start + 6000 : launches->free[stream] + 1000;

	if (n >= depth) {
		int64_t room = launches->piece[launches->last[stream][n - depth]].end + WAKE_NS;

		call->end = room > call->end ? room : call->end;
		launches->now = call->end + 200;
	}
	call->count = 1;
	launches->piece[p] = (struct replay_piece){.start = start,
		.end = start + kernel_ns,
		.pinned = (double)kernel_ns,
		.call = (uint32_t)(launches->program.ncalls - 1),
		.stream = stream,
		.cls = WORK_KERNEL};
	launches->free[stream] = start + kernel_ns;
	launches->last[stream][launches->put[stream]++] = (uint32_t)p;
	launches->program.npieces++;
}

/* The host waits for all. */
static void drain(struct launches *launches)
{
	int64_t until = launches->free[0] > launches->free[1] ? launches->free[0] : launches->free[1];

	add_call(launches, REPLAY_WAIT, until + WAKE_NS - launches->now)->target = REPLAY_DEVICE;
}

static struct launches *made(void)
{
	struct launches *launches = calloc(1, sizeof(*launches));

	assert_non_null(launches);
	begin(launches);
	return launches;
}

/* The calls that wait for room, of a stream. */
static size_t count_held(const struct launches *launches, int stream)
{
	size_t n = 0;

	for (size_t c = 0; c < launches->program.ncalls; c++) {
		const struct replay_call *call = &launches->call[c];

		n += launches->orders.room[c] != REPLAY_NONE && launches->piece[call->first].stream == stream;
	}
	return n;
}

static void finish(struct launches *launches)
{
	replay_orders_free(&launches->orders);
	free(launches);
}

static void full_queue(void **state)
{
	const size_t depth = 300;
	struct launches *launches = made();

	(void)state;
	for (int i = 0; i < 2000; i++)
		launch(launches, 0, 20000, depth, CALL_NS);
	replay_orders_make(&launches->orders, &launches->program);
	assert_true(count_held(launches, 0) > 1500);
	for (size_t c = 500; c < launches->program.ncalls; c++) {
		uint32_t room = launches->orders.room[c];

		/* The piece is the one that made room, and the call itself took no longer than others. */
		assert_true(room != REPLAY_NONE && c - room >= depth - 1 && c - room <= depth + 1);
		assert_true(fabsf(launches->orders.own[c] - CALL_NS) < 1500);
	}
	finish(launches);
}

/* Of short pieces a call waits for little more than it takes itself. */
static void full_of_short_pieces(void **state)
{
	const size_t depth = 300;
	struct launches *launches = made();

	(void)state;
	for (int i = 0; i < 2000; i++)
		launch(launches, 0, 10000, depth, CALL_NS);
	replay_orders_make(&launches->orders, &launches->program);
	assert_true(count_held(launches, 0) > 1500);
	for (size_t c = 700; c < launches->program.ncalls; c++)
		assert_true(launches->orders.own[c] < 1.3F * CALL_NS);
	finish(launches);
}

/* Work is asked for in heaps, and some calls take long: none of them waits for room. */
static void heaps(void **state)
{
	struct launches *launches = made();

	(void)state;
	for (int heap = 0; heap < 8; heap++) {
		for (int i = 0; i < 400; i++)
			launch(launches, 0, 20000, CALLS, i % 20 == 19 ? 60000 : CALL_NS);
		drain(launches);
	}
	replay_orders_make(&launches->orders, &launches->program);
	assert_int_equal(count_held(launches, 0), 0);
	finish(launches);
}

/* A host that is as fast as the GPU, a few pieces ahead: the stream is never near its end. */
static void shallow(void **state)
{
	struct launches *launches = made();

	(void)state;
	for (int i = 0; i < 2000; i++)
		launch(launches, 0, 20000, 40, CALL_NS);
	replay_orders_make(&launches->orders, &launches->program);
	assert_int_equal(count_held(launches, 0), 0);
	finish(launches);
}

/* Each stream has a queue of its own. */
static void two_streams(void **state)
{
	struct launches *launches = made();

	(void)state;
	for (int i = 0; i < 2000; i++) {
		launch(launches, 0, 20000, 300, CALL_NS);
		if (i % 10 == 0)
			launch(launches, 1, 5000, 300, CALL_NS);
	}
	replay_orders_make(&launches->orders, &launches->program);
	assert_true(count_held(launches, 0) > 1500);
	assert_int_equal(count_held(launches, 1), 0);
	finish(launches);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_queue),
		cmocka_unit_test(full_of_short_pieces),
		cmocka_unit_test(heaps),
		cmocka_unit_test(shallow),
		cmocka_unit_test(two_streams),
	};

	return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
