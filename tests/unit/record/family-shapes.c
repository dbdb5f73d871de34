/* family-shapes.c: the shapes of variants, which a prediction is made of: whole for each case, and counted by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "families.h"
#include "fixtures/families-fixture.h"
#include "scan-shape.h"
#include "variant.h"

static bool near(double x, double y)
{
	return fabs(x - y) <= 1e-9 * fabs(y);
}

/* ---- shapes ---- */

static void assert_pipeline(const struct family *family, const struct variant *variant, const struct size_case *size,
	const struct pipeline_shape *shape)
{
	struct work work;

	family->work(size, &work);
	if (!near(shape->chunks * (shape->bytes_in + shape->bytes_out), work.bytes) ||
		shape->bytes_in * shape->chunks > (double)family->device_bytes(size) ||
		shape->chunks != floor(shape->chunks) || shape->chunks < 1 || shape->copies_in < 1 ||
		shape->copies_out < 1 || shape->buffers < 1)
		fail_msg("%s/%s, case %s: the shape of the pipeline is not that of its work", family->name,
			variant->name, size->label);
}

static void assert_steps(const struct family *family, const struct variant *variant, const struct step_shape *shape)
{
	const double counts[] = {shape->load_bytes, shape->barriers, shape->shared_loads, shape->shared_stores,
		shape->shared_chain, shape->fmas, shape->fma_chain, shape->other, shape->once_bytes};

	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		if (!isfinite(counts[i]) || counts[i] < 0)
			fail_msg("%s/%s: a count of its shape is negative or no number", family->name, variant->name);
	assert_true(shape->steps >= 1);
	assert_true(shape->ahead >= 0);
	assert_true(shape->fma_chain <= shape->fmas);
	assert_true(shape->shared_chain <= shape->shared_loads + shape->shared_stores);
}

static void assert_shapes(const struct family *family, const struct size_case *size)
{
	for (int v = 0; v < family->nvariants; v++) {
		const struct variant *variant = &family->variants[v];
		struct shape shape;

		if (variant->shape == NULL)
			continue;
		memset(&shape, 0xff, sizeof shape); /* all of it has to be filled */
		variant->shape(size, &shape);
		if (shape.is_pipeline)
			assert_pipeline(family, variant, size, &shape.pipeline);
		else
			assert_steps(family, variant, &shape.step);
	}
}

static void shapes_are_sane(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int c = 0; c < families[f]->ncases; c++)
			assert_shapes(families[f], &families[f]->cases[c]);
		for (int i = 0; i < families[f]->nsweeps; i++)
			each_point(families[f], &families[f]->sweeps[i], assert_shapes);
	}
}

static void shape_of(const char *family, const char *variant, const struct size_case *size, struct shape *out)
{
	for (int f = 0; f < families_count; f++)
		if (strcmp(families[f]->name, family) == 0)
			find(families[f], variant)->shape(size, out);
}

/* Counted by hand: 2^22 elements, 2^18 at first, twice as many as before, half of what is left, 2^18 at the end. */
static void tapered_chunks_are_short_at_both_ends(void **state)
{
	const struct size_case size = {.value = {1 << 22, 1 << 22, 4}}, plain = {.value = {1 << 22, 1 << 20, 4}};
	struct shape shape;

	(void)state;
	shape_of("stream", "tapered", &size, &shape);
	/* In units of 2^18 of 16: 1, 1, 2, 4 (of 12), 4 (of 8), 2, 1, 1. */
	assert_true(shape.pipeline.chunks == 8);
	assert_int_equal(shape.pipeline.buffers, 4);
	shape_of("stream", "one-buffer", &plain, &shape);
	assert_true(shape.pipeline.chunks == 4);
	assert_true(shape.pipeline.bytes_in == 8.0 * (1 << 20));
}

/* What is planted has to be exactly the share that the parameter says, whatever it is. */
static void planted_share_is_exact(void **state)
{
	(void)state;
	for (int64_t percent = 0; percent <= 100; percent++) {
		const struct size_case size = {.value = {1 << 18, percent, 1, 1}};
		struct shape base, slower;

		shape_of("self-test", "base", &size, &base);
		shape_of("self-test", "slower", &size, &slower);
		assert_true(slower.step.steps * 100 == base.step.steps * (double)(100 + percent));
	}
}

