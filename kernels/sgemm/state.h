/* state.h: what every variant of sgemm.cu works on, and what each of them does with a tile. */
#ifndef DBPROF_KERNELS_SGEMM_STATE_H
#define DBPROF_KERNELS_SGEMM_STATE_H

#include "product.h"
#include "sgemm-cublas.h"

enum { PARAM_M, PARAM_N, PARAM_K, PARAM_SIZE };

enum { TILE = 32, THREADS = TILE * TILE, TILES_BYTES = 2 * TILE * (TILE + 1) * (int)sizeof(float) };

struct sgemm_state {
	struct product product;
	cublas_handle handle; /* NULL until cuBLAS is prepared or launched */
};

static struct product_size sgemm_size(const struct size_case *size)
{
	const struct product_size p = {product_side(size, PARAM_M, PARAM_SIZE), product_side(size, PARAM_N, PARAM_SIZE),
		product_side(size, PARAM_K, PARAM_SIZE)};

	return p;
}

static size_t sgemm_device_bytes(const struct size_case *size)
{
	return product_device_bytes(sgemm_size(size));
}

/* The matrices: the rows of the reference are small beside them. */
static size_t sgemm_host_bytes(const struct size_case *size)
{
	return product_bytes(sgemm_size(size));
}

static void sgemm_work(const struct size_case *size, struct work *out)
{
	const struct product_size p = sgemm_size(size);

	out->elements = (double)p.m * p.n;
	out->flops = 2 * out->elements * p.k;
	out->bytes = (double)product_bytes(p);
}

static cudaError_t sgemm_set_up(
	const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct sgemm_state *s = (struct sgemm_state *)state_new(sizeof(*s), message, message_size);

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	product_set_up(&s->product, size, sgemm_size(size), 1, seed);
	return state_ready(s, state);
}

static void sgemm_tear_down(void *state)
{
	struct sgemm_state *s = (struct sgemm_state *)state;

	if (s && s->handle)
		(void)cublas_load()->destroy(s->handle);
	state_free(state);
}

/* ---- shapes: a step is a tile ---- */

/*
 * Per thread and tile: an element of A and one of B, each with its index, two tests in one, a zero where it is outside
 * and three for its address besides the load itself, and the loop's counter, comparison and branch: 19 in the loop that
 * the compiler makes for compute capability 9.0. With two buffers the addresses in both are computed anew for each
 * tile: 12 more. Bs[k][tx] is a load of its own in each of the 32 turns. As[ty][k] is the same for a whole warp: where
 * rows are aligned (A_WIDE), the compiler loads four neighbours at once.
 */
enum { TILE_OTHER = 19, BUFFERS_OTHER = 12 };
enum a_loads { A_SINGLY, A_WIDE };

static void shape_tile(const struct size_case *size, enum a_loads a_loads, struct shape *out)
{
	const struct product_size p = sgemm_size(size);
	struct step_shape *s = &out->step;

	memset(out, 0, sizeof(*out));
	s->steps = (p.k + TILE - 1) / TILE;
	s->load_bytes = 2 * sizeof(float) * THREADS;
	s->barriers = 2;
	s->shared_loads = a_loads == A_WIDE ? TILE : 2 * TILE;
	s->shared_wide = a_loads == A_WIDE ? TILE / 4 : 0;
	s->shared_stores = 2;
	s->shared_chain = 2; /* the stores before the barrier, the loads behind it */
	s->fmas = s->fma_chain = TILE;
	s->other = TILE_OTHER;
	s->once_bytes = sizeof(float) * THREADS;
	s->distinct_bytes = (double)product_bytes(p);
}

/* One barrier; the loads of a tile and the stores of the next one do not wait for each other. */
static void shape_ahead(const struct size_case *size, enum a_loads a_loads, int ahead, struct shape *out)
{
	shape_tile(size, a_loads, out);
	out->step.barriers = 1;
	out->step.shared_chain = 1;
	out->step.ahead = ahead;
	out->step.other += BUFFERS_OTHER;
}

static void shape_tile_unpadded(const struct size_case *size, struct shape *out)
{
	shape_tile(size, A_WIDE, out);
}

/* A warp stores a column, all of it in one bank, and the As[k][ty] that it loads are no neighbours. */
static void shape_tile_transposed_store(const struct size_case *size, struct shape *out)
{
	shape_tile(size, A_SINGLY, out);
	out->step.shared_stores = TILE + 1;
}

static void shape_tile_padded(const struct size_case *size, struct shape *out)
{
	shape_tile(size, A_SINGLY, out);
}

/* What is loaded for the next tile is stored before this one is computed, so it has to arrive first. */
static void shape_double_buffer(const struct size_case *size, struct shape *out)
{
	shape_ahead(size, A_SINGLY, 1, out);
	out->step.arrives_first = true;
}

static void shape_double_buffer_unpadded(const struct size_case *size, struct shape *out)
{
	shape_ahead(size, A_WIDE, 1, out);
	out->step.arrives_first = true;
}

static void shape_double_buffer_prefetch(const struct size_case *size, struct shape *out)
{
	shape_ahead(size, A_SINGLY, 1, out);
}

/* Besides: the size of each copy, closing the group and waiting for one, and one index more. */
template <int STAGES> static void shape_cp_async(const struct size_case *size, struct shape *out)
{
	shape_ahead(size, A_SINGLY, STAGES - 1, out);
	out->step.other += 5;
}

#endif
