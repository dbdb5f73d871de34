/* record.c: the parts of the record room that need no GPU: names, versions, enumerations, architectures, counting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "built-for.h"
#include "record/code/arch.h"
#include "record/cupti/cuda-error.h"
#include "record/cupti/enums.h"
#include "record/cupti/names.h"
#include "record/cupti/tally.h"
#include "record/cupti/version.h"
#include "record/pass/timing.h"

/* ---- text ---- */

static void assert_short(const char *demangled, const char *expected)
{
	char out[64];

	name_short(demangled, out, sizeof out);
	assert_string_equal(out, expected);
}

static void test_short_names(void **state)
{
	char small[4];

	(void)state;
	assert_short("vadd(float const*, float const*, float*, int)", "vadd");
	assert_short("void ks_double<1024>(float const*, float*, int, int)", "ks_double");
	assert_short("void ns::scan<(int)256, ns::plus<float> >(float*)", "scan");
	assert_short("void (anonymous namespace)::copy<float>(float*)", "copy");
	assert_short("void cub::detail::kernel<cub::policy<(bool)1>::type, int*>(int*, f<int>(*)(int))", "kernel");
	assert_short("plain_c", "plain_c");
	assert_short("", "");
	name_short("kernel(int)", small, sizeof small);
	assert_string_equal(small, "ker");
}

static void test_versions(void **state)
{
	char out[16];

	(void)state;
	version_of_cuda(13000, out, sizeof out);
	assert_string_equal(out, "13.0");
	version_of_cuda(12080, out, sizeof out);
	assert_string_equal(out, "12.8");
	assert_int_equal(version_in_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Tue Oct 7\nGCC "
					 "version:  gcc 12.2.0",
				 out, sizeof out),
		0);
	assert_string_equal(out, "580.159.04");
	assert_int_equal(version_in_text("no number here, but 42", out, sizeof out), -1);
	assert_int_equal(version_in_text("1234567890.1234567890", out, sizeof out), -1); /* does not fit */
}

static void test_advice(void **state)
{
	(void)state;
	assert_non_null(strstr(cuda_advice(cudaErrorInsufficientDriver), "newer driver"));
	assert_non_null(strstr(cuda_advice(cudaErrorNoKernelImageForDevice), "--with-cuda-arch"));
	assert_non_null(strstr(cuda_advice(cudaErrorNoDevice), "CUDA_VISIBLE_DEVICES"));
	assert_null(cuda_advice(cudaErrorIllegalAddress));
}

/* ---- enumerations: CUPTI's number, then Nsight Systems' ---- */

static void test_enums(void **state)
{
	(void)state;
	assert_int_equal(enum_memory_kind(1), 0); /* pageable */
	assert_int_equal(enum_memory_kind(2), 1); /* pinned */
	assert_int_equal(enum_memory_kind(3), 2); /* device */
	assert_int_equal(enum_memory_kind(7), 6); /* managed static */
	assert_int_equal(enum_memory_kind(0), 7); /* unknown */
	assert_int_equal(enum_memory_kind(99), 7);
	assert_int_equal(enum_copy_kind(1), 1); /* host to device */
	assert_int_equal(enum_copy_kind(2), 2);
	assert_int_equal(enum_copy_kind(8), 8); /* device to device */
	assert_int_equal(enum_copy_kind(10), 10);
	assert_int_equal(enum_copy_kind(11), 0);
	assert_int_equal(enum_sync_type(3), 3); /* stream */
	assert_int_equal(enum_sync_type(77), 0);
	assert_int_equal(enum_launch_type(0), 1); /* regular */
	assert_int_equal(enum_launch_type(2), 3);
	assert_int_equal(enum_launch_type(3), 0);
	assert_string_equal(enum_overhead_name(1 << 16), "CUPTI Buffer flush");
	assert_string_equal(enum_overhead_name(12345), "Unknown");
}

/* ---- architectures ---- */

