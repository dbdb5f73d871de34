/* host-calls.h: what a call of CUDA does, by its name. */
#ifndef DBPROF_MODEL_TRACE_HOST_CALLS_H
#define DBPROF_MODEL_TRACE_HOST_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct texts;

/* A name that was looked at. */
struct host_call_name {
	bool known;
	bool copies;
	bool blocking;  /* it copies, and returns when that is done */
	uint32_t plain; /* its number without the version that CUPTI adds: cudaMemcpyAsync_v3020 */
};

/* A name without the version that CUPTI adds, cut to `size`; `plain`. */
const char *host_call_plain(const char *name, char *plain, size_t size);

/* Looks at the name of a number of `texts`, which gets the plain name. Number 0 is no name. */
struct host_call_name host_call_look(struct texts *texts, uint32_t number);

#endif
