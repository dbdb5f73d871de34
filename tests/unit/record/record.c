/* record.c: the parts of the record room that need no GPU: selection, settings, enumerations, names, counting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "built-for.h"
#include "families.h"
#include "record/cupti/cuda-error.h"
#include "record/code/arch.h"
#include "record/cupti/enums.h"
#include "record/cupti/names.h"
#include "record/worker/process.h"
#include "record/worker/result.h"
#include "record/worker/select.h"
#include "record/cupti/tally.h"
#include "record/cupti/version.h"

/* ---- two families that cannot run, only be chosen ---- */

static const int64_t some_scans[] = {1, 2, 4, 8, 0};
static const struct param params[] = {
	{"n", "elements", "how many", 1, 1000, NULL},
	{"scans", "", "scans per launch", 1, 8, some_scans},
};
static const struct param params_b[] = {{"n", "elements", "how many", 1, 500, NULL}};
static const struct size_case cases[] = {
	{"small", {10, 1}, false, NULL},
	{"large", {100, 2}, false, NULL},
	{"ragged", {99, 1}, true, NULL},
};
static const struct variant variants[] = {
	{.name = "single", .summary = "", .kind = VARIANT_CANDIDATE, .buffers = 1},
	{.name = "double", .summary = "", .kind = VARIANT_CANDIDATE, .buffers = 2},
	{.name = "triple", .summary = "", .kind = VARIANT_CANDIDATE, .buffers = 3},
	{.name = "floor", .summary = "", .kind = VARIANT_FLOOR},
};

static bool not_large(const struct size_case *size)
{
	return size->value[0] * size->value[1] <= 400;
}

static const struct sweep sweeps[] = {
	{.name = "n-scans", .naxes = 2, .axis = {{0, 2, {50, 200}}, {1, 3, {1, 2, 4}}}, .wanted = not_large},
	{.name = "n", .base = 1, .naxes = 1, .axis = {{0, 2, {8, 64}}}, .single = "double", .double_ = "triple"},
	{.name = "all", .naxes = 1, .axis = {{1, 1, {8}}}, .every_candidate = true},
};
static const struct family scan = {.name = "scan",
	.params = params,
	.nparams = 2,
	.cases = cases,
	.ncases = 3,
	.variants = variants,
	.nvariants = 4,
	.single = "single",
	.double_ = "double",
	.sweeps = sweeps,
	.nsweeps = 3};
static const struct family scanner = {.name = "scanner",
	.params = params_b,
	.nparams = 1,
	.cases = cases,
	.ncases = 1,
	.variants = variants,
	.nvariants = 2};

static const struct family asked_for = {.name = "asked-for",
	.params = params_b,
	.nparams = 1,
	.cases = cases,
	.ncases = 1,
	.variants = variants,
	.nvariants = 2,
	.on_demand = true};

const struct family *const families[] = {&scan, &scanner, &asked_for};
const int families_count = 3;

/* ---- selection ---- */

static void test_selection(void **state)
{
	const char *const items[] = {"scan/double"};
	const struct record_options all = {0}, some = {.selection = items, .nselection = 1};

	(void)state;
	assert_true(select_family(&all, &scan));
	assert_true(select_variant(&all, &scanner, &variants[0]));
	assert_true(select_family(&some, &scan));
	/* "scan" is the beginning of "scanner", not the same. */
	assert_false(select_family(&some, &scanner));
	assert_false(select_variant(&some, &scan, &variants[0]));
	assert_true(select_variant(&some, &scan, &variants[1]));
	assert_int_equal(select_timed_cases(&all), 3);
	assert_int_equal(select_timed_cases(&some), 2);
	assert_ptr_equal(family_find("scanner"), &scanner);
	assert_null(family_find("sca"));
	assert_null(variant_find(&scan, "fourth"));
}

static void check_fails(const char *item, const char *setting, const char *text)
{
	struct record_options options = {
		.selection = &item, .nselection = item != NULL, .settings = &setting, .nsettings = setting != NULL};
	struct error err = {0};

	assert_int_equal(record_check(&options, &err), -1);
	assert_string_equal(err.text, text);
}

static void check_passes(const char *item, const char *setting)
{
	struct record_options options = {
		.selection = &item, .nselection = item != NULL, .settings = &setting, .nsettings = setting != NULL};
	struct error err = {0};

	assert_int_equal(record_check(&options, &err), 0);
}

