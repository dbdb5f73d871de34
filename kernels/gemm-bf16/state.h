/* state.h: what the two files of the family gemm-bf16 share on the host. */
#ifndef DBPROF_KERNELS_GEMM_BF16_STATE_H
#define DBPROF_KERNELS_GEMM_BF16_STATE_H

#include "product.h"

/* What a copy of 16 bytes, TMA included, can begin or end at (elements). */
enum { GEMM_ALIGN = 8 };

/* Bytes of device memory that cublasLtMatmul() may use. */
enum { GEMM_WORKSPACE = 32 << 20 };

/* What a kernel of gemm-bf16-wgmma.cu does, besides its sizes. */
enum {
	GEMM_PRODUCER = 1,       /* a warp of its own starts the copies; else a thread does between two tiles */
	GEMM_STRIPS = 2,         /* blocks go through C in strips, so that their tiles share rows and columns in L2 */
	GEMM_PERSISTENT = 4,     /* as many blocks as there are SMs take several tiles of C each */
	GEMM_CLUSTER = 8,        /* two blocks, one below the other, each load half of the tile of B for both */
	GEMM_STORE = 16,         /* TMA stores C, while the next tile is computed */
	GEMM_PING_PONG = 32,     /* each warpgroup has a tile of its own; they take turns at the tensor cores */
	GEMM_SETMAXNREG = 64,    /* the producer is a warpgroup, which gives registers to the others */
	GEMM_CPP_BARRIERS = 128, /* cuda::barrier instead of mbarriers by PTX */
	GEMM_STORE_WAITS = 256,  /* the next products wait until the tile is stored */
	GEMM_TOP = GEMM_PRODUCER | GEMM_STRIPS | GEMM_PERSISTENT | GEMM_CLUSTER | GEMM_STORE
};

/* NAME(rows and columns of a block's tile of C, stages, flags) */
#define GEMM_RUNGS(RUNG)                                                                                               \
	RUNG(WGMMA_1, 128, 128, 1, 0)                                                                                  \
	RUNG(WGMMA_2, 128, 128, 2, 0)                                                                                  \
	RUNG(PRODUCER_2, 128, 128, 2, GEMM_PRODUCER)                                                                   \
	RUNG(PRODUCER_3, 128, 128, 3, GEMM_PRODUCER)                                                                   \
	RUNG(PRODUCER_4, 128, 128, 4, GEMM_PRODUCER)                                                                   \
	RUNG(PRODUCER_5, 128, 128, 5, GEMM_PRODUCER)                                                                   \
	RUNG(PRODUCER_6, 128, 128, 6, GEMM_PRODUCER)                                                                   \
	RUNG(PRODUCER_7, 128, 128, 7, GEMM_PRODUCER)                                                                   \
	RUNG(WIDE_2, 128, 256, 2, GEMM_PRODUCER)                                                                       \
	RUNG(WIDE_3, 128, 256, 3, GEMM_PRODUCER)                                                                       \
	RUNG(WIDE_4, 128, 256, 4, GEMM_PRODUCER)                                                                       \
	RUNG(STRIPS, 128, 256, 4, GEMM_PRODUCER | GEMM_STRIPS)                                                         \
	RUNG(PERSISTENT, 128, 256, 4, GEMM_TOP & ~(GEMM_STORE | GEMM_CLUSTER))                                         \
	RUNG(STORE, 128, 256, 4, GEMM_TOP & ~GEMM_CLUSTER)                                                             \
	RUNG(SETMAXNREG, 128, 256, 4, (GEMM_TOP & ~GEMM_CLUSTER) | GEMM_SETMAXNREG)                                    \
	RUNG(CLUSTER, 128, 256, 4, GEMM_TOP)                                                                           \
	RUNG(WITHOUT_STRIPS, 128, 256, 4, GEMM_TOP & ~GEMM_STRIPS)                                                     \
	RUNG(WITHOUT_PERSISTENT, 128, 256, 4, GEMM_TOP & ~GEMM_PERSISTENT)                                             \
	RUNG(WITHOUT_STORE, 128, 256, 4, GEMM_TOP & ~GEMM_STORE)                                                       \
	RUNG(STORE_WAITS, 128, 256, 4, GEMM_TOP | GEMM_STORE_WAITS)                                                    \
	RUNG(WITHOUT_WIDE, 128, 128, 6, GEMM_TOP)                                                                      \
	RUNG(PING_PONG, 128, 128, 6, GEMM_TOP | GEMM_PING_PONG)                                                        \
	RUNG(CPP_BARRIERS, 128, 256, 4, (GEMM_TOP & ~GEMM_CLUSTER) | GEMM_CPP_BARRIERS)                                \
	RUNG(TWO_STAGES, 128, 256, 2, GEMM_TOP)                                                                        \
	RUNG(ONE_STAGE, 128, 256, 1, GEMM_TOP)                                                                         \
	RUNG(STORE_ONE_STAGE, 128, 256, 1, GEMM_TOP & ~GEMM_CLUSTER)

