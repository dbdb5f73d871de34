/* pm-sampling.c: see pm-sampling.h. */
#include "record/cupti/pm-sampling.h"

#include <stdlib.h>

#include "util/alloc.h"

/* The raw samples of a launch wait in the hardware buffer. The image takes so many of them at a time, about 9 KB each.
 */
enum { IMAGE_SAMPLES = 2048 };

/* Of the hardware buffer (bytes). The 1000 samples of a launch were lost with 4 MiB and not with 8 (H100, CUDA 13.0);
 * setting it up takes 0.06 s with 16 MiB and 0.12 with 128. */
static const size_t BUFFER_LEAST = (size_t)16 << 20, BUFFER_MOST = (size_t)128 << 20, BUFFER_SAMPLE = (size_t)24 << 10;

static int pm_sampling_failed(const struct pm_sampling *pm, CUptiResult code, const char *what, struct error *err)
{
	return cupti_error(pm->profiler->cupti, err, code, what);
}

uint8_t *pm_sampling_availability(const struct profiler *profiler, int device, struct error *err)
{
	CUpti_PmSampling_GetCounterAvailability_Params params = {
		.structSize = CUpti_PmSampling_GetCounterAvailability_Params_STRUCT_SIZE,
		.deviceIndex = (size_t)device,
		.counterAvailabilityImageSize = PROFILER_AVAILABILITY_SIZE,
		.pCounterAvailabilityImage = xcalloc(1, PROFILER_AVAILABILITY_SIZE),
	};
	CUptiResult code;

	code = profiler->cuptiPmSamplingGetCounterAvailability(&params);
	if (code == CUPTI_SUCCESS)
		return params.pCounterAvailabilityImage;
	free(params.pCounterAvailabilityImage);
	cupti_error(profiler->cupti, err, code, "CUPTI does not say what can be sampled");
	return NULL;
}

int pm_sampling_open(struct pm_sampling *pm, const struct profiler *profiler, int device, struct error *err)
{
	CUpti_PmSampling_Enable_Params params = {
		.structSize = CUpti_PmSampling_Enable_Params_STRUCT_SIZE,
		.deviceIndex = (size_t)device,
	};
	CUptiResult code;

	*pm = (struct pm_sampling){.profiler = profiler};
	code = profiler->cuptiPmSamplingEnable(&params);
	if (code != CUPTI_SUCCESS)
		return pm_sampling_failed(pm, code, "PM sampling cannot begin", err);
	pm->object = params.pPmSamplingObject;
	return 0;
}

void pm_sampling_close(struct pm_sampling *pm)
{
	CUpti_PmSampling_Disable_Params params = {
		.structSize = CUpti_PmSampling_Disable_Params_STRUCT_SIZE,
		.pPmSamplingObject = pm->object,
	};

	/* Errors do not matter: the process ends soon, and gives all back. */
	if (pm->object)
		(void)pm->profiler->cuptiPmSamplingDisable(&params);
	free(pm->image);
	free(pm->samples);
	*pm = (struct pm_sampling){0};
}

/* ---- configuration ---- */

static int pm_sampling_make_image(struct pm_sampling *pm, const char *const *metrics, struct error *err)
{
	CUpti_PmSampling_GetCounterDataSize_Params params = {
		.structSize = CUpti_PmSampling_GetCounterDataSize_Params_STRUCT_SIZE,
		.pPmSamplingObject = pm->object,
		.pMetricNames = (const char **)metrics,
		.numMetrics = (size_t)pm->nmetrics,
		.maxSamples = IMAGE_SAMPLES,
	};
	CUptiResult code = pm->profiler->cuptiPmSamplingGetCounterDataSize(&params);

	if (code != CUPTI_SUCCESS)
		return pm_sampling_failed(pm, code, "PM sampling cannot tell the size of its data", err);
	free(pm->image);
	pm->image = xmalloc(params.counterDataSize);
	pm->image_size = params.counterDataSize;
	return 0;
}

static size_t buffer_size(size_t samples)
{
	if (samples >= BUFFER_MOST / BUFFER_SAMPLE)
		return BUFFER_MOST;
	return samples * BUFFER_SAMPLE < BUFFER_LEAST ? BUFFER_LEAST : samples * BUFFER_SAMPLE;
}

int pm_sampling_configure(struct pm_sampling *pm, const struct metric_plan *plan, const char *const *metrics,
	int nmetrics, int64_t interval_ns, size_t samples, struct error *err)
{
	CUpti_PmSampling_SetConfig_Params params = {
		.structSize = CUpti_PmSampling_SetConfig_Params_STRUCT_SIZE,
		.pPmSamplingObject = pm->object,
		.hardwareBufferSize = buffer_size(samples),
		.samplingInterval = (uint64_t)interval_ns,
		.triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL,
		.hwBufferAppendMode = CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST,
	};
	CUptiResult code;

	pm->plan = plan;
	pm->nmetrics = nmetrics;
	params.pConfig = metric_plan_image(plan, &params.configSize);
	code = pm->profiler->cuptiPmSamplingSetConfig(&params);
	return code == CUPTI_SUCCESS ? pm_sampling_make_image(pm, metrics, err)
				     : pm_sampling_failed(pm, code, "PM sampling does not take its settings", err);
}

/* ---- samples ---- */

