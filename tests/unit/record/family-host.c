/* family-host.c: what families do on the host: references, rotated arrays, blocks that fit, checked rows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "block-limit.h"
#include "frames/reference.h"
/* Only a part of it is tested here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include "gemm-bf16/set-up.h"
#pragma GCC diagnostic pop
#include "product.h"
#include "rotate.h"
#include "row-sample.h"
#include "variant.h"

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
	rows_choose(4099, n, 7, row); /* the last tile has three rows */
	assert_int_equal(row[0], 0);
	assert_int_equal(row[n - 1], 4098);
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

/* A row that is not among those that are checked. */
static int other_row(const int *row, int n)
{
	for (int i = 1; i < n; i++)
		if (row[i] > row[i - 1] + 1)
			return row[i] - 1;
	fail_msg("all rows are checked");
	return -1;
}

static void check_product(struct product *p, struct check_result *result)
{
	compare_begin(result);
	assert_int_equal(product_compare(p, result), cudaSuccess);
}

/* More rows than are checked: what is right passes, and a wrong element is found and told by its place in C. */
static void a_wrong_element_is_found_in_a_sample(void **state)
{
	struct product p = {.seed = 3, .m = 1024, .n = 64, .k = 2100, .repeats = 2, .all_rows = ROWS_ALL_OF_POINT};
	struct check_result result;

	(void)state;
	fill_product(&p);
	assert_int_equal(product_reference(&p), cudaSuccess);
	check_product(&p, &result);
	assert_int_equal(result.elements, ROWS_SAMPLED * p.n);
	assert_int_equal(result.wrong, 0);
	p.host_c[(size_t)p.row[100] * 64 + 5] *= 1.01f;
	check_product(&p, &result);
	assert_int_equal(result.wrong, 1);
	assert_int_equal(result.first_wrong, (size_t)p.row[100] * 64 + 5);
	resources_free(&p.resources);
}

/* A tile that was left out, or not written, in rows between those that are checked. */
static void a_wrong_tile_is_found_between_checked_rows(void **state)
{
	struct product p = {.seed = 4, .m = 1024, .n = 64, .k = 2100, .repeats = 2, .all_rows = ROWS_ALL_OF_POINT};
	struct check_result result;
	float *tile;
	size_t at;

	(void)state;
	fill_product(&p);
	assert_int_equal(product_reference(&p), cudaSuccess);
	at = (size_t)other_row(p.row, ROWS_SAMPLED) * 64 + 16;
	tile = p.host_c + at;
	memset(tile, 0, sizeof(*tile) * 8);
	check_product(&p, &result);
	assert_int_equal(result.wrong, 8);
	assert_int_equal(result.first_wrong, at);
	memset(tile, POISON_BYTE, sizeof(*tile));
	check_product(&p, &result);
	assert_int_equal(result.wrong, 8);
	assert_true(isnan(result.got) && result.first_wrong == at);
	resources_free(&p.resources);
}

/* ---- gaps between rows of a product ---- */

static void gemm_lt_destroy(struct gemm_lt *lt)
{
	assert_null(lt);
}

/* A product as a GPU would have it, rounded to bf16. */
static void fill_gemm(struct gemm_state *s)
{
	struct splitmix random = {s->seed};
	const int matrix[2] = {s->m, s->n};
	float **host[2] = {&s->host_a, &s->host_b};

	for (int i = 0; i < 2; i++) {
		const size_t n = (size_t)matrix[i] * (size_t)s->k;

		*host[i] = resources_memory(&s->resources, RESOURCE_HOST, sizeof(float) * n);
		for (size_t j = 0; j < n; j++)
			(*host[i])[j] = gemm_input(GEMM_NORMAL, &random);
	}
	s->host_c = resources_memory(&s->resources, RESOURCE_HOST, sizeof(uint16_t) * (size_t)s->m * (size_t)s->row_n);
	for (int row = 0; row < s->m; row++) {
		for (int col = 0; col < s->n; col++) {
			float sum = 0;

			for (int k = 0; k < s->k; k++)
				sum += s->host_a[row * s->k + k] * s->host_b[col * s->k + k];
			s->host_c[row * s->row_n + col] = bf16_from_float(sum);
		}
	}
}

static void check_gemm(struct gemm_state *s, struct check_result *result)
{
	compare_begin(result);
	assert_int_equal(gemm_reference(s), cudaSuccess);
	assert_int_equal(gemm_compare(s, result), cudaSuccess);
}

/* Leaves out 16 columns of all rows that are not checked. */
static void leave_out(const struct gemm_state *s)
{
	for (int row = 0, i = 0; row < s->m; row++) {
		if (i < s->sums.m && s->row[i] == row)
			i++;
		else
			memset(s->host_c + (size_t)row * (size_t)s->row_n + 976, 0, sizeof(*s->host_c) * 16);
	}
}

/* Right results pass for many inputs; what is left out between the rows that are checked is found. */
static void a_wrong_tile_of_bf16_is_found_between_checked_rows(void **state)
{
	struct check_result result;

	(void)state;
	for (uint64_t seed = 0; seed < 8; seed++) {
		struct gemm_state s = {.seed = seed, .m = 300, .n = 1000, .k = 96, .row_n = 1008};

		fill_gemm(&s);
		check_gemm(&s, &result);
		assert_int_equal(result.wrong, 0);
		assert_int_equal(result.elements, ROWS_SAMPLED * s.n);
		leave_out(&s);
		check_gemm(&s, &result);
		assert_int_equal(result.wrong, 16);
		assert_int_equal(result.first_wrong % (size_t)s.n, 976);
		resources_free(&s.resources);
	}
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
		cmocka_unit_test(reference_of_frames_is_the_definition),
		cmocka_unit_test(edges_of_frames_by_hand),
		cmocka_unit_test(slots_exceed_the_cache_twice),
		cmocka_unit_test(launches_take_turns),
		cmocka_unit_test(as_many_blocks_fit_as_are_wanted),
		cmocka_unit_test(a_limit_that_cannot_be_kept_is_refused),
		cmocka_unit_test(all_rows_of_small_products_are_checked),
		cmocka_unit_test(some_rows_of_each_tile_are_checked),
		cmocka_unit_test(a_wrong_element_is_found_in_a_sample),
		cmocka_unit_test(a_wrong_tile_is_found_between_checked_rows),
		cmocka_unit_test(a_wrong_tile_of_bf16_is_found_between_checked_rows),
		cmocka_unit_test(a_write_between_rows_of_c_is_wrong),
	};

	return cmocka_run_group_tests_name("family-host", tests, NULL, NULL);
}
