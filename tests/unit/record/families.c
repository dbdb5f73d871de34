/* families.c: the table of families keeps the contract of kernels/variant.h: names, pairs, cases, marked code. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "block-limit.h"
#include "families.h"
#include "frames/reference.h"
/* Only a part of it is tested here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include "gemm-bf16/set-up.h"
#pragma GCC diagnostic pop
#include "product.h"
#include "record/code/embedded.h"
#include "record/pass/phase-stamps.h"
#include "model/family/source.h"
#include "rotate.h"
#include "row-sample.h"
#include "scan-shape.h"
#include "variant.h"

static bool near(double x, double y)
{
	return fabs(x - y) <= 1e-9 * fabs(y);
}

static const struct variant *find(const struct family *family, const char *name)
{
	for (int i = 0; i < family->nvariants; i++)
		if (strcmp(family->variants[i].name, name) == 0)
			return &family->variants[i];
	return NULL;
}

static void assert_name(const char *name)
{
	assert_non_null(name);
	assert_true(*name != '\0');
	for (const char *c = name; *c != '\0'; c++)
		if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '-')
			fail_msg("'%s' has another character than a to z, 0 to 9 and -", name);
}

static void names_are_plain_and_unique(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		assert_name(families[f]->name);
		for (int g = 0; g < f; g++)
			assert_string_not_equal(families[f]->name, families[g]->name);
		for (int v = 0; v < families[f]->nvariants; v++) {
			assert_name(families[f]->variants[v].name);
			assert_ptr_equal(find(families[f], families[f]->variants[v].name), &families[f]->variants[v]);
		}
	}
}

/* A word more than a reader can hold makes a sentence fail. */
static void assert_short_sentences(const char *text)
{
	enum { WORDS_MOST = 25 };
	const char *start = text;
	int words = 0;

	for (const char *c = text; *c != '\0'; c++) {
		bool word_ends = c[1] == ' ' || c[1] == '\0';

		words += word_ends;
		if (!word_ends || !strchr(".?!", *c))
			continue;
		if (words > WORDS_MOST)
			fail_msg("%d words: %.*s", words, (int)(c - start + 1), start);
		start = c + 1;
		words = 0;
	}
}

static void sentences_are_short(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		assert_short_sentences(families[f]->question);
		assert_short_sentences(families[f]->teaches);
		for (int s = 0; s < families[f]->nsweeps; s++)
			assert_short_sentences(families[f]->sweeps[s].question);
	}
}

static void pairs_are_two_candidates(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		const struct variant *single = find(families[f], families[f]->single);
		const struct variant *dbl = find(families[f], families[f]->double_);

		assert_non_null(single);
		assert_non_null(dbl);
		assert_ptr_not_equal(single, dbl);
		assert_int_equal(single->kind, VARIANT_CANDIDATE);
		assert_int_equal(dbl->kind, VARIANT_CANDIDATE);
		assert_false(single->teaches_failure || dbl->teaches_failure);
		assert_true(single->buffers <= dbl->buffers);
		assert_false(single->on_demand || dbl->on_demand); /* --all is about the pair */
	}
}

static void assert_legal(const struct family *family, const struct size_case *size)
{
	for (int p = 0; p < family->nparams; p++) {
		const struct param *param = &family->params[p];
		const int64_t *allowed = param->allowed;

		if (size->value[p] < param->min || size->value[p] > param->max)
			fail_msg("%s, case %s: %s is outside its limits", family->name, size->label, param->name);
		while (allowed != NULL && *allowed != 0 && *allowed != size->value[p])
			allowed++;
		if (allowed != NULL && *allowed == 0)
			fail_msg("%s, case %s: %s is not allowed", family->name, size->label, param->name);
	}
}

static void cases_are_legal_and_one_is_ragged(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		int verify_only = 0;

		assert_false(families[f]->cases[0].verify_only);
		for (int c = 0; c < families[f]->ncases; c++) {
			assert_name(families[f]->cases[c].label);
			assert_legal(families[f], &families[f]->cases[c]);
			verify_only += families[f]->cases[c].verify_only;
			assert_null(families[f]->cases[c].sweep);
		}
		assert_true(verify_only > 0);
	}
}

/* ---- sweeps ---- */

