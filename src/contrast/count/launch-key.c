/* launch-key.c: see launch-key.h. */
#include "contrast/count/launch-key.h"

#include <string.h>

#define CALLBACK(name, call)                                                                                           \
	{CUPTI_DRIVER_TRACE_CBID_##name, call},                                                                        \
	{                                                                                                              \
		CUPTI_DRIVER_TRACE_CBID_##name##_ptsz, call                                                            \
	}

static const struct driver_callback callbacks[] = {
	CALLBACK(cuLaunchKernel, DRIVER_LAUNCH),
	CALLBACK(cuLaunchKernelEx, DRIVER_LAUNCH),
	CALLBACK(cuLaunchCooperativeKernel, DRIVER_LAUNCH),
	{CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernelMultiDevice, DRIVER_OTHER_LAUNCH},
	CALLBACK(cuGraphLaunch, DRIVER_GRAPH_LAUNCH),
	CALLBACK(cuStreamBeginCapture, DRIVER_CAPTURE_BEGINS),
	CALLBACK(cuStreamBeginCapture_v2, DRIVER_CAPTURE_BEGINS),
	CALLBACK(cuStreamBeginCaptureToGraph, DRIVER_CAPTURE_BEGINS),
	CALLBACK(cuStreamEndCapture, DRIVER_CAPTURE_ENDS),
	CALLBACK(cuStreamSynchronize, DRIVER_WAITS),
	{CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, DRIVER_WAITS},
	{CUPTI_DRIVER_TRACE_CBID_cuEventSynchronize, DRIVER_WAITS},
	{CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2, DRIVER_WAITS},
	{CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2_ptds, DRIVER_WAITS},
};
#undef CALLBACK

const struct driver_callback *driver_callbacks(size_t *n)
{
	*n = sizeof(callbacks) / sizeof(callbacks[0]);
	return callbacks;
}

/* ---- what is launched ---- */

static void take_shape(struct launch_key *key, const unsigned grid[3], const unsigned block[3], unsigned shared)
{
	for (int i = 0; i < 3; i++) {
		key->grid[i] = grid[i];
		key->block[i] = block[i];
	}
	key->shared = shared;
}

static void take_plain_key(const cuLaunchKernel_params *params, struct launch_key *key)
{
	take_shape(key, (unsigned[]){params->gridDimX, params->gridDimY, params->gridDimZ},
		(unsigned[]){params->blockDimX, params->blockDimY, params->blockDimZ}, params->sharedMemBytes);
	key->stream = params->hStream;
}

static void take_cooperative_key(const cuLaunchCooperativeKernel_params *params, struct launch_key *key)
{
	take_shape(key, (unsigned[]){params->gridDimX, params->gridDimY, params->gridDimZ},
		(unsigned[]){params->blockDimX, params->blockDimY, params->blockDimZ}, params->sharedMemBytes);
	key->stream = params->hStream;
}

static void take_configured_key(const CUlaunchConfig *config, struct launch_key *key)
{
	take_shape(key, (unsigned[]){config->gridDimX, config->gridDimY, config->gridDimZ},
		(unsigned[]){config->blockDimX, config->blockDimY, config->blockDimZ}, config->sharedMemBytes);
	key->stream = config->hStream;
	for (unsigned i = 0; i < config->numAttrs; i++) {
		const CUlaunchAttribute *attribute = &config->attrs[i];

		if (attribute->id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
			continue;
		key->cluster[0] = attribute->value.clusterDim.x;
		key->cluster[1] = attribute->value.clusterDim.y;
		key->cluster[2] = attribute->value.clusterDim.z;
	}
}

/* Fills the key; *per_thread: no stream means the thread's own. False for another call. */
static bool take_key(CUpti_CallbackId id, const void *params, struct launch_key *key, bool *per_thread)
{
	*per_thread = false;
	/* The arguments of a call with _ptsz are those of the call without. */
	switch (id) {
	case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
		*per_thread = true; /* fallthrough */
		__attribute__((fallthrough));
	case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
		take_plain_key(params, key);
		return true;
	case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
		*per_thread = true;
		__attribute__((fallthrough));
	case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
		take_cooperative_key(params, key);
		return true;
	case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
		*per_thread = true;
		__attribute__((fallthrough));
	case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
		take_configured_key(((const cuLaunchKernelEx_params *)params)->config, key);
		return true;
	default:
		return false;
	}
}

bool launch_key_of(CUpti_CallbackId id, const CUpti_CallbackData *data, struct launch_key *key)
{
	bool per_thread;

	*key = (struct launch_key){.symbol = data->symbolName};
	if (!data->symbolName || !data->functionParams || !take_key(id, data->functionParams, key, &per_thread))
		return false;
	if (per_thread && !key->stream)
		key->stream = CU_STREAM_PER_THREAD;
	return true;
}

bool graph_key_of(CUpti_CallbackId id, const CUpti_CallbackData *data, struct launch_key *key)
{
	*key = (struct launch_key){.symbol = ""};
	if (!data->functionParams)
		return false;
	key->stream = ((const cuGraphLaunch_params *)data->functionParams)->hStream;
	if (id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz && !key->stream)
		key->stream = CU_STREAM_PER_THREAD;
	return true;
}

bool launch_key_is(const struct launch_key *key, const struct count_kernel *kernel)
{
	return memcmp(key->grid, kernel->grid, sizeof(key->grid)) == 0 &&
	       memcmp(key->block, kernel->block, sizeof(key->block)) == 0 && key->shared == kernel->shared &&
	       strcmp(key->symbol, kernel->symbol) == 0;
}
