/* cupti-pm-sampling.c: PM sampling of the stand-in's CUPTI, of one device. Started a second time it gives no samples,
 * as on an H100. Samples follow each other from the start to the stop, at multiples of the interval, in the same clock
 * as the activity records; the first began before the start. One in which nothing ran takes no room in the hardware
 * buffer: whether that runs over follows from the work alone, and not from how long a host with other work has let the
 * GPU wait. */
#include "cupti-counters.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdlib.h>

/* What the hardware buffer holds: a sample takes so many bytes of it. */
static size_t sample_bytes(void)
{
	return stand_in()->pm_sample > 0 ? (size_t)stand_in()->pm_sample << 10 : 64;
}

struct CUpti_PmSampling_Object {
	uint64_t interval, room; /* ns; samples that the hardware buffer holds */
	uint32_t device;
	bool is_configured, is_started, was_started, overflow;
	uint64_t from, to; /* start of the first sample, and of the one after the last that the buffer holds */
	uint64_t next;     /* start of the next sample to be decoded */
	struct stand_in_work *works;
	size_t nworks, works_room;
};

static CUpti_PmSampling_Object *active;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of it, and what is in it */

void pm_sampling_work(const struct stand_in_work *work)
{
	CUpti_PmSampling_Object *o;

	pthread_mutex_lock(&lock);
	o = active;
	if (o != NULL && o->is_started && work->device == o->device) {
		if (o->nworks == o->works_room) {
			o->works_room = o->works_room == 0 ? 256 : 2 * o->works_room;
			o->works = realloc(o->works, o->works_room * sizeof *o->works);
			if (o->works == NULL)
				abort();
		}
		o->works[o->nworks++] = *work;
	}
	pthread_mutex_unlock(&lock);
}

/* ---- samples ---- */

/* Length of what two intervals have in common. */
static uint64_t common(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	uint64_t start = a > c ? a : c, end = b < d ? b : d;

	return end > start ? end - start : 0;
}

static struct counted take_sample(const CUpti_PmSampling_Object *o, uint64_t start)
{
	struct counted sample = {.start = start, .end = start + o->interval};

	for (size_t i = 0; i < o->nworks; i++) {
		const struct stand_in_work *work = &o->works[i];
		uint64_t ns = common(sample.start, sample.end, work->start, work->end);
		double bytes = (double)work->bytes * (double)ns / (double)(work->end - work->start + (ns == 0));

		if (ns > 0 && work->kind == STAND_IN_KERNEL)
			sample.kernel_ns += ns;
		else if (ns > 0 && work->kind == STAND_IN_COPY && work->copy_kind == cudaMemcpyHostToDevice)
			sample.read += bytes;
		else if (ns > 0 && work->kind == STAND_IN_COPY && work->copy_kind == cudaMemcpyDeviceToHost)
			sample.written += bytes;
	}
	return sample;
}

static bool is_busy(const CUpti_PmSampling_Object *o, uint64_t start)
{
	for (size_t i = 0; i < o->nworks; i++)
		if (common(start, start + o->interval, o->works[i].start, o->works[i].end) > 0)
			return true;
	return false;
}

/* With `pm_merged` those in which nothing ran are one with the first of them: how many there are follows from the work
 * alone, and not from how long the host took for it. */
static struct counted next_sample(CUpti_PmSampling_Object *o)
{
	struct counted sample = take_sample(o, o->next);
	bool was_idle = !is_busy(o, o->next);

	o->next += o->interval;
	for (; stand_in()->pm_merged && was_idle && o->next < o->to && !is_busy(o, o->next); o->next += o->interval)
		sample.end += o->interval;
	return sample;
}

/* The oldest samples are kept when the hardware buffer runs over. */
static void end_samples(CUpti_PmSampling_Object *o, uint64_t end)
{
	uint64_t held = 0;

	o->overflow = false;
	for (o->to = o->from; o->to < end; o->to += o->interval) {
		held += is_busy(o, o->to);
		if (held > o->room) {
			o->overflow = true;
			return;
		}
	}
}

/* ---- CUPTI ---- */

CUptiResult CUPTIAPI cuptiPmSamplingGetCounterAvailability(CUpti_PmSampling_GetCounterAvailability_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_PmSampling_GetCounterAvailability_Params) ||
		params->deviceIndex >= (size_t)stand_in()->devices)
		return CUPTI_ERROR_INVALID_PARAMETER;
	return availability_image_fill(
		params->pCounterAvailabilityImage, &params->counterAvailabilityImageSize, params->deviceIndex);
}

