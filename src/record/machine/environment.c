/* environment.c: see environment.h. */
#include "record/machine/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names and effects are those of the CUDA programming guide (environment variables) and of the cuBLAS manual. */
static const struct {
	const char *name, *effect;
} variables[] = {
	{"CUDA_LAUNCH_BLOCKING", "launches wait for their end, so nothing overlaps"},
	{"CUDA_DEVICE_MAX_CONNECTIONS", "it limits how many streams run at once"},
	{"CUDA_DEVICE_WAITS_ON_EXCEPTION", "a debugger may stop the GPU"},
	{"CUDA_INJECTION64_PATH", "another tool is loaded into every pass"},
	{"NVTX_INJECTION64_PATH", "another tool takes the NVTX ranges"},
	{"NVIDIA_TF32_OVERRIDE", "it changes how cuBLAS computes"},
	{"CUBLAS_WORKSPACE_CONFIG", "it changes which kernels cuBLAS chooses"},
	{"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "it leaves only a share of the GPU"},
};

void environment_tell(void (*tell)(void *user, const char *sentence), void *user)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i].name);
		char sentence[512];

		if (!value || *value == '\0')
			continue;
		snprintf(sentence, sizeof(sentence), "%s is set (%.200s): %s", variables[i].name, value,
			variables[i].effect);
		tell(user, sentence);
	}
}

bool environment_launches_block(void)
{
	const char *value = getenv("CUDA_LAUNCH_BLOCKING");

	return value && *value != '\0' && strcmp(value, "0") != 0;
}
