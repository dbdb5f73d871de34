/*
 * inject.h: what `dbprof trace` and the library that it puts into other programs agree on.
 *
 * The library is libdbprof-inject.so. The CUDA driver loads it at the program's first CUDA call, since
 * CUDA_INJECTION64_PATH names it, and NVTX at the first NVTX call, since NVTX_INJECTION64_PATH does. It records all
 * device work, API calls and NVTX ranges of the process through CUPTI into a spool of its own, and leaves the program
 * alone otherwise: no signal handlers, no output, no CUDA calls.
 */
#ifndef DBPROF_TRACE_INJECT_INJECT_H
#define DBPROF_TRACE_INJECT_INJECT_H

/* Environment: the folder in which each process makes its spool. Without it the library does nothing. */
#define INJECT_FOLDER "DBPROF_TRACE_FOLDER"

/* Names of spools end so; before it stand the process id and a number. */
#define INJECT_SUFFIX ".spool"

#endif