CUptiResult CUPTIAPI cuptiPmSamplingEnable(CUpti_PmSampling_Enable_Params *params)
{
	CUptiResult code;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_PmSampling_Enable_Params) || params->deviceIndex >= (size_t)stand_in()->devices)
		return CUPTI_ERROR_INVALID_PARAMETER;
	code = counters_take();
	if (code != CUPTI_SUCCESS)
		return code;
	params->pPmSamplingObject = calloc(1, sizeof *params->pPmSamplingObject);
	if (params->pPmSamplingObject == NULL) {
		counters_release();
		return CUPTI_ERROR_OUT_OF_MEMORY;
	}
	params->pPmSamplingObject->device = (uint32_t)params->deviceIndex;
	pthread_mutex_lock(&lock);
	active = params->pPmSamplingObject;
	pthread_mutex_unlock(&lock);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPmSamplingDisable(CUpti_PmSampling_Disable_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_PmSampling_Disable_Params) || params->pPmSamplingObject == NULL ||
		params->pPmSamplingObject != active)
		return CUPTI_ERROR_INVALID_PARAMETER;
	pthread_mutex_lock(&lock);
	free(active->works);
	free(active);
	active = NULL;
	pthread_mutex_unlock(&lock);
	counters_release();
	return CUPTI_SUCCESS;
}

/* Only what one pass collects can be sampled. */
CUptiResult CUPTIAPI cuptiPmSamplingSetConfig(CUpti_PmSampling_SetConfig_Params *params)
{
	const struct config_image *config;
	CUpti_PmSampling_Object *o;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_PmSampling_SetConfig_Params) || params->pPmSamplingObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	o = params->pPmSamplingObject;
	config = config_image_of(params->pConfig, params->configSize);
	if (config == NULL || params->samplingInterval == 0 || params->hardwareBufferSize < sample_bytes())
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (config->passes > 1 || params->triggerMode != CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL)
		return CUPTI_ERROR_NOT_SUPPORTED;
	o->interval = params->samplingInterval;
	o->room = params->hardwareBufferSize / sample_bytes();
	o->is_configured = true;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPmSamplingGetCounterDataSize(CUpti_PmSampling_GetCounterDataSize_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_PmSampling_GetCounterDataSize_Params) || params->pPmSamplingObject == NULL ||
		params->pMetricNames == NULL || params->numMetrics == 0 || params->maxSamples == 0)
		return CUPTI_ERROR_INVALID_PARAMETER;
	params->counterDataSize = counter_image_size(params->maxSamples);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPmSamplingCounterDataImageInitialize(
	CUpti_PmSampling_CounterDataImage_Initialize_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_PmSampling_CounterDataImage_Initialize_Params) || params->pPmSamplingObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	return counter_image_initialize(params->pCounterData, params->counterDataSize, true);
}

CUptiResult CUPTIAPI cuptiPmSamplingStart(CUpti_PmSampling_Start_Params *params)
{
	CUpti_PmSampling_Object *o;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_PmSampling_Start_Params) || params->pPmSamplingObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	o = params->pPmSamplingObject;
	if (!o->is_configured || o->is_started)
		return CUPTI_ERROR_INVALID_OPERATION;
	pthread_mutex_lock(&lock);
	o->is_started = true;
	o->nworks = 0;
	o->from = o->next = stand_in_now() / o->interval * o->interval;
	pthread_mutex_unlock(&lock);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPmSamplingStop(CUpti_PmSampling_Stop_Params *params)
{
	CUpti_PmSampling_Object *o;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_PmSampling_Stop_Params) || params->pPmSamplingObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	o = params->pPmSamplingObject;
	if (!o->is_started)
		return CUPTI_ERROR_INVALID_OPERATION;
	pthread_mutex_lock(&lock);
	o->is_started = false;
	end_samples(o, o->was_started ? o->from : stand_in_now() / o->interval * o->interval);
	o->was_started = true;
	pthread_mutex_unlock(&lock);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPmSamplingDecodeData(CUpti_PmSampling_DecodeData_Params *params)
{
	struct counter_image *image;
	CUpti_PmSampling_Object *o;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_PmSampling_DecodeData_Params) || params->pPmSamplingObject == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	o = params->pPmSamplingObject;
	image = counter_image_of(params->pCounterDataImage, params->counterDataImageSize);
	if (image == NULL || o->is_started)
		return CUPTI_ERROR_INVALID_OPERATION;
	params->overflow = o->overflow;
	while (o->next < o->to && image->n < image->room)
		image->all[image->n++] = next_sample(o);
	params->decodeStopReason = o->next < o->to ? CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL
						   : CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPmSamplingGetCounterDataInfo(CUpti_PmSampling_GetCounterDataInfo_Params *params)
{
	const struct counter_image *image;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_PmSampling_GetCounterDataInfo_Params))
		return CUPTI_ERROR_INVALID_PARAMETER;
	image = counter_image_of(params->pCounterDataImage, params->counterDataImageSize);
	if (image == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	params->numTotalSamples = image->room;
	params->numPopulatedSamples = params->numCompletedSamples = image->n;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPmSamplingCounterDataGetSampleInfo(CUpti_PmSampling_CounterData_GetSampleInfo_Params *params)
{
	const struct counter_image *image;

	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_PmSampling_CounterData_GetSampleInfo_Params))
		return CUPTI_ERROR_INVALID_PARAMETER;
	image = counter_image_of(params->pCounterDataImage, params->counterDataImageSize);
	if (image == NULL || params->sampleIndex >= image->n)
		return CUPTI_ERROR_INVALID_PARAMETER;
	params->startTimestamp = records_stamp(image->all[params->sampleIndex].start);
	params->endTimestamp = records_stamp(image->all[params->sampleIndex].end);
	return CUPTI_SUCCESS;
}
