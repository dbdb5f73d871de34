/* lt.h: cuBLAS's cublasLtMatmul() as a reference, found when it is asked for. Only what is used is declared
 * here, as in cublasLt.h. */
#ifndef DBPROF_KERNELS_GEMM_BF16_LT_H
#define DBPROF_KERNELS_GEMM_BF16_LT_H

#include "gemm-bf16/set-up.h"
#include "toolkit-library.h"

enum { LT_ASKED = 10, LT_SETTLE = 3, LT_TIMED = 5 };

enum {
	LT_SUCCESS = 0,
	LT_ALLOC_FAILED = 3,
	LT_NOT_SUPPORTED = 15,
	LT_COMPUTE_32F = 68,
	LT_R_32F = 0,
	LT_R_16BF = 14,
	LT_DESC_TRANSA = 3,
	LT_PREF_WORKSPACE = 1,
	LT_PREF_REDUCTIONS = 3,
	LT_REDUCTIONS_IN_FLOAT = 2,
	LT_TRANSPOSE = 1
};

typedef struct cublaslt_context *lt_handle;
typedef struct cublaslt_desc *lt_desc;
typedef struct cublaslt_layout *lt_layout;
typedef struct cublaslt_preference *lt_preference;

struct lt_algorithm {
	uint64_t data[8];
};

struct lt_heuristic {
	struct lt_algorithm algorithm;
	size_t workspace;
	int state;
	float waves;
	int reserved[4];
};

struct lt_library {
	bool tried;
	int (*create)(lt_handle *);
	int (*destroy)(lt_handle);
	int (*desc_create)(lt_desc *, int compute, int scale);
	int (*desc_destroy)(lt_desc);
	int (*desc_set)(lt_desc, int attribute, const void *value, size_t size);
	int (*layout_create)(lt_layout *, int type, uint64_t rows, uint64_t cols, int64_t ld);
	int (*layout_destroy)(lt_layout);
	int (*preference_create)(lt_preference *);
	int (*preference_destroy)(lt_preference);
	int (*preference_set)(lt_preference, int attribute, const void *value, size_t size);
	int (*heuristic)(lt_handle, lt_desc, lt_layout a, lt_layout b, lt_layout c, lt_layout d, lt_preference,
		int asked, struct lt_heuristic *found, int *count);
	int (*matmul)(lt_handle, lt_desc, const void *alpha, const void *a, lt_layout, const void *b, lt_layout,
		const void *beta, const void *c, lt_layout, void *d, lt_layout, const struct lt_algorithm *,
		void *workspace, size_t, cudaStream_t);
};

/* What a state keeps from its first launch on. */
struct gemm_lt {
	lt_handle handle;
	lt_desc desc;
	lt_layout a, b, c;
	struct lt_heuristic found[LT_ASKED]; /* in the library's own order */
	int count;                           /* of these, at least 1 */
	int best;                            /* of these, as measured; -1: not yet */
	void *workspace;                     /* of GEMM_WORKSPACE bytes */
};

/* The library's functions, loaded once for the life of the process, or NULL if it is not found. */
static const struct lt_library *lt_load(void)
{
	static struct lt_library lib;
	static bool all;
	void *library;

	if (lib.tried)
		return all ? &lib : NULL;
	lib.tried = true;
	library = toolkit_library("cublasLt");
	if (!library)
		return NULL;
	const struct {
		void *to;
		const char *name;
	} functions[] = {
		{&lib.create, "cublasLtCreate"},
		{&lib.destroy, "cublasLtDestroy"},
		{&lib.desc_create, "cublasLtMatmulDescCreate"},
		{&lib.desc_destroy, "cublasLtMatmulDescDestroy"},
		{&lib.desc_set, "cublasLtMatmulDescSetAttribute"},
		{&lib.layout_create, "cublasLtMatrixLayoutCreate"},
		{&lib.layout_destroy, "cublasLtMatrixLayoutDestroy"},
		{&lib.preference_create, "cublasLtMatmulPreferenceCreate"},
		{&lib.preference_destroy, "cublasLtMatmulPreferenceDestroy"},
		{&lib.preference_set, "cublasLtMatmulPreferenceSetAttribute"},
		{&lib.heuristic, "cublasLtMatmulAlgoGetHeuristic"},
		{&lib.matmul, "cublasLtMatmul"},
	};

	all = true;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *function = dlsym(library, functions[i].name);

		memcpy(functions[i].to, &function, sizeof(function));
		all = all && function;
	}
	return all ? &lib : NULL;
}

static void gemm_lt_destroy(struct gemm_lt *lt)
{
	const struct lt_library *lib = lt_load();

	if (!lt)
		return;
	if (lt->a)
		(void)lib->layout_destroy(lt->a);
	if (lt->b)
		(void)lib->layout_destroy(lt->b);
	if (lt->c)
		(void)lib->layout_destroy(lt->c);
	if (lt->desc)
		(void)lib->desc_destroy(lt->desc);
	if (lt->handle)
		(void)lib->destroy(lt->handle);
	(void)cudaFree(lt->workspace);
	free(lt);
}

