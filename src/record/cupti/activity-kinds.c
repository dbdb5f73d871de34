/* activity-kinds.c: which kinds of records CUPTI is asked for; switches them on and off. See activity.h. */
#include "record/cupti/activity-private.h"

#include "record/cupti/flush.h"

static const struct {
	CUpti_ActivityKind kind;
	const char *name;
	unsigned group;
} kinds[] = {
	{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernels", ACTIVITY_WORK},
	{CUPTI_ACTIVITY_KIND_MEMCPY, "copies", ACTIVITY_WORK},
	{CUPTI_ACTIVITY_KIND_MEMCPY2, "peer copies", ACTIVITY_WORK},
	{CUPTI_ACTIVITY_KIND_MEMSET, "memsets", ACTIVITY_WORK},
	{CUPTI_ACTIVITY_KIND_RUNTIME, "API calls", ACTIVITY_HOST},
	{CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "synchronisation", ACTIVITY_HOST},
	{CUPTI_ACTIVITY_KIND_OVERHEAD, "overhead", ACTIVITY_HOST},
	{CUPTI_ACTIVITY_KIND_MARKER, "NVTX ranges", ACTIVITY_RANGES},
	/* Colour and payload; it has to be enabled after MARKER. */
	{CUPTI_ACTIVITY_KIND_MARKER_DATA, "NVTX attributes", ACTIVITY_RANGES},
	{CUPTI_ACTIVITY_KIND_DEVICE, "devices", ACTIVITY_PLACES},
	{CUPTI_ACTIVITY_KIND_CONTEXT, "contexts", ACTIVITY_PLACES},
	{CUPTI_ACTIVITY_KIND_STREAM, "streams", ACTIVITY_PLACES},
	{CUPTI_ACTIVITY_KIND_CUDA_EVENT, "events", ACTIVITY_PLACES},
};

/* Libraries, and programs that are written for the driver alone, launch, copy and wait with these driver calls, past
 * the runtime. All other calls would only cost time. */
static const CUpti_CallbackId driver_calls[] = {
	CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
	CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
	CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
	CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
	CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async,
	CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async,
	CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpy,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpy_ptds,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2_ptds,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2_ptds,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpy2D_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DUnaligned_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DAsync_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DAsync_v2_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpy3D_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpy3DAsync_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyPeer,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyPeerAsync,
	CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize,
	CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize,
	CUPTI_DRIVER_TRACE_CBID_cuEventSynchronize,
	CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent,
	CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuEventRecord,
	CUPTI_DRIVER_TRACE_CBID_cuEventRecord_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemHostAlloc,
	CUPTI_DRIVER_TRACE_CBID_cuMemAllocHost_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemFreeHost,
	CUPTI_DRIVER_TRACE_CBID_cuMemHostRegister_v2,
};

enum { NKINDS = sizeof(kinds) / sizeof(kinds[0]), NDRIVER_CALLS = sizeof(driver_calls) / sizeof(driver_calls[0]) };

/* Where single calls cannot be chosen, all of them are recorded. */
static CUptiResult enable_driver_calls(struct activity *a, bool on)
{
	struct cupti *cupti = &a->cupti;

	for (int i = 0; i < NDRIVER_CALLS && cupti->cuptiActivityEnableDriverApi; i++)
		if (cupti->cuptiActivityEnableDriverApi(driver_calls[i], on) != CUPTI_SUCCESS)
			cupti->cuptiActivityEnableDriverApi = NULL;
	if (cupti->cuptiActivityEnableDriverApi)
		return CUPTI_SUCCESS;
	return on ? cupti->cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER)
		  : cupti->cuptiActivityDisable(CUPTI_ACTIVITY_KIND_DRIVER);
}

int activity_enable(struct activity *a, unsigned groups, struct error *err)
{
	CUptiResult code = CUPTI_SUCCESS;

	if (flush_hangs())
		return error_set(err, "CUPTI hangs");
	for (int i = 0; i < NKINDS; i++) {
		if ((kinds[i].group & groups) == 0)
			continue;
		code = a->cupti.cuptiActivityEnable(kinds[i].kind);
		if (code != CUPTI_SUCCESS) {
			cupti_error(&a->cupti, err, code, kinds[i].name);
			return error_prefix(err, "CUPTI cannot record");
		}
	}
	if ((groups & ACTIVITY_HOST) != 0)
		code = enable_driver_calls(a, true);
	return code == CUPTI_SUCCESS ? 0 : cupti_error(&a->cupti, err, code, "CUPTI cannot record driver calls");
}

void activity_disable(struct activity *a, unsigned groups)
{
	if (flush_hangs())
		return;
	if ((groups & ACTIVITY_HOST) != 0)
		(void)enable_driver_calls(a, false);
	for (int i = NKINDS; i-- > 0;)
		if ((kinds[i].group & groups) != 0)
			(void)a->cupti.cuptiActivityDisable(kinds[i].kind);
}
