/* samples.c: the runs of all sides become cases and samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "analyze/thresholds.h"
#include "contrast/samples.h"
#include "fixtures/launches-fixture.h"
#include "fixtures/made-sides.h"
#include "fixtures/near.h"

/* A run of four steps, whose kernels take so many nanoseconds; the first step is slower. `own` takes 1,000 in all, and
 * is launched so often. */
static struct launches traced_often(int mm, int small, const char *own, int often)
{
	struct recording *rec = run_begin("run.sqlite");

	for (int i = 0; i < 4; i++) {
		int at = 100000 * (i + 1), id = 10 * (i + 1), slow = i == 0 ? 777 : 0;

		run_range(rec, "step", at, at + 50000);
		run_launch(rec, id, "mm", at + 1, at + 10, mm + slow, "");
		run_launch(rec, id + 1, "small", at + 3, at + 10000, small, "");
		for (int k = 0; k < often; k++)
			run_launch(rec, id + 4 + k, own, at + 5, at + 20000 + 2000 * k, 1000 / often, "");
		run_call(rec, "cudaDeviceSynchronize", id + 3, at + 7, at + 40000);
	}
	run_end(rec);
	return run_load("run.sqlite", "step", NULL);
}

/* "left" is launched once, others twice: so they do not stand for it. */
static struct launches traced(int mm, int small, const char *own)
{
	return traced_often(mm, small, own, strcmp(own, "left") == 0 ? 1 : 2);
}

/* The time of the sample, or NaN. */
static double sample_of(const struct contrast_samples *samples, size_t side, size_t number, int block, int position)
{
	double ns = NAN;

	for (size_t i = 0; i < samples->nsamples; i++) {
		const struct contrast_sample *sample = &samples->samples[i];

		if (sample->side != side || sample->case_number != number || sample->block != block ||
			sample->position != position)
			continue;
		assert_true(isnan(ns));
		ns = sample->ns;
	}
	return ns;
}

static void test_two_sides(void **state)
{
	struct launches run[4] = {traced(5000, 10, "left"), traced(4000, 10, "right"), traced(4100, 20, "right"),
		traced(5100, 20, "left")};
	const struct contrast_run runs[] = {
		{.side = 0, .block = 0, .position = 0, .process = 3, .launches = &run[0]},
		{.side = 1, .block = 0, .position = 1, .process = 4, .launches = &run[1]},
		{.side = 1, .block = 0, .position = 2, .process = 5, .launches = &run[2]},
		{.side = 0, .block = 0, .position = 3, .process = 6, .launches = &run[3]},
		{.side = 1, .block = 1, .position = 0, .process = 7, .program_ns = 44000, .program_steps = 9},
		{.side = 0, .block = 1, .position = 1, .process = 8, .program_ns = NAN, .program_steps = 9},
		{.side = 7, .block = 1, .position = 1, .process = 8, .program_ns = 3, .program_steps = 9},
	};
	struct contrast_samples samples;
	char label[CONTRAST_LABEL_BYTES];

	(void)state;
	contrast_samples_make(runs, 7, 2, &samples);
	/* "small" has less than 1 % on both sides; "left" and "right" are not matched. */
	assert_int_equal(samples.ncases, 3);
	assert_string_equal(samples.cases[0].label, "kernels");
	assert_string_equal(samples.cases[1].label, "program");
	assert_string_equal(samples.cases[2].label, "kernel 1: mm");
	assert_string_equal(contrast_measure_word(samples.cases[2].measure), "kernel");
	assert_int_equal(samples.cases[2].sides[1].how, MATCH_GRID);
	assert_int_equal(samples.cases[2].sides[0].how, MATCH_NONE);
	assert_near(samples.cases[2].sides[0].kernel->ns, 5050, 1e-6);
	assert_near(sample_of(&samples, 0, 0, 0, 0), 6010, 1e-6);
	assert_near(sample_of(&samples, 1, 0, 0, 2), 5120, 1e-6);
	assert_near(sample_of(&samples, 0, 2, 0, 3), 5100, 1e-6);
	assert_near(sample_of(&samples, 1, 1, 1, 0), 44000, 1e-6);
	assert_int_equal(samples.nsamples, 4 * 2 + 1);
	assert_int_equal(samples.samples[0].launches, 3);
	assert_int_equal(samples.samples[0].process, 3);
	assert_int_equal(samples.samples[8].launches, 9);
	assert_int_equal(samples.sides[1].matching.first_unmatched, 1);
	assert_near(samples.sides[1].matching.first_unmatched_share, 1000.0 / 6065, 1e-6);
	/* Kernels that are matched have a label, also without a case. */
	assert_true(contrast_match_label(&samples, 0, 0, label));
	assert_string_equal(label, "kernel 1: mm");
	assert_true(contrast_match_label(&samples, 1, 1, label));
	assert_string_equal(label, "kernel 2: small");
	assert_int_equal(samples.sides[1].matches[1].how, MATCH_GRID);
	assert_false(contrast_match_label(&samples, 0, 2, label));
	assert_false(contrast_match_label(&samples, 1, 2, label));
	contrast_samples_free(&samples);
	for (int i = 0; i < 4; i++)
		launches_release(&run[i]);
}

