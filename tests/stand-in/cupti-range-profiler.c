/* cupti-range-profiler.c: the range profiler of the stand-in's CUPTI, with user replay. A kernel is a range, or what is
 * between push and pop; the last replay's counters are the ones that are decoded. */
#include "cupti-counters.h"

#include <pthread.h>
#include <stdlib.h>

enum { MAX_RANGES = 4096 };

struct CUpti_RangeProfiler_Object {
	uint32_t passes, pass; /* that the metrics take, and that were made */
	struct counter_image *image;
	bool is_user, is_started, is_pushed;
	bool is_warm, has_cold; /* a kernel ran since it was started; it was in a range */
	size_t n;               /* ranges of this pass */
	struct counted ranges[MAX_RANGES];
};

static CUpti_RangeProfiler_Object *active;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of it, and what is in it */

/* Having counted in one way, a process cannot in the other (H200, CUDA 13.0). */
static bool has_counted, counted_user;

static void add(struct counted *range, const struct stand_in_work *work)
{
	range->kernels++;
	range->kernel_ns += work->end - work->start;
	/* Threads of clusters count as often as a cluster has blocks, so that tests see which launches were counted. */
	range->threads += (uint64_t)work->grid[0] * work->grid[1] * work->grid[2] * work->block[0] * work->block[1] *
			  work->block[2] * (work->cluster > 0 ? work->cluster : 1);
}

/* Behind each kernel. Caches are cold since the profiler was started, not since it was enabled. */
static void warm_up(CUpti_RangeProfiler_Object *o)
{
	if (!o->is_started)
		return;
	if (!o->is_warm)
		o->has_cold = stand_in()->cold && o->n > 0;
	o->is_warm = true;
}

void range_profiler_work(const struct stand_in_work *work)
{
	CUpti_RangeProfiler_Object *o;

	if (work->kind != STAND_IN_KERNEL)
		return;
	pthread_mutex_lock(&lock);
	o = active;
	if (o != NULL && o->is_started && o->is_pushed && o->n > 0 && o->n <= MAX_RANGES) {
		add(&o->ranges[o->n - 1], work);
	} else if (o != NULL && o->is_started && !o->is_user) {
		if (o->n < MAX_RANGES) {
			o->ranges[o->n] = (struct counted){0};
			add(&o->ranges[o->n], work);
		}
		o->n++;
	}
	if (o != NULL)
		warm_up(o);
	pthread_mutex_unlock(&lock);
}

/* ---- CUPTI ---- */

CUptiResult CUPTIAPI cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params *params)
{
	CUptiResult code;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_RangeProfiler_Enable_Params) || params->ctx == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	code = counters_take();
	if (code != CUPTI_SUCCESS)
		return code;
	params->pRangeProfilerObject = calloc(1, sizeof *params->pRangeProfilerObject);
	if (params->pRangeProfilerObject == NULL) {
		counters_release();
		return CUPTI_ERROR_OUT_OF_MEMORY;
	}
	pthread_mutex_lock(&lock);
	active = params->pRangeProfilerObject;
	pthread_mutex_unlock(&lock);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_RangeProfiler_Disable_Params) || params->pRangeProfilerObject == NULL ||
		params->pRangeProfilerObject != active)
		return CUPTI_ERROR_INVALID_PARAMETER;
	pthread_mutex_lock(&lock);
	free(active);
	active = NULL;
	pthread_mutex_unlock(&lock);
	counters_release();
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_RangeProfiler_GetCounterDataSize_Params) || params->pRangeProfilerObject == NULL ||
		params->pMetricNames == NULL || params->numMetrics == 0 || params->maxNumOfRanges == 0 ||
		params->maxNumRangeTreeNodes < params->maxNumOfRanges)
		return CUPTI_ERROR_INVALID_PARAMETER;
	params->counterDataSize = counter_image_size(params->maxNumOfRanges);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerCounterDataImageInitialize(
	CUpti_RangeProfiler_CounterDataImage_Initialize_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_RangeProfiler_CounterDataImage_Initialize_Params) ||
		params->pRangeProfilerObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	return counter_image_initialize(params->pCounterData, params->counterDataSize, false);
}