static bool candidate(const struct family *family, const char *name)
{
	const struct variant *variant = name == NULL ? NULL : find(family, name);

	return variant != NULL && variant->kind == VARIANT_CANDIDATE && !variant->teaches_failure;
}

/* Calls `visit` for each point of the grid that is wanted; returns how many there are. */
static int each_point(const struct family *family, const struct sweep *sweep,
	void (*visit)(const struct family *family, const struct size_case *size))
{
	const struct axis *x = &sweep->axis[0], *y = &sweep->axis[1];
	int points = 0;

	for (int i = 0; i < x->n; i++) {
		for (int j = 0; j < (sweep->naxes == 2 ? y->n : 1); j++) {
			struct size_case size = family->cases[sweep->base];

			size.sweep = sweep->name;
			size.value[x->param] = x->value[i];
			if (sweep->naxes == 2)
				size.value[y->param] = y->value[j];
			if (sweep->wanted != NULL && !sweep->wanted(&size))
				continue;
			visit(family, &size);
			points++;
		}
	}
	return points;
}

static void assert_axis(const struct family *family, const struct sweep *sweep, const struct axis *axis)
{
	assert_in_range(axis->param, 0, family->nparams - 1);
	assert_in_range(axis->n, 2, AXIS_MAX_VALUES);
	for (int i = 1; i < axis->n; i++)
		if (axis->value[i] <= axis->value[i - 1])
			fail_msg("%s, sweep %s: the values of %s do not rise", family->name, sweep->name,
				family->params[axis->param].name);
}

static void sweeps_are_whole(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int i = 0; i < families[f]->nsweeps; i++) {
			const struct sweep *sweep = &families[f]->sweeps[i];

			assert_name(sweep->name);
			assert_non_null(sweep->title);
			assert_int_equal(sweep->question[strlen(sweep->question) - 1], '?');
			assert_in_range(sweep->naxes, 1, SWEEP_MAX_AXES);
			for (int axis = 0; axis < sweep->naxes; axis++)
				assert_axis(families[f], sweep, &sweep->axis[axis]);
			if (sweep->naxes == 2)
				assert_int_not_equal(sweep->axis[0].param, sweep->axis[1].param);
			assert_in_range(sweep->base, 0, families[f]->ncases - 1);
			assert_false(families[f]->cases[sweep->base].verify_only);
			assert_true(each_point(families[f], sweep, assert_legal) >= 2);
		}
	}
}

/* Labels of points are made of the sweep's name: it must not be that of a case, nor begin one. */
static void names_of_sweeps_are_unique(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int i = 0; i < families[f]->nsweeps; i++) {
			const char *name = families[f]->sweeps[i].name;

			for (int c = 0; c < families[f]->ncases; c++)
				if (strncmp(families[f]->cases[c].label, name, strlen(name)) == 0)
					fail_msg("%s: case %s begins like the sweep %s", families[f]->name,
						families[f]->cases[c].label, name);
			for (int j = 0; j < i; j++)
				assert_string_not_equal(name, families[f]->sweeps[j].name);
		}
	}
}

static void sweeps_compare_a_candidate(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int i = 0; i < families[f]->nsweeps; i++) {
			const struct sweep *sweep = &families[f]->sweeps[i];

			assert_int_equal(sweep->single == NULL, sweep->double_ == NULL);
			if (sweep->single == NULL)
				continue;
			assert_true(candidate(families[f], sweep->single) ||
				    find(families[f], sweep->single)->kind == VARIANT_REFERENCE);
			assert_true(candidate(families[f], sweep->double_));
			assert_string_not_equal(sweep->single, sweep->double_);
		}
	}
}

/* ---- parts of the work ---- */

/* A part makes no result, so nothing may ask it for more than its time. */
static void parts_are_only_timed(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int v = 0; v < families[f]->nvariants; v++) {
			const struct variant *variant = &families[f]->variants[v];

			assert_non_null(variant->launch);
			if (!variant_is_part(variant->kind))
				continue;
			assert_null(variant->launch_phases);
			assert_null(variant->phases);
			assert_null(variant->steps);
			assert_null(variant->shape);
			assert_int_equal(variant->buffers, 0);
			assert_false(variant->teaches_failure);
		}
	}
}

