/* stream.c: every variant of the family stream adds what it is to add, in every case, with the host's part of it as it
 * is: threads, rings, captured graphs. The GPU is the stand-in, and its kernels are done here. What a GPU would do too
 * early it does in the order of the calls, so races need a GPU (tests/gpu/hazards.test). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "families.h"
#include "stand-in/stand-in.h"

enum { BUFFERS = 2 }; /* the parameter's index */

static const struct family *stream(void)
{
	for (int f = 0; f < families_count; f++)
		if (strcmp(families[f]->name, "stream") == 0)
			return families[f];
	fail_msg("there is no family stream");
	return NULL;
}

static const struct variant *variant_named(const char *name)
{
	for (int v = 0; v < stream()->nvariants; v++)
		if (strcmp(stream()->variants[v].name, name) == 0)
			return &stream()->variants[v];
	fail_msg("there is no variant %s", name);
	return NULL;
}

/* ---- kernels ---- */

static void add(float *const *arrays, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		arrays[2][i] = arrays[0][i] + arrays[1][i];
}

static void run_add(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	float *const arrays[] = {*(float **)arguments[0], *(float **)arguments[1], *(float **)arguments[2]};
	const int64_t threads = (int64_t)grid[0] * block[0], n = *(int *)arguments[3];

	add(arrays, threads < n ? threads : n); /* a thread adds one element */
}

static void run_add_by_vectors(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	float *const arrays[] = {*(float **)arguments[0], *(float **)arguments[1], *(float **)arguments[2]};

	(void)grid, (void)block;
	add(arrays, *(int64_t *)arguments[3]);
}

static void run_copy(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	(void)grid, (void)block;
	memcpy(*(float **)arguments[0], *(float **)arguments[1], sizeof(float) * (size_t) * (int64_t *)arguments[2]);
}

static void be_kernel_of(const char *variant, void *state, const struct stand_in_kernel *kernel)
{
	struct kernel_config config;

	assert_int_equal(variant_named(variant)->config(state, &config), cudaSuccess);
	stand_in_kernel(config.function, kernel);
}

static void do_kernels_here(void *state)
{
	static const size_t p = sizeof(float *);
	static const struct stand_in_kernel plain = {"add", run_add, {p, p, p, sizeof(int)}, 16, 0, 0},
					    vectors = {"vectors", run_add_by_vectors, {p, p, p, sizeof(int64_t)}, 16, 0,
						    0},
					    copies = {"copies", run_copy, {p, p, sizeof(int64_t)}, 16, 0, 0};

	be_kernel_of("one-buffer", state, &plain);
	be_kernel_of("few-blocks", state, &vectors);
	be_kernel_of("copies-by-sm", state, &copies);
}

/* ---- a launch ---- */

static void *state_of(const struct size_case *size)
{
	char message[256] = "";
	void *state = NULL;

	if (stream()->set_up(size, 1, &state, message, sizeof message) != cudaSuccess)
		fail_msg("%s", message);
	do_kernels_here(state);
	return state;
}

/* Whether the stand-in has what the variant needs. */
static bool can_run(const struct variant *variant)
{
	return strcmp(variant->name, "batched") != 0;
}

static void launch_and_check(const struct variant *variant, const struct size_case *size, void *state)
{
	struct enqueued done = {0};
	struct check_result result;

	assert_int_equal(stream()->poison(state, cudaStreamPerThread), cudaSuccess);
	if (variant->launch(state, cudaStreamPerThread, &done) != cudaSuccess)
		fail_msg("%s, case %s: its launch fails", variant->name, size->label);
	assert_int_equal(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
	if (variant_is_part(variant->kind))
		return;
	assert_int_equal(stream()->check(state, &result), cudaSuccess);
	if (result.wrong > 0 || result.elements != (size_t)size->value[0])
		fail_msg("%s, case %s: %zu of %zu are wrong, the first is %zu", variant->name, size->label,
			result.wrong, result.elements, result.first_wrong);
}

/* Each twice in a row, and all of them after one another: what one leaves behind must not disturb another. */
static void run_all(const struct size_case *size)
{
	void *state = state_of(size);

	for (int i = 0; i < 2 * stream()->nvariants; i++) {
		const struct variant *variant = &stream()->variants[i / 2];

		if (can_run(variant))
			launch_and_check(variant, size, state);
	}
	for (int i = stream()->nvariants; i-- > 0;)
		if (can_run(&stream()->variants[i]))
			launch_and_check(&stream()->variants[i], size, state);
	stream()->tear_down(state);
}

static void all_variants_are_right(void **unused)
{
	(void)unused;
	for (int c = 0; c < stream()->ncases; c++)
		if (stream()->cases[c].verify_only)
			run_all(&stream()->cases[c]);
}

/* From one buffer to as many as there can be, over more rounds than one and a ragged end. */
static void any_number_of_buffers_is_right(void **unused)
{
	struct size_case size = {"buffers", {9 * 16384 + 5, 16384, 1}, true, NULL, 0, 0};

	(void)unused;
	for (size.value[BUFFERS] = 1; size.value[BUFFERS] <= 8; size.value[BUFFERS]++)
		run_all(&size);
}

/* Longer chunks than are copied at once, the last of their pieces shorter than the others. */
static void long_chunks_come_in_pieces(void **unused)
{
	static const char *const names[] = {"pieces", "graph"};
	const struct size_case size = {"long", {(1 << 23) + 5, 1 << 23, 2}, true, NULL, 0, 0};
	void *state = state_of(&size);

	(void)unused;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		launch_and_check(variant_named(names[i]), &size, state);
	stream()->tear_down(state);
}

/* What a launch says that it enqueued. */
static struct enqueued enqueued_by(const char *name, const struct size_case *size)
{
	struct enqueued done = {0};
	void *state = state_of(size);

	assert_int_equal(variant_named(name)->launch(state, cudaStreamPerThread, &done), cudaSuccess);
	assert_int_equal(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
	stream()->tear_down(state);
	return done;
}

static void assert_enqueued(const char *name, const struct size_case *size, int64_t kernels, int64_t copies)
{
	const struct enqueued done = enqueued_by(name, size);

	if (done.kernels != kernels || done.copies != copies)
		fail_msg("%s: %lld kernels and %lld copies, not %lld and %lld", name, (long long)done.kernels,
			(long long)done.copies, (long long)kernels, (long long)copies);
}

/* By hand: 2^20 elements in chunks of 2^18 are four chunks; so they are with short ones at both ends. */
static void launches_tell_what_they_enqueue(void **unused)
{
	const struct size_case size = {"count", {1 << 20, 1 << 18, 3}, true, NULL, 0, 0};

	(void)unused;
	assert_enqueued("breadth-first", &size, 4, 12);
	assert_enqueued("pinned-ring", &size, 4, 12);
	assert_enqueued("pinned-ring-threads", &size, 4, 12);
	assert_enqueued("pageable-kernel-first", &size, 4, 12);
	assert_enqueued("in-place", &size, 4, 12);
	assert_enqueued("pieces", &size, 4, 12);
	assert_enqueued("graph", &size, 4, 12);
	assert_enqueued("direct-out", &size, 4, 8);
	assert_enqueued("copies-by-sm", &size, 16, 0);
	assert_enqueued("zero-copy", &size, 1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_variants_are_right),
		cmocka_unit_test(any_number_of_buffers_is_right),
		cmocka_unit_test(long_chunks_come_in_pieces),
		cmocka_unit_test(launches_tell_what_they_enqueue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