static int reset_image(struct pm_sampling *pm, struct error *err)
{
	CUpti_PmSampling_CounterDataImage_Initialize_Params params = {
		.structSize = CUpti_PmSampling_CounterDataImage_Initialize_Params_STRUCT_SIZE,
		.pPmSamplingObject = pm->object,
		.counterDataSize = pm->image_size,
		.pCounterData = pm->image,
	};
	CUptiResult code = pm->profiler->cuptiPmSamplingCounterDataImageInitialize(&params);

	return code == CUPTI_SUCCESS ? 0 : pm_sampling_failed(pm, code, "PM sampling's data cannot be prepared", err);
}

/* Fills the image from the hardware buffer. 1: there is more, 0: that was all, -1. */
static int pm_sampling_decode(struct pm_sampling *pm, struct error *err)
{
	CUpti_PmSampling_DecodeData_Params params = {
		.structSize = CUpti_PmSampling_DecodeData_Params_STRUCT_SIZE,
		.pPmSamplingObject = pm->object,
		.pCounterDataImage = pm->image,
		.counterDataImageSize = pm->image_size,
	};
	CUptiResult code = pm->profiler->cuptiPmSamplingDecodeData(&params);

	if (code != CUPTI_SUCCESS && code != CUPTI_ERROR_OUT_OF_MEMORY)
		return pm_sampling_failed(pm, code, "PM sampling's data cannot be decoded", err);
	/* That code says that the hardware buffer ran over. The samples that were decoded are good. */
	pm->overflow = pm->overflow || params.overflow != 0 || code == CUPTI_ERROR_OUT_OF_MEMORY ||
		       params.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_OTHER;
	return params.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
}

static int add_sample(struct pm_sampling *pm, size_t index, struct error *err)
{
	CUpti_PmSampling_CounterData_GetSampleInfo_Params params = {
		.structSize = CUpti_PmSampling_CounterData_GetSampleInfo_Params_STRUCT_SIZE,
		.pPmSamplingObject = pm->object,
		.pCounterDataImage = pm->image,
		.counterDataImageSize = pm->image_size,
		.sampleIndex = index,
	};
	struct pm_sample *sample = &pm->samples[pm->nsamples];
	CUptiResult code = pm->profiler->cuptiPmSamplingCounterDataGetSampleInfo(&params);

	if (code != CUPTI_SUCCESS)
		return pm_sampling_failed(pm, code, "a PM sample has no times", err);
	*sample = (struct pm_sample){(int64_t)params.startTimestamp, (int64_t)params.endTimestamp, {0}};
	pm->nsamples++;
	return metric_plan_evaluate(pm->plan, pm->image, pm->image_size, index, sample->value, err);
}

static void pm_sampling_reserve(struct pm_sampling *pm, size_t more)
{
	size_t room = 2 * (pm->nsamples + more);

	if (pm->nsamples + more <= pm->room)
		return;
	pm->samples = xreallocarray(pm->samples, room, sizeof(*pm->samples));
	pm->room = room;
}

static int take_image(struct pm_sampling *pm, struct error *err)
{
	CUpti_PmSampling_GetCounterDataInfo_Params params = {
		.structSize = CUpti_PmSampling_GetCounterDataInfo_Params_STRUCT_SIZE,
		.pCounterDataImage = pm->image,
		.counterDataImageSize = pm->image_size,
	};
	CUptiResult code = pm->profiler->cuptiPmSamplingGetCounterDataInfo(&params);

	if (code != CUPTI_SUCCESS)
		return pm_sampling_failed(pm, code, "PM sampling's data cannot be read", err);
	pm_sampling_reserve(pm, params.numCompletedSamples);
	for (size_t i = 0; i < params.numCompletedSamples; i++)
		if (add_sample(pm, i, err) < 0)
			return -1;
	return 0;
}

int pm_sampling_start(struct pm_sampling *pm, struct error *err)
{
	CUpti_PmSampling_Start_Params params = {
		.structSize = CUpti_PmSampling_Start_Params_STRUCT_SIZE, .pPmSamplingObject = pm->object};
	CUptiResult code = pm->profiler->cuptiPmSamplingStart(&params);

	return code == CUPTI_SUCCESS ? 0 : pm_sampling_failed(pm, code, "PM sampling does not start", err);
}

/* The first sample began before the start. */
static void drop_first(struct pm_sampling *pm)
{
	for (size_t i = 1; i < pm->nsamples; i++)
		pm->samples[i - 1] = pm->samples[i];
	if (pm->nsamples > 0)
		pm->nsamples--;
}

int pm_sampling_stop(struct pm_sampling *pm, struct error *err)
{
	CUpti_PmSampling_Stop_Params params = {
		.structSize = CUpti_PmSampling_Stop_Params_STRUCT_SIZE, .pPmSamplingObject = pm->object};
	CUptiResult code = pm->profiler->cuptiPmSamplingStop(&params);
	int more = 1;

	pm->nsamples = 0;
	pm->overflow = false;
	if (code != CUPTI_SUCCESS)
		return pm_sampling_failed(pm, code, "PM sampling does not stop", err);
	while (more > 0) {
		if (reset_image(pm, err) < 0)
			return -1;
		more = pm_sampling_decode(pm, err);
		if (more < 0 || take_image(pm, err) < 0)
			return -1;
	}
	drop_first(pm);
	return 0;
}
