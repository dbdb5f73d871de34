/*
 * sgemm-cublas.h: cuBLAS as a reference, found when it is asked for, so that dbprof neither needs it nor starts slower
 * for it. Only what is used is declared here, as in cublas_v2.h.
 */
#ifndef DBPROF_KERNELS_SGEMM_CUBLAS_H
#define DBPROF_KERNELS_SGEMM_CUBLAS_H

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "product.h"

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

/* Opens the library in the folder `lib`, as in "/lib64/", of `root`; where the loader looks if both are empty. */
static inline void *cublas_open_in(const char *root, const char *lib)
{
#if CUDART_VERSION >= 13000
	static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so"};
#else
	static const char *const names[] = {"libcublas.so.12", "libcublas.so.13", "libcublas.so"};
#endif
	void *library = NULL;
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !library; i++) {
		if (snprintf(path, sizeof(path), "%s%s%s", root, lib, names[i]) < (int)sizeof(path))
			library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	return library;
}

/* Where the loader looks, then in the toolkit: it is often installed without being known to the loader. */
static inline void *cublas_open(void)
{
	static const char *const in_toolkit[] = {
		"/lib64/", "/lib/", "/targets/x86_64-linux/lib/", "/targets/sbsa-linux/lib/"};
	const char *const roots[] = {getenv("CUDA_HOME"), "/usr/local/cuda"};
	void *library = cublas_open_in("", "");

	for (size_t r = 0; r < sizeof(roots) / sizeof(roots[0]) && !library; r++) {
		if (!roots[r] || !*roots[r])
			continue;
		for (size_t i = 0; i < sizeof(in_toolkit) / sizeof(in_toolkit[0]) && !library; i++)
			library = cublas_open_in(roots[r], in_toolkit[i]);
	}
	return library;
}

/* The library's functions, loaded once for the life of the process, or NULL if it is not found. */
static inline const struct cublas *cublas_load(void)
{
	static struct cublas lib;
	void *library;

	if (!lib.tried && (library = cublas_open())) {
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

/* C = A B with cublasSgemm() in `math` mode. `*handle` is NULL at first; it stays for the next launch, and is the
 * caller's to destroy. */
static inline cudaError_t cublas_multiply(
	cublas_handle *handle, int math, struct product *p, cudaStream_t stream, struct enqueued *done)
{
	const struct cublas *lib = cublas_load();
	const float one = 1.0f, zero = 0.0f;
	int status = CUBLAS_SUCCESS;

	if (!lib)
		return cudaErrorSharedObjectInitFailed;
	product_rotate(p);
	if (!*handle)
		status = lib->create(handle);
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
