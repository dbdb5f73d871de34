/* cuda-capture.c: streams that are being captured. What is launched into one does not run, but becomes part of a graph.
 */
#include "cuda-parts.h"

#include <cuda.h>

#include "cupti-records.h"

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
	const cuStreamBeginCapture_v2_params params = {.hStream = (CUstream)handle, .mode = (CUstreamCaptureMode)mode};
	cudaStream_t stream;
	CUresult code = CUDA_SUCCESS;

	CUDA_CALL();
	stream = stream_of(handle);
	callbacks_driver(
		CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, "cuStreamBeginCapture_v2", &params, NULL, NULL);
	/* The default stream cannot be captured. */
	if (stream == NULL || handle == NULL || stream->is_captured)
		code = CUDA_ERROR_ILLEGAL_STATE;
	else
		stream->graph = graph_new(stream);
	if (code == CUDA_SUCCESS)
		stream->is_captured = stream->graph != NULL;
	callbacks_driver(
		CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, "cuStreamBeginCapture_v2", &params, NULL, &code);
	return code == CUDA_SUCCESS ? cudaSuccess : cuda_note(cudaErrorIllegalState);
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *out)
{
	const cuStreamEndCapture_params params = {.hStream = (CUstream)handle};
	cudaStream_t stream;
	CUresult code = CUDA_SUCCESS;

	CUDA_CALL();
	stream = stream_of(handle);
	callbacks_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, "cuStreamEndCapture", &params, NULL, NULL);
	*out = NULL;
	if (stream == NULL || !stream->is_captured)
		code = CUDA_ERROR_ILLEGAL_STATE;
	else
		*out = stream->graph;
	if (*out != NULL)
		streams_end_capture(*out);
	callbacks_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, "cuStreamEndCapture", &params, NULL, &code);
	return code == CUDA_SUCCESS ? cudaSuccess : cuda_note(cudaErrorIllegalState);
}

/* ---- of the driver, for libraries inside a program ---- */

CUresult CUDAAPI cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus *status)
{
	cudaStream_t stream = stream_of((cudaStream_t)handle);

	STAND_IN_CALL(CUresult);
	if (stream == NULL)
		return CUDA_ERROR_INVALID_HANDLE;
	*status = stream->is_captured ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
	return CUDA_SUCCESS;
}

/* It would end captures. */
CUresult CUDAAPI cuCtxSynchronize(void)
{
	STAND_IN_CALL(CUresult);
	if (streams_are_captured())
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	device_wait();
	return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetDevice(CUdevice *out)
{
	STAND_IN_CALL(CUresult);
	*out = cuda_device();
	return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetUuid_v2(CUuuid *out, CUdevice device)
{
	STAND_IN_CALL(CUresult);
	*out = (CUuuid){{0}};
	out->bytes[15] = (char)(stand_in()->base + device + 1);
	return CUDA_SUCCESS;
}