static int kinds(const struct family *family, enum variant_kind kind)
{
	int count = 0;

	for (int v = 0; v < family->nvariants; v++)
		count += family->variants[v].kind == kind;
	return count;
}

/* A floor is the shortest of several schedules; what it is held against are the parts. */
static void pipelines_have_floors(void **state)
{
	const struct size_case *size;
	int pipelines = 0;

	(void)state;
	for (int f = 0; f < families_count; f++) {
		if (strcmp(families[f]->bound_by, "PCIe") != 0)
			continue;
		size = &families[f]->cases[0];
		assert_true(kinds(families[f], VARIANT_FLOOR) >= 3);
		assert_int_equal(kinds(families[f], VARIANT_LOADS), 1);
		assert_int_equal(kinds(families[f], VARIANT_STORES), 1);
		assert_int_equal(kinds(families[f], VARIANT_COMPUTE), 1);
		assert_true(families[f]->device_bytes(size) > 0);
		pipelines++;
	}
	assert_true(pipelines > 0);
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

/* What is for one question only is not part of --all. */
static void tests_are_on_demand(void **state)
{
	int measured = 0;

	(void)state;
	for (int f = 0; f < families_count; f++) {
		if (strcmp(families[f]->name, "self-test") == 0 || strcmp(families[f]->name, "tile-pipeline") == 0 ||
			strcmp(families[f]->name, "sgemm-ladder") == 0 || strcmp(families[f]->name, "copy") == 0 ||
			strcmp(families[f]->name, "scan-device") == 0 || strcmp(families[f]->name, "gemm-bf16") == 0 ||
			strcmp(families[f]->name, "frames") == 0)
			assert_true(families[f]->on_demand);
		measured += !families[f]->on_demand;
	}
	assert_true(measured >= 5);
}

/* ---- frames ---- */

enum { FRAME_SIDE = 9 };

/* A pixel of the image, blurred, from the definition. */
static int blurred_pixel(const uint8_t *image, int width, int height, int x, int y)
{
	static const int weight[] = {1, 4, 6, 4, 1};
	int sum = 0;

	for (int j = 0; j < 5; j++)
		for (int i = 0; i < 5; i++)
			sum += weight[j] * weight[i] *
			       image[frame_clamped(y + j - 2, height) * width + frame_clamped(x + i - 2, width)];
	return (int)floor(sum / 256.0 + 0.5);
}

/* An edge from the definition: Sobel's two filters over the blurred image, whose outermost pixels go on. */
static int edge_pixel(const uint8_t *image, int width, int height, int x, int y)
{
	static const int gx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
	int across = 0, down = 0;

	for (int j = 0; j < 3; j++) {
		for (int i = 0; i < 3; i++) {
			const int pixel = blurred_pixel(image, width, height, frame_clamped(x + i - 1, width),
				frame_clamped(y + j - 1, height));

			across += gx[j][i] * pixel;
			down += gx[i][j] * pixel;
		}
	}
	return abs(across) + abs(down) < 254 ? abs(across) + abs(down) : 254;
}

static void reference_of_frames_is_the_definition(void **state)
{
	struct splitmix random = {3};
	uint8_t image[FRAME_SIDE * FRAME_SIDE], edges[FRAME_SIDE * FRAME_SIDE];
	int saturated = 0;

	(void)state;
	random_bytes(&random, image, sizeof(image));
	for (int width = 1; width <= FRAME_SIDE; width++) {
		for (int height = 1; height <= FRAME_SIDE; height++) {
			frame_reference(image, width, height, edges);
			for (int i = 0; i < width * height; i++) {
				assert_int_equal(edges[i], edge_pixel(image, width, height, i % width, i / width));
				saturated += edges[i] == 254;
			}
		}
	}
	assert_true(saturated > 0);
}

/* An image of one grey has no edges, whatever it is: nothing comes in from beyond it. A step has the magnitude that one
 * works out by hand: 16 and 64 either side of the edge, blurred 1 : 5 : 11 : 15 of 16 across, no change down. */
static void edges_of_frames_by_hand(void **state)
{
	uint8_t image[4 * 8], edges[4 * 8];

	(void)state;
	memset(image, 200, sizeof(image));
	frame_reference(image, 8, 4, edges);
	for (int i = 0; i < 4 * 8; i++)
		assert_int_equal(edges[i], 0);
	for (int i = 0; i < 4 * 8; i++)
		image[i] = i % 8 < 4 ? 16 : 64;
	/* Blurred: 16 16 19 31 49 61 64 64. */
	frame_reference(image, 8, 4, edges);
	assert_int_equal(edges[0], 0);
	assert_int_equal(edges[1], 4 * (19 - 16));
	assert_int_equal(edges[3], 4 * (49 - 19));
	assert_int_equal(edges[8 + 4], 4 * (61 - 31));
	assert_int_equal(edges[24 + 7], 0);
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

/* ---- rotation ---- */

static void slots_exceed_the_cache_twice(void **state)
{
	const size_t l2 = 50 << 20, sizes[] = {2 * ROTATE_ALIGNMENT, 32 << 10, 12 << 20, 100 << 20, 512 << 20};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		const int slots = rotate_slots(sizes[i], l2);

		assert_true((size_t)slots * sizes[i] > 2 * l2);
		assert_true((size_t)(slots - 1) * sizes[i] <= 2 * l2);
		assert_true((size_t)slots * sizes[i] <= rotate_bytes(sizes[i], 2));
	}
	assert_int_equal(rotate_slots(512 << 20, l2), 1);
}

/* Every launch but a first one finds its slot as the launches before it left it: all slots come in turn. */
static void launches_take_turns(void **state)
{
	struct rotation rotation = {3, 0};
	char memory[3 * ROTATE_ALIGNMENT];
	const struct rotated array = {memory, rotate_stride(5)};

	(void)state;
	assert_int_equal(array.stride, ROTATE_ALIGNMENT);
	for (int launch = 1; launch <= 7; launch++) {
		rotate_next(&rotation);
		assert_ptr_equal(rotate_now(&rotation, &array), memory + (launch % 3) * ROTATE_ALIGNMENT);
	}
}

/* ---- occupancy ---- */

static void as_many_blocks_fit_as_are_wanted(void **state)
{
	const struct shared_limits h100 = {228 << 10, 227 << 10, 1 << 10};

	(void)state;
	for (int blocks = 1; blocks <= 16; blocks++) {
		const size_t fixed = 8192, dynamic = block_limit_dynamic(&h100, blocks, fixed, 0);

		assert_true(block_limit_possible(&h100, blocks));
		assert_true(fixed + dynamic <= h100.block);
		assert_int_equal(h100.sm / (fixed + dynamic + h100.reserved), blocks);
		assert_true((fixed + dynamic + h100.reserved) % SHARED_GRANULE == 0);
	}
	/* A kernel that needs more than its share keeps what it needs: fewer fit than are allowed. */
	assert_int_equal(block_limit_dynamic(&h100, 16, 8192, 100 << 10), 100 << 10);
}

/* Before blocks could ask for more than 48 KiB. */
static void a_limit_that_cannot_be_kept_is_refused(void **state)
{
	const struct shared_limits old = {96 << 10, 48 << 10, 0};

	(void)state;
	assert_false(block_limit_possible(&old, 1));
	assert_true(block_limit_possible(&old, 2));
}

/* ---- rows of a product that are checked ---- */

static void all_rows_of_small_products_are_checked(void **state)
{
	int row[512];

	(void)state;
	assert_int_equal(rows_checked(512, 512, 512, ROWS_ALL_OF_POINT), 512);
	assert_int_equal(rows_checked(2048, 2048, 2048, ROWS_ALL_OF_CASE), 2048);
	assert_int_equal(rows_checked(1024, 1024, 1024, ROWS_ALL_OF_POINT), ROWS_SAMPLED);
	assert_int_equal(rows_checked(100, 8192, 8192, ROWS_ALL_OF_CASE), 100);
	rows_choose(512, 512, 7, row);
	for (int i = 0; i < 512; i++)
		assert_int_equal(row[i], i);
}

/* Of every tile of 32 rows of the largest matrix, and not the same ones in each. */
static void some_rows_of_each_tile_are_checked(void **state)
{
	const int m = 8192, tile = 32, n = rows_checked(m, m, m, ROWS_ALL_OF_CASE);
	int row[ROWS_SAMPLED], same = 0;

	(void)state;
	assert_int_equal(n, ROWS_SAMPLED);
	rows_choose(m, n, 7, row);
	for (int i = 0; i < n; i++) {
		assert_int_equal(row[i] / tile, i);
		same += row[i] % tile == row[0] % tile;
	}
	assert_true(same < n / 4);
}

/* A product made here, as a GPU would have it: twice the product of two matrices, summed in float. */
static void fill_product(struct product *p)
{
	const size_t a = (size_t)p->m * (size_t)p->k, b = (size_t)p->k * (size_t)p->n;
	struct splitmix random = {p->seed};

	p->host_a = resources_memory(&p->resources, RESOURCE_HOST, sizeof(float) * a);
	p->host_b = resources_memory(&p->resources, RESOURCE_HOST, sizeof(float) * b);
	p->host_c = resources_memory(&p->resources, RESOURCE_HOST, sizeof(float) * (size_t)p->m * (size_t)p->n);
	random_floats(&random, p->host_a, a);
	random_floats(&random, p->host_b, b);
	for (int row = 0; row < p->m; row++) {
		float *c = &p->host_c[(size_t)row * (size_t)p->n];

		for (int col = 0; col < p->n; col++)
			c[col] = 0;
		for (int i = 0; i < p->repeats * p->k; i++)
			for (int col = 0; col < p->n; col++)
				c[col] += p->host_a[(size_t)row * (size_t)p->k + (size_t)(i % p->k)] *
					  p->host_b[(size_t)(i % p->k) * (size_t)p->n + (size_t)col];
	}
}

/* More rows than are checked: what is right passes, and a wrong element is found and told by its place in C. */
static void a_wrong_element_is_found_in_a_sample(void **state)
{
	struct product p = {.seed = 3, .m = 1024, .n = 64, .k = 2100, .repeats = 2, .all_rows = ROWS_ALL_OF_POINT};
	struct check_result result;

	(void)state;
	fill_product(&p);
	assert_int_equal(product_reference(&p), cudaSuccess);
	compare_begin(&result);
	product_compare(&p, &result);
	assert_int_equal(result.elements, ROWS_SAMPLED * p.n);
	assert_int_equal(result.wrong, 0);
	p.host_c[(size_t)p.row[100] * 64 + 5] *= 1.01f;
	compare_begin(&result);
	product_compare(&p, &result);
	assert_int_equal(result.wrong, 1);
	assert_int_equal(result.first_wrong, (size_t)p.row[100] * 64 + 5);
	resources_free(&p.resources);
}

static const struct embedded_file *source_of(const char *name)
{
	for (int i = 0; i < embedded_files_count; i++)
		if (embedded_files[i].arch[0] == '\0' && strcmp(embedded_files[i].name, name) == 0)
			return &embedded_files[i];
	return NULL;
}

static void all_code_is_marked(void **state)
{
	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int v = 0; v < families[f]->nvariants; v++) {
			const char *part = families[f]->variants[v].file;
			const struct embedded_file *file = source_of(part != NULL ? part : families[f]->file);
			struct error err = {0};
			struct source_code code;

			assert_non_null(file);
			if (source_variant(file->text, file->size, families[f]->variants[v].name, &code, &err) != 1)
				fail_msg("%s/%s has no code between marks %s", families[f]->name,
					families[f]->variants[v].name, err.text);
			source_code_free(&code);
		}
	}
}