static void test_check(void **state)
{
	(void)state;
	check_passes(NULL, NULL);
	check_passes("scan", "scans=8");
	check_passes("scan/single", "n=1000");
	check_passes("scanner", "n=500");
	check_fails("scam", NULL, "there is no family 'scam': did you mean scan? choose from scan, scanner, asked-for");
	check_fails("sca/single", NULL,
		"there is no family 'sca': did you mean scan or scanner? choose from scan, scanner, asked-for");
	check_fails("scan/fourth", NULL, "scan has no variant 'fourth': choose from single, double, triple, floor");
	check_fails(NULL, "n", "--set n: write NAME=VALUE with a whole number");
	check_fails(NULL, "n=", "--set n=: write NAME=VALUE with a whole number");
	check_fails(NULL, "n=12x", "--set n=12x: write NAME=VALUE with a whole number");
	check_fails(
		NULL, "n=99999999999999999999", "--set n=99999999999999999999: write NAME=VALUE with a whole number");
	/* 600 is allowed for scan, but not for scanner, which is chosen too. */
	check_fails(NULL, "n=600", "--set n=600: n of scanner must be from 1 to 500");
	check_fails("scan", "scans=9", "--set scans=9: scans of scan must be from 1 to 8");
	check_fails("scan", "scans=3", "--set scans=3: scans of scan must be one of 1, 2, 4, 8");
	check_fails("scan", "tile=4", "--set tile=4: no such parameter in the chosen families: choose from n, scans");
	check_fails("scanner", "scans=2", "--set scans=2: no such parameter in the chosen families: choose from n");
}

static void test_settings(void **state)
{
	const char *const settings[] = {"scans=3", "other=7", "scans=4"};
	const struct record_options options = {.settings = settings, .nsettings = 3};
	int n = 0;
	struct size_case *changed = select_cases(&options, &scan, &n);

	(void)state;
	assert_non_null(changed);
	/* The headline with the settings applied, and no case whose name no longer fits. */
	assert_int_equal(n, 1);
	assert_string_equal(changed[0].label, "set");
	assert_int_equal(changed[0].value[0], cases[0].value[0]);
	assert_int_equal(changed[0].value[1], 4); /* the last one counts */
	assert_false(changed[0].verify_only);
	free(changed);
}

static void test_no_settings(void **state)
{
	/* A setting of another family's parameter leaves this one alone. */
	const char *const settings[] = {"other=7"};
	const struct record_options options = {.settings = settings, .nsettings = 1};
	int n = 0;
	struct size_case *same = select_cases(&options, &scan, &n);

	(void)state;
	assert_non_null(same);
	assert_int_equal(n, 3);
	for (int i = 0; i < n; i++)
		assert_string_equal(same[i].label, cases[i].label);
	assert_true(same[2].verify_only);
	free(same);
}

/* The cases that are only checked; all where there are none; what is set counts more than both. */
static void test_once(void **state)
{
	const char *const settings[] = {"scans=4"};
	const struct record_options once = {.once = true}, set = {.once = true, .settings = settings, .nsettings = 1};
	int n = 0;
	struct size_case *small = select_cases(&once, &scan, &n);

	(void)state;
	assert_non_null(small);
	assert_int_equal(n, 1);
	assert_string_equal(small[0].label, "ragged");
	free(small);
	small = select_cases(&once, &scanner, &n);
	assert_non_null(small);
	assert_int_equal(n, scanner.ncases);
	free(small);
	small = select_cases(&set, &scan, &n);
	assert_non_null(small);
	assert_int_equal(n, 1);
	assert_string_equal(small[0].label, "set");
	free(small);
}

static void assert_once(unsigned passes, bool sweep, const char *want)
{
	const struct record_options options = {.once = true, .passes = passes, .sweep = sweep};
	struct error err = {0};

	assert_int_equal(record_check(&options, &err), *want == '\0' ? 0 : -1);
	assert_string_equal(err.text, want);
}

static void test_once_is_verify(void **state)
{
	(void)state;
	assert_once(1u << PASS_VERIFY, false, "");
	assert_once(1u << PASS_VERIFY | 1u << PASS_TIME, false,
		"--once only checks results: it takes no --passes but verify");
	assert_once(1u << PASS_VERIFY, true, "--once only checks results: it takes no --sweep");
}

static void test_on_demand(void **state)
{
	const char *const name[] = {"asked-for"};
	const struct record_options everything = {0}, named = {.selection = name, .nselection = 1};

	(void)state;
	assert_true(select_family(&everything, &scan));
	assert_false(select_family(&everything, &asked_for));
	assert_true(select_family(&named, &asked_for));
	assert_false(select_family(&named, &scan));
}

