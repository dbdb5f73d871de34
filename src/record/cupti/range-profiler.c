/* range-profiler.c: see range-profiler.h. */
#include "record/cupti/range-profiler.h"

#include <stdio.h>
#include <stdlib.h>

#include "record/cupti/context.h"
#include "util/alloc.h"

/* No set takes so many replays. A profiler that wants more would never end. */
enum { MAX_REPLAYS = 1000 };

static int range_profiler_failed(
	const struct range_profiler *range, CUptiResult code, const char *what, struct error *err)
{
	return cupti_error(range->profiler->cupti, err, code, what);
}

uint8_t *range_profiler_availability(const struct profiler *profiler, struct error *err)
{
	CUpti_Profiler_GetCounterAvailability_Params params = {
		.structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE,
		.counterAvailabilityImageSize = PROFILER_AVAILABILITY_SIZE,
		.pCounterAvailabilityImage = xcalloc(1, PROFILER_AVAILABILITY_SIZE)};
	CUptiResult code;

	code = profiler->cuptiProfilerGetCounterAvailability(&params);
	if (code == CUPTI_SUCCESS)
		return params.pCounterAvailabilityImage;
	free(params.pCounterAvailabilityImage);
	cupti_error(profiler->cupti, err, code, "CUPTI does not say what can be counted");
	return NULL;
}

static int range_profiler_enable(struct range_profiler *range, struct error *err)
{
	CUpti_RangeProfiler_Enable_Params params = {.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE};
	CUptiResult code;

	if (context_current(&params.ctx, err) < 0)
		return -1;
	code = range->profiler->cuptiRangeProfilerEnable(&params);
	if (code != CUPTI_SUCCESS)
		return range_profiler_failed(range, code, "the range profiler cannot begin", err);
	range->object = params.pRangeProfilerObject;
	return 0;
}

/* Errors do not matter: the process ends soon, and gives all back. */
static void range_profiler_disable(struct range_profiler *range)
{
	CUpti_RangeProfiler_Disable_Params params = {
		.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE, .pRangeProfilerObject = range->object};

	if (range->object)
		(void)range->profiler->cuptiRangeProfilerDisable(&params);
	range->object = NULL;
}

int range_profiler_open(struct range_profiler *range, const struct profiler *profiler, struct error *err)
{
	*range = (struct range_profiler){.profiler = profiler};
	return range_profiler_enable(range, err);
}

void range_profiler_close(struct range_profiler *range)
{
	range_profiler_disable(range);
	free(range->image);
	*range = (struct range_profiler){0};
}

/* After a count that was broken off CUPTI is still in the middle of it. */
static int reopen(struct range_profiler *range, struct error *err)
{
	range_profiler_disable(range);
	return range_profiler_enable(range, err);
}

/* ---- configuration ---- */

static int range_profiler_make_image(struct range_profiler *range, int ranges, struct error *err)
{
	const struct profiler *profiler = range->profiler;
	CUpti_RangeProfiler_GetCounterDataSize_Params size = {
		.structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE,
		.pRangeProfilerObject = range->object,
		.pMetricNames = (const char **)range->metrics,
		.numMetrics = (size_t)range->nmetrics,
		.maxNumOfRanges = (size_t)ranges,
		.maxNumRangeTreeNodes = (uint32_t)ranges,
	};
	CUpti_RangeProfiler_CounterDataImage_Initialize_Params initialize = {
		.structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE,
		.pRangeProfilerObject = range->object,
	};
	CUptiResult code = profiler->cuptiRangeProfilerGetCounterDataSize(&size);

	if (code != CUPTI_SUCCESS)
		return range_profiler_failed(range, code, "the range profiler cannot tell the size of its data", err);
	free(range->image);
	range->image_size = initialize.counterDataSize = size.counterDataSize;
	range->image = initialize.pCounterData = xmalloc(size.counterDataSize);
	code = profiler->cuptiRangeProfilerCounterDataImageInitialize(&initialize);
	return code == CUPTI_SUCCESS
		       ? 0
		       : range_profiler_failed(range, code, "the range profiler's data cannot be prepared", err);
}

static int cupti_range_profiler_configure(struct range_profiler *range, int ranges, struct error *err)
{
	CUpti_RangeProfiler_SetConfig_Params params = {
		.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE,
		.pRangeProfilerObject = range->object,
		.range = range->scope == RANGE_KERNEL ? CUPTI_AutoRange : CUPTI_UserRange,
		.replayMode = CUPTI_UserReplay,
		.maxRangesPerPass = (size_t)ranges,
		.numNestingLevels = 1,
		.minNestingLevel = 1,
		.targetNestingLevel = 1,
	};
	CUptiResult code;

	if (range_profiler_make_image(range, ranges, err) < 0)
		return -1;
	params.pConfig = metric_plan_image(range->plan, &params.configSize);
	params.pCounterDataImage = range->image;
	params.counterDataImageSize = range->image_size;
	code = range->profiler->cuptiRangeProfilerSetConfig(&params);
	return code == CUPTI_SUCCESS
		       ? 0
		       : range_profiler_failed(range, code, "the range profiler does not take its settings", err);
}

