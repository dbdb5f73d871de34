/*
 * sgemm-cublas.h: cuBLAS as a reference, found when it is asked for, so that dbprof neither needs it nor starts slower
 * for it. Only what is used is declared here, as in cublas_v2.h.
 */
#ifndef DBPROF_KERNELS_SGEMM_CUBLAS_H
#define DBPROF_KERNELS_SGEMM_CUBLAS_H

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cublasContext *cublas_handle;

enum { CUBLAS_SUCCESS = 0, CUBLAS_ALLOC_FAILED = 3, CUBLAS_NO_TRANSPOSE = 0 };

struct cublas {
	bool tried;
	int (*create)(cublas_handle *);
	int (*destroy)(cublas_handle);
	int (*set_stream)(cublas_handle, cudaStream_t);
	int (*sgemm)(cublas_handle, int transpose_a, int transpose_b, int m, int n, int k, const float *alpha,
		const float *a, int lda, const float *b, int ldb, const float *beta, float *c, int ldc);
};

static inline void *cublas_open(void)
{
#if CUDART_VERSION >= 13000
	static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so"};
#else
	static const char *const names[] = {"libcublas.so.12", "libcublas.so.13", "libcublas.so"};
#endif
	void *library = NULL;

	for (size_t i = 0; i < sizeof names / sizeof names[0] && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	return library;
}

/* The library's functions, loaded once for the life of the process, or NULL if it is not installed. */
static inline const struct cublas *cublas_load(void)
{
	static struct cublas lib;
	void *library;

	if (!lib.tried && (library = cublas_open())) {
		*(void **)&lib.create = dlsym(library, "cublasCreate_v2");
		*(void **)&lib.destroy = dlsym(library, "cublasDestroy_v2");
		*(void **)&lib.set_stream = dlsym(library, "cublasSetStream_v2");
		*(void **)&lib.sgemm = dlsym(library, "cublasSgemm_v2");
	}
	lib.tried = true;
	return lib.create && lib.destroy && lib.set_stream && lib.sgemm ? &lib : NULL;
}

static inline cudaError_t cublas_error(int status)
{
	if (status == CUBLAS_SUCCESS)
		return cudaSuccess;
	return status == CUBLAS_ALLOC_FAILED ? cudaErrorMemoryAllocation : cudaErrorUnknown;
}

#endif
