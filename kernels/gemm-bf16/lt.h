/* lt.h: cuBLAS's cublasLtMatmul() as a reference, found when it is asked for. Only what is used is declared
 * here, as in cublasLt.h. */
#ifndef DBPROF_KERNELS_GEMM_BF16_LT_H
#define DBPROF_KERNELS_GEMM_BF16_LT_H

#include "gemm-bf16/set-up.h"
#include "toolkit-library.h"

enum { LT_ASKED = 10, LT_ROUNDS = 7, LT_WARM_ROUNDS = 40, LT_WARM_MS = 60, LT_BATCH_MS = 2, LT_PRODUCTS_MAX = 20 };

/* Times that are this share apart, or less, are alike. */
#define LT_NEAR 0.005f

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

/* What a state keeps for cuBLAS. */
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

/* ---- the best of what is offered, by trial ---- */

struct lt_trial {
	struct gemm_state *s;
	cudaStream_t stream;
	cudaEvent_t event[2];
	int products;                  /* that are timed at once */
	float ms[LT_ASKED][LT_ROUNDS]; /* of a product, by algorithm; HUGE_VALF if it failed */
};

/* Milliseconds of a product. Waits for the products. */
static float lt_trial_time(const struct lt_trial *t, int which, int products)
{
	float ms = HUGE_VALF;
	int status = LT_SUCCESS;

	for (int i = 0; i <= products && status == LT_SUCCESS; i++) {
		if (i == 1) /* the first is not timed */
			(void)cudaEventRecord(t->event[0], t->stream);
		gemm_rotate(t->s);
		status = gemm_lt_multiply(t->s, which, t->stream);
	}
	if (status != LT_SUCCESS || cudaEventRecord(t->event[1], t->stream) != cudaSuccess ||
		cudaEventSynchronize(t->event[1]) != cudaSuccess ||
		cudaEventElapsedTime(&ms, t->event[0], t->event[1]) != cudaSuccess)
		return HUGE_VALF;
	return ms / (float)products;
}

/* Works for LT_WARM_MS, all algorithms in turn, so that clocks have risen and kernels are loaded. Then so many products
 * are timed at once as take LT_BATCH_MS. */
static void lt_trial_warm_up(struct lt_trial *t)
{
	float spent = 0, least = HUGE_VALF;

	for (int round = 0; round < LT_WARM_ROUNDS && spent < LT_WARM_MS; round++) {
		for (int i = 0; i < t->s->lt->count; i++) {
			const float ms = lt_trial_time(t, i, 1);

			if (ms == HUGE_VALF)
				continue;
			spent += 2 * ms;
			least = ms < least ? ms : least;
		}
	}
	t->products = least * LT_PRODUCTS_MAX < LT_BATCH_MS ? LT_PRODUCTS_MAX : (int)(LT_BATCH_MS / least) + 1;
}

static int lt_float_order(const void *left, const void *right)
{
	const float a = *(const float *)left, b = *(const float *)right;

	return (a > b) - (a < b);
}

/* The middle one of the rounds; sorts them. */
static float lt_trial_median(struct lt_trial *t, int which)
{
	qsort(t->ms[which], LT_ROUNDS, sizeof(t->ms[which][0]), lt_float_order);
	return t->ms[which][LT_ROUNDS / 2];
}

/* Of those that are as fast as the fastest but for LT_NEAR, the one that the library names first: so another process
 * chooses the same where several are alike. */
static int lt_trial_best(struct lt_trial *t)
{
	float least = HUGE_VALF;

	for (int i = 0; i < t->s->lt->count; i++)
		least = fminf(least, lt_trial_median(t, i));
	for (int i = 0; i < t->s->lt->count; i++)
		if (t->ms[i][LT_ROUNDS / 2] < HUGE_VALF && t->ms[i][LT_ROUNDS / 2] <= least * (1 + LT_NEAR))
			return i;
	return -1;
}

/* Finds the fastest of the algorithms that the library names: in rounds, forward and back in turn. */
static cudaError_t gemm_lt_find_best(struct gemm_state *s, cudaStream_t stream)
{
	struct lt_trial t = {s, stream, {NULL, NULL}, 1, {{0}}};
	const int n = s->lt->count;
	cudaError_t error = cudaEventCreate(&t.event[0]);

	if (error == cudaSuccess)
		error = cudaEventCreate(&t.event[1]);
	if (error == cudaSuccess) {
		lt_trial_warm_up(&t);
		for (int round = 0; round < LT_ROUNDS; round++)
			for (int i = 0; i < n; i++) {
				const int which = round % 2 ? n - 1 - i : i;

				t.ms[which][round] = lt_trial_time(&t, which, t.products);
			}
		s->lt->best = lt_trial_best(&t);
	}
	for (int i = 0; i < 2; i++)
		if (t.event[i])
			(void)cudaEventDestroy(t.event[i]);
	(void)cudaGetLastError(); /* an algorithm that fails is not chosen */
	return error == cudaSuccess && s->lt->best < 0 ? cudaErrorUnknown : error;
}

#endif
