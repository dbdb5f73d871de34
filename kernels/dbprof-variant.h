/*
 * dbprof-variant.h: families of your own for `dbprof run --load ./mine.so`.
 *
 * Describe them as variant.h says, which is the whole contract, and end one of your files with
 *
 *     DBPROF_PLUGIN(&my_family, &my_other_family);
 *
 * Then build a shared object, for instance
 *
 *     nvcc -shared -Xcompiler -fPIC -lineinfo -arch=sm_90 $(pkg-config --cflags dbprof) -o mine.so mine.cu
 *
 * docs/plug-ins.md tells more; docs/examples/my-family.cu is a whole family to start from.
 */
#ifndef DBPROF_DBPROF_VARIANT_H
#define DBPROF_DBPROF_VARIANT_H

#include <cuda_runtime_api.h>

#include "block-limit.h"
#include "compare.h"
#include "phase.h"
#include "plugin.h"
#include "queue.h"
#include "random.h"
#include "resources.h"
#include "role.h"
#include "rotate.h"
#include "analyze/shape.h"
#include "variant.h"

#ifdef __CUDACC__
#include "phase.cuh"
#include "role.cuh"

/* A member that a table leaves out is meant to be zero. nvcc drops the designators on the way to the host compiler,
 * which would warn then. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

#ifdef __cplusplus
#define DBPROF_EXTERN extern "C"
#else
#define DBPROF_EXTERN extern
#endif

/* ---- the source, for the report ---- */

/*
 * DBPROF_SOURCE; at file scope puts the text of the file where it stands into the shared object, for the report to show
 * the variants' code. DBPROF_PLUGIN() does it for its own file; families that live in others have the line there. The
 * assembler reads the file, in the folder where the compiler was started. -DDBPROF_NO_SOURCE leaves the texts out,
 * and with them the targets that a first line names: then unsupported() alone refuses other devices.
 */
#if defined(DBPROF_NO_SOURCE) || defined(__CUDA_ARCH__)
#define DBPROF_SOURCE DBPROF_EXTERN const struct dbprof_plugin dbprof_plugin
#else
#define DBPROF_SOURCE DBPROF_SOURCE_NUMBER(__COUNTER__)
#define DBPROF_SOURCE_NUMBER(n) DBPROF_SOURCE_TEXT(n)
#define DBPROF_SOURCE_TEXT(n)                                                                                          \
	__asm__(".pushsection .rodata\n"                                                                               \
		"dbprof_text_" #n ":\n"                                                                                \
		".incbin \"" __FILE__ "\"\n"                                                                           \
		".byte 0\n"                                                                                            \
		".popsection");                                                                                        \
	DBPROF_EXTERN const char dbprof_text_##n[] __attribute__((visibility("hidden")));                              \
	static const struct plugin_file dbprof_file_##n                                                                \
		__attribute__((section("dbprof_files"), used)) = {__FILE__, dbprof_text_##n}
#endif

/* The linker gathers what is in the section; without any, both are NULL. */
DBPROF_EXTERN const struct plugin_file __start_dbprof_files[] __attribute__((weak, visibility("hidden")));
DBPROF_EXTERN const struct plugin_file __stop_dbprof_files[] __attribute__((weak, visibility("hidden")));

/* ---- the runtime that this object is linked with ---- */

static inline cudaError_t dbprof_set_device(int device)
{
	return cudaSetDevice(device);
}

static inline cudaError_t dbprof_take_error(void)
{
	return cudaGetLastError();
}

static inline cudaError_t dbprof_attributes(struct cudaFuncAttributes *out, const void *function)
{
	return cudaFuncGetAttributes(out, function);
}

static inline cudaError_t dbprof_symbol(const char **out, const void *function)
{
	return cudaFuncGetName(out, function);
}

static inline cudaError_t dbprof_resident(int *out, const void *function, int threads, size_t dynamic_smem)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(out, function, threads, dynamic_smem);
}

/* ---- what is exported ---- */

DBPROF_EXTERN const struct dbprof_plugin dbprof_plugin __attribute__((visibility("default")));

/* Once in a shared object, at file scope: the addresses of its families. */
#define DBPROF_PLUGIN(...)                                                                                             \
	DBPROF_SOURCE;                                                                                                 \
	static const struct plugin_runtime dbprof_runtime = {                                                          \
		dbprof_set_device, dbprof_take_error, dbprof_attributes, dbprof_symbol, dbprof_resident};              \
	static const struct family *const dbprof_families[] = {__VA_ARGS__};                                           \
	const struct dbprof_plugin dbprof_plugin = {DBPROF_PLUGIN_MAGIC, DBPROF_ABI, CUDART_VERSION, &dbprof_runtime,  \
		dbprof_families, sizeof(dbprof_families) / sizeof(dbprof_families[0]), __start_dbprof_files,           \
		__stop_dbprof_files}

#endif