/* What the phases pass runs needs a plan, and a plan is of no use without. */
static void plans_of_phases_are_whole(void **state)
{
	int planned = 0;

	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int v = 0; v < families[f]->nvariants; v++) {
			const struct variant *variant = &families[f]->variants[v];

			if ((variant->phases != NULL) != (variant->launch_phases != NULL) ||
				(variant->phases != NULL && variant->config == NULL) ||
				(variant->phases != NULL && !phase_plan_valid(variant->phases)))
				fail_msg(
					"%s/%s: the plan of its phases is not whole", families[f]->name, variant->name);
			planned += variant->phases != NULL;
		}
	}
	assert_true(planned > 15);
}

static bool is_sentence(const char *text)
{
	return isupper((unsigned char)text[0]) && text[strlen(text) - 1] == '.';
}

static bool is_one_of(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, list[i]) == 0)
			return true;
	return false;
}

static void assert_hazards(const struct variant *variant)
{
	static const char *const tools[] = {"memcheck", "racecheck", "synccheck", "initcheck"};

	assert_false(variant->teaches_failure && variant->nhazards == 0);
	for (int h = 0; h < variant->nhazards; h++) {
		assert_true(is_one_of(variant->hazards[h].tool, tools, sizeof tools / sizeof tools[0]));
		assert_true(is_sentence(variant->hazards[h].text));
	}
}

