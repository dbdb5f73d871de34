/* stand-in-counters.c: plans, ranges and PM samples of the stand-in's CUPTI: what they count is what
 * tests/stand-in/cupti-counters.h says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cupti.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "fixtures/stand-in-child.h"
#include "stand-in/work.h"

/* A kernel of stand_in_launch(). */
enum { KERNEL_NS = 1000, KERNEL_THREADS = 32 };

enum { NMETRICS = 4, IMAGE_SAMPLES = 16, INTERVAL_NS = 250 };

static const char *metrics[] = {"smsp__inst_executed.sum", "gpu__time_duration.sum",
	"smsp__warp_issue_stalled_barrier_per_warp_active.pct",
	"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"};

static CUcontext const context = (CUcontext)1;

static uint8_t *image, *config; /* one of each at a time */
static size_t image_size, config_size;
static CUpti_Profiler_Host_Object *host;

/* 1 + the sum of the characters % 5 */
static double weight(const char *metric)
{
	unsigned sum = 0;

	while (*metric != '\0')
		sum += (unsigned char)*metric++;
	return 1 + sum % 5;
}

/* ---- plans ---- */

static void forget_plan(void)
{
	if (host != NULL)
		CHECK(cuptiProfilerHostDeinitialize(PARAMS(CUpti_Profiler_Host_Deinitialize, .pHostObject = host)) ==
			CUPTI_SUCCESS);
	host = NULL;
	free(config);
	config = NULL;
}

/* Makes the configuration image for some metrics; the passes that they take, or 0 if they are refused. */
static size_t plan(const char **names, size_t n)
{
	CUpti_Profiler_Host_Initialize_Params *initialize = PARAMS(CUpti_Profiler_Host_Initialize,
		.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER, .pChipName = "GH100");
	CUpti_Profiler_Host_GetConfigImageSize_Params *size;
	CUpti_Profiler_Host_GetNumOfPasses_Params *passes;

	forget_plan();
	CHECK(cuptiProfilerHostInitialize(initialize) == CUPTI_SUCCESS);
	host = initialize->pHostObject;
	if (cuptiProfilerHostConfigAddMetrics(PARAMS(CUpti_Profiler_Host_ConfigAddMetrics, .pHostObject = host,
		    .ppMetricNames = names, .numMetrics = n)) != CUPTI_SUCCESS)
		return 0;
	size = PARAMS(CUpti_Profiler_Host_GetConfigImageSize, .pHostObject = host);
	CHECK(cuptiProfilerHostGetConfigImageSize(size) == CUPTI_SUCCESS);
	config_size = size->configImageSize;
	config = malloc(config_size);
	CHECK(cuptiProfilerHostGetConfigImage(PARAMS(CUpti_Profiler_Host_GetConfigImage, .pHostObject = host,
		      .configImageSize = config_size, .pConfigImage = config)) == CUPTI_SUCCESS);
	passes = PARAMS(CUpti_Profiler_Host_GetNumOfPasses, .configImageSize = config_size, .pConfigImage = config);
	CHECK(cuptiProfilerHostGetNumOfPasses(passes) == CUPTI_SUCCESS);
	return passes->numOfPasses;
}

static double value_of(size_t range, const char *metric)
{
	double value = -1;

	CHECK(cuptiProfilerHostEvaluateToGpuValues(PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues, .pHostObject = host,
		      .pCounterDataImage = image, .counterDataImageSize = image_size, .rangeIndex = range,
		      .ppMetricNames = &metric, .numMetrics = 1, .pMetricValues = &value)) == CUPTI_SUCCESS);
	return value;
}

static void plan_body(void)
{
	const char *many[17], *unknown[] = {"smsp__inst_executed.sum", "nope__x.sum"};

	for (int i = 0; i < 17; i++)
		many[i] = metrics[i % NMETRICS];
	CHECK(plan(metrics, NMETRICS) == 1);
	CHECK(plan(many, 17) == 3);
	CHECK(plan(unknown, 2) == 0);
	CHECK(cuptiProfilerHostInitialize(PARAMS(CUpti_Profiler_Host_Initialize, .pChipName = "GX9")) ==
		CUPTI_ERROR_INVALID_CHIP_NAME);
}

static void metrics_are_planned(void **state)
{
	(void)state;
	assert_int_equal(status_with("devices=1", plan_body), 0);
}

/* ---- ranges ---- */

static CUpti_RangeProfiler_Object *range_profiler;

