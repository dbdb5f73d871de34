/* pm-session.c: see pm-session.h. */
#include "record/cupti/pm/pm-session.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "record/cupti/profiler.h"

/* Of the hardware buffer (bytes). The 1000 samples of a launch were lost with 4 MiB and not with 8 (H100, CUDA 13.0);
 * setting it up takes 0.06 s with 16 MiB and 0.12 with 128. */
static const size_t BUFFER_LEAST = (size_t)16 << 20, BUFFER_MOST = (size_t)128 << 20, BUFFER_SAMPLE = (size_t)24 << 10;

/* 0 for success; else -1 with `err`. */
static int pm_session_check(const struct pm_session *pm, CUptiResult code, const char *what, struct error *err)
{
	return code == CUPTI_SUCCESS ? 0 : cupti_error(pm->cupti, err, code, what);
}

/* The name of the first function that is missing, or NULL. */
static const char *pm_session_load(struct pm_session *pm)
{
	/* clang-format off */
#define LOAD(name) \
	*(void **)&pm->name = dlsym(pm->cupti->handle, #name); \
	if (!pm->name) \
		return #name;
	PM_SESSION_FUNCTIONS(LOAD)
#undef LOAD
	/* clang-format on */
	return NULL;
}

int pm_session_prepare(struct pm_session *pm, const struct cupti *cupti, struct error *err)
{
	const char *missing;

	*pm = (struct pm_session){.cupti = cupti};
	missing = pm_session_load(pm);
	return missing ? error_set(err, "%s has no %s: install CUPTI 12.8 or later", cupti->path, missing) : 0;
}

/* It may be called again. */
static int pm_session_initialize(const struct pm_session *pm, struct error *err)
{
	CUpti_Profiler_Initialize_Params params = {.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE};

	return pm_session_check(pm, pm->cuptiProfilerInitialize(&params), "CUPTI's profiler does not start", err);
}

const char *pm_session_chip(const struct pm_session *pm, int device, struct error *err)
{
	CUpti_Device_GetChipName_Params params = {
		.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE, .deviceIndex = (size_t)device};

	if (pm_session_initialize(pm, err) < 0 ||
		pm_session_check(pm, pm->cuptiDeviceGetChipName(&params), "CUPTI does not know this GPU", err) < 0)
		return NULL;
	return params.pChipName;
}

uint8_t *pm_session_availability(const struct pm_session *pm, int device, size_t *size, struct error *err)
{
	CUpti_PmSampling_GetCounterAvailability_Params params = {
		.structSize = CUpti_PmSampling_GetCounterAvailability_Params_STRUCT_SIZE,
		.deviceIndex = (size_t)device,
		.counterAvailabilityImageSize = PROFILER_AVAILABILITY_SIZE,
		.pCounterAvailabilityImage = calloc(1, PROFILER_AVAILABILITY_SIZE),
	};

	*size = PROFILER_AVAILABILITY_SIZE;
	if (!params.pCounterAvailabilityImage) {
		error_system(err, "there is no memory left for counters");
		return NULL;
	}
	if (pm_session_initialize(pm, err) == 0 &&
		pm_session_check(pm, pm->cuptiPmSamplingGetCounterAvailability(&params),
			"CUPTI does not say what can be sampled", err) == 0)
		return params.pCounterAvailabilityImage;
	free(params.pCounterAvailabilityImage);
	return NULL;
}

int pm_session_open(struct pm_session *pm, int device, struct error *err)
{
	CUpti_PmSampling_Enable_Params params = {
		.structSize = CUpti_PmSampling_Enable_Params_STRUCT_SIZE,
		.deviceIndex = (size_t)device,
	};

	if (pm_session_initialize(pm, err) < 0 ||
		pm_session_check(pm, pm->cuptiPmSamplingEnable(&params), "PM sampling cannot begin", err) < 0)
		return -1;
	pm->object = params.pPmSamplingObject;
	return 0;
}

void pm_session_close(struct pm_session *pm)
{
	CUpti_PmSampling_Disable_Params params = {
		.structSize = CUpti_PmSampling_Disable_Params_STRUCT_SIZE,
		.pPmSamplingObject = pm->object,
	};

	/* Errors do not matter: the process ends soon, and gives all back. */
	if (pm->object)
		(void)pm->cuptiPmSamplingDisable(&params);
	free(pm->image);
	free(pm->times);
	pm->object = NULL;
	pm->image = NULL;
	pm->times = NULL;
}

/* ---- configuration ---- */

static int pm_session_make_image(struct pm_session *pm, const struct pm_settings *settings, struct error *err)
{
	CUpti_PmSampling_GetCounterDataSize_Params params = {
		.structSize = CUpti_PmSampling_GetCounterDataSize_Params_STRUCT_SIZE,
		.pPmSamplingObject = pm->object,
		.pMetricNames = (const char **)settings->metrics,
		.numMetrics = settings->nmetrics,
		.maxSamples = PM_IMAGE_SAMPLES,
	};

	if (pm_session_check(pm, pm->cuptiPmSamplingGetCounterDataSize(&params),
		    "PM sampling cannot tell the size of its data", err) < 0)
		return -1;
	free(pm->image);
	free(pm->times);
	pm->image_size = params.counterDataSize;
	pm->image = malloc(pm->image_size);
	pm->times = calloc(PM_IMAGE_SAMPLES, sizeof(*pm->times));
	return pm->image && pm->times ? 0 : error_system(err, "there is no memory left for PM samples");
}

static size_t pm_buffer_size(size_t samples)
{
	if (samples >= BUFFER_MOST / BUFFER_SAMPLE)
		return BUFFER_MOST;
	return samples * BUFFER_SAMPLE < BUFFER_LEAST ? BUFFER_LEAST : samples * BUFFER_SAMPLE;
}

int pm_session_configure(struct pm_session *pm, const struct pm_settings *settings, struct error *err)
{
	CUpti_PmSampling_SetConfig_Params params = {
		.structSize = CUpti_PmSampling_SetConfig_Params_STRUCT_SIZE,
		.pPmSamplingObject = pm->object,
		.configSize = settings->config_size,
		.pConfig = settings->config,
		.hardwareBufferSize = pm_buffer_size(settings->samples),
		.samplingInterval = (uint64_t)settings->interval_ns,
		.triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL,
		.hwBufferAppendMode = CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST,
	};

	if (pm_session_check(pm, pm->cuptiPmSamplingSetConfig(&params), "PM sampling does not take its settings", err) <
		0)
		return -1;
	return pm_session_make_image(pm, settings, err);
}

int pm_session_start(struct pm_session *pm, struct error *err)
{
	CUpti_PmSampling_Start_Params params = {
		.structSize = CUpti_PmSampling_Start_Params_STRUCT_SIZE, .pPmSamplingObject = pm->object};

	return pm_session_check(pm, pm->cuptiPmSamplingStart(&params), "PM sampling does not start", err);
}

/* ---- samples ---- */

static int pm_session_reset_image(const struct pm_session *pm, struct error *err)
{
	CUpti_PmSampling_CounterDataImage_Initialize_Params params = {
		.structSize = CUpti_PmSampling_CounterDataImage_Initialize_Params_STRUCT_SIZE,
		.pPmSamplingObject = pm->object,
		.counterDataSize = pm->image_size,
		.pCounterData = pm->image,
	};

	return pm_session_check(pm, pm->cuptiPmSamplingCounterDataImageInitialize(&params),
		"PM sampling's data cannot be prepared", err);
}

/* Fills the image from the hardware buffer. 1: there is more, 0: that was all, -1. */
static int pm_session_decode(struct pm_session *pm, struct error *err)
{
	CUpti_PmSampling_DecodeData_Params params = {
		.structSize = CUpti_PmSampling_DecodeData_Params_STRUCT_SIZE,
		.pPmSamplingObject = pm->object,
		.pCounterDataImage = pm->image,
		.counterDataImageSize = pm->image_size,
	};
	CUptiResult code = pm->cuptiPmSamplingDecodeData(&params);

	if (code != CUPTI_SUCCESS && code != CUPTI_ERROR_OUT_OF_MEMORY)
		return cupti_error(pm->cupti, err, code, "PM sampling's data cannot be decoded");
	/* That code says that the hardware buffer ran over. The samples that were decoded are good. */
	pm->overflow = pm->overflow || params.overflow != 0 || code == CUPTI_ERROR_OUT_OF_MEMORY ||
		       params.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_OTHER;
	return params.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
}

static int pm_session_time(struct pm_session *pm, size_t index, struct error *err)
{
	CUpti_PmSampling_CounterData_GetSampleInfo_Params params = {
		.structSize = CUpti_PmSampling_CounterData_GetSampleInfo_Params_STRUCT_SIZE,
		.pPmSamplingObject = pm->object,
		.pCounterDataImage = pm->image,
		.counterDataImageSize = pm->image_size,
		.sampleIndex = index,
	};

	if (pm_session_check(
		    pm, pm->cuptiPmSamplingCounterDataGetSampleInfo(&params), "a PM sample has no times", err) < 0)
		return -1;
	pm->times[index] = (struct pm_time){(int64_t)params.startTimestamp, (int64_t)params.endTimestamp};
	return 0;
}

/* The very first sample began before the start. */
static int pm_session_take_image(struct pm_session *pm, pm_taker *take, void *user, struct error *err)
{
	CUpti_PmSampling_GetCounterDataInfo_Params params = {
		.structSize = CUpti_PmSampling_GetCounterDataInfo_Params_STRUCT_SIZE,
		.pCounterDataImage = pm->image,
		.counterDataImageSize = pm->image_size,
	};
	struct pm_images images = {.image = pm->image, .size = pm->image_size, .times = pm->times};

	if (pm_session_check(
		    pm, pm->cuptiPmSamplingGetCounterDataInfo(&params), "PM sampling's data cannot be read", err) < 0)
		return -1;
	images.first = pm->taken == 0 ? 1 : 0;
	images.end = params.numCompletedSamples < PM_IMAGE_SAMPLES ? params.numCompletedSamples : PM_IMAGE_SAMPLES;
	for (size_t i = images.first; i < images.end; i++)
		if (pm_session_time(pm, i, err) < 0)
			return -1;
	pm->taken += images.end;
	return images.first < images.end ? take(user, &images, err) : 0;
}

int pm_session_stop(struct pm_session *pm, pm_taker *take, void *user, struct error *err)
{
	CUpti_PmSampling_Stop_Params params = {
		.structSize = CUpti_PmSampling_Stop_Params_STRUCT_SIZE, .pPmSamplingObject = pm->object};
	int more = 1;

	pm->taken = 0;
	pm->overflow = false;
	if (pm_session_check(pm, pm->cuptiPmSamplingStop(&params), "PM sampling does not stop", err) < 0)
		return -1;
	while (more > 0) {
		if (pm_session_reset_image(pm, err) < 0)
			return -1;
		more = pm_session_decode(pm, err);
		if (more < 0 || pm_session_take_image(pm, take, user, err) < 0)
			return -1;
	}
	return 0;
}
