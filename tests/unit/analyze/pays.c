/* pays.c: why copies do not overlap, on timelines made by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/pays.h"
#include "analyze/replay/replay.h"
#include "fixtures/near.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { DEFAULT, BLOCKING, OTHER_BLOCKING, FREE, OTHER_FREE, OTHER_DEVICE, STREAMS };

static const struct replay_stream streams[STREAMS] = {
	[DEFAULT] = {PAYS_STREAM_LEGACY, 0},
	[FREE] = {PAYS_STREAM_NON_BLOCKING, 0},
	[OTHER_FREE] = {PAYS_STREAM_NON_BLOCKING, 0},
	[OTHER_DEVICE] = {PAYS_STREAM_NON_BLOCKING, 1},
};

enum { ITEMS = 3, MORE = 2, DEVICES = 2 };

/* A piece of work and when it was asked for. */
struct item {
	int64_t start, end, issue;
	int32_t stream;
	uint8_t cls;
	bool known, pageable, blocking, managed;
};

/* The reasons of item 1 of a kernel (100 to 200) and a copy in (300 to 400), or of a copy out and a kernel; item 0 is
 * asked for at 10, item 1 at 20. Changed by each test. `more` are calls that ask for no work; the second may wait for
 * the event of the first. */
struct two {
	struct item item[ITEMS];
	struct replay_call more[MORE];
	size_t n, nmore, copy;
};

static void kernel_then_copy(struct two *two, int kernel_stream, int copy_stream)
{
	*two = (struct two){.n = 2, .copy = 1};
	two->item[0] = (struct item){100, 200, 10, kernel_stream, WORK_KERNEL, true, false, false, false};
	two->item[1] = (struct item){300, 400, 20, copy_stream, WORK_H2D, true, false, false, false};
}

static void copy_then_kernel(struct two *two, int copy_stream, int kernel_stream)
{
	*two = (struct two){.n = 2, .copy = 0};
	two->item[0] = (struct item){100, 200, 10, copy_stream, WORK_D2H, true, false, false, false};
	two->item[1] = (struct item){300, 400, 20, kernel_stream, WORK_KERNEL, true, false, false, false};
}

/* The host waits in a thread. Items are asked for by thread 0. */
static void host_waits(struct two *two, int64_t start, int64_t end, uint32_t thread)
{
	two->nmore = 1;
	two->more[0] = (struct replay_call){
		.start = start, .end = end, .thread = thread, .kind = REPLAY_WAIT, .stream = -1, .known = true};
}

/* A stream is told at `waited` to wait for an event that was recorded in another one. */
static void stream_waits(struct two *two, int64_t recorded, int64_t waited, int32_t from, int32_t to)
{
	two->nmore = 2;
	two->more[0] = (struct replay_call){
		.start = recorded, .end = recorded + 1, .kind = REPLAY_RECORD, .stream = from, .known = true};
	two->more[1] = (struct replay_call){
		.start = waited, .end = waited + 1, .kind = REPLAY_JOIN, .stream = to, .known = true};
}

/* Fills calls of the items and those beside, by start, and the pieces. Returns how many calls there are. */
static size_t make_calls(const struct two *two, struct replay_call *calls, struct replay_piece *pieces)
{
	uint32_t record = REPLAY_NONE;
	size_t n = 0, more = 0;

	for (size_t i = 0; i <= two->n; i++) {
		const struct item *item = &two->item[i];

		for (; more < two->nmore && (i == two->n || two->more[more].start < item->issue); more++) {
			calls[n] = two->more[more];
			calls[n].event = record;
			record = calls[n].kind == REPLAY_RECORD ? (uint32_t)n : record;
			n++;
		}
		if (i == two->n)
			break;
		pieces[i] = (struct replay_piece){.start = item->start,
			.end = item->end,
			.call = (uint32_t)n,
			.stream = item->stream,
			.cls = item->cls,
			.pageable = item->pageable,
			.managed = item->managed};
		calls[n++] = (struct replay_call){.start = item->issue,
			.end = item->blocking ? item->end : item->issue,
			.event = REPLAY_NONE,
			.first = (uint32_t)i,
			.count = 1,
			.kind = REPLAY_LAUNCH,
			.blocking = item->blocking,
			.known = item->known};
	}
	return n;
}

/* When kernels run, by device. */
struct computing {
	struct interval time[DEVICES][40];
	struct pays_computing of[DEVICES];
};