int range_profiler_configure(struct range_profiler *range, const struct metric_plan *plan, const char *const *metrics,
	int nmetrics, enum range_scope scope, int ranges, struct error *err)
{
	int result = range->broken ? reopen(range, err) : 0;

	range->plan = plan;
	range->metrics = metrics;
	range->nmetrics = nmetrics;
	range->scope = scope;
	if (result == 0)
		result = cupti_range_profiler_configure(range, ranges, err);
	range->broken = result < 0;
	return result;
}

/* ---- counting ---- */

static int range_profiler_start(const struct range_profiler *range, struct error *err)
{
	CUpti_RangeProfiler_Start_Params params = {
		.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE, .pRangeProfilerObject = range->object};
	CUptiResult code = range->profiler->cuptiRangeProfilerStart(&params);

	return code == CUPTI_SUCCESS ? 0 : range_profiler_failed(range, code, "the range profiler does not start", err);
}

/* 1: all counters were collected; 0: once more; -1. */
static int stop(const struct range_profiler *range, struct error *err)
{
	CUpti_RangeProfiler_Stop_Params params = {
		.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE, .pRangeProfilerObject = range->object};
	CUptiResult code = range->profiler->cuptiRangeProfilerStop(&params);

	if (code != CUPTI_SUCCESS)
		return range_profiler_failed(range, code, "the range profiler does not stop", err);
	return params.isAllPassSubmitted != 0;
}

/* Each kernel is a range by itself. Names differ, because ranges with one name would be one. Sorted as texts they are
 * in order, too. */
static int range_profiler_push(const struct range_profiler *range, int item, struct error *err)
{
	char name[16];
	CUpti_RangeProfiler_PushRange_Params params = {
		.structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE,
		.pRangeProfilerObject = range->object,
		.pRangeName = name,
	};
	CUptiResult code = CUPTI_SUCCESS;

	snprintf(name, sizeof(name), "%06d", item);
	if (range->scope == RANGE_LAUNCH)
		code = range->profiler->cuptiRangeProfilerPushRange(&params);
	return code == CUPTI_SUCCESS ? 0 : range_profiler_failed(range, code, "the range profiler opens no range", err);
}

static int pop(const struct range_profiler *range, struct error *err)
{
	CUpti_RangeProfiler_PopRange_Params params = {
		.structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE, .pRangeProfilerObject = range->object};
	CUptiResult code = CUPTI_SUCCESS;

	if (range->scope == RANGE_LAUNCH)
		code = range->profiler->cuptiRangeProfilerPopRange(&params);
	return code == CUPTI_SUCCESS ? 0
				     : range_profiler_failed(range, code, "the range profiler closes no range", err);
}

/* Brings the counters from the hardware into the image. Returns the number of ranges, or -1. */
static int range_profiler_decode(const struct range_profiler *range, struct error *err)
{
	CUpti_RangeProfiler_DecodeData_Params data = {
		.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE, .pRangeProfilerObject = range->object};
	CUpti_RangeProfiler_GetCounterDataInfo_Params info = {
		.structSize = CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE,
		.pCounterDataImage = range->image,
		.counterDataImageSize = range->image_size,
	};
	CUptiResult code = range->profiler->cuptiRangeProfilerDecodeData(&data);

	if (code != CUPTI_SUCCESS)
		return range_profiler_failed(range, code, "the counters cannot be decoded", err);
	if (data.numOfRangeDropped > 0)
		return error_set(err, "counters of %zu kernel%s were lost", data.numOfRangeDropped,
			data.numOfRangeDropped == 1 ? "" : "s");
	code = range->profiler->cuptiRangeProfilerGetCounterDataInfo(&info);
	return code == CUPTI_SUCCESS ? (int)info.numTotalRanges
				     : range_profiler_failed(range, code, "the counters cannot be read", err);
}

/* 0, or what range_profiler_count() returns. */
static int range_profiler_run_item(
	const struct range_profiler *range, int (*run)(void *user, int item), void *user, int item, struct error *err)
{
	int ran;

	if (run(user, item) != 0)
		return -2;
	if (range_profiler_push(range, item, err) < 0)
		return -1;
	ran = run(user, item);
	if (pop(range, ran == 0 ? err : NULL) < 0 && ran == 0)
		return -1;
	return ran == 0 ? 0 : -2;
}

static int cupti_range_profiler_count(
	struct range_profiler *range, int (*run)(void *user, int item), void *user, int n, struct error *err)
{
	for (int replay = 0; replay < MAX_REPLAYS; replay++) {
		int ran = 0, all;

		if (range_profiler_start(range, err) < 0)
			return -1;
		for (int i = 0; i < n && ran == 0; i++)
			ran = range_profiler_run_item(range, run, user, i, err);
		all = stop(range, ran == 0 ? err : NULL);
		if (ran < 0)
			return ran;
		if (all < 0)
			return -1;
		if (all > 0)
			return range_profiler_decode(range, err);
	}
	return error_set(err, "the range profiler wants more than %d replays", MAX_REPLAYS);
}

int range_profiler_count(
	struct range_profiler *range, int (*run)(void *user, int item), void *user, int n, struct error *err)
{
	int found = cupti_range_profiler_count(range, run, user, n, err);

	range->broken = found < 0;
	return found;
}

int range_profiler_values(const struct range_profiler *range, size_t index, double *values, struct error *err)
{
	return metric_plan_evaluate(range->plan, range->image, range->image_size, index, values, err);
}
