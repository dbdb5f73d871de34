/* cubin-kernels.h: which kernels a cubin has, and a hash of what each of them runs. Works in somebody else's program:
 * returns without a result where memory is short. */
#ifndef DBPROF_RECORD_CODE_CUBIN_KERNELS_H
#define DBPROF_RECORD_CODE_CUBIN_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel. Its hash, never 0, is of its machine code as it is in the file, of its constants, and of what it may use of
 * the file besides: functions that are no kernels, constants and initial values of variables. Kernels with the same
 * hash run the same instructions; the other way round a change elsewhere in the file can change it. */
struct cubin_kernel {
	const char *name; /* mangled; points into the file */
	uint64_t hash;
	uint64_t bytes; /* of its machine code */
};

/* Calls `take` for each kernel. False, without a call, if this is no cubin, if it is damaged, or for want of memory. */
bool cubin_kernels(
	const void *cubin, size_t size, void (*take)(void *user, const struct cubin_kernel *kernel), void *user);

#endif