static void open_ranges(CUpti_ProfilerRange kind, size_t ranges, const char **names, size_t n)
{
	CUpti_RangeProfiler_Enable_Params *enable = PARAMS(CUpti_RangeProfiler_Enable, .ctx = context);
	CUpti_RangeProfiler_GetCounterDataSize_Params *data;

	CHECK(plan(names, n) > 0);
	CHECK(cuptiRangeProfilerEnable(enable) == CUPTI_SUCCESS);
	range_profiler = enable->pRangeProfilerObject;
	data = PARAMS(CUpti_RangeProfiler_GetCounterDataSize, .pRangeProfilerObject = range_profiler,
		.pMetricNames = names, .numMetrics = n, .maxNumOfRanges = ranges,
		.maxNumRangeTreeNodes = (uint32_t)ranges);
	CHECK(cuptiRangeProfilerGetCounterDataSize(data) == CUPTI_SUCCESS);
	image_size = data->counterDataSize;
	image = malloc(image_size);
	CHECK(cuptiRangeProfilerCounterDataImageInitialize(PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize,
		      .pRangeProfilerObject = range_profiler, .counterDataSize = image_size, .pCounterData = image)) ==
		CUPTI_SUCCESS);
	CHECK(cuptiRangeProfilerSetConfig(PARAMS(CUpti_RangeProfiler_SetConfig, .pRangeProfilerObject = range_profiler,
		      .configSize = config_size, .pConfig = config, .counterDataImageSize = image_size,
		      .pCounterDataImage = image, .range = kind, .replayMode = CUPTI_UserReplay,
		      .maxRangesPerPass = ranges, .numNestingLevels = 1, .minNestingLevel = 1,
		      .targetNestingLevel = 1)) == CUPTI_SUCCESS);
}

/* Returns whether all passes are over. */
static bool replay(bool is_user, int kernels)
{
	CUpti_RangeProfiler_Stop_Params *stop =
		PARAMS(CUpti_RangeProfiler_Stop, .pRangeProfilerObject = range_profiler);

	CHECK(cuptiRangeProfilerStart(PARAMS(CUpti_RangeProfiler_Start, .pRangeProfilerObject = range_profiler)) ==
		CUPTI_SUCCESS);
	CHECK(cuptiRangeProfilerPushRange(PARAMS(CUpti_RangeProfiler_PushRange, .pRangeProfilerObject = range_profiler,
		      .pRangeName = "r")) == (is_user ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_OPERATION));
	for (int i = 0; i < kernels; i++)
		stand_in_launch("_Z1kv", true);
	CHECK(cuptiRangeProfilerPopRange(
		      PARAMS(CUpti_RangeProfiler_PopRange, .pRangeProfilerObject = range_profiler)) ==
		(is_user ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_OPERATION));
	CHECK(cuptiRangeProfilerStop(stop) == CUPTI_SUCCESS);
	return stop->isAllPassSubmitted != 0;
}

/* Returns the ranges in the image. */
static size_t decode(size_t dropped)
{
	CUpti_RangeProfiler_DecodeData_Params *data =
		PARAMS(CUpti_RangeProfiler_DecodeData, .pRangeProfilerObject = range_profiler);
	CUpti_RangeProfiler_GetCounterDataInfo_Params *info;

	CHECK(cuptiRangeProfilerDecodeData(data) == CUPTI_SUCCESS && data->numOfRangeDropped == dropped);
	info = PARAMS(
		CUpti_RangeProfiler_GetCounterDataInfo, .pCounterDataImage = image, .counterDataImageSize = image_size);
	CHECK(cuptiRangeProfilerGetCounterDataInfo(info) == CUPTI_SUCCESS);
	return info->numTotalRanges;
}

static void check_range(size_t range, int kernels)
{
	CHECK(value_of(range, metrics[0]) == weight(metrics[0]) * KERNEL_THREADS * kernels);
	CHECK(value_of(range, metrics[1]) == KERNEL_NS * kernels);
	CHECK(value_of(range, metrics[2]) == weight(metrics[2]));
	CHECK(value_of(range, metrics[3]) == weight(metrics[3]) / 10);
}

static void kernel_ranges_body(void)
{
	open_ranges(CUPTI_AutoRange, 3, metrics, NMETRICS);
	CHECK(replay(false, 3));
	CHECK(decode(0) == 3);
	for (size_t i = 0; i < 3; i++)
		check_range(i, 1);
	CHECK(replay(false, 5) && decode(2) == 3);
	CHECK(cuptiPmSamplingEnable(PARAMS(CUpti_PmSampling_Enable, .deviceIndex = 0)) == CUPTI_ERROR_HARDWARE_BUSY);
	CHECK(cuptiRangeProfilerDisable(PARAMS(CUpti_RangeProfiler_Disable, .pRangeProfilerObject = range_profiler)) ==
		CUPTI_SUCCESS);
	CHECK(cuptiPmSamplingEnable(PARAMS(CUpti_PmSampling_Enable, .deviceIndex = 0)) == CUPTI_SUCCESS);
}

static void user_range_body(void)
{
	const char *many[20];

	for (int i = 0; i < 20; i++)
		many[i] = metrics[i % NMETRICS];
	open_ranges(CUPTI_UserRange, 1, many, 20);
	CHECK(!replay(true, 4) && !replay(true, 4) && replay(true, 4));
	CHECK(decode(0) == 1);
	check_range(0, 4);
	CHECK(!replay(true, 0) && !replay(true, 0) && replay(true, 0) && decode(0) == 1);
	CHECK(value_of(0, metrics[0]) == 0 && isnan(value_of(0, metrics[2])));
}