CUptiResult CUPTIAPI cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params *params)
{
	const struct config_image *config;
	CUpti_RangeProfiler_Object *o;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_RangeProfiler_SetConfig_Params) || params->pRangeProfilerObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	o = params->pRangeProfilerObject;
	config = config_image_of(params->pConfig, params->configSize);
	o->image = counter_image_of(params->pCounterDataImage, params->counterDataImageSize);
	if (config == NULL || o->image == NULL || params->maxRangesPerPass == 0 || params->numNestingLevels == 0 ||
		params->minNestingLevel == 0)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (params->replayMode != CUPTI_UserReplay)
		return CUPTI_ERROR_NOT_SUPPORTED;
	o->passes = config->passes;
	o->pass = 0;
	o->is_user = params->range == CUPTI_UserRange;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params *params)
{
	CUpti_RangeProfiler_Object *o;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_RangeProfiler_Start_Params) || params->pRangeProfilerObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	o = params->pRangeProfilerObject;
	if (o->image == NULL || o->is_started)
		return CUPTI_ERROR_INVALID_OPERATION;
	if (has_counted && o->is_user != counted_user)
		return CUPTI_ERROR_UNKNOWN;
	pthread_mutex_lock(&lock);
	has_counted = true;
	counted_user = o->is_user;
	o->is_started = true;
	o->n = 0;
	pthread_mutex_unlock(&lock);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params *params)
{
	CUpti_RangeProfiler_Object *o;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_RangeProfiler_PushRange_Params) || params->pRangeProfilerObject == NULL ||
		params->pRangeName == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	o = params->pRangeProfilerObject;
	if (!o->is_user || !o->is_started || o->is_pushed)
		return CUPTI_ERROR_INVALID_OPERATION;
	pthread_mutex_lock(&lock);
	o->is_pushed = true;
	if (o->n < MAX_RANGES)
		o->ranges[o->n] = (struct counted){0};
	o->n++;
	pthread_mutex_unlock(&lock);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerPopRange(CUpti_RangeProfiler_PopRange_Params *params)
{
	CUpti_RangeProfiler_Object *o;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_RangeProfiler_PopRange_Params) || params->pRangeProfilerObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	o = params->pRangeProfilerObject;
	if (!o->is_pushed)
		return CUPTI_ERROR_INVALID_OPERATION;
	pthread_mutex_lock(&lock);
	o->is_pushed = false;
	pthread_mutex_unlock(&lock);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params *params)
{
	CUpti_RangeProfiler_Object *o;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_RangeProfiler_Stop_Params) || params->pRangeProfilerObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	o = params->pRangeProfilerObject;
	if (!o->is_started)
		return CUPTI_ERROR_INVALID_OPERATION;
	pthread_mutex_lock(&lock);
	o->is_started = o->is_pushed = false;
	params->passIndex = ++o->pass;
	params->targetNestingLevel = 1;
	params->isAllPassSubmitted = o->pass >= o->passes;
	pthread_mutex_unlock(&lock);
	return CUPTI_SUCCESS;
}

/* Ranges that the image has no room for are dropped. */
CUptiResult CUPTIAPI cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params *params)
{
	static bool is_decoded;
	CUpti_RangeProfiler_Object *o;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_RangeProfiler_DecodeData_Params) || params->pRangeProfilerObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	o = params->pRangeProfilerObject;
	if (o->image == NULL || o->is_started || o->pass < o->passes)
		return CUPTI_ERROR_INVALID_OPERATION;
	o->image->n = 0;
	for (size_t i = 0; i < o->n && i < MAX_RANGES && i < o->image->room; i++) {
		o->image->all[o->image->n] = o->ranges[i];
		o->image->all[o->image->n].threads *= stand_in()->odd && !is_decoded ? 4 : 1;
		o->image->all[o->image->n].threads *= stand_in()->heavy ? 8 : 1;
		o->image->all[o->image->n++].threads *= o->has_cold ? 2 : 1;
		is_decoded = true;
	}
	params->numOfRangeDropped = o->n - o->image->n;
	o->pass = 0;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params *params)
{
	const struct counter_image *counters;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_RangeProfiler_GetCounterDataInfo_Params))
		return CUPTI_ERROR_INVALID_PARAMETER;
	counters = counter_image_of(params->pCounterDataImage, params->counterDataImageSize);
	if (counters == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	params->numTotalRanges = counters->n;
	return CUPTI_SUCCESS;
}
