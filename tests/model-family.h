/* model-family.h: a made-up family, row by row, for tests of the model. Include after <cmocka.h>. */
#ifndef DBPROF_TESTS_MODEL_FAMILY_H
#define DBPROF_TESTS_MODEL_FAMILY_H

#include "model-fixture.h"

/* A family "f" of two variants "a" (single) and "b" (double) with one timed case "c". */
static inline struct recording *family_begin(void)
{
	static const char *const lines[] = {
		"FAMILY name=f ord=0 title=F throughput=GB/s single=a double=b file=f.cu",
		"VARIANT family=f name=b ord=1 kind=candidate buffers=2 teachesFailure=0",
		"VARIANT family=f name=a ord=0 kind=candidate buffers=1 teachesFailure=0",
		"CASE family=f label=c ord=0 verifyOnly=0 flops=0 bytes=4000 elements=0",
		"CASE family=f label=odd ord=1 verifyOnly=1 flops=0 bytes=4 elements=0",
		NULL,
	};
	struct recording *rec = fixture_begin("f.sqlite");

	fixture_lines(rec, lines);
	return rec;
}

static inline void write_sample(struct recording *rec, const char *variant, int block, int position, double ns, int mhz)
{
	if (mhz)
		fixture_row(rec,
			"SAMPLE family=f variant=%s caseLabel=c block=%d position=%d launches=10 ns=%g smClockMhz=%d",
			variant, block, position, ns, mhz);
	else
		fixture_row(rec, "SAMPLE family=f variant=%s caseLabel=c block=%d position=%d launches=10 ns=%g",
			variant, block, position, ns);
}

/* `blocks` A B B A blocks without spread. */
static inline void write_samples(struct recording *rec, int blocks, double a, double b, int mhz_a, int mhz_b)
{
	for (int block = 0; block < blocks; block++) {
		write_sample(rec, "a", block, 0, a, mhz_a);
		write_sample(rec, "b", block, 1, b, mhz_b);
		write_sample(rec, "b", block, 2, b, mhz_b);
		write_sample(rec, "a", block, 3, a, mhz_a);
	}
}

static inline void write_verify(struct recording *rec, const char *variant, const char *label, int run, int wrong)
{
	if (wrong)
		fixture_row(rec,
			"VERIFY family=f variant=%s caseLabel=%s run=%d seed=1 elements=50 wrong=%d firstWrong=7 "
			"got=1.5 "
			"want=2.5 maxError=9",
			variant, label, run, wrong);
	else
		fixture_row(rec,
			"VERIFY family=f variant=%s caseLabel=%s run=%d seed=1 elements=50 wrong=0 maxError=0.5",
			variant, label, run);
}

/* Both variants verified right: without that no verdict stands. */
static inline void write_right(struct recording *rec)
{
	write_verify(rec, "a", "c", 0, 0);
	write_verify(rec, "b", "c", 0, 0);
}

static inline void write_count(struct recording *rec, const char *variant, int host, int recorded, int lower_bound)
{
	fixture_row(rec,
		"COUNT family=f variant=%s caseLabel=c iterations=3 what=kernels host=%d recorded=%d lowerBound=%d",
		variant, host, recorded, lower_bound);
}

/* Of the headline contrast's evidence; fails if there is no such check. */
static inline const json_t *check_of(const json_t *tree, const char *name)
{
	const json_t *list = at(tree, "families.0.contrasts.0.evidence");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *check = json_array_get(list, i);

		if (strcmp(json_string_value(json_object_get(check, "name")), name) == 0)
			return check;
	}
	fail_msg("there is no check '%s'", name);
	return NULL;
}

static inline const char *check_text(const json_t *tree, const char *name, const char *key)
{
	const char *text = json_string_value(json_object_get(check_of(tree, name), key));

	assert_non_null(text);
	return text;
}

#define assert_passed(tree, name) assert_true(json_is_true(json_object_get(check_of(tree, name), "ok")))
#define assert_failed(tree, name) assert_true(json_is_false(json_object_get(check_of(tree, name), "ok")))
#define assert_not_measured(tree, name) assert_true(json_is_null(json_object_get(check_of(tree, name), "ok")))
#define assert_figure(tree, name, want)                                                                                \
	assert_near(                                                                                                   \
		json_number_value(json_object_get(check_of(tree, name), "figure")), want, 1e-9 * fabs((double)(want)))

static inline json_t *family_end(struct recording *rec)
{
	fixture_end(rec);
	return fixture_model("f.sqlite");
}

#define CONTRAST "families.0.contrasts.0."
#define CASE_A "families.0.variants.0.cases.0."
#define CASE_B "families.0.variants.1.cases.0."

#endif