static void assert_point(const struct size_case *point, const char *label, const char *sweep, int64_t n, int64_t scans)
{
	assert_string_equal(point->label, label);
	assert_string_equal(point->sweep, sweep);
	assert_int_equal(point->value[0], n);
	assert_int_equal(point->value[1], scans);
	assert_false(point->verify_only);
}

/* The family's own cases come first; of the grid, 200 elements four times over are not wanted. */
static void test_sweeps(void **state)
{
	const struct record_options options = {.sweep = true};
	int n = 0;
	struct size_case *all = select_cases(&options, &scan, &n);

	(void)state;
	assert_non_null(all);
	assert_int_equal(n, 3 + 5 + 2 + 1);
	for (int i = 0; i < 3; i++)
		assert_null(all[i].sweep);
	assert_point(&all[3], "n-scans-50-1", "n-scans", 50, 1);
	assert_point(&all[5], "n-scans-50-4", "n-scans", 50, 4);
	assert_point(&all[7], "n-scans-200-2", "n-scans", 200, 2);
	assert_point(&all[8], "n-8", "n", 8, 2); /* two scans, as in the case that it starts from */
	assert_point(&all[10], "all-8", "all", 10, 8);
	free(all);
	assert_int_equal(select_timed_cases(&options), 2 + 8 + 1);
}

/* Settings change what a sweep leaves alone. */
static void test_sweeps_with_settings(void **state)
{
	const char *const settings[] = {"scans=8", "n=20"};
	const struct record_options options = {.sweep = true, .settings = settings, .nsettings = 2};
	int n = 0;
	struct size_case *all = select_cases(&options, &scan, &n);

	(void)state;
	assert_non_null(all);
	assert_int_equal(n, 1 + 5 + 2 + 1);
	assert_point(&all[6], "n-8", "n", 8, 8);
	assert_point(&all[8], "all-8", "all", 20, 8);
	free(all);
}

/* One that is asked for alone, or with its family. It is in no sweep but for that of its pair. */
static void test_variants_on_demand(void **state)
{
	static const struct variant some[] = {{.name = "always", .kind = VARIANT_CANDIDATE},
		{.name = "asked", .kind = VARIANT_CANDIDATE, .on_demand = true},
		{.name = "part", .kind = VARIANT_LOADS, .on_demand = true}};
	static const struct sweep grid[] = {
		{.name = "every", .single = "always", .double_ = "always", .every_candidate = true},
		{.name = "pair", .single = "always", .double_ = "asked"}};
	static const struct family family = {.name = "partly",
		.variants = some,
		.nvariants = 3,
		.single = "always",
		.double_ = "always",
		.sweeps = grid,
		.nsweeps = 2};
	const char *const whole[] = {"partly"}, *const one[] = {"partly/asked"};
	const struct record_options everything = {0}, named = {.selection = whole, .nselection = 1},
				    alone = {.selection = one, .nselection = 1};
	const struct size_case own = {.label = "own"}, every = {.sweep = "every"}, pair = {.sweep = "pair"};

	(void)state;
	assert_true(select_variant(&everything, &family, &some[0]));
	assert_false(select_variant(&everything, &family, &some[1]));
	assert_true(select_variant(&named, &family, &some[1]));
	assert_true(select_variant(&alone, &family, &some[1]));
	assert_true(select_in_case(&family, &some[1], &own));
	assert_false(select_in_case(&family, &some[1], &every));
	assert_false(select_in_case(&family, &some[2], &every));
	assert_true(select_in_case(&family, &some[1], &pair));
}

static int sweep_points(const struct record_options *options, const struct family *family)
{
	int n = 0;

	free(select_cases(options, family, &n));
	return n - family->ncases;
}

/* A sweep of half a pair would tell nothing. */
static void test_sweeps_on_demand(void **state)
{
	static const struct variant some[] = {{.name = "always", .kind = VARIANT_CANDIDATE},
		{.name = "asked", .kind = VARIANT_CANDIDATE, .on_demand = true}};
	static const struct sweep grid[] = {
		{.name = "pair", .single = "always", .double_ = "asked", .naxes = 1, .axis = {{0, 3, {1, 2, 3}}}},
		{.name = "usual", .naxes = 1, .axis = {{0, 2, {1, 2}}}}};
	static const struct family family = {.name = "partly",
		.params = params_b,
		.nparams = 1,
		.cases = cases,
		.ncases = 1,
		.variants = some,
		.nvariants = 2,
		.single = "always",
		.double_ = "always",
		.sweeps = grid,
		.nsweeps = 2};
	const char *const whole[] = {"partly"};
	const struct record_options everything = {.sweep = true},
				    named = {.sweep = true, .selection = whole, .nselection = 1}, without = {0};

	(void)state;
	assert_int_equal(sweep_points(&everything, &family), 2);
	assert_int_equal(sweep_points(&named, &family), 5);
	assert_int_equal(sweep_points(&without, &family), 0);
}

