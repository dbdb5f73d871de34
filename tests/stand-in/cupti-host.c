/* cupti-host.c: the profiler host interface of the stand-in's CUPTI: plans of metrics, and what counters are worth. It
 * knows one chip. */
#include "cupti-counters.h"

#include <cupti_profiler_host.h>
#include <stdlib.h>
#include <string.h>

struct CUpti_Profiler_Host_Object {
	size_t nmetrics;
};

static const char *const chips[] = {"GH100"};

CUptiResult CUPTIAPI cuptiProfilerHostGetSupportedChips(CUpti_Profiler_Host_GetSupportedChips_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_Profiler_Host_GetSupportedChips_Params))
		return CUPTI_ERROR_INVALID_PARAMETER;
	params->numChips = sizeof chips / sizeof chips[0];
	params->ppChipNames = chips;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params *params)
{
	const struct availability_image *available;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_Profiler_Host_Initialize_Params) || params->pChipName == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	available = (const void *)params->pCounterAvailabilityImage;
	if (available != NULL && available->magic == FOREIGN_MAGIC)
		abort();
	if (available != NULL && available->magic != AVAILABILITY_MAGIC)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (strcmp(params->pChipName, chips[0]) != 0)
		return CUPTI_ERROR_INVALID_CHIP_NAME;
	params->pHostObject = calloc(1, sizeof *params->pHostObject);
	return params->pHostObject == NULL ? CUPTI_ERROR_OUT_OF_MEMORY : CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_Profiler_Host_Deinitialize_Params) || params->pHostObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	free(params->pHostObject);
	return CUPTI_SUCCESS;
}

/* Unknown metrics are an unknown error, as they are to the real one. */
static CUptiResult check_metrics(const char **metrics, size_t n)
{
	if (metrics == NULL || n == 0)
		return CUPTI_ERROR_INVALID_PARAMETER;
	for (size_t i = 0; i < n; i++)
		if (!counter_is_known(metrics[i]))
			return CUPTI_ERROR_UNKNOWN;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params *params)
{
	CUptiResult code;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_Profiler_Host_ConfigAddMetrics_Params) || params->pHostObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	code = check_metrics(params->ppMetricNames, params->numMetrics);
	if (code == CUPTI_SUCCESS)
		params->pHostObject->nmetrics += params->numMetrics;
	return code;
}

CUptiResult CUPTIAPI cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_Profiler_Host_GetConfigImageSize_Params) || params->pHostObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (params->pHostObject->nmetrics == 0)
		return CUPTI_ERROR_UNKNOWN;
	params->configImageSize = sizeof(struct config_image);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params *params)
{
	size_t n;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_Profiler_Host_GetConfigImage_Params) || params->pHostObject == NULL ||
		params->pConfigImage == NULL || params->configImageSize < sizeof(struct config_image))
		return CUPTI_ERROR_INVALID_PARAMETER;
	n = params->pHostObject->nmetrics;
	*(struct config_image *)(void *)params->pConfigImage = (struct config_image){.magic = CONFIG_MAGIC,
		.passes = (uint32_t)((n + METRICS_OF_A_PASS - 1) / METRICS_OF_A_PASS),
		.nmetrics = (uint32_t)n};
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params *params)
{
	const struct config_image *config;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_Profiler_Host_GetNumOfPasses_Params))
		return CUPTI_ERROR_INVALID_PARAMETER;
	config = config_image_of(params->pConfigImage, params->configImageSize);
	if (config == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	params->numOfPasses = config->passes;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params *params)
{
	const struct counter_image *counters;
	CUptiResult code;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_Profiler_Host_EvaluateToGpuValues_Params) || params->pHostObject == NULL ||
		params->pMetricValues == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	counters = counter_image_of(params->pCounterDataImage, params->counterDataImageSize);
	if (counters == NULL || params->rangeIndex >= counters->n)
		return CUPTI_ERROR_INVALID_PARAMETER;
	code = check_metrics(params->ppMetricNames, params->numMetrics);
	for (size_t i = 0; code == CUPTI_SUCCESS && i < params->numMetrics; i++)
		params->pMetricValues[i] = counter_value(
			params->ppMetricNames[i], &counters->all[params->rangeIndex], counters->is_sampled);
	return code;
}
