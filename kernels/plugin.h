/*
 * plugin.h: what a shared object with families hands to dbprof: one exported object, `dbprof_plugin`. Those who write
 * families include dbprof-variant.h, whose macro DBPROF_PLUGIN() makes that object.
 */
#ifndef DBPROF_KERNELS_PLUGIN_H
#define DBPROF_KERNELS_PLUGIN_H

#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The layout of everything in variant.h, shape.h, phase.h, role.h and below, and what it means. It is raised whenever
 * that changes: dbprof loads nothing that was built for another number. tests/unit/record/plugin.c knows the layout
 * that belongs to each number. */
#define DBPROF_ABI 7

#define DBPROF_PLUGIN_MAGIC "dbprof families"

/* The CUDA runtime that the families' kernels are registered with. A shared object may bring its own copy, linked in,
 * and only that copy knows its kernels. Streams, events and memory are the same for all copies of a process. */
struct plugin_runtime {
	cudaError_t (*set_device)(int device);
	cudaError_t (*take_error)(void); /* cudaGetLastError() */
	cudaError_t (*attributes)(struct cudaFuncAttributes *out, const void *function);
	cudaError_t (*symbol)(const char **out, const void *function); /* mangled, as in the machine code */
	/* Blocks of a kernel that fit on an SM at once. */
	cudaError_t (*resident)(int *out, const void *function, int threads, size_t dynamic_smem);
};

/* A source file of the families, as it was when it was compiled. */
struct plugin_file {
	const char *path; /* as the compiler was given it; its last part is the file's name */
	const char *text;
};

/* The first three members stay where they are in all versions. */
struct dbprof_plugin {
	char magic[16];  /* DBPROF_PLUGIN_MAGIC */
	uint32_t abi;    /* DBPROF_ABI of the headers it was built with */
	uint32_t cudart; /* CUDART_VERSION of these, such as 13000: structures differ between major versions */
	const struct plugin_runtime *runtime;
	const struct family *const *families;
	uint64_t nfamilies;
	const struct plugin_file *files, *files_end; /* from, and up to but not with */
};

#ifdef __cplusplus
}
#endif

#endif