static void make_computing(struct computing *computing, const struct replay_program *program)
{
	size_t n[DEVICES] = {0};

	for (size_t p = 0; p < program->npieces; p++) {
		const struct replay_piece *piece = &program->piece[p];
		int device = program->stream[piece->stream].device;

		if (piece->cls == WORK_KERNEL)
			computing->time[device][n[device]++] = (struct interval){piece->start, piece->end};
	}
	for (int d = 0; d < DEVICES; d++)
		computing->of[d] =
			(struct pays_computing){computing->time[d], intervals_union(computing->time[d], n[d])};
}

static unsigned reasons_of(const struct two *two)
{
	struct replay_call calls[ITEMS + MORE];
	struct replay_piece pieces[ITEMS];
	struct replay_program program = {.call = calls,
		.ncalls = make_calls(two, calls, pieces),
		.piece = pieces,
		.npieces = two->n,
		.stream = streams,
		.nstreams = STREAMS,
		.nthreads = 2,
		.ndevices = DEVICES};
	struct computing computing;
	uint16_t reasons[ITEMS];

	make_computing(&computing, &program);
	pays_reasons(&program, computing.of, reasons);
	return reasons[two->copy];
}

#define BIT(reason) (1U << PAYS_##reason)

static void pageable(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, FREE, OTHER_FREE);
	two.item[1].pageable = true;
	assert_int_equal(reasons_of(&two), BIT(PAGEABLE));
	assert_int_equal(pays_first_reason(BIT(PAGEABLE) | BIT(SAME_STREAM)), PAYS_PAGEABLE);
	assert_int_equal(pays_first_reason(BIT(PAGEABLE) | BIT(MANAGED)), PAYS_MANAGED);
	assert_string_equal(pays_reason_name(PAYS_PAGEABLE), "pageable");
}

static void default_stream(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, DEFAULT, DEFAULT);
	assert_int_equal(reasons_of(&two), BIT(DEFAULT_STREAM));
	kernel_then_copy(&two, BLOCKING, DEFAULT);
	assert_int_equal(reasons_of(&two), BIT(DEFAULT_STREAM));
	copy_then_kernel(&two, DEFAULT, BLOCKING);
	assert_int_equal(reasons_of(&two), BIT(DEFAULT_STREAM));
	/* A non-blocking stream does not wait for it. */
	copy_then_kernel(&two, FREE, DEFAULT);
	assert_int_equal(reasons_of(&two), BIT(NONE));
}

/* Work of the default stream between two others keeps them apart. */
static void default_stream_between(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, BLOCKING, OTHER_BLOCKING);
	two.item[2] = two.item[1];
	two.item[1] = (struct item){210, 220, 15, DEFAULT, WORK_OTHER, true, false, false, false};
	two.n = 3;
	two.copy = 2;
	assert_int_equal(reasons_of(&two), BIT(DEFAULT_STREAM));
	two.item[0].stream = FREE;
	assert_int_equal(reasons_of(&two), BIT(NONE));
}

/* What another GPU does is no kernel to run beside, and nothing in between. */
static void other_device(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, FREE, OTHER_DEVICE);
	assert_int_equal(reasons_of(&two), BIT(ALONE));
	kernel_then_copy(&two, BLOCKING, OTHER_BLOCKING);
	two.item[2] = two.item[1];
	two.item[1] = (struct item){210, 220, 15, OTHER_DEVICE, WORK_KERNEL, true, false, false, false};
	two.n = 3;
	two.copy = 2;
	assert_int_equal(reasons_of(&two), BIT(NONE));
}

/* Nobody asked for a migration: what stands in the way of copies does not matter. */
static void managed(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, DEFAULT, DEFAULT);
	two.item[1].managed = true;
	assert_int_equal(reasons_of(&two), BIT(MANAGED));
}