static void assert_in_case(const struct size_case *size, bool single, bool dbl, bool triple)
{
	assert_int_equal(select_in_case(&scan, &variants[0], size), single);
	assert_int_equal(select_in_case(&scan, &variants[1], size), dbl);
	assert_int_equal(select_in_case(&scan, &variants[2], size), triple);
	assert_true(select_in_case(&scan, &variants[3], size)); /* a part of the work always */
}

static void test_pairs(void **state)
{
	const struct size_case grid = {.sweep = "n-scans"}, other = {.sweep = "n"}, all = {.sweep = "all"};

	(void)state;
	assert_in_case(&cases[0], true, true, true);
	assert_in_case(&grid, true, true, false);
	assert_in_case(&other, false, true, true);
	assert_in_case(&all, true, true, true);
	assert_ptr_equal(select_pair(&scan, &cases[0]).single, &variants[0]);
	assert_ptr_equal(select_pair(&scan, &other).single, &variants[1]);
	assert_ptr_equal(select_pair(&scan, &other).dbl, &variants[2]);
}

static void test_skip(void **state)
{
	const struct record_options none = {0}, some = {.skip = "scan/double/small,scan/single/large"};

	(void)state;
	assert_false(select_skipped(&none, "scan", "double", "small"));
	assert_true(select_skipped(&some, "scan", "double", "small"));
	assert_true(select_skipped(&some, "scan", "single", "large"));
	assert_false(select_skipped(&some, "scan", "double", "large"));
	assert_false(select_skipped(&some, "scan", "double", "smal"));
}

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

/* ---- what a worker leaves ---- */