static void ranges_are_counted_as_documented(void **state)
{
	(void)state;
	assert_int_equal(status_with("devices=1", kernel_ranges_body), 0);
	assert_int_equal(status_with("devices=1", user_range_body), 0);
}

/* ---- PM samples ---- */

static CUpti_PmSampling_Object *pm;

static void open_pm(const char **names, size_t n)
{
	CUpti_PmSampling_Enable_Params *enable = PARAMS(CUpti_PmSampling_Enable, .deviceIndex = 0);
	CUpti_PmSampling_GetCounterDataSize_Params *data;

	CHECK(plan(names, n) == 1 && cuptiPmSamplingEnable(enable) == CUPTI_SUCCESS);
	pm = enable->pPmSamplingObject;
	CHECK(cuptiPmSamplingSetConfig(
		      PARAMS(CUpti_PmSampling_SetConfig, .pPmSamplingObject = pm, .configSize = config_size,
			      .pConfig = config, .hardwareBufferSize = 1 << 28, .samplingInterval = INTERVAL_NS,
			      .triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL)) == CUPTI_SUCCESS);
	data = PARAMS(CUpti_PmSampling_GetCounterDataSize, .pPmSamplingObject = pm, .pMetricNames = names,
		.numMetrics = n, .maxSamples = IMAGE_SAMPLES);
	CHECK(cuptiPmSamplingGetCounterDataSize(data) == CUPTI_SUCCESS);
	image_size = data->counterDataSize;
	image = malloc(image_size);
}

/* Adds up what the samples of one image say; false after the last image. */
static bool add_samples(uint64_t *at, double *kernel_ns, double *percent)
{
	CUpti_PmSampling_DecodeData_Params *data = PARAMS(CUpti_PmSampling_DecodeData, .pPmSamplingObject = pm,
		.pCounterDataImage = image, .counterDataImageSize = image_size);
	CUpti_PmSampling_GetCounterDataInfo_Params *info = PARAMS(
		CUpti_PmSampling_GetCounterDataInfo, .pCounterDataImage = image, .counterDataImageSize = image_size);

	CHECK(cuptiPmSamplingCounterDataImageInitialize(PARAMS(CUpti_PmSampling_CounterDataImage_Initialize,
		      .pPmSamplingObject = pm, .counterDataSize = image_size, .pCounterData = image)) == CUPTI_SUCCESS);
	CHECK(cuptiPmSamplingDecodeData(data) == CUPTI_SUCCESS && data->overflow == 0);
	CHECK(cuptiPmSamplingGetCounterDataInfo(info) == CUPTI_SUCCESS);
	for (size_t i = 0; i < info->numCompletedSamples; i++) {
		CUpti_PmSampling_CounterData_GetSampleInfo_Params *sample =
			PARAMS(CUpti_PmSampling_CounterData_GetSampleInfo, .pPmSamplingObject = pm,
				.pCounterDataImage = image, .counterDataImageSize = image_size, .sampleIndex = i);

		CHECK(cuptiPmSamplingCounterDataGetSampleInfo(sample) == CUPTI_SUCCESS);
		CHECK((*at == 0 || sample->startTimestamp == *at) &&
			sample->endTimestamp == sample->startTimestamp + INTERVAL_NS);
		*at = sample->endTimestamp;
		*kernel_ns += value_of(i, "sm__cycles_active.sum");
		*percent += value_of(i, "sm__warps_active.avg.pct_of_peak_sustained_elapsed");
	}
	return data->decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
}

static void pm_body(void)
{
	const char *names[] = {"sm__cycles_active.sum", "sm__warps_active.avg.pct_of_peak_sustained_elapsed"};
	double kernel_ns = 0, percent = 0;
	uint64_t before, at = 0;
	int images = 1;

	open_pm(names, 2);
	CHECK(cuptiGetTimestamp(&before) == CUPTI_SUCCESS);
	CHECK(cuptiPmSamplingStart(PARAMS(CUpti_PmSampling_Start, .pPmSamplingObject = pm)) == CUPTI_SUCCESS);
	/* At once, so that samples hold parts of several. */
	for (int i = 0; i < 3; i++)
		stand_in_launch("_Z1kv", true);
	usleep(50);
	CHECK(cuptiPmSamplingStop(PARAMS(CUpti_PmSampling_Stop, .pPmSamplingObject = pm)) == CUPTI_SUCCESS);
	while (add_samples(&at, &kernel_ns, &percent))
		images++;
	CHECK(images > 1 && at > before);
	CHECK(fabs(kernel_ns - 3 * KERNEL_NS) < 1e-6);
	CHECK(fabs(percent - 100.0 * 3 * KERNEL_NS / INTERVAL_NS) < 1e-6);
}

static void pm_samples_hold_what_ran(void **state)
{
	(void)state;
	assert_int_equal(status_with("devices=1", pm_body), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metrics_are_planned),
		cmocka_unit_test(ranges_are_counted_as_documented),
		cmocka_unit_test(pm_samples_hold_what_ran),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