/* Runs without CUPTI, one of each side, whose step takes so long. */
static size_t side_shown(const struct launches run[3], const double program_ns[3])
{
	struct contrast_run runs[6];
	struct contrast_samples samples;
	size_t shown;

	for (size_t s = 0; s < 3; s++) {
		runs[s] = (struct contrast_run){.side = s, .launches = &run[s]};
		runs[3 + s] = (struct contrast_run){.side = s, .program_ns = program_ns[s], .program_steps = 9};
	}
	contrast_samples_make(runs, 6, 3, &samples);
	shown = contrast_side_shown(&samples);
	contrast_samples_free(&samples);
	return shown;
}

/* The fastest of the others, by kernels if these differ. */
static void test_which_side_is_shown(void **state)
{
	struct launches run[5] = {traced(5000, 10, "left"), traced(5010, 10, "left"), traced(4990, 10, "left"),
		traced(4000, 10, "left"), traced(6000, 10, "left")};
	const struct launches alike[3] = {run[0], run[1], run[2]}, other[3] = {run[0], run[4], run[3]},
			      slower[3] = {run[0], run[1], run[4]};
	const double second[3] = {9000, 8000, 8500}, unknown[3] = {NAN, NAN, NAN};

	(void)state;
	assert_int_equal(side_shown(alike, second), 1);
	assert_int_equal(side_shown(alike, (const double[3]){9000, 9500, 9100}), 2);
	assert_int_equal(side_shown(alike, unknown), 1);
	assert_int_equal(side_shown(other, second), 2);
	assert_int_equal(side_shown(slower, (const double[3]){9000, 8500, 8000}), 1);
	for (int i = 0; i < 5; i++)
		launches_release(&run[i]);
}

/* A program that is alone has a case for each of its kernels, however small they are. */
static void test_one_side(void **state)
{
	struct launches run = traced(5000, 10, "left");
	const struct contrast_run runs[] = {
		{.side = 0, .block = 0, .position = 0, .process = 1, .launches = &run},
		{.side = 0, .block = -1, .position = -1, .process = 0, .program_ns = 44000, .program_steps = 1},
	};
	struct contrast_samples samples;
	char label[CONTRAST_LABEL_BYTES];

	(void)state;
	contrast_samples_make(runs, 2, 1, &samples);
	assert_int_equal(samples.ncases, 5);
	assert_string_equal(samples.cases[2].label, "kernel 1: mm");
	assert_string_equal(samples.cases[3].label, "kernel 2: left");
	assert_string_equal(samples.cases[4].label, "kernel 3: small");
	assert_true(contrast_match_label(&samples, 0, 1, label));
	assert_string_equal(label, "kernel 3: small");
	assert_near(sample_of(&samples, 0, 2, 0, 0), 5000, 1e-9);
	assert_near(sample_of(&samples, 0, 4, 0, 0), 10, 1e-9);
	contrast_samples_free(&samples);
	launches_release(&run);
}

/* A kernel that one of two other sides lacks is still held against that which has it. */
static void test_three_sides(void **state)
{
	struct launches run[3] = {traced(5000, 500, "left"), traced(4000, 500, "other"), traced(3000, 500, "left")};
	const struct contrast_run runs[] = {
		{.side = 2, .launches = &run[2]},
		{.side = 0, .launches = &run[0]},
		{.side = 1, .launches = &run[1]},
	};
	struct contrast_samples samples;

	(void)state;
	contrast_samples_make(runs, 3, 3, &samples);
	assert_int_equal(samples.ncases, 4);
	assert_string_equal(samples.cases[1].label, "kernel 1: mm");
	assert_string_equal(samples.cases[2].label, "kernel 2: left");
	assert_string_equal(samples.cases[3].label, "kernel 3: small");
	assert_null(samples.cases[2].sides[1].kernel);
	assert_non_null(samples.cases[2].sides[2].kernel);
	assert_near(sample_of(&samples, 2, 1, 0, 0), 3000, 1e-6);
	assert_true(isnan(sample_of(&samples, 1, 2, 0, 0)));
	assert_int_equal(samples.nsamples, 4 + 4 + 3);
	contrast_samples_free(&samples);
	for (int i = 0; i < 3; i++)
		launches_release(&run[i]);
}