/* By hand: 32 x 32 blocks of 1024 threads and 32 steps of two tiles load each matrix 32 times. */
static void tiles_load_what_the_product_needs(void **state)
{
	const struct size_case sgemm = {.value = {1024, 1024, 1024, 0}}, tile = {.value = {1024, 8, 4, 3, 0}};
	struct shape shape;

	(void)state;
	shape_of("sgemm", "tile-padded", &sgemm, &shape);
	assert_true(shape.step.steps * shape.step.load_bytes * 32 * 32 == 2.0 * 32 * 4 * 1024 * 1024);
	assert_true(shape.step.once_bytes * 32 * 32 == 4.0 * 1024 * 1024);
	assert_true(shape.step.distinct_bytes == 3 * 4.0 * 1024 * 1024);
	assert_true(shape.step.steps * shape.step.fmas == 1024);
	shape_of("tile-pipeline", "pipeline", &tile, &shape);
	assert_true(shape.step.steps * shape.step.load_bytes * 128 * 128 == 2.0 * 128 * 4 * 1024 * 1024);
	assert_true(shape.step.steps * shape.step.fmas == 3 * 1024);
	assert_int_equal(shape.step.ahead, 3);
}

/* A pipeline of one stage runs the single buffer, so it must not be predicted as anything else. */
static void one_stage_is_single(void **state)
{
	const struct size_case size = {.value = {1024, 16, 1, 1, 0}};
	struct shape one, other;

	(void)state;
	shape_of("tile-pipeline", "pipeline", &size, &one);
	shape_of("tile-pipeline", "single", &size, &other);
	assert_memory_equal(&one, &other, sizeof one);
}

/* By hand: 32 tiles of 16 KiB are a block's share, a thread has 16 elements of each. A ring is filled again as soon as
 * a stage is used up, so all of its stages are under way. */
static void rings_copy_what_the_array_has(void **state)
{
	const struct size_case size = {.value = {1 << 27, 16, 512, 6, 2, 5}}, small = {.value = {1000, 1, 3, 1, 0, 7}};
	struct shape shape;

	(void)state;
	shape_of("copy", "bulk-1", &size, &shape);
	assert_true(shape.step.steps == 32 && shape.step.load_bytes == 16384);
	assert_true(shape.step.once_bytes == 32 * 16384 && shape.step.distinct_bytes == 1 << 30);
	assert_true(shape.step.fmas == 16 * 5 && shape.step.fma_chain == 5);
	assert_int_equal(shape.step.ahead, 0);
	shape_of("copy", "bulk-2", &size, &shape);
	assert_int_equal(shape.step.ahead, 2);
	shape_of("copy", "bulk-n", &size, &shape);
	assert_int_equal(shape.step.ahead, 6);
	shape_of("copy", "bulk-n", &small, &shape);
	assert_int_equal(shape.step.ahead, 0);
	assert_true(shape.step.steps == 3);
}

/* Steps of a scan by hand: 8 elements add 7, 6 and 4 times. */
static void scans_add_where_there_is_a_neighbour(void **state)
{
	struct shape shape;

	(void)state;
	assert_true(near(scan_shape(8, 2, 2, &shape), (7 + 6 + 4) / 8.0 / 3));
	assert_true(shape.step.steps == 6);
	assert_true(shape.step.once_bytes == 8 * 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_are_sane),
		cmocka_unit_test(tapered_chunks_are_short_at_both_ends),
		cmocka_unit_test(planted_share_is_exact),
		cmocka_unit_test(tiles_load_what_the_product_needs),
		cmocka_unit_test(one_stage_is_single),
		cmocka_unit_test(rings_copy_what_the_array_has),
		cmocka_unit_test(scans_add_where_there_is_a_neighbour),
	};

	return cmocka_run_group_tests_name("family-shapes", tests, NULL, NULL);
}
