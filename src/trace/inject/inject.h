/*
 * inject.h: what `dbprof trace` and the library that it puts into other programs agree on.
 *
 * The library is libdbprof-inject.so. The CUDA driver loads it at the program's first CUDA call, because
 * CUDA_INJECTION64_PATH names it. NVTX loads it at the first NVTX call, because NVTX_INJECTION64_PATH names it. Through
 * CUPTI it records all device work, API calls and NVTX ranges of the process into a spool of its own. Otherwise it
 * leaves the program alone: it has no signal handlers, no output, no CUDA calls, and it never exits by itself.
 */
#ifndef DBPROF_TRACE_INJECT_INJECT_H
#define DBPROF_TRACE_INJECT_INJECT_H

/* Environment variable: the folder in which each process makes its spool. Without it the library does nothing. */
#define INJECT_FOLDER "DBPROF_TRACE_FOLDER"

/* Environment variable: with any value but "", hashes of the machine code that is loaded are noted as well. */
#define INJECT_CODE "DBPROF_TRACE_CODE"

/* The name of a spool is the process id, a number and this ending. */
#define INJECT_SUFFIX ".spool"

#endif