/* Kernels with different names at the same place: one case and one label, with the first side's name. */
static void test_by_place(void **state)
{
	struct launches run[2] = {traced_often(5000, 500, "left", 1), traced_often(5000, 500, "right", 1)};
	const struct contrast_run runs[] = {{.side = 0, .launches = &run[0]}, {.side = 1, .launches = &run[1]}};
	struct contrast_samples samples;
	char label[CONTRAST_LABEL_BYTES];

	(void)state;
	contrast_samples_make(runs, 2, 2, &samples);
	assert_int_equal(samples.ncases, 4);
	assert_string_equal(samples.cases[2].label, "kernel 2: left");
	assert_int_equal(samples.cases[2].sides[1].how, MATCH_PLACE);
	assert_string_equal(samples.cases[2].sides[1].kernel->kernel.base, "right");
	assert_near(sample_of(&samples, 1, 2, 0, 0), 1000, 1e-6);
	for (size_t side = 0; side < 2; side++) {
		assert_true(contrast_match_label(&samples, side, 2, label));
		assert_string_equal(label, samples.cases[2].label);
	}
	contrast_samples_free(&samples);
	for (int i = 0; i < 2; i++)
		launches_release(&run[i]);
}

/* Of two launches of a name one has other grids on a side: no grid is held against another, on no side. */
static void test_sums(void **state)
{
	struct made_run made[3];
	const struct contrast_run runs[] = {
		{.side = 0, .launches = make_run(&made[0], MADE({"a", 1, 32, 160, 2, 0}, {"b", 1, 32, 50, 0, 0}))},
		{.side = 1,
			.launches = make_run(&made[1],
				MADE({"a", 1, 32, 80, 1, 0}, {"b", 1, 32, 50, 0, 0}, {"a", 2, 32, 150, 1, 0}))},
		{.side = 2, .launches = make_run(&made[2], MADE({"a", 1, 32, 170, 2, 0}, {"b", 1, 32, 50, 0, 0}))},
	};
	struct contrast_samples samples;

	(void)state;
	contrast_samples_make(runs, 3, 3, &samples);
	assert_int_equal(samples.ncases, 3);
	assert_string_equal(samples.cases[1].label, "kernel 1: a");
	assert_int_equal(samples.cases[1].sides[1].how, MATCH_SUM);
	assert_near(samples.cases[1].sides[1].kernel->ns, 230, 1e-9);
	assert_int_equal(samples.cases[1].sides[2].how, MATCH_GRID);
	assert_near(sample_of(&samples, 0, 1, 0, 0), 160, 1e-9);
	assert_near(sample_of(&samples, 1, 1, 0, 0), 230, 1e-9);
	assert_int_equal(samples.sides[1].matching.other_unmatched, 0);
	assert_false(samples.sides[1].matching.is_alike);
	assert_true(samples.sides[2].matching.is_alike);
	contrast_samples_free(&samples);
}

/* Only so many kernels have cases; long names are cut, and labels stay apart. */
static void test_many_kernels(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;
	struct contrast_samples samples;
	struct contrast_run runs[2] = {{.side = 0}, {.side = 1}};
	char name[600];

	(void)state;
	for (int i = 0; i < 50; i++) {
		memset(name, 'k', sizeof(name));
		snprintf(name + sizeof(name) - 16, 16, "%d", i);
		run_launch(rec, i + 1, name, 10 * i, 1000 * i, 100 + i, "");
	}
	run_end(rec);
	run = run_load("run.sqlite", NULL, NULL);
	runs[0].launches = runs[1].launches = &run;
	contrast_samples_make(runs, 2, 2, &samples);
	assert_int_equal(samples.ncases, 1 + CASES_OF_KERNELS);
	assert_near(samples.cases[1].sides[1].kernel->ns, 149, 1e-6);
	assert_near(samples.cases[CASES_OF_KERNELS].sides[1].kernel->ns, 118, 1e-6);
	assert_int_equal(strncmp(samples.cases[9].label, "kernel 9: kkkk", 14), 0);
	assert_true(samples.sides[1].matching.is_alike);
	contrast_samples_free(&samples);
	launches_release(&run);
}

static void test_nothing(void **state)
{
	const struct contrast_run run = {.side = 0, .program_ns = 5, .program_steps = 1};
	struct contrast_samples samples;

	(void)state;
	contrast_samples_make(NULL, 0, 0, &samples);
	assert_int_equal(samples.ncases, 1);
	assert_int_equal(samples.nsamples, 0);
	contrast_samples_free(&samples);
	contrast_samples_make(&run, 1, 2, &samples);
	/* Nothing was traced: kernels are no case of their own. */
	assert_int_equal(samples.ncases, 1);
	assert_string_equal(samples.cases[0].label, "program");
	assert_int_equal(samples.nsamples, 1);
	assert_int_equal(samples.samples[0].case_number, 0);
	contrast_samples_free(&samples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_two_sides),
		scratch_test(test_three_sides),
		scratch_test(test_by_place),
		scratch_test(test_many_kernels),
		scratch_test(test_sums),
		scratch_test(test_one_side),
		cmocka_unit_test(test_nothing),
		scratch_test(test_which_side_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
