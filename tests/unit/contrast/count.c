/* count.c: counting kernels of programs: the files between dbprof and the library in the program, and which kernels are
 * counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/resource.h>

#include "analyze/thresholds.h"
#include "contrast/count/choose.h"
#include "contrast/count/plan.h"
#include "contrast/count/results-read.h"
#include "contrast/count/sample-table.h"
#include "contrast/count/sampled.h"
#include "fixtures/files.h"

/* ---- the plan ---- */

static uint64_t wanted[] = {1, 0}, steps[] = {3, 7};
static const char *names[] = {"sm__cycles_active.avg", "a", ""};
static const uint8_t image[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static void write_plan(const struct count_plan *plan)
{
	FILE *file = fopen(in_scratch(COUNT_PLAN), "w");

	assert_non_null(file);
	count_plan_write(plan, file);
	assert_int_equal(ferror(file), 0);
	assert_int_equal(fclose(file), 0);
}

static void write_a_plan(void)
{
	struct count_group groups[] = {{names, 3, 4, image, sizeof(image)}, {names, 1, 1, image, 0}};
	struct count_kernel kernels[] = {{.symbol = "_Z3addPf",
						 .grid = {1000, 1, 2},
						 .block = {1024, 3, 1},
						 .shared = 49152,
						 .first = 2,
						 .end = 40,
						 .launches = 16,
						 .rank = 3,
						 .groups = wanted,
						 .ngroups = 2},
		{.symbol = "12345678", .numbers = steps, .nnumbers = 2}};

	write_plan(&(struct count_plan){.period = 8,
		.curves = {CURVES_SAMPLED, 1, 2000, 500, 4, steps, 2, 9, "GPU-1"},
		.groups = groups,
		.ngroups = 2,
		.kernels = kernels,
		.nkernels = 2});
}

static void a_plan_comes_back(void **state)
{
	struct count_plan plan;

	(void)state;
	write_a_plan();
	assert_true(count_plan_read(in_scratch(COUNT_PLAN), &plan));
	assert_int_equal(plan.period, 8);
	assert_int_equal(plan.ngroups, 2);
	assert_int_equal(plan.groups[0].nmetrics, 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(plan.groups[0].metrics[i], names[i]);
	assert_int_equal(plan.groups[0].passes, 4);
	assert_int_equal(plan.groups[0].image_size, sizeof(image));
	assert_memory_equal(plan.groups[0].image, image, sizeof(image));
	assert_int_equal((uintptr_t)plan.groups[0].image % 8, 0);
	assert_int_equal(plan.groups[1].image_size, 0);
	assert_int_equal(plan.nkernels, 2);
	assert_string_equal(plan.kernels[0].symbol, "_Z3addPf");
	assert_true(plan.kernels[0].grid[0] == 1000 && plan.kernels[0].grid[2] == 2);
	assert_true(plan.kernels[0].block[0] == 1024 && plan.kernels[0].block[1] == 3);
	assert_true(plan.kernels[0].shared == 49152 && plan.kernels[0].first == 2 && plan.kernels[0].end == 40);
	assert_int_equal(plan.kernels[0].launches, 16);
	assert_int_equal(plan.kernels[0].rank, 3);
	assert_int_equal(plan.kernels[0].ngroups, 2);
	assert_true(plan.kernels[0].groups[0] == 1 && plan.kernels[0].groups[1] == 0);
	assert_string_equal(plan.kernels[1].symbol, "12345678");
	assert_int_equal(plan.kernels[1].ngroups, 0);
	assert_int_equal(plan.kernels[0].nnumbers, 0);
	assert_int_equal(plan.kernels[1].nnumbers, 2);
	assert_true(plan.kernels[1].numbers[0] == 3 && plan.kernels[1].numbers[1] == 7);
	assert_true(plan.curves.wanted == CURVES_SAMPLED && plan.curves.device == 1);
	assert_true(plan.curves.interval_ns == 2000 && plan.curves.samples == 500);
	assert_true(plan.curves.warm == 4 && plan.curves.most_ns == 9);
	assert_string_equal(plan.curves.gpu, "GPU-1");
	assert_true(plan.curves.nsteps == 2 && plan.curves.steps[0] == 3 && plan.curves.steps[1] == 7);
	count_plan_free(&plan);
}

/* Each group has its step, or none has. */
static void a_plan_has_a_step_for_each_group(void **state)
{
	struct count_group group = {names, 1, 1, image, 0};
	struct count_plan plan;

	(void)state;
	write_plan(&(struct count_plan){.curves = {.steps = steps, .nsteps = 2}, .groups = &group, .ngroups = 1});
	assert_false(count_plan_read(in_scratch(COUNT_PLAN), &plan));
	write_plan(&(struct count_plan){.curves = {.steps = steps, .nsteps = 1}, .groups = &group, .ngroups = 1});
	assert_true(count_plan_read(in_scratch(COUNT_PLAN), &plan));
	count_plan_free(&plan);
}

static void a_plan_may_be_empty(void **state)
{
	struct count_plan plan;

	(void)state;
	write_plan(&(struct count_plan){0});
	assert_true(count_plan_read(in_scratch(COUNT_PLAN), &plan));
	assert_int_equal(plan.period + plan.ngroups + plan.nkernels, 0);
	count_plan_free(&plan);
}

/* Writes the first `size` bytes of a file anew. */
static void cut_file(const char *name, const char *bytes, size_t size)
{
	FILE *file = fopen(in_scratch(name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static size_t read_bytes(const char *name, char *bytes, size_t room)
{
	FILE *file = fopen(in_scratch(name), "r");
	size_t size;

	assert_non_null(file);
	size = fread(bytes, 1, room, file);
	fclose(file);
	assert_true(size < room);
	return size;
}

static void a_damaged_plan_is_none(void **state)
{
	char whole[2048], spoilt[2048];
	struct count_plan plan;
	size_t size;

	(void)state;
	assert_false(count_plan_read(in_scratch("nothing"), &plan));
	write_a_plan();
	size = read_bytes(COUNT_PLAN, whole, sizeof(whole));
	for (size_t cut = 0; cut < size; cut++) {
		cut_file(COUNT_PLAN, whole, cut);
		assert_false(count_plan_read(in_scratch(COUNT_PLAN), &plan));
		assert_null(plan.bytes);
	}
	/* Whatever a number becomes, nothing is read that is not there. */
	for (size_t at = 0; at < size; at++) {
		memcpy(spoilt, whole, size);
		spoilt[at] = (char)0xff;
		cut_file(COUNT_PLAN, spoilt, size);
		(void)count_plan_read(in_scratch(COUNT_PLAN), &plan);
		count_plan_free(&plan);
	}
}

/* ---- results ---- */

static char taken[256];

static void take_record(void *user, const struct count_record *head, const char *bytes)
{
	size_t used = strlen(taken);

	(void)user;
	assert_int_equal(strlen(bytes), head->size);
	snprintf(taken + used, sizeof(taken) - used, "%u:%u:%u:%u:%s ", (unsigned)head->kind, (unsigned)head->kernel,
		(unsigned)head->group, (unsigned)head->launches, bytes);
}

static const char *take_results(void)
{
	struct error err = {0};

	taken[0] = '\0';
	assert_int_equal(count_results_take(scratch, take_record, NULL, &err), 0);
	assert_string_equal(err.text, "");
	return taken;
}

static void append(enum count_result kind, unsigned kernel, const char *text)
{
	const struct count_record head = {.magic = COUNT_RECORD_MAGIC,
		.kind = kind,
		.kernel = kernel,
		.group = 5,
		.launches = 9,
		.size = strlen(text)};

	count_results_append(&head, text);
}

static void results_come_in_order_and_go(void **state)
{
	(void)state;
	count_results_forget();
	assert_true(count_results_use(scratch));
	append(COUNT_COUNTED, 1, "image");
	append(COUNT_MISSED, 2, "");
	/* As in a child of fork(): another file. */
	count_results_forget();
	append(COUNT_REFUSED, 0, "no permission");
	put("other", "stays");
	assert_string_equal(take_results(), "1:1:5:9:image 2:2:5:9: 3:0:5:9:no permission ");
	assert_int_equal(scratch_files(0), 1);
	assert_string_equal(take_results(), "");
}

static void damaged_results_end_a_file(void **state)
{
	char whole[256];
	size_t size;
	const struct dirent *entry;
	DIR *dir = opendir(scratch);
	char name[256] = "";

	(void)state;
	count_results_forget();
	assert_true(count_results_use(scratch));
	append(COUNT_COUNTED, 1, "first");
	append(COUNT_COUNTED, 2, "second");
	assert_non_null(dir);
	while ((entry = readdir(dir)))
		if (strstr(entry->d_name, COUNT_SUFFIX))
			snprintf(name, sizeof(name), "%s", entry->d_name);
	closedir(dir);
	size = read_bytes(name, whole, sizeof(whole));
	for (size_t cut = 0; cut < size; cut++) {
		bool has_first = cut >= sizeof(struct count_record) + strlen("first");

		cut_file(name, whole, cut);
		assert_string_equal(take_results(), has_first ? "1:1:5:9:first " : "");
	}
	whole[0] = 'x';
	cut_file(name, whole, size);
	assert_string_equal(take_results(), "");
}

/* A program with a limit for its files goes on, and what was whole is there. */
static void a_full_disk_loses_results_only(void **state)
{
	struct rlimit before, less;

	(void)state;
	count_results_forget();
	assert_true(count_results_use(scratch));
	append(COUNT_COUNTED, 1, "first");
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	less = before;
	less.rlim_cur = sizeof(struct count_record) + 8;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
	append(COUNT_COUNTED, 2, "second");
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	append(COUNT_COUNTED, 3, "third");
	assert_string_equal(take_results(), "1:1:5:9:first ");
}

/* ---- PC samples in the program ---- */

static const struct pc_reason barrier = {.name = "barrier"}, barrier_idle = {.name = "barrier", .not_issued = 1},
			      selected = {.name = "selected"};

/* The samples of a kernel at an instruction. */
static uint64_t samples_at(const struct sample_table *table, size_t kernel, uint64_t offset, int not_issued)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < SAMPLE_ROWS; i++)
		if (table->rows[i].is_used && table->rows[i].kernel == kernel && table->rows[i].sample.offset == offset)
			sum += table->rows[i].sample.samples[not_issued];
	return sum;
}

static void samples_are_added_up(void **state)
{
	struct sample_table table = {0};
	char name[] = "_Z3addPf";

	(void)state;
	assert_true(sample_table_make(&table));
	assert_true(sample_table_add(&table, 0, &(struct sample_place){name, 1, 128}, &barrier, 7));
	assert_true(sample_table_add(&table, 0, &(struct sample_place){name, 1, 128}, &barrier_idle, 4));
	assert_true(sample_table_add(&table, 0, &(struct sample_place){name, 1, 128}, &barrier, 3));
	assert_true(sample_table_add(&table, 0, &(struct sample_place){name, 1, 144}, &barrier, 20));
	assert_true(sample_table_add(&table, 1, &(struct sample_place){name, 1, 128}, &selected, 100));
	/* Names go with their modules. */
	name[0] = 'x';
	assert_true(sample_table_add(&table, 1, &(struct sample_place){name, 1, 128}, &selected, 1));
	assert_int_equal(table.nrows, 4);
	assert_int_equal(table.nreasons, 2);
	assert_int_equal(table.nfunctions, 2);
	assert_string_equal(table.functions[0], "_Z3addPf");
	assert_true(samples_at(&table, 0, 128, 0) == 10 && samples_at(&table, 0, 128, 1) == 4);
	assert_true(samples_at(&table, 0, 144, 0) == 20 && samples_at(&table, 1, 128, 0) == 101);
	/* The same name in another module is another function. */
	assert_true(sample_table_add(&table, 0, &(struct sample_place){"_Z3addPf", 2, 128}, &barrier, 5));
	assert_int_equal(table.nfunctions, 3);
	assert_int_equal(table.nrows, 5);
	assert_true(table.modules[0] == 1 && table.modules[2] == 2);
	sample_table_free(&table);
}

static void samples_without_room_are_not_taken(void **state)
{
	struct sample_table table = {0};
	size_t n = 0;

	(void)state;
	assert_true(sample_table_make(&table));
	while (n < SAMPLE_ROWS && sample_table_add(&table, 0, &(struct sample_place){"f", 1, n * 16}, &barrier, 1))
		n++;
	assert_in_range(n, SAMPLE_ROWS / 2, SAMPLE_ROWS - 1);
	assert_int_equal(table.nrows, n);
	assert_true(sample_table_add(&table, 0, &(struct sample_place){"f", 1, 0}, &barrier, 1));
	assert_int_equal(samples_at(&table, 0, 0, 0), 2);
	sample_table_free(&table);
	/* Names, too. */
	assert_true(sample_table_make(&table));
	for (n = 0; n <= SAMPLE_FUNCTIONS; n++) {
		char name[16];

		snprintf(name, sizeof(name), "f%zu", n);
		assert_int_equal(sample_table_add(&table, 0, &(struct sample_place){name, 1, 0}, &barrier, 1),
			n < SAMPLE_FUNCTIONS);
	}
	sample_table_free(&table);
}

/* All samples of a launch fit into the GPU's buffer. */
static void long_kernels_are_sampled_less_often(void **state)
{
	(void)state;
	assert_int_equal(sampling_period(0), 8);
	assert_int_equal(sampling_period(2e6), 8);
	assert_int_equal(sampling_period(4e6), 9);
	assert_int_equal(sampling_period(1e8), 14);
	assert_int_equal(sampling_period(1e18), 31);
}

/* ---- which kernels ---- */

enum { CHOICES = 12 };

/* Kernels of two sides, of which each takes so long; returns how many are chosen. */
static size_t choose_from(const double (*ns)[2], size_t n, size_t *out)
{
	struct side_kernel kernels[CHOICES][2] = {{{.ns = 0}}};
	struct case_side sides[CHOICES][2] = {{{.kernel = NULL}}};
	struct contrast_case cases[CHOICES + 1] = {{.measure = MEASURES_KERNELS}};
	const struct contrast_samples samples = {.cases = cases, .ncases = n + 1, .nsides = 2};
	const struct contrast_options options = {.nsides = 2};

	for (size_t i = 0; i < n; i++) {
		for (size_t s = 0; s < 2; s++) {
			kernels[i][s].ns = ns[i][s];
			sides[i][s].kernel = &kernels[i][s];
		}
		cases[i + 1] = (struct contrast_case){.measure = MEASURES_KERNEL, .sides = sides[i]};
	}
	return count_choose(&options, &samples, out);
}

static void the_largest_differences_are_chosen(void **state)
{
	static const double mixed[][2] = {{100, 90}, {1000, 1001}, {50, 120}, {10, 40}};
	static const double same[][2] = {{10, 10}, {30, 30}, {20, 20}};
	double alike[CHOICES][2];
	size_t chosen[CHOSEN_KERNELS_MOST];

	(void)state;
	/* 70 and 30 of 111 are 90 %. */
	assert_int_equal(choose_from(mixed, 4, chosen), 2);
	assert_true(chosen[0] == 3 && chosen[1] == 4);
	assert_int_equal(choose_from(same, 3, chosen), 1);
	assert_int_equal(chosen[0], 2);
	for (size_t i = 0; i < CHOICES; i++) {
		alike[i][0] = 100;
		alike[i][1] = 90;
	}
	assert_int_equal(choose_from((const double(*)[2])alike, CHOICES, chosen), COUNTED_KERNELS);
	assert_int_equal(choose_from(NULL, 0, chosen), 0);
}

/* Kernels of one program, of which each takes so long. */
/* `others`: the time of kernels that are no cases. */
static size_t choose_alone(const double *ns, size_t n, double others, size_t kernels, size_t *out)
{
	struct side_kernel kernel[CHOICES] = {{.ns = 0}};
	struct case_side sides[CHOICES] = {{.kernel = NULL}};
	struct contrast_case cases[CHOICES + 1] = {{.measure = MEASURES_KERNELS}};
	struct contrast_side side = {.kernels = {.ns = others}};
	const struct contrast_samples samples = {.sides = &side, .cases = cases, .ncases = n + 1, .nsides = 1};
	const struct contrast_options options = {.nsides = 1, .kernels = kernels};

	for (size_t i = 0; i < n; i++) {
		kernel[i].ns = ns[i];
		side.kernels.ns += ns[i];
		sides[i].kernel = &kernel[i];
		cases[i + 1] = (struct contrast_case){.measure = MEASURES_KERNEL, .sides = &sides[i]};
	}
	return count_choose(&options, &samples, out);
}

/* Those that make up nine tenths of the time, or as many as are wanted. */
static void of_one_program_the_longest_are_chosen(void **state)
{
	static const double ns[CHOICES] = {90, 5, 600, 310, 5, 5, 5, 5, 5, 5, 5, 5};
	size_t chosen[CHOSEN_KERNELS_MOST];

	(void)state;
	assert_int_equal(choose_alone(ns, 4, 0, 0, chosen), 2);
	assert_true(chosen[0] == 3 && chosen[1] == 4);
	/* Nine tenths of all: what is no case counts. */
	assert_int_equal(choose_alone(ns, 4, 20, 0, chosen), 3);
	assert_int_equal(choose_alone(ns, CHOICES, 1000, 0, chosen), COUNTED_KERNELS);
	assert_int_equal(choose_alone(ns, 4, 0, 1, chosen), 1);
	assert_int_equal(choose_alone(ns, CHOICES, 0, 11, chosen), 11);
	assert_int_equal(choose_alone(ns, CHOICES, 0, 64, chosen), CHOICES);
	assert_int_equal(choose_alone(ns, 0, 0, 0, chosen), 0);
}

static struct side_kernel countable(const char *name)
{
	return (struct side_kernel){.kernel = {
					    .name = name,
					    .base = name,
					    .places = {.symbol = "_Z1kv", .first = 1, .end = 5},
				    }};
}

static void some_kernels_are_never_counted(void **state)
{
	struct side_kernel kernel = countable("add(float *)");

	(void)state;
	assert_null(count_refusal(&kernel));
	kernel = countable("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
	assert_non_null(strstr(count_refusal(&kernel), "NCCL"));
	kernel = countable("void nvshmemi_transfer<int>(long)");
	assert_non_null(strstr(count_refusal(&kernel), "NVSHMEM"));
	kernel = countable("add");
	kernel.kernel.places.beside = counted_beside;
	assert_null(count_refusal(&kernel));
	kernel.kernel.places.beside = 2 * counted_beside;
	assert_non_null(strstr(count_refusal(&kernel), "at once"));
	kernel = countable("add");
	kernel.kernel.places.first = kernel.kernel.places.end = 0;
	assert_non_null(strstr(count_refusal(&kernel), "differ"));
	kernel.kernel.in_graphs = true;
	assert_non_null(strstr(count_refusal(&kernel), "graph"));
	kernel = countable("add");
	kernel.kernel.in_graphs = true; /* and others launch it, too */
	assert_null(count_refusal(&kernel));
	kernel = countable("CUDA graph");
	kernel.kernel.is_graph = true;
	assert_non_null(strstr(count_refusal(&kernel), "graph"));
	kernel = countable("add");
	kernel.kernel.places.symbol = NULL;
	assert_non_null(strstr(count_refusal(&kernel), "name"));
	kernel = countable("add");
	kernel.kernel.places.first = 5;
	assert_non_null(strstr(count_refusal(&kernel), "differ"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(a_plan_comes_back),
		scratch_test(a_plan_may_be_empty),
		scratch_test(a_plan_has_a_step_for_each_group),
		scratch_test(a_damaged_plan_is_none),
		scratch_test(results_come_in_order_and_go),
		scratch_test(damaged_results_end_a_file),
		scratch_test(a_full_disk_loses_results_only),
		cmocka_unit_test(samples_are_added_up),
		cmocka_unit_test(samples_without_room_are_not_taken),
		cmocka_unit_test(long_kernels_are_sampled_less_often),
		cmocka_unit_test(the_largest_differences_are_chosen),
		cmocka_unit_test(of_one_program_the_longest_are_chosen),
		cmocka_unit_test(some_kernels_are_never_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
