/* launch-key.h: what a launch is, as CUPTI's callbacks of the driver tell it. */
#ifndef DBPROF_CONTRAST_COUNT_LAUNCH_KEY_H
#define DBPROF_CONTRAST_COUNT_LAUNCH_KEY_H

#include <cupti.h>
#include <stdbool.h>
#include <stdint.h>

#include "contrast/count/count.h"

/* A call of the driver that matters here. */
enum driver_call {
	DRIVER_LAUNCH,       /* of a kernel */
	DRIVER_GRAPH_LAUNCH, /* of a CUDA graph */
	DRIVER_OTHER_LAUNCH, /* of kernels on several GPUs that wait for each other */
	DRIVER_CAPTURE_BEGINS,
	DRIVER_CAPTURE_ENDS,
	DRIVER_WAITS /* for work of the GPU */
};

struct driver_callback {
	CUpti_CallbackId id;
	enum driver_call call;
};

/* Those that are to be enabled: *n of them. The runtime's launches call these, too. */
const struct driver_callback *driver_callbacks(size_t *n);

struct launch_key {
	const char *symbol;
	uint64_t grid[3], block[3];
	uint64_t shared;
	uint64_t cluster[3]; /* 0: no cluster was asked for */
	CUstream stream;     /* for the driver's functions without _ptsz */
};

/* False if the call is no launch of one kernel, or CUPTI tells no name. */
bool launch_key_of(CUpti_CallbackId id, const CUpti_CallbackData *data, struct launch_key *key);

/* As launch_key_of(), of a launch of a graph, which has a stream and nothing else. */
bool graph_key_of(CUpti_CallbackId id, const CUpti_CallbackData *data, struct launch_key *key);

/* Whether it is a launch of that kernel. */
bool launch_key_is(const struct launch_key *key, const struct count_kernel *kernel);

#endif
