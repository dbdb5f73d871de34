/* context.c: see context.h. */
#include "record/cupti/context.h"

#include <cuda_runtime_api.h>

int context_current(CUcontext *context, struct error *err)
{
	CUresult (*get)(CUcontext *) = NULL;
	enum cudaDriverEntryPointQueryResult found;
	cudaError_t code =
		cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", (void **)&get, 12000, cudaEnableDefault, &found);

	*context = NULL;
	if (code != cudaSuccess || found != cudaDriverEntryPointSuccess || get(context) != CUDA_SUCCESS || !*context)
		return error_set(err, "the CUDA context cannot be told");
	return 0;
}
