/*
 * cupti-pc-sampling.c: PC sampling of the stand-in's CUPTI, in kernel-serialized mode. Each launch of a kernel between
 * start and stop gives the same 100 samples: 95 in its code, as the table says, and 5 in code that is not the
 * program's. With the N-th machine code of a kernel it waits at the barrier for 20 N samples more. With STAND_IN=cold
 * the first kernel since PC sampling was enabled waits for its code for 50 more. A reason is counted twice: all
 * samples, and those of them in a cycle without an issue. Whoever has the range profiler, or PM sampling, keeps PC
 * sampling out.
 */
#include "cupti-counters.h"
#include "cupti-records.h"

#include <cupti_pcsampling.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { FOREIGN_SAMPLES = 5, LEAST_PERIOD = 5, MOST_PERIOD = 31, NO_PERIOD = 0 };

/* Numbers of reasons are not places in a list. */
enum { FIRST_REASON = 20 };

static const char *const reasons[] = {"barrier", "barrier_not_issued", "long_scoreboard", "long_scoreboard_not_issued",
	"selected", "selected_not_issued", "no_instructions", "no_instructions_not_issued"};

enum { NREASONS = sizeof reasons / sizeof reasons[0] };

/* Of one launch. `reason` is the place of the first of the two counts. */
static const struct {
	uint64_t offset;
	uint32_t reason, samples, not_issued;
} places[] = {{0x00, 6, 10, 5}, {0x20, 4, 20, 0}, {0x40, 2, 40, 30}, {0x80, 0, 25, 25}};

enum { NPLACES = sizeof places / sizeof places[0], FETCH = 0, BARRIER = NPLACES - 1 };
enum { MORE_OF_A_CODE = 20, MORE_IF_COLD = 50 };

/* A launch whose samples have not been asked for. */
struct launch {
	const char *kernel;
	int code;
	bool is_cold;
	uint32_t correlation;
};

static struct {
	pthread_mutex_t lock;
	CUcontext context; /* NULL: not enabled */
	uint32_t period;
	bool is_controlled, is_started;
	bool is_warm;                 /* a kernel ran since PC sampling was enabled */
	CUpti_PCSamplingData *buffer; /* the one that CUPTI has for itself */
	struct launch *launches;
	size_t n, room;
	size_t next; /* of launches times NPLACES: what is handed over next */
} pc = {.lock = PTHREAD_MUTEX_INITIALIZER};

void pc_sampling_work(const struct stand_in_work *work)
{
	if (work->kind != STAND_IN_KERNEL)
		return;
	pthread_mutex_lock(&pc.lock);
	if (pc.is_started) {
		if (pc.n == pc.room) {
			pc.room = pc.room == 0 ? 256 : 2 * pc.room;
			pc.launches = realloc(pc.launches, pc.room * sizeof *pc.launches);
			if (pc.launches == NULL)
				abort();
		}
		pc.launches[pc.n++] =
			(struct launch){work->name, work->code, stand_in()->cold && !pc.is_warm, work->correlation};
	}
	pc.is_warm = true;
	pthread_mutex_unlock(&pc.lock);
}

/* Whether the arguments have their size and mean the context that is sampled. */
#define IS_OF_CONTEXT(params, params_size)                                                                             \
	((params) != NULL && (params)->size == (params_size) && (params)->ctx != NULL && (params)->ctx == pc.context)

