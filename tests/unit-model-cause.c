/* unit-model-cause.c: the rules that name a cause, each on a pair where it speaks and on one where it must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "report/model.h"

/* A kernel of `ns` in the trace and `launch_ns` from launch to launch. */
static struct measured kernel_pair_side(double launch_ns, int64_t kernel_ns, int64_t shared)
{
	return (struct measured){
		.variant = "x",
		.n = 20,
		.time = {.n = 20, .median = launch_ns},
		.work = {.n = 1},
		.overlap = {.span = kernel_ns, .busy = {[WORK_KERNEL] = kernel_ns}},
		.has_resources = true,
		.kernel = {.threads = 256, .registers = 16, .shared_bytes = shared},
		.has_occupancy = true,
		.occupancy = {.share = 1.0, .warps = 64},
	};
}

static struct measured pipeline_side(int64_t copy, int64_t kernel, int64_t overlap, int64_t duplex)
{
	return (struct measured){
		.variant = "x",
		.n = 20,
		.time = {.n = 20, .median = 1e6},
		.work = {.n = 3},
		.overlap = {.span = 1000000,
			.busy = {[WORK_H2D] = copy, [WORK_KERNEL] = kernel},
			.busy_copy = copy,
			.overlap = overlap,
			.exposed_copy = copy - overlap,
			.overlap_ratio = (double)overlap / (double)copy,
			.duplex = duplex},
	};
}

static void assert_cause(struct measured a, struct measured b, enum verdict verdict, const char *part, bool says)
{
	struct contrast contrast = {.single = &a, .dbl = &b, .verdict = verdict};
	char text[1024];

	cause_words(&contrast, text, sizeof text);
	if ((strstr(text, part) != NULL) != says)
		fail_msg("the sentence is: %s", text);
}

static void short_kernels_are_called_that(void **state)
{
	(void)state;
	assert_cause(kernel_pair_side(4000, 2100, 4096), kernel_pair_side(4000, 1900, 8192), VERDICT_UNCLEAR,
		"a launch takes 4.00 µs (4.00 µs in single), of which the kernel itself runs 1.90 µs (2.10 µs)", true);
	/* The kernel fills the time on one side: launching is not the cause. */
	assert_cause(kernel_pair_side(4000, 2100, 4096), kernel_pair_side(4000, 3900, 8192), VERDICT_UNCLEAR,
		"starting kernels", false);
	/* A pipeline is idle for other reasons. */
	assert_cause(pipeline_side(400000, 100000, 0, 0), pipeline_side(400000, 100000, 0, 0), VERDICT_SAME,
		"starting kernels", false);
}

static void overlap_is_the_cause_only_of_a_gain(void **state)
{
	(void)state;
	assert_cause(pipeline_side(400000, 100000, 0, 0), pipeline_side(400000, 100000, 80000, 0), VERDICT_FASTER,
		"overlap 20.0 % of the copy time instead of 0 %, so exposed copy falls from 400 µs to 320 µs", true);
	assert_cause(pipeline_side(400000, 100000, 0, 0), pipeline_side(400000, 100000, 80000, 0), VERDICT_SLOWER,
		"so exposed copy falls", false);
	assert_cause(pipeline_side(400000, 100000, 0, 0), pipeline_side(400000, 100000, 4000, 0), VERDICT_FASTER,
		"so exposed copy falls", false);
}

static void directions_at_once(void **state)
{
	(void)state;
	assert_cause(pipeline_side(400000, 1000, 0, 0), pipeline_side(400000, 1000, 0, 150000), VERDICT_FASTER,
		"both copy directions run at once for 150 µs instead of 0 ns", true);
	assert_cause(pipeline_side(400000, 1000, 0, 150000), pipeline_side(400000, 1000, 0, 150000), VERDICT_SAME,
		"both copy directions run at once", false);
}

static void shared_memory_is_named_only_if_it_changes(void **state)
{
	(void)state;
	assert_cause(kernel_pair_side(4000, 3900, 4096), kernel_pair_side(3000, 2900, 8192), VERDICT_FASTER,
		"shared memory per block goes from 4.00 KiB to 8.00 KiB", true);
	assert_cause(kernel_pair_side(4000, 3900, 4096), kernel_pair_side(3000, 2900, 4096), VERDICT_FASTER,
		"shared memory per block goes", false);
}

static void no_gain_comes_first(void **state)
{
	(void)state;
	assert_cause(kernel_pair_side(4000, 3900, 4096), kernel_pair_side(4100, 4000, 8192), VERDICT_SLOWER,
		"no gain: ", true);
	assert_cause(kernel_pair_side(4000, 3900, 4096), kernel_pair_side(3000, 2900, 8192), VERDICT_FASTER,
		"no gain: ", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_kernels_are_called_that),
		cmocka_unit_test(overlap_is_the_cause_only_of_a_gain),
		cmocka_unit_test(directions_at_once),
		cmocka_unit_test(shared_memory_is_named_only_if_it_changes),
		cmocka_unit_test(no_gain_comes_first),
	};

	return cmocka_run_group_tests_name("cause", tests, NULL, NULL);
}
