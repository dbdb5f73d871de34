/* session.c: see session.h. */
#include "contrast/count/session.h"

#include <dlfcn.h>
#include <stdlib.h>

/* The name of the first function that is missing, or NULL. */
static const char *session_load(struct session *session)
{
	/* clang-format off */
#define LOAD(name) \
	*(void **)&session->name = dlsym(session->cupti->handle, #name); \
	if (!session->name) \
		return #name;
	RANGE_PROFILER_FUNCTIONS(LOAD)
#undef LOAD
	/* clang-format on */
	return NULL;
}

int session_prepare(struct session *session, const struct cupti *cupti, struct error *err)
{
	const char *missing;

	*session = (struct session){.cupti = cupti};
	missing = session_load(session);
	return missing ? error_set(err, "%s has no %s: install CUPTI 12.8 or later", cupti->path, missing) : 0;
}

/* 0 for success; else -1 with `err`. */
static int session_check(const struct session *session, CUptiResult code, const char *what, struct error *err)
{
	return code == CUPTI_SUCCESS ? 0 : cupti_error(session->cupti, err, code, what);
}

static int session_initialize(struct session *session, struct error *err)
{
	CUpti_Profiler_Initialize_Params params = {.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE};

	if (session->is_initialized)
		return 0;
	if (session_check(session, session->cuptiProfilerInitialize(&params), "CUPTI's profiler does not start", err) <
		0)
		return -1;
	session->is_initialized = true;
	return 0;
}

const char *session_chip(struct session *session, int device, struct error *err)
{
	CUpti_Device_GetChipName_Params params = {
		.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE, .deviceIndex = (size_t)device};

	if (session_initialize(session, err) < 0 || session_check(session, session->cuptiDeviceGetChipName(&params),
							    "CUPTI does not know this GPU", err) < 0)
		return NULL;
	return params.pChipName;
}

uint8_t *session_availability(struct session *session, size_t *size, struct error *err)
{
	CUpti_Profiler_GetCounterAvailability_Params params = {
		.structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE,
		.counterAvailabilityImageSize = PROFILER_AVAILABILITY_SIZE,
		.pCounterAvailabilityImage = calloc(1, PROFILER_AVAILABILITY_SIZE),
	};

	*size = PROFILER_AVAILABILITY_SIZE;
	if (!params.pCounterAvailabilityImage) {
		error_system(err, "the program has no memory left for counters");
		return NULL;
	}
	if (session_initialize(session, err) == 0 &&
		session_check(session, session->cuptiProfilerGetCounterAvailability(&params),
			"CUPTI does not say what can be counted", err) == 0)
		return params.pCounterAvailabilityImage;
	free(params.pCounterAvailabilityImage);
	return NULL;
}

static int session_enable(struct session *session, CUcontext context, struct error *err)
{
	CUpti_RangeProfiler_Enable_Params params = {
		.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE, .ctx = context};

	if (session_check(session, session->cuptiRangeProfilerEnable(&params), "the range profiler cannot begin", err) <
		0)
		return -1;
	session->object = params.pRangeProfilerObject;
	session->context = context;
	return 0;
}

static int session_make_image(struct session *session, const struct count_group *group, struct error *err)
{
	CUpti_RangeProfiler_GetCounterDataSize_Params size = {
		.structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE,
		.pRangeProfilerObject = session->object,
		.pMetricNames = group->metrics,
		.numMetrics = group->nmetrics,
		.maxNumOfRanges = 1,
		.maxNumRangeTreeNodes = 1,
	};
	CUpti_RangeProfiler_CounterDataImage_Initialize_Params initialize = {
		.structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE,
		.pRangeProfilerObject = session->object,
	};

	if (session_check(session, session->cuptiRangeProfilerGetCounterDataSize(&size),
		    "the range profiler cannot tell the size of its data", err) < 0)
		return -1;
	session->image = malloc(size.counterDataSize);
	if (!session->image)
		return error_system(err, "the program has no memory left for counters");
	session->image_size = initialize.counterDataSize = size.counterDataSize;
	initialize.pCounterData = session->image;
	return session_check(session, session->cuptiRangeProfilerCounterDataImageInitialize(&initialize),
		"the range profiler's data cannot be prepared", err);
}

static int session_configure(const struct session *session, const struct count_group *group, struct error *err)
{
	CUpti_RangeProfiler_SetConfig_Params params = {
		.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE,
		.pRangeProfilerObject = session->object,
		.configSize = group->image_size,
		.pConfig = group->image,
		.counterDataImageSize = session->image_size,
		.pCounterDataImage = session->image,
		.range = CUPTI_UserRange,
		.replayMode = CUPTI_UserReplay,
		.maxRangesPerPass = 1,
		.numNestingLevels = 1,
		.minNestingLevel = 1,
		.targetNestingLevel = 1,
	};

	return session_check(session, session->cuptiRangeProfilerSetConfig(&params),
		"the range profiler does not take its settings", err);
}

int session_open(struct session *session, CUcontext context, const struct count_group *group, struct error *err)
{
	if (session_initialize(session, err) == 0 && session_enable(session, context, err) == 0 &&
		session_make_image(session, group, err) == 0 && session_configure(session, group, err) == 0)
		return 0;
	session_close(session);
	return -1;
}

/* An error does not matter: what was counted is out, or is lost. */
void session_close(struct session *session)
{
	CUpti_RangeProfiler_Stop_Params stop = {
		.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE, .pRangeProfilerObject = session->object};
	CUpti_RangeProfiler_Disable_Params disable = {
		.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE, .pRangeProfilerObject = session->object};

	if (session->is_started)
		(void)session->cuptiRangeProfilerStop(&stop);
	if (session->object)
		(void)session->cuptiRangeProfilerDisable(&disable);
	free(session->image);
	session->object = NULL;
	session->is_started = false;
	session->context = NULL;
	session->image = NULL;
}

int session_arm(struct session *session, struct error *err)
{
	CUpti_RangeProfiler_Start_Params start = {
		.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE, .pRangeProfilerObject = session->object};

	if (session->is_started)
		return 0;
	if (session_check(session, session->cuptiRangeProfilerStart(&start), "the range profiler does not start", err) <
		0)
		return -1;
	session->is_started = true;
	return 0;
}

int session_begin(struct session *session, struct error *err)
{
	CUpti_RangeProfiler_PushRange_Params push = {.structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE,
		.pRangeProfilerObject = session->object,
		.pRangeName = "launch"};

	if (session_arm(session, err) < 0)
		return -1;
	return session_check(
		session, session->cuptiRangeProfilerPushRange(&push), "the range profiler opens no range", err);
}

int session_end(struct session *session, struct error *err)
{
	CUpti_RangeProfiler_PopRange_Params pop = {
		.structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE, .pRangeProfilerObject = session->object};
	CUpti_RangeProfiler_Stop_Params stop = {
		.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE, .pRangeProfilerObject = session->object};

	if (session_check(session, session->cuptiRangeProfilerPopRange(&pop), "the range profiler closes no range",
		    err) < 0 ||
		session_check(
			session, session->cuptiRangeProfilerStop(&stop), "the range profiler does not stop", err) < 0)
		return -1;
	session->is_started = false;
	return stop.isAllPassSubmitted != 0;
}

int session_decode(const struct session *session, struct error *err)
{
	CUpti_RangeProfiler_DecodeData_Params params = {.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE,
		.pRangeProfilerObject = session->object};

	return session_check(session, session->cuptiRangeProfilerDecodeData(&params),
		"the counters cannot be read from the GPU", err);
}