static const struct embedded_file files[] = {
	{"a.cu", "", "source", 6},
	{"a.cu", "compute_75", "", 0},
	{"a.cu", "compute_86", "", 0},
	{"a.cu", "compute_90a", "", 0},
	{"a.cu", "compute_100", "", 0},
	{"b.cu", "compute_75", "", 0},
};
enum { NFILES = sizeof files / sizeof files[0] };

static void assert_built(const char *targets, int capability, int arch, bool machine)
{
	const struct built_code code = built_for(targets, capability);

	assert_int_equal(code.arch, arch);
	if (arch > 0)
		assert_int_equal(code.machine, machine);
}

static void test_archs(void **state)
{
	static const char some[] = "sm_75 sm_86 compute_100", usual[] = "sm_90a+compute_80";
	char notice[ARCH_NOTICE];

	(void)state;
	assert_false(arch_runs(some, 70));
	assert_true(arch_runs(some, 75));
	assert_false(arch_runs(some, 80)); /* 7.5 is another major version, 8.6 too new, PTX only of 10.0 */
	assert_true(arch_runs(some, 89));
	assert_false(arch_runs(some, 90));
	assert_true(arch_runs(some, 120)); /* by PTX */
	assert_false(arch_runs("", 90));
	assert_built(some, 89, 86, true);
	assert_built(some, 120, 100, false);
	assert_built(usual, 75, 0, false);
	assert_built(usual, 80, 80, false);
	assert_built(usual, 90, 90, true);
	assert_built(usual, 100, 80, false); /* 9.0's own features are on no other GPU */
	assert_built("sm_100f compute_100f", 103, 100, true);
	assert_built("sm_100f compute_100f", 120, 0, false);
	assert_built("compute_90a compute_90", 90, 90, false);
	assert_built("compute_90a", 100, 0, false);
	assert_built("compute_80 sm_80 sm_86", 89, 86, true);
	assert_false(arch_notice(usual, 90, notice, sizeof notice));
	assert_string_equal(notice, "");
	assert_false(arch_notice(usual, 75, notice, sizeof notice)); /* it is refused */
	assert_false(arch_notice(usual, 0, notice, sizeof notice));
	assert_true(arch_notice("sm_90a compute_80", 86, notice, sizeof notice));
	assert_string_equal(notice,
		"this build of dbprof (sm_90a compute_80) has no machine code for compute capability 8.6: the driver "
		"compiles the kernels from PTX of 8.0; configure with --with-cuda-arch=86 to measure what nvcc makes "
		"for "
		"this GPU");
	assert_ptr_equal(arch_ptx(files, NFILES, "a.cu", 89), &files[2]);
	assert_ptr_equal(arch_ptx(files, NFILES, "a.cu", 90), &files[3]);
	assert_ptr_equal(arch_ptx(files, NFILES, "a.cu", 101), &files[4]);
	assert_ptr_equal(arch_ptx(files, NFILES, "a.cu", 75), &files[1]);
	assert_ptr_equal(arch_ptx(files, NFILES, "b.cu", 120), &files[5]);
	assert_null(arch_ptx(files, NFILES, "a.cu", 70));
}

static void test_arch_of_source(void **state)
{
	char targets[ARCH_OWN], many[400] = "// arch:";

	(void)state;
	assert_true(arch_of_source("// arch: 90a\n// begin x\n", targets));
	assert_string_equal(targets, "sm_90a");
	assert_true(arch_of_source("// arch:  100a 103a \r\n", targets));
	assert_string_equal(targets, "sm_100a sm_103a");
	assert_true(arch_of_source("// arch: 90a", targets));
	assert_string_equal(targets, "sm_90a");
	assert_false(arch_of_source("// a file\n// arch: 90a\n", targets));
	assert_string_equal(targets, "");
	assert_false(arch_of_source("// arch: \n90a\n", targets));
	assert_false(arch_of_source("", targets));
	for (int i = 0; i < 60; i++)
		strcat(many, " 90a");
	assert_false(arch_of_source(many, targets));
	assert_string_equal(targets, "");
}

/* ---- counting records ---- */