/* docs/hazards.md tells of these; tests/gpu/hazards.test looks for them, and for others. */
static void hazards_are_declared(void **state)
{
	static const char *const want[] = {"in-place-race", "no-volatile", "volatile-rmw", "volatile-register"};
	size_t found = 0;

	(void)state;
	for (int f = 0; f < families_count; f++) {
		for (int v = 0; v < families[f]->nvariants; v++) {
			const struct variant *variant = &families[f]->variants[v];

			assert_hazards(variant);
			if (is_one_of(variant->name, want, sizeof want / sizeof want[0])) {
				assert_int_equal(variant->nhazards, 1);
				assert_string_equal(variant->hazards[0].tool, "racecheck");
				found++;
			}
		}
	}
	assert_int_equal(found, sizeof want / sizeof want[0]);
}

static void gemm_lt_destroy(struct gemm_lt *lt)
{
	assert_null(lt);
}

/* Two rows of C of three elements each, eight apart. */
static void a_write_between_rows_of_c_is_wrong(void **state)
{
	uint16_t c[16];
	struct gemm_state s = {.m = 2, .n = 3, .row_n = 8, .host_c = c};
	struct check_result result;

	(void)state;
	memset(c, POISON_BYTE, sizeof(c));
	compare_begin(&result);
	gemm_compare_gaps(&s, &result);
	assert_int_equal(result.elements, 10);
	assert_int_equal(result.wrong, 0);
	assert_null(result.what);

	c[11] = c[15] = bf16_from_float(1.0f);
	compare_begin(&result);
	gemm_compare_gaps(&s, &result);
	assert_int_equal(result.wrong, 2);
	assert_int_equal(result.first_wrong, 5);
	assert_true(result.got == 1 && isnan(result.want) && result.max_error > 1);
	assert_string_equal(result.what, "the gap behind a row of C was written to");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_plain_and_unique),
		cmocka_unit_test(sentences_are_short),
		cmocka_unit_test(pairs_are_two_candidates),
		cmocka_unit_test(cases_are_legal_and_one_is_ragged),
		cmocka_unit_test(sweeps_are_whole),
		cmocka_unit_test(names_of_sweeps_are_unique),
		cmocka_unit_test(sweeps_compare_a_candidate),
		cmocka_unit_test(parts_are_only_timed),
		cmocka_unit_test(pipelines_have_floors),
		cmocka_unit_test(shapes_are_sane),
		cmocka_unit_test(tapered_chunks_are_short_at_both_ends),
		cmocka_unit_test(planted_share_is_exact),
		cmocka_unit_test(tests_are_on_demand),
		cmocka_unit_test(reference_of_frames_is_the_definition),
		cmocka_unit_test(edges_of_frames_by_hand),
		cmocka_unit_test(tiles_load_what_the_product_needs),
		cmocka_unit_test(one_stage_is_single),
		cmocka_unit_test(rings_copy_what_the_array_has),
		cmocka_unit_test(scans_add_where_there_is_a_neighbour),
		cmocka_unit_test(slots_exceed_the_cache_twice),
		cmocka_unit_test(launches_take_turns),
		cmocka_unit_test(as_many_blocks_fit_as_are_wanted),
		cmocka_unit_test(a_limit_that_cannot_be_kept_is_refused),
		cmocka_unit_test(all_rows_of_small_products_are_checked),
		cmocka_unit_test(some_rows_of_each_tile_are_checked),
		cmocka_unit_test(a_wrong_element_is_found_in_a_sample),
		cmocka_unit_test(all_code_is_marked),
		cmocka_unit_test(plans_of_phases_are_whole),
		cmocka_unit_test(hazards_are_declared),
		cmocka_unit_test(a_write_between_rows_of_c_is_wrong),
	};

	return cmocka_run_group_tests_name("families", tests, NULL, NULL);
}
