/*
 * sgemm-cublas.h: cuBLAS as a reference, found when it is asked for, so that dbprof neither needs it nor starts slower
 * for it. Only what is used is declared here, as in cublas_v2.h.
 */
#ifndef DBPROF_KERNELS_SGEMM_CUBLAS_H
#define DBPROF_KERNELS_SGEMM_CUBLAS_H

#include "product.h"
#include "toolkit-library.h"

typedef struct cublasContext *cublas_handle;

enum {
	CUBLAS_SUCCESS = 0,
	CUBLAS_ALLOC_FAILED = 3,
	CUBLAS_NO_TRANSPOSE = 0,
	CUBLAS_DEFAULT_MATH = 0,
	CUBLAS_PEDANTIC_MATH = 2 /* no TF32 */
};

struct cublas {
	bool tried;
	int (*create)(cublas_handle *);
	int (*destroy)(cublas_handle);
	int (*set_stream)(cublas_handle, cudaStream_t);
	int (*set_math_mode)(cublas_handle, int);
	int (*sgemm)(cublas_handle, int transpose_a, int transpose_b, int m, int n, int k, const float *alpha,
		const float *a, int lda, const float *b, int ldb, const float *beta, float *c, int ldc);
};

/* The library's functions, loaded once for the life of the process, or NULL if it is not found. */
static inline const struct cublas *cublas_load(void)
{
	static struct cublas lib;
	void *library;

	if (!lib.tried && (library = toolkit_library("cublas"))) {
		*(void **)&lib.create = dlsym(library, "cublasCreate_v2");
		*(void **)&lib.destroy = dlsym(library, "cublasDestroy_v2");
		*(void **)&lib.set_stream = dlsym(library, "cublasSetStream_v2");
		*(void **)&lib.set_math_mode = dlsym(library, "cublasSetMathMode");
		*(void **)&lib.sgemm = dlsym(library, "cublasSgemm_v2");
	}
	lib.tried = true;
	return lib.create && lib.destroy && lib.set_stream && lib.set_math_mode && lib.sgemm ? &lib : NULL;
}

static inline cudaError_t cublas_error(int status)
{
	if (status == CUBLAS_SUCCESS)
		return cudaSuccess;
	return status == CUBLAS_ALLOC_FAILED ? cudaErrorMemoryAllocation : cudaErrorUnknown;
}

/* Makes the handle, which may wait for the GPU: what `prepare` does. `*handle` is NULL at first. It stays for all
 * launches and is the caller's to destroy. Returns cuBLAS's status. */
static inline int cublas_ready(cublas_handle *handle)
{
	const struct cublas *lib = cublas_load();

	return *handle || !lib ? CUBLAS_SUCCESS : lib->create(handle);
}

/* C = A B with cublasSgemm() in `math` mode, by the handle that cublas_ready() made or could not make. */
static inline cudaError_t cublas_multiply(
	cublas_handle *handle, int math, struct product *p, cudaStream_t stream, struct enqueued *done)
{
	const struct cublas *lib = cublas_load();
	const float one = 1.0f, zero = 0.0f;
	int status;

	if (!lib)
		return cudaErrorSharedObjectInitFailed;
	product_rotate(p);
	status = cublas_ready(handle);
	if (status == CUBLAS_SUCCESS)
		status = lib->set_math_mode(*handle, math);
	if (status == CUBLAS_SUCCESS)
		status = lib->set_stream(*handle, stream);
	/* cuBLAS counts by columns: it reads our matrices as transposed, and B^T A^T = C^T */
	if (status == CUBLAS_SUCCESS)
		status = lib->sgemm(*handle, CUBLAS_NO_TRANSPOSE, CUBLAS_NO_TRANSPOSE, p->n, p->m, p->k, &one, p->b,
			p->n, p->a, p->k, &zero, p->c, p->n);
	done->kernels += status == CUBLAS_SUCCESS;
	return cublas_error(status);
}

/* For struct variant. */
static inline const char *cublas_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	(void)device;
	(void)size;
	return cublas_load() ? NULL
			     : "cuBLAS (libcublas.so) was not found by the loader, in $CUDA_HOME or in /usr/local/cuda";
}

#endif
