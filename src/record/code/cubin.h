/* cubin.h: looks up barriers in machine code. */
#ifndef DBPROF_RECORD_CODE_CUBIN_H
#define DBPROF_RECORD_CODE_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cubin is an ELF file with a section .text.NAME for each kernel. Sets *barrier to the offset of the nearest barrier
 * instruction before `offset` in the code of `function` (mangled name). False if there is none, or if this is no cubin.
 */
bool cubin_barrier_before(const void *cubin, size_t size, const char *function, uint64_t offset, uint64_t *barrier);

#endif