/* Asks for algorithms, the one first that the library holds to be the best. Sums stay in float to their end. */
static int gemm_lt_ask(const struct lt_library *lib, struct gemm_lt *lt)
{
	const uint32_t reductions = LT_REDUCTIONS_IN_FLOAT;
	const size_t most = GEMM_WORKSPACE;
	lt_preference preference = NULL;
	int status = lib->preference_create(&preference);

	if (status == LT_SUCCESS)
		status = lib->preference_set(preference, LT_PREF_WORKSPACE, &most, sizeof(most));
	if (status == LT_SUCCESS)
		status = lib->preference_set(preference, LT_PREF_REDUCTIONS, &reductions, sizeof(reductions));
	if (status == LT_SUCCESS)
		status = lib->heuristic(
			lt->handle, lt->desc, lt->b, lt->a, lt->c, lt->c, preference, LT_ASKED, lt->found, &lt->count);
	if (preference)
		(void)lib->preference_destroy(preference);
	return status == LT_SUCCESS && lt->count == 0 ? LT_NOT_SUPPORTED : status;
}

/* cuBLAS counts by columns: to it our B is k x n and has to be transposed, A is k x m, and C is n x m. */
static int gemm_lt_describe(const struct lt_library *lib, const struct gemm_state *s, struct gemm_lt *lt)
{
	const int transpose = LT_TRANSPOSE;
	int status = lib->create(&lt->handle);

	if (status == LT_SUCCESS)
		status = lib->desc_create(&lt->desc, LT_COMPUTE_32F, LT_R_32F);
	if (status == LT_SUCCESS)
		status = lib->desc_set(lt->desc, LT_DESC_TRANSA, &transpose, sizeof(transpose));
	if (status == LT_SUCCESS)
		status = lib->layout_create(&lt->b, LT_R_16BF, (uint64_t)s->k, (uint64_t)s->n, s->row_k);
	if (status == LT_SUCCESS)
		status = lib->layout_create(&lt->a, LT_R_16BF, (uint64_t)s->k, (uint64_t)s->m, s->row_k);
	if (status == LT_SUCCESS)
		status = lib->layout_create(&lt->c, LT_R_16BF, (uint64_t)s->n, (uint64_t)s->m, s->row_n);
	return status;
}

static cudaError_t gemm_lt_error(int status)
{
	if (status == LT_SUCCESS)
		return cudaSuccess;
	if (status == LT_NOT_SUPPORTED)
		return cudaErrorNotSupported;
	return status == LT_ALLOC_FAILED ? cudaErrorMemoryAllocation : cudaErrorUnknown;
}

/* C = A B^T in the slot that is in use, by the `which`-th algorithm. */
static int gemm_lt_multiply(const struct gemm_state *s, int which, cudaStream_t stream)
{
	const struct gemm_lt *lt = s->lt;
	const float one = 1.0f, zero = 0.0f;

	return lt_load()->matmul(lt->handle, lt->desc, &one, s->b, lt->b, s->a, lt->a, &zero, s->c, lt->c, s->c, lt->c,
		&lt->found[which].algorithm, lt->workspace, GEMM_WORKSPACE, stream);
}

/* Milliseconds that LT_TIMED products take, once settled. Waits for them. */
static float gemm_lt_time(struct gemm_state *s, int which, cudaStream_t stream, const cudaEvent_t event[2])
{
	float ms = HUGE_VALF;
	int status = LT_SUCCESS;

	for (int i = 0; i < LT_SETTLE + LT_TIMED && status == LT_SUCCESS; i++) {
		if (i == LT_SETTLE)
			(void)cudaEventRecord(event[0], stream);
		gemm_rotate(s);
		status = gemm_lt_multiply(s, which, stream);
	}
	if (status != LT_SUCCESS || cudaEventRecord(event[1], stream) != cudaSuccess ||
		cudaEventSynchronize(event[1]) != cudaSuccess ||
		cudaEventElapsedTime(&ms, event[0], event[1]) != cudaSuccess)
		return HUGE_VALF;
	return ms;
}

/* Finds the fastest of the algorithms that the library names. */
static cudaError_t gemm_lt_find_best(struct gemm_state *s, cudaStream_t stream)
{
	struct gemm_lt *lt = s->lt;
	float least = HUGE_VALF;
	cudaEvent_t event[2] = {NULL, NULL};
	cudaError_t error = cudaEventCreate(&event[0]);

	if (error == cudaSuccess)
		error = cudaEventCreate(&event[1]);
	for (int i = 0; i < lt->count && error == cudaSuccess; i++) {
		const float ms = gemm_lt_time(s, i, stream, event);

		if (ms < least) {
			least = ms;
			lt->best = i;
		}
	}
	for (int i = 0; i < 2; i++)
		if (event[i])
			(void)cudaEventDestroy(event[i]);
	return error == cudaSuccess && lt->best < 0 ? cudaErrorUnknown : error;
}

#endif