/* Bytes that a stage of a tile of so many rows and columns of C holds. */
#define GEMM_STAGE_BYTES(rows, cols) ((int)(sizeof(uint16_t) * 64 * ((rows) + (cols))))

enum gemm_rung {
#define RUNG(name, ...) GEMM_RUNG_##name,
	GEMM_RUNGS(RUNG)
#undef RUNG
};

enum gemm_inputs { GEMM_NORMAL = 1, GEMM_INTEGERS, GEMM_ZEROS };

/*
 * C = A B^T, all bf16, sums in float. A is m x k, B is n x k: both lie along K, as tensor cores take them. C is m x n.
 * Rows begin `row_k` elements apart in A and B, and `row_n` in C.
 */
struct gemm_state {
	struct resources resources;
	uint64_t seed;
	int m, n, k, row_k, row_n;
	enum gemm_inputs inputs;
	int64_t all_rows; /* multiplications up to which all rows are checked */
	int sms;
	struct rotation rotation;
	struct rotated all_a, all_b, all_c; /* device: in all slots */
	uint16_t *a, *b, *c;                /* of the slot of the last launch */
	float *checked_a;                   /* rows of A that are checked; magnitudes once the reference is made */
	float *host_a, *host_b;             /* without gaps */
	uint16_t *host_c;
	struct reference sums, magnitudes; /* A B^T and |A| |B|^T, of the rows that are checked; c is NULL until then */
	int *row;                          /* which these are */
	struct projection projection;      /* of all rows, if only some are checked */
	struct gemm_lt *lt;                /* NULL until cuBLAS is prepared or launched */
	cudaError_t lt_error;              /* why the best of cuBLAS's algorithms is not known */
};

/* Lets `a`, `b` and `c` be those of the next slot: every launch begins with it. */
static inline void gemm_rotate(struct gemm_state *s)
{
	rotate_next(&s->rotation);
	s->a = (uint16_t *)rotate_now(&s->rotation, &s->all_a);
	s->b = (uint16_t *)rotate_now(&s->rotation, &s->all_b);
	s->c = (uint16_t *)rotate_now(&s->rotation, &s->all_c);
}

#ifdef __cplusplus
extern "C" {
#endif

/* As struct variant has them, in gemm-bf16-wgmma.cu. */
cudaError_t gemm_bf16_launch_wgmma(void *state, enum gemm_rung rung, cudaStream_t stream, struct enqueued *done);
cudaError_t gemm_bf16_config_wgmma(void *state, enum gemm_rung rung, struct kernel_config *out);
cudaError_t gemm_bf16_launch_roles(void *state, enum gemm_rung rung, cudaStream_t stream,
	const struct role_board *board, struct kernel_config *config);

#ifdef __cplusplus
}
#endif

#endif
