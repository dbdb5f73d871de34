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
#include "fixtures/near.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { DEFAULT, BLOCKING, OTHER_BLOCKING, FREE, OTHER_FREE, STREAMS };

static const enum pays_stream streams[STREAMS] = {
	[DEFAULT] = PAYS_STREAM_LEGACY,
	[FREE] = PAYS_STREAM_NON_BLOCKING,
	[OTHER_FREE] = PAYS_STREAM_NON_BLOCKING,
};

/* The reasons of item 1 of a kernel (100 to 200) and a copy in (300 to 400), or of a copy out and a kernel; item 0 is
 * asked for at 10, item 1 at 20. Changed by each test. */
struct two {
	struct pays_item item[3];
	struct pays_wait wait[2];
	struct pays_join join[1];
	struct pays_lane lane;
	struct interval kernels[3];
	size_t copy;
};

static void kernel_then_copy(struct two *two, int kernel_stream, int copy_stream)
{
	memset(two, 0, sizeof *two);
	two->item[0] = (struct pays_item){100, 200, 10, kernel_stream, 0, WORK_KERNEL, true, false, false, false};
	two->item[1] = (struct pays_item){300, 400, 20, copy_stream, 0, WORK_H2D, true, false, false, false};
	two->copy = 1;
	two->lane.n = 2;
}

static void copy_then_kernel(struct two *two, int copy_stream, int kernel_stream)
{
	memset(two, 0, sizeof *two);
	two->item[0] = (struct pays_item){100, 200, 10, copy_stream, 0, WORK_D2H, true, false, false, false};
	two->item[1] = (struct pays_item){300, 400, 20, kernel_stream, 0, WORK_KERNEL, true, false, false, false};
	two->copy = 0;
	two->lane.n = 2;
}

static unsigned reasons_of(struct two *two)
{
	uint16_t reasons[COUNT(two->item)];
	int64_t lost[COUNT(two->item)];
	size_t kernels = 0;

	for (size_t i = 0; i < two->lane.n; i++) {
		if (two->item[i].cls == WORK_KERNEL)
			two->kernels[kernels++] = (struct interval){two->item[i].start, two->item[i].end};
	}
	two->lane.item = two->item;
	two->lane.stream = streams;
	two->lane.wait = two->wait;
	two->lane.join = two->join;
	two->lane.kernels = two->kernels;
	two->lane.nkernels = intervals_union(two->kernels, kernels);
	pays_reasons(&two->lane, reasons, lost);
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
	two.item[1] = (struct pays_item){210, 220, 15, DEFAULT, 0, WORK_OTHER, true, false, false, false};
	two.lane.n = 3;
	two.copy = 2;
	assert_int_equal(reasons_of(&two), BIT(DEFAULT_STREAM));
	two.item[0].stream = FREE;
	assert_int_equal(reasons_of(&two), BIT(NONE));
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
	two.wait[0] = (struct pays_wait){12, 210, 0};
	two.lane.nwaits = 1;
	assert_int_equal(reasons_of(&two), BIT(SYNCHRONOUS));
	two.wait[0].thread = -1;
	assert_int_equal(reasons_of(&two), BIT(SYNCHRONOUS));
	/* Another thread waited; the wait was for something earlier; it began before the kernel was asked for. */
	two.wait[0].thread = 1;
	assert_int_equal(reasons_of(&two), BIT(HOST));
	two.wait[0] = (struct pays_wait){12, 150, 0};
	assert_int_equal(reasons_of(&two), BIT(HOST));
	two.wait[0] = (struct pays_wait){5, 210, 0};
	assert_int_equal(reasons_of(&two), BIT(HOST));
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
	two.join[0] = (struct pays_join){12, 14, FREE, OTHER_FREE};
	two.lane.njoins = 1;
	assert_int_equal(reasons_of(&two), BIT(DEPENDENCY));
	/* The other way round; for work before the kernel; after the copy. */
	two.join[0] = (struct pays_join){12, 14, OTHER_FREE, FREE};
	assert_int_equal(reasons_of(&two), BIT(NONE));
	two.join[0] = (struct pays_join){8, 14, FREE, OTHER_FREE};
	assert_int_equal(reasons_of(&two), BIT(NONE));
	two.join[0] = (struct pays_join){12, 25, FREE, OTHER_FREE};
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
	two.lane.n = 0;
	two.copy = 0;
	pays_reasons(&two.lane, &(uint16_t){0}, &(int64_t){0});
}

/* Time in which no kernel ran, counted nanosecond by nanosecond. */
static void lost_time(void **state)
{
	enum { ITEMS = 40, END = 400 };

	(void)state;
	srand(7);
	for (int round = 0; round < 200; round++) {
		struct pays_item item[ITEMS];
		struct interval kernels[ITEMS];
		struct pays_lane lane = {.item = item, .n = ITEMS, .stream = streams, .kernels = kernels};
		uint16_t reasons[ITEMS];
		int64_t lost[ITEMS];
		bool busy[END] = {false};

		for (int i = 0; i < ITEMS; i++) {
			int start = rand() % (END - 30);

			item[i] = (struct pays_item){start, start + rand() % 30, i, FREE, 0,
				(uint8_t)(rand() % WORK_CLASSES), true, false, false, false};
			if (item[i].cls != WORK_KERNEL)
				continue;
			kernels[lane.nkernels++] = (struct interval){item[i].start, item[i].end};
			for (int64_t t = item[i].start; t < item[i].end; t++)
				busy[t] = true;
		}
		lane.nkernels = intervals_union(kernels, lane.nkernels);
		pays_reasons(&lane, reasons, lost);
		for (int i = 0; i < ITEMS; i++) {
			bool copy = item[i].cls == WORK_H2D || item[i].cls == WORK_D2H;
			int64_t want = 0;

			for (int64_t t = item[i].start; t < item[i].end; t++)
				want += copy && !busy[t];
			assert_int_equal(lost[i], want);
			assert_int_equal(reasons[i] != 0, want > 0);
		}
	}
}

/* ---- the rate beside the other direction ---- */

static void duplex_rate(void **state)
{
	struct pays_item item[40];
	int64_t size[COUNT(item)];
	double rate;

	(void)state;
	for (size_t i = 0; i < COUNT(item); i++) {
		bool both = i >= 20;
		int64_t start = both ? 10000 + (int64_t)(i / 2) * 1000 : (int64_t)i * 200;

		item[i] = (struct pays_item){start, start + (both ? 125 : 100), 0, FREE, 0, i % 2 ? WORK_D2H : WORK_H2D,
			true, false, false, false};
		size[i] = 4096;
	}
	rate = pays_duplex_rate(item, size, COUNT(item));
	assert_near(rate, 0.8, 1e-12);
	/* Other sizes tell nothing of these. */
	for (size_t i = 20; i < COUNT(item); i++)
		size[i] = 8192;
	rate = pays_duplex_rate(item, size, COUNT(item));
	assert_true(isnan(rate));
	/* Too few. */
	rate = pays_duplex_rate(item, size, 14);
	assert_true(isnan(rate));
	rate = pays_duplex_rate(NULL, NULL, 0);
	assert_true(isnan(rate));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pageable),
		cmocka_unit_test(default_stream),
		cmocka_unit_test(default_stream_between),
		cmocka_unit_test(synchronous),
		cmocka_unit_test(same_stream),
		cmocka_unit_test(dependency),
		cmocka_unit_test(host_is_late),
		cmocka_unit_test(nothing_beside),
		cmocka_unit_test(lost_time),
		cmocka_unit_test(duplex_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