CUptiResult CUPTIAPI cuptiPCSamplingEnable(CUpti_PCSamplingEnableParams *params)
{
	CUptiResult code;

	STAND_IN_CALL(CUptiResult);
	if (params == NULL || params->size != CUpti_PCSamplingEnableParamsSize || params->ctx == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (pc.context != NULL)
		return CUPTI_ERROR_INVALID_OPERATION;
	code = counters_take();
	if (code != CUPTI_SUCCESS)
		return code;
	pc.context = params->ctx;
	pc.is_warm = false;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPCSamplingDisable(CUpti_PCSamplingDisableParams *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_OF_CONTEXT(params, CUpti_PCSamplingDisableParamsSize))
		return CUPTI_ERROR_INVALID_PARAMETER;
	pthread_mutex_lock(&pc.lock);
	free(pc.launches);
	pc.launches = NULL;
	pc.n = pc.room = pc.next = 0;
	pc.context = NULL;
	pc.buffer = NULL;
	pc.period = NO_PERIOD;
	pc.is_controlled = pc.is_started = false;
	pthread_mutex_unlock(&pc.lock);
	counters_release();
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPCSamplingGetNumStallReasons(CUpti_PCSamplingGetNumStallReasonsParams *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_OF_CONTEXT(params, CUpti_PCSamplingGetNumStallReasonsParamsSize) || params->numStallReasons == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*params->numStallReasons = NREASONS;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPCSamplingGetStallReasons(CUpti_PCSamplingGetStallReasonsParams *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_OF_CONTEXT(params, CUpti_PCSamplingGetStallReasonsParamsSize) || params->stallReasonIndex == NULL ||
		params->stallReasons == NULL || params->numStallReasons < NREASONS)
		return CUPTI_ERROR_INVALID_PARAMETER;
	for (uint32_t i = 0; i < NREASONS; i++) {
		params->stallReasonIndex[i] = FIRST_REASON + i;
		snprintf(params->stallReasons[i], CUPTI_STALL_REASON_STRING_SIZE, "smsp__pcsamp_warps_issue_stalled_%s",
			reasons[i]);
	}
	return CUPTI_SUCCESS;
}

/* ---- settings ---- */

static CUptiResult set_period(uint32_t period)
{
	if (period < LEAST_PERIOD || period > MOST_PERIOD)
		return CUPTI_ERROR_INVALID_OPERATION;
	pc.period = period;
	return CUPTI_SUCCESS;
}

static CUptiResult configure(const CUpti_PCSamplingConfigurationInfo *how)
{
	switch ((int)how->attributeType) {
	case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD:
		return set_period(how->attributeData.samplingPeriodData.samplingPeriod);
	case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE:
		return how->attributeData.collectionModeData.collectionMode ==
				       CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED
			       ? CUPTI_SUCCESS
			       : CUPTI_ERROR_NOT_SUPPORTED;
	case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL:
		pc.is_controlled = how->attributeData.enableStartStopControlData.enableStartStopControl != 0;
		return CUPTI_SUCCESS;
	case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_OUTPUT_DATA_FORMAT:
		return how->attributeData.outputDataFormatData.outputDataFormat ==
				       CUPTI_PC_SAMPLING_OUTPUT_DATA_FORMAT_PARSED
			       ? CUPTI_SUCCESS
			       : CUPTI_ERROR_INVALID_OPERATION;
	case CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER:
		pc.buffer = how->attributeData.samplingDataBufferData.samplingDataBuffer;
		return pc.buffer == NULL ? CUPTI_ERROR_INVALID_OPERATION : CUPTI_SUCCESS;
	default:
		return CUPTI_ERROR_INVALID_PARAMETER;
	}
}

CUptiResult CUPTIAPI cuptiPCSamplingSetConfigurationAttribute(CUpti_PCSamplingConfigurationInfoParams *params)
{
	CUptiResult code = CUPTI_SUCCESS;

	STAND_IN_CALL(CUptiResult);
	if (!IS_OF_CONTEXT(params, CUpti_PCSamplingConfigurationInfoParamsSize) ||
		params->pPCSamplingConfigurationInfo == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	for (size_t i = 0; i < params->numAttributes; i++) {
		CUpti_PCSamplingConfigurationInfo *how = &params->pPCSamplingConfigurationInfo[i];

		how->attributeStatus = configure(how);
		if (how->attributeStatus != CUPTI_SUCCESS)
			code = how->attributeStatus;
	}
	return code;
}

/* ---- samples ---- */

CUptiResult CUPTIAPI cuptiPCSamplingStart(CUpti_PCSamplingStartParams *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_OF_CONTEXT(params, CUpti_PCSamplingStartParamsSize))
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (!pc.is_controlled || pc.buffer == NULL || pc.period == NO_PERIOD || pc.is_started)
		return CUPTI_ERROR_INVALID_OPERATION;
	pthread_mutex_lock(&pc.lock);
	pc.is_started = true;
	pc.n = pc.next = 0;
	pthread_mutex_unlock(&pc.lock);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPCSamplingStop(CUpti_PCSamplingStopParams *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_OF_CONTEXT(params, CUpti_PCSamplingStopParamsSize))
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (!pc.is_started)
		return CUPTI_ERROR_INVALID_OPERATION;
	pthread_mutex_lock(&pc.lock);
	pc.is_started = false;
	pthread_mutex_unlock(&pc.lock);
	return CUPTI_SUCCESS;
}

static uint32_t more_samples(const struct launch *launch, size_t place)
{
	if (place == FETCH && launch->is_cold)
		return MORE_IF_COLD;
	return place == BARRIER ? MORE_OF_A_CODE * (uint32_t)launch->code : 0;
}

/* The function's name lives as long as the process. Returns the samples. */
static uint32_t fill(CUpti_PCSamplingPCData *out, size_t number)
{
	const struct launch *launch = &pc.launches[number / NPLACES];
	size_t place = number % NPLACES;
	uint32_t reason = places[place].reason, more = more_samples(launch, place);

	out->cubinCrc = source_load(launch->kernel, launch->code);
	out->pcOffset = places[place].offset;
	out->functionIndex = 1;
	out->functionName = (char *)(uintptr_t)launch->kernel;
	out->correlationId = launch->correlation;
	out->stallReasonCount = 2;
	out->stallReason[0] = (CUpti_PCSamplingStallReason){FIRST_REASON + reason, places[place].samples + more};
	out->stallReason[1] = (CUpti_PCSamplingStallReason){FIRST_REASON + reason + 1, places[place].not_issued + more};
	return places[place].samples + more;
}

/* As many as the caller has room for. The samples that have no place come with the first of their launch. */
CUptiResult CUPTIAPI cuptiPCSamplingGetData(CUpti_PCSamplingGetDataParams *params)
{
	CUpti_PCSamplingData *data;

	STAND_IN_CALL(CUptiResult);
	if (!IS_OF_CONTEXT(params, CUpti_PCSamplingGetDataParamsSize) || params->pcSamplingData == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	data = params->pcSamplingData;
	if (data->size != sizeof *data || data->pPcData == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	pthread_mutex_lock(&pc.lock);
	/* One buffer for both uses yields nothing. */
	if (data == pc.buffer)
		pc.next = pc.n * NPLACES;
	data->totalSamples = data->droppedSamples = data->nonUsrKernelsTotalSamples = 0;
	for (data->totalNumPcs = 0; data->totalNumPcs < data->collectNumPcs && pc.next < pc.n * NPLACES; pc.next++) {
		if (pc.next % NPLACES == 0)
			data->nonUsrKernelsTotalSamples += FOREIGN_SAMPLES;
		data->totalSamples += fill(&data->pPcData[data->totalNumPcs++], pc.next);
	}
	data->totalSamples += data->nonUsrKernelsTotalSamples;
	data->remainingNumPcs = pc.n * NPLACES - pc.next;
	data->hardwareBufferFull = 0;
	pthread_mutex_unlock(&pc.lock);
	return CUPTI_SUCCESS;
}