static void synchronous(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, FREE, OTHER_FREE);
	two.item[1].blocking = true;
	assert_int_equal(reasons_of(&two), BIT(SYNCHRONOUS));
	kernel_then_copy(&two, FREE, OTHER_FREE);
	two.item[1].issue = 250;
	host_waits(&two, 12, 210, 0);
	assert_int_equal(reasons_of(&two), BIT(SYNCHRONOUS));
	/* Another thread waited; the wait was for something earlier; it began before the kernel was asked for. */
	host_waits(&two, 12, 210, 1);
	assert_int_equal(reasons_of(&two), BIT(HOST));
	host_waits(&two, 12, 150, 0);
	assert_int_equal(reasons_of(&two), BIT(HOST));
	host_waits(&two, 5, 210, 0);
	assert_int_equal(reasons_of(&two), BIT(HOST));
	/* To ask whether work is done is not to wait for it. */
	host_waits(&two, 12, 210, 0);
	two.more[0].polls = true;
	assert_int_equal(reasons_of(&two), BIT(HOST));
	/* The host waited in the call of another copy. */
	two.nmore = 0;
	two.item[2] = two.item[1];
	two.item[1] = (struct item){200, 210, 15, FREE, WORK_D2H, true, false, false, false};
	two.n = 3;
	two.copy = 2;
	assert_int_equal(reasons_of(&two), BIT(HOST));
	two.item[1].blocking = true;
	assert_int_equal(reasons_of(&two), BIT(SYNCHRONOUS));
}

/* Where calls are not known, work is asked for when it starts, and the thread of waits is that of all work. */
static void synchronous_without_calls(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, FREE, OTHER_FREE);
	two.item[0].known = two.item[1].known = false;
	host_waits(&two, 120, 210, 0);
	two.more[0].known = false;
	two.item[0].issue = two.item[1].issue = 90;
	assert_int_equal(reasons_of(&two), BIT(SYNCHRONOUS));
	host_waits(&two, 95, 210, 0);
	assert_int_equal(reasons_of(&two), BIT(NONE));
}

static void same_stream(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, FREE, FREE);
	assert_int_equal(reasons_of(&two), BIT(SAME_STREAM));
	copy_then_kernel(&two, BLOCKING, BLOCKING);
	assert_int_equal(reasons_of(&two), BIT(SAME_STREAM));
	two.item[0].pageable = true;
	assert_int_equal(reasons_of(&two), BIT(SAME_STREAM) | BIT(PAGEABLE));
}

static void dependency(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, FREE, OTHER_FREE);
	stream_waits(&two, 12, 14, FREE, OTHER_FREE);
	assert_int_equal(reasons_of(&two), BIT(DEPENDENCY));
	/* The other way round; for work before the kernel; after the copy. */
	stream_waits(&two, 12, 14, OTHER_FREE, FREE);
	assert_int_equal(reasons_of(&two), BIT(NONE));
	stream_waits(&two, 8, 14, FREE, OTHER_FREE);
	assert_int_equal(reasons_of(&two), BIT(NONE));
	stream_waits(&two, 12, 25, FREE, OTHER_FREE);
	assert_int_equal(reasons_of(&two), BIT(NONE));
	/* An event that was never recorded, and streams that nothing tells. */
	stream_waits(&two, 12, 14, FREE, OTHER_FREE);
	two.more[0] = two.more[1];
	two.nmore = 1;
	assert_int_equal(reasons_of(&two), BIT(NONE));
	stream_waits(&two, 12, 14, -1, -1);
	assert_int_equal(reasons_of(&two), BIT(NONE));
}

static void host_is_late(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, FREE, OTHER_FREE);
	two.item[1].issue = 200;
	assert_int_equal(reasons_of(&two), BIT(HOST));
	two.item[1].issue = 199;
	assert_int_equal(reasons_of(&two), BIT(NONE));
	two.item[1].issue = two.item[1].start;
	two.item[1].known = false;
	assert_int_equal(reasons_of(&two), BIT(NONE));
}

static void nothing_beside(void **state)
{
	struct two two;

	(void)state;
	/* In before the only kernel, out after it. */
	kernel_then_copy(&two, FREE, FREE);
	two.item[1].cls = WORK_D2H;
	assert_int_equal(reasons_of(&two), BIT(ALONE));
	copy_then_kernel(&two, FREE, FREE);
	two.item[0].cls = WORK_H2D;
	assert_int_equal(reasons_of(&two), BIT(ALONE));
	/* Covered by a kernel: no reason needed. */
	kernel_then_copy(&two, FREE, FREE);
	two.item[0].end = 400;
	assert_int_equal(reasons_of(&two), 0);
	pays_reasons(&(struct replay_program){0}, NULL, NULL);
}