static void test_tally(void **state)
{
	struct tally tally = {0};
	int64_t counts[COUNTED_NUMBER] = {0};

	(void)state;
	/* Device records may come before those of their calls. */
	tally_work(&tally, 7, COUNTED_KERNELS, 1);
	tally_work(&tally, 5, COUNTED_COPIES, 3);
	tally_work(&tally, 9, COUNTED_KERNELS, 1);
	tally_work(&tally, 4, COUNTED_MEMSETS, 1);
	tally_work(&tally, 99, COUNTED_KERNELS, 1); /* no call */
	tally_call(&tally, 9, 301);
	tally_call(&tally, 7, 200);
	tally_call(&tally, 5, 300);
	tally_call(&tally, 4, 199);
	tally_sort(&tally);
	tally_count(&tally, 200, 300, counts); /* both ends belong to it */
	assert_int_equal(counts[COUNTED_KERNELS], 1);
	assert_int_equal(counts[COUNTED_COPIES], 3);
	assert_int_equal(counts[COUNTED_MEMSETS], 0);
	tally_count(&tally, 301, 400, counts); /* adds */
	assert_int_equal(counts[COUNTED_KERNELS], 2);
	tally_clear(&tally);
	tally_count(&tally, 0, 1000, counts);
	assert_int_equal(counts[COUNTED_KERNELS], 2);
}

/* ---- batches ---- */

/* A library may make more calls than are counted. What waits for the GPU cannot be held. */
static void a_pair_is_held_alike(void **state)
{
	const struct enqueued two = {.kernels = 2}, many = {.kernels = 1000};
	const struct variant own = {.name = "own"}, waits = {.name = "waits", .blocks_host = true};
	const struct variant library = {.name = "library", .opaque_launches = true};
	struct batch_limits held = batch_limits(&own, &two), other = batch_limits(&own, &two), not_held;

	(void)state;
	assert_true(held.held && held.launches < 1000);
	batch_hold_alike(&held, &other);
	assert_true(held.held && other.held);
	other = batch_limits(&library, &two);
	assert_true(other.held && other.launches > 0 && other.launches < held.launches / 4);
	not_held = batch_limits(&waits, &two);
	assert_false(not_held.held || batch_limits(&own, &many).held);
	batch_hold_alike(&held, NULL);
	assert_true(held.held);
	batch_hold_alike(&held, &not_held);
	assert_false(held.held || not_held.held);
	assert_int_equal(held.launches, not_held.launches);
}

/* How many blocks of `ns` a run takes. */
static int blocks_of(int least, int64_t longest_s, double ns)
{
	const struct block_plan plan = {least, 60, 400000000, longest_s * 1000000000};
	int blocks = 0;

	while (timing_block_follows(&plan, blocks, (int64_t)(blocks * ns)))
		blocks++;
	return blocks;
}

/* All blocks that a verdict needs, whatever the budget, and more within it; but of launches of many seconds no more
 * than end in time, and one at least. A camera at 30 Hz: eight launches of 48 frames take 12.6 s, of 240 frames 64 s.
 */
static void slow_blocks_end_in_time(void **state)
{
	(void)state;
	assert_int_equal(blocks_of(12, 155, 1e6), 60);
	assert_int_equal(blocks_of(12, 155, 20e6), 20);
	assert_int_equal(blocks_of(12, 155, 100e6), 12);
	assert_int_equal(blocks_of(4, 51, 12.6e9), 4);
	assert_int_equal(blocks_of(12, 155, 12.6e9), 12);
	assert_int_equal(blocks_of(4, 51, 64e9), 1);
	assert_int_equal(blocks_of(12, 155, 64e9), 2);
	assert_int_equal(blocks_of(12, 155, 400e9), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short_names),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_advice),
		cmocka_unit_test(test_enums),
		cmocka_unit_test(test_archs),
		cmocka_unit_test(test_arch_of_source),
		cmocka_unit_test(test_tally),
		cmocka_unit_test(a_pair_is_held_alike),
		cmocka_unit_test(slow_blocks_end_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
