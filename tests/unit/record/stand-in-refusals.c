/* stand-in-refusals.c: what the profiling interfaces of the stand-in's CUPTI refuse, as the real ones do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cupti.h>
#include <cupti_pcsampling.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include "fixtures/stand-in-child.h"

static CUcontext const context = (CUcontext)1;

/* ---- sizes ---- */

#define REFUSES_SIZES(function, type)                                                                                  \
	do {                                                                                                           \
		type##_Params shorter = {.structSize = type##_Params_STRUCT_SIZE - 1};                                 \
		type##_Params longer = {.structSize = type##_Params_STRUCT_SIZE + 1};                                  \
		CHECK(function(&shorter) == CUPTI_ERROR_INVALID_PARAMETER);                                            \
		CHECK(function(&longer) == CUPTI_ERROR_INVALID_PARAMETER);                                             \
	} while (0)

static void profiler_sizes_body(void)
{
	REFUSES_SIZES(cuptiProfilerInitialize, CUpti_Profiler_Initialize);
	REFUSES_SIZES(cuptiProfilerDeInitialize, CUpti_Profiler_DeInitialize);
	REFUSES_SIZES(cuptiDeviceGetChipName, CUpti_Device_GetChipName);
	REFUSES_SIZES(cuptiProfilerGetCounterAvailability, CUpti_Profiler_GetCounterAvailability);
	REFUSES_SIZES(cuptiProfilerHostInitialize, CUpti_Profiler_Host_Initialize);
	REFUSES_SIZES(cuptiProfilerHostDeinitialize, CUpti_Profiler_Host_Deinitialize);
	REFUSES_SIZES(cuptiProfilerHostGetSupportedChips, CUpti_Profiler_Host_GetSupportedChips);
	REFUSES_SIZES(cuptiProfilerHostConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics);
	REFUSES_SIZES(cuptiProfilerHostGetConfigImageSize, CUpti_Profiler_Host_GetConfigImageSize);
	REFUSES_SIZES(cuptiProfilerHostGetConfigImage, CUpti_Profiler_Host_GetConfigImage);
	REFUSES_SIZES(cuptiProfilerHostGetNumOfPasses, CUpti_Profiler_Host_GetNumOfPasses);
	REFUSES_SIZES(cuptiProfilerHostEvaluateToGpuValues, CUpti_Profiler_Host_EvaluateToGpuValues);
	REFUSES_SIZES(cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable);
	REFUSES_SIZES(cuptiRangeProfilerDisable, CUpti_RangeProfiler_Disable);
	REFUSES_SIZES(cuptiRangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig);
	REFUSES_SIZES(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start);
	REFUSES_SIZES(cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop);
	REFUSES_SIZES(cuptiRangeProfilerPushRange, CUpti_RangeProfiler_PushRange);
	REFUSES_SIZES(cuptiRangeProfilerPopRange, CUpti_RangeProfiler_PopRange);
	REFUSES_SIZES(cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData);
	REFUSES_SIZES(cuptiRangeProfilerGetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize);
	REFUSES_SIZES(cuptiRangeProfilerCounterDataImageInitialize, CUpti_RangeProfiler_CounterDataImage_Initialize);
	REFUSES_SIZES(cuptiRangeProfilerGetCounterDataInfo, CUpti_RangeProfiler_GetCounterDataInfo);
}

static void sampling_sizes_body(void)
{
	CUpti_PCSamplingEnableParams enable = {.size = CUpti_PCSamplingEnableParamsSize - 1, .ctx = context};
	CUpti_GetCubinCrcParams crc = {.size = CUpti_GetCubinCrcParamsSize - 1, .cubin = "c", .cubinSize = 1};

	REFUSES_SIZES(cuptiPmSamplingEnable, CUpti_PmSampling_Enable);
	REFUSES_SIZES(cuptiPmSamplingDisable, CUpti_PmSampling_Disable);
	REFUSES_SIZES(cuptiPmSamplingSetConfig, CUpti_PmSampling_SetConfig);
	REFUSES_SIZES(cuptiPmSamplingStart, CUpti_PmSampling_Start);
	REFUSES_SIZES(cuptiPmSamplingStop, CUpti_PmSampling_Stop);
	REFUSES_SIZES(cuptiPmSamplingDecodeData, CUpti_PmSampling_DecodeData);
	REFUSES_SIZES(cuptiPmSamplingGetCounterAvailability, CUpti_PmSampling_GetCounterAvailability);
	REFUSES_SIZES(cuptiPmSamplingGetCounterDataSize, CUpti_PmSampling_GetCounterDataSize);
	REFUSES_SIZES(cuptiPmSamplingCounterDataImageInitialize, CUpti_PmSampling_CounterDataImage_Initialize);
	REFUSES_SIZES(cuptiPmSamplingGetCounterDataInfo, CUpti_PmSampling_GetCounterDataInfo);
	REFUSES_SIZES(cuptiPmSamplingCounterDataGetSampleInfo, CUpti_PmSampling_CounterData_GetSampleInfo);
	CHECK(cuptiPCSamplingEnable(&enable) == CUPTI_ERROR_INVALID_PARAMETER);
	CHECK(cuptiGetCubinCrc(&crc) == CUPTI_ERROR_INVALID_PARAMETER);
}

/* ---- permission, drivers, devices ---- */

static void no_permission_body(void)
{
	CUpti_PCSamplingEnableParams pc = {.size = CUpti_PCSamplingEnableParamsSize, .ctx = context};

	CHECK(cuptiProfilerInitialize(PARAMS(CUpti_Profiler_Initialize, .pPriv = NULL)) == CUPTI_SUCCESS);
	CHECK(cuptiProfilerGetCounterAvailability(PARAMS(CUpti_Profiler_GetCounterAvailability, .ctx = NULL)) ==
		CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
	CHECK(cuptiRangeProfilerEnable(PARAMS(CUpti_RangeProfiler_Enable, .ctx = context)) ==
		CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
	CHECK(cuptiPmSamplingEnable(PARAMS(CUpti_PmSampling_Enable, .deviceIndex = 0)) ==
		CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
	CHECK(cuptiPCSamplingEnable(&pc) == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
}

static void old_driver_body(void)
{
	CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME) == CUPTI_ERROR_NOT_COMPATIBLE);
}

static void no_device_body(void)
{
	CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME) == CUPTI_ERROR_NOT_INITIALIZED);
	CHECK(cuptiProfilerInitialize(PARAMS(CUpti_Profiler_Initialize, .pPriv = NULL)) != CUPTI_SUCCESS);
	CHECK(cuptiDeviceGetChipName(PARAMS(CUpti_Device_GetChipName, .deviceIndex = 0)) != CUPTI_SUCCESS);
}

static void structs_of_another_size_are_refused(void **state)
{
	(void)state;
	assert_int_equal(status_with("devices=1", profiler_sizes_body), 0);
	assert_int_equal(status_with("devices=1", sampling_sizes_body), 0);
}

static void permission_driver_and_device_are_needed(void **state)
{
	(void)state;
	assert_int_equal(status_with("no_permission", no_permission_body), 0);
	assert_int_equal(status_with("driver=11040", old_driver_body), 0);
	assert_int_equal(status_with("devices=0", no_device_body), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(structs_of_another_size_are_refused),
		cmocka_unit_test(permission_driver_and_device_are_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