/* A copy has a reason if no kernel ran for some of its time, counted nanosecond by nanosecond. */
static void exposed_copies(void **state)
{
	enum { PIECES = 40, END = 400 };

	(void)state;
	srand(7);
	for (int round = 0; round < 200; round++) {
		struct replay_piece piece[PIECES];
		struct replay_call call = {.event = REPLAY_NONE, .count = PIECES};
		struct replay_program program = {.call = &call,
			.ncalls = 1,
			.piece = piece,
			.npieces = PIECES,
			.stream = streams,
			.nstreams = STREAMS,
			.nthreads = 1,
			.ndevices = DEVICES};
		struct computing computing;
		uint16_t reasons[PIECES];
		bool busy[END] = {false};

		for (int i = 0; i < PIECES; i++) {
			int start = rand() % (END - 30);

			piece[i] = (struct replay_piece){.start = start,
				.end = start + rand() % 30,
				.stream = FREE,
				.cls = (uint8_t)(rand() % WORK_CLASSES)};
			for (int64_t t = piece[i].start; t < piece[i].end && piece[i].cls == WORK_KERNEL; t++)
				busy[t] = true;
		}
		make_computing(&computing, &program);
		pays_reasons(&program, computing.of, reasons);
		for (int i = 0; i < PIECES; i++) {
			bool copy = piece[i].cls == WORK_H2D || piece[i].cls == WORK_D2H, exposed = false;

			for (int64_t t = piece[i].start; t < piece[i].end; t++)
				exposed |= copy && !busy[t];
			assert_int_equal(reasons[i] != 0, exposed);
		}
	}
}

/* ---- the rate beside the other direction ---- */

static struct pays_duplex rates_of(const struct replay_piece *piece, const int64_t *size, size_t n, int device)
{
	const struct replay_program program = {
		.piece = piece, .npieces = n, .stream = streams, .nstreams = STREAMS, .ndevices = DEVICES};

	return pays_duplex_rates(&program, size, device);
}

static void duplex_rate(void **state)
{
	struct replay_piece piece[40];
	int64_t size[COUNT(piece)];

	(void)state;
	for (size_t i = 0; i < COUNT(piece); i++) {
		bool both = i >= 20;
		int64_t start = both ? 10000 + (int64_t)(i / 2) * 1000 : (int64_t)i * 200;

		piece[i] = (struct replay_piece){.start = start,
			.end = start + (both ? 125 : 100),
			.stream = FREE,
			.cls = i % 2 ? WORK_D2H : WORK_H2D};
		size[i] = 4096;
	}
	assert_near(rates_of(piece, size, COUNT(piece), 0).in, 0.8, 1e-9);
	assert_near(rates_of(piece, size, COUNT(piece), 0).out, 0.8, 1e-9);
	/* Copies out that go on alone, at the speed of before. */
	for (size_t i = 21; i < COUNT(piece); i += 2)
		piece[i].end += 35;
	assert_near(rates_of(piece, size, COUNT(piece), 0).in, 0.8, 1e-9);
	assert_near(rates_of(piece, size, COUNT(piece), 0).out, 0.52, 1e-9);
	/* Of another GPU nothing is known. */
	assert_true(isnan(rates_of(piece, size, COUNT(piece), 1).in));
	/* Speeds that go up and down tell nothing. */
	for (size_t i = 0; i < COUNT(piece); i += 4)
		piece[i].end += 70;
	assert_true(isnan(rates_of(piece, size, COUNT(piece), 0).in));
	assert_false(isnan(rates_of(piece, size, COUNT(piece), 0).out));
	/* Other sizes tell nothing of these. */
	for (size_t i = 20; i < COUNT(piece); i++)
		size[i] = 8192;
	assert_true(isnan(rates_of(piece, size, COUNT(piece), 0).out));
	/* Too few. */
	assert_true(isnan(rates_of(piece, size, 14, 0).out));
	assert_true(isnan(rates_of(NULL, NULL, 0, 0).in));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pageable),
		cmocka_unit_test(default_stream),
		cmocka_unit_test(default_stream_between),
		cmocka_unit_test(other_device),
		cmocka_unit_test(managed),
		cmocka_unit_test(synchronous),
		cmocka_unit_test(synchronous_without_calls),
		cmocka_unit_test(same_stream),
		cmocka_unit_test(dependency),
		cmocka_unit_test(host_is_late),
		cmocka_unit_test(nothing_beside),
		cmocka_unit_test(exposed_copies),
		cmocka_unit_test(duplex_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