static void test_result(void **state)
{
	char folder[] = "/tmp/dbprof-unit-XXXXXX", spool[64], path[80];
	char label[8];
	int done = -1, total = -1;
	struct result result;
	struct error err = {0};
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(spool, sizeof spool, "%s/spool", folder);
	snprintf(path, sizeof path, "%s.result", spool);

	assert_int_equal(result_read(spool, &result, &err), 0); /* the worker died at once */
	assert_null(result.status);
	assert_null(result_last_at(&result));
	assert_false(result_last_step(&result, label, sizeof label, &done, &total));
	assert_false(result_is_right(&result, "scan", "single", "small"));
	result_free(&result);

	file = result_create(spool, &err);
	assert_non_null(file);
	result_at(file, "scan/single, case small");
	result_step(file, "small", 0, 12);
	result_step(file, "n-block-64-256", 7, 12);
	result_right(file, "scan", "single", "small");
	result_at(file, "scan/double, case small");
	result_fact(file, "cupti", "130001");
	assert_int_equal(result_finish(file, "failed", "it is wrong: 1 instead of 2", &err), 0);
	assert_int_equal(result_read(spool, &result, &err), 0);
	assert_string_equal(result.status, "failed");
	assert_string_equal(result.reason, "it is wrong: 1 instead of 2");
	assert_true(result_is_right(&result, "scan", "single", "small"));
	assert_false(result_is_right(&result, "scan", "single", "smal"));
	assert_false(result_is_right(&result, "scan", "double", "small"));
	assert_string_equal(result_last_at(&result), "scan/double, case small");
	assert_string_equal(result_fact_value(&result, "cupti"), "130001");
	assert_false(result_has_swept(&result)); /* a point that is under way is not done */
	assert_true(result_last_step(&result, label, sizeof label, &done, &total));
	assert_string_equal(label, "n-block"); /* cut to the room there is */
	assert_int_equal(done, 7);
	assert_int_equal(total, 12);
	assert_null(result_fact_value(&result, "cup"));
	result_free(&result);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

/* ---- processes ---- */

static bool never(void *user)
{
	(void)user;
	return false;
}

static bool at_third_question(void *user)
{
	return ++*(int *)user == 3;
}

static void run_shell(const char *script, int timeout_s, bool (*stop)(void *), struct process_end *end)
{
	char shell[] = "/bin/sh", dash_c[] = "-c", text[128];
	char *argv[] = {shell, dash_c, text, NULL};
	struct error err = {0};
	int asked = 0;

	snprintf(text, sizeof text, "%s", script);
	assert_int_equal(process_run(shell, argv, 1000 * timeout_s, stop, &asked, end, &err), 0);
}

/* Stopped once its time is over, and it has said these words by then: on a busy machine it gets to that later. */
static void run_until_stopped(const char *script, const char *words, struct process_end *end)
{
	for (int seconds = 1; seconds < 1000; seconds *= 4) {
		run_shell(script, seconds, never, end);
		assert_true(end->timed_out);
		if (strcmp(end->words, words) == 0)
			return;
	}
	fail_msg("'%s' instead of '%s'", end->words, words);
}

static void assert_end(const char *script, const char *expected)
{
	struct process_end end;
	char how[128];

	run_shell(script, 600, never, &end);
	assert_false(end.stopped);
	assert_false(end.timed_out);
	process_describe(end.status, how, sizeof how);
	assert_string_equal(how, expected);
}

static void test_process(void **state)
{
	char missing[] = "/nonexistent/dbprof", *argv[] = {missing, NULL};
	struct process_end end;
	struct error err = {0};

	(void)state;
	assert_end("exit 3", "ended with exit status 3");
	assert_end("kill -SEGV $$", "was killed by signal 11 (Segmentation fault)");

	run_shell("exec sleep 5000", 1, never, &end);
	assert_true(end.timed_out);
	assert_int_equal(WTERMSIG(end.status), SIGTERM);

	run_shell("exec sleep 5000", 600, at_third_question, &end);
	assert_true(end.stopped);
	assert_true(WIFSIGNALED(end.status));

	/* One that does not listen is killed. */
	run_until_stopped("trap '' TERM; echo deaf >&3; while :; do sleep 0.1; done", "deaf\n", &end);
	assert_int_equal(WTERMSIG(end.status), SIGKILL);

	assert_int_equal(process_run(missing, argv, 5000, never, NULL, &end, &err), -1);
	assert_string_equal(err.text, "cannot start /nonexistent/dbprof as a worker");
}

/* What a program says on the descriptor that it finds, at once and late, and more than there is room for. */
static void test_process_words(void **state)
{
	struct process_end end;

	(void)state;
	run_shell("exit 0", 600, never, &end);
	assert_string_equal(end.words, "");
	run_shell("echo first >&3; sleep 0.2; echo last >&3; exit 2", 600, never, &end);
	assert_string_equal(end.words, "first\nlast\n");
	assert_int_equal(WEXITSTATUS(end.status), 2);
	run_shell("yes | head -c 5000 >&3", 600, never, &end);
	assert_int_equal(strlen(end.words), sizeof end.words - 1);
	run_until_stopped("echo before >&3; exec sleep 5000", "before\n", &end);
}

/* A signal that cmocka does not catch. */
static void crash(void *user)
{
	(void)user;
	raise(SIGKILL);
}

static void wait_long(void *user)
{
	(void)user;
	sleep(20);
}

static void write_shared(void *user)
{
	*(int *)user = 42;
}

static void test_process_call(void **state)
{
	/* cppcheck-suppress invalidFunctionArg ; -1 is what anonymous memory asks for */
	int *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct process_end end;
	struct error err = {0};

	(void)state;
	assert_true(shared != MAP_FAILED);
	assert_int_equal(process_call(write_shared, shared, 600000, &end, &err), 0);
	assert_true(WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0);
	assert_int_equal(*shared, 42);
	munmap(shared, sizeof *shared);

	assert_int_equal(process_call(crash, NULL, 600000, &end, &err), 0);
	assert_true(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL);
	assert_false(end.timed_out);

	assert_int_equal(process_call(wait_long, NULL, 1000, &end, &err), 0);
	assert_true(end.timed_out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_selection),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_no_settings),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_once_is_verify),
		cmocka_unit_test(test_on_demand),
		cmocka_unit_test(test_variants_on_demand),
		cmocka_unit_test(test_sweeps_on_demand),
		cmocka_unit_test(test_sweeps),
		cmocka_unit_test(test_sweeps_with_settings),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_skip),
		cmocka_unit_test(test_short_names),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_advice),
		cmocka_unit_test(test_enums),
		cmocka_unit_test(test_archs),
		cmocka_unit_test(test_arch_of_source),
		cmocka_unit_test(test_tally),
		cmocka_unit_test(test_result),
		cmocka_unit_test(test_process),
		cmocka_unit_test(test_process_words),
		cmocka_unit_test(test_process_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
