/* pc-session.c: see pc-session.h. */
#include "record/cupti/pc/pc-session.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many instructions come with one call of CUPTI. */
enum { BUFFER_PCS = 4096 };

static int pc_session_failed(const struct pc_session *pc, CUptiResult code, const char *what, struct error *err)
{
	return cupti_error(pc->cupti, err, code, what);
}

/* The name of the first function that is missing, or NULL. */
static const char *pc_session_load(struct pc_session *pc)
{
	/* clang-format off */
#define LOAD(name) \
	*(void **)&pc->name = dlsym(pc->cupti->handle, #name); \
	if (!pc->name) \
		return #name;
	PC_SESSION_FUNCTIONS(LOAD)
#undef LOAD
	/* clang-format on */
	return NULL;
}

int pc_session_prepare(struct pc_session *pc, const struct cupti *cupti, struct error *err)
{
	const char *missing;

	*pc = (struct pc_session){.cupti = cupti};
	missing = pc_session_load(pc);
	return missing ? error_set(err, "%s has no %s: install CUPTI 12.8 or later", cupti->path, missing) : 0;
}

/* ---- stall reasons ---- */

/* "smsp__pcsamp_warps_issue_stalled_barrier_not_issued" is the reason "barrier", second count. One reason is a plural
 * here and a singular among the counters. */
static void name_reason(struct pc_reason *reason, const char *name)
{
	static const char suffix[] = "_not_issued";
	const char *stalled = strstr(name, "stalled_");
	size_t length;

	if (stalled)
		name = stalled + strlen("stalled_");
	length = strlen(name);
	reason->not_issued = length > strlen(suffix) && strcmp(name + length - strlen(suffix), suffix) == 0;
	if (reason->not_issued)
		length -= strlen(suffix);
	snprintf(reason->name, sizeof(reason->name), "%.*s", (int)length, name);
	if (strcmp(reason->name, "no_instructions") == 0)
		reason->name[length - 1] = '\0';
}

/* Room for CUPTI's answer. */
struct reason_names {
	char *bytes; /* CUPTI_STALL_REASON_STRING_SIZE for each */
	char **name;
	uint32_t *index;
};

static int ask_reasons(struct pc_session *pc, const struct reason_names *names, struct error *err)
{
	CUpti_PCSamplingGetStallReasonsParams params = {
		.size = CUpti_PCSamplingGetStallReasonsParamsSize,
		.ctx = pc->context,
		.numStallReasons = pc->nreasons,
		.stallReasonIndex = names->index,
		.stallReasons = names->name,
	};
	CUptiResult code;

	for (size_t i = 0; i < pc->nreasons; i++)
		names->name[i] = names->bytes + i * CUPTI_STALL_REASON_STRING_SIZE;
	code = pc->cuptiPCSamplingGetStallReasons(&params);
	if (code != CUPTI_SUCCESS)
		return pc_session_failed(pc, code, "CUPTI does not name the stall reasons", err);
	for (size_t i = 0; i < pc->nreasons; i++) {
		pc->reasons[i].index = names->index[i];
		name_reason(&pc->reasons[i], names->name[i]);
	}
	return 0;
}

static int pc_session_no_memory(struct error *err)
{
	return error_system(err, "no memory is left for PC samples");
}

/* At least one: with none there would be no sample either. */
static int count_reasons(struct pc_session *pc, struct error *err)
{
	CUpti_PCSamplingGetNumStallReasonsParams params = {.size = CUpti_PCSamplingGetNumStallReasonsParamsSize,
		.ctx = pc->context,
		.numStallReasons = &pc->nreasons};
	CUptiResult code = pc->cuptiPCSamplingGetNumStallReasons(&params);

	if (code != CUPTI_SUCCESS)
		return pc_session_failed(pc, code, "CUPTI does not name the stall reasons", err);
	return pc->nreasons > 0 ? 0 : error_set(err, "CUPTI knows no stall reasons here");
}

static int find_stall_reasons(struct pc_session *pc, struct error *err)
{
	struct reason_names names;
	int result;

	if (count_reasons(pc, err) < 0)
		return -1;
	names = (struct reason_names){calloc(pc->nreasons, CUPTI_STALL_REASON_STRING_SIZE),
		calloc(pc->nreasons, sizeof(*names.name)), calloc(pc->nreasons, sizeof(*names.index))};
	pc->reasons = calloc(pc->nreasons, sizeof(*pc->reasons));
	result = names.bytes && names.name && names.index && pc->reasons ? ask_reasons(pc, &names, err)
									 : pc_session_no_memory(err);
	free(names.bytes);
	free(names.name);
	free(names.index);
	return result;
}

static const struct pc_reason *reason_of(const struct pc_session *pc, uint32_t index)
{
	for (size_t i = 0; i < pc->nreasons; i++)
		if (pc->reasons[i].index == index)
			return &pc->reasons[i];
	return NULL;
}

/* ---- buffers ---- */

/* All reasons of all instructions are one block, which the first instruction has. */
static int make_buffer(const struct pc_session *pc, CUpti_PCSamplingData *data, struct error *err)
{
	CUpti_PCSamplingStallReason *reasons = calloc(BUFFER_PCS * pc->nreasons, sizeof(*reasons));

	*data = (CUpti_PCSamplingData){.size = sizeof(*data), .collectNumPcs = BUFFER_PCS};
	data->pPcData = calloc(BUFFER_PCS, sizeof(*data->pPcData));
	if (!reasons || !data->pPcData) {
		free(reasons);
		free(data->pPcData);
		data->pPcData = NULL;
		return pc_session_no_memory(err);
	}
	for (size_t i = 0; i < BUFFER_PCS; i++) {
		data->pPcData[i].size = sizeof(*data->pPcData);
		data->pPcData[i].stallReason = reasons + i * pc->nreasons;
	}
	return 0;
}

static void free_buffer(CUpti_PCSamplingData *data)
{
	if (data->pPcData)
		free(data->pPcData[0].stallReason);
	free(data->pPcData);
	*data = (CUpti_PCSamplingData){0};
}

/* ---- opening and closing ---- */

static int configure(struct pc_session *pc, unsigned period, struct error *err)
{
	CUpti_PCSamplingConfigurationInfo attributes[] = {
		{.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD,
			.attributeData.samplingPeriodData.samplingPeriod = period},
		{.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE,
			.attributeData.collectionModeData.collectionMode =
				CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED},
		{.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL,
			.attributeData.enableStartStopControlData.enableStartStopControl = 1},
		{.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_OUTPUT_DATA_FORMAT,
			.attributeData.outputDataFormatData.outputDataFormat =
				CUPTI_PC_SAMPLING_OUTPUT_DATA_FORMAT_PARSED},
		{.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER,
			.attributeData.samplingDataBufferData.samplingDataBuffer = &pc->configured},
	};
	CUpti_PCSamplingConfigurationInfoParams params = {
		.size = CUpti_PCSamplingConfigurationInfoParamsSize,
		.ctx = pc->context,
		.numAttributes = sizeof(attributes) / sizeof(attributes[0]),
		.pPCSamplingConfigurationInfo = attributes,
	};
	CUptiResult code = pc->cuptiPCSamplingSetConfigurationAttribute(&params);

	return code == CUPTI_SUCCESS ? 0 : pc_session_failed(pc, code, "PC sampling does not take its settings", err);
}

int pc_session_open(struct pc_session *pc, CUcontext context, unsigned period, struct error *err)
{
	CUpti_PCSamplingEnableParams params = {.size = CUpti_PCSamplingEnableParamsSize, .ctx = context};
	CUptiResult code = pc->cuptiPCSamplingEnable(&params);

	if (code != CUPTI_SUCCESS)
		return pc_session_failed(pc, code, "PC sampling cannot begin", err);
	pc->context = context;
	if (find_stall_reasons(pc, err) == 0 && make_buffer(pc, &pc->configured, err) == 0 &&
		make_buffer(pc, &pc->data, err) == 0 && configure(pc, period, err) == 0)
		return 0;
	pc_session_close(pc);
	return -1;
}

/* An error does not matter: samples are out, or lost. But CUPTI may write to its buffer as long as it is not disabled:
 * then the buffer stays. */
void pc_session_close(struct pc_session *pc)
{
	CUpti_PCSamplingDisableParams params = {.size = CUpti_PCSamplingDisableParamsSize, .ctx = pc->context};

	if (!pc->context || pc->cuptiPCSamplingDisable(&params) == CUPTI_SUCCESS)
		free_buffer(&pc->configured);
	pc->context = NULL;
	free_buffer(&pc->data);
	free(pc->reasons);
	pc->reasons = NULL;
	pc->nreasons = 0;
}

/* ---- samples ---- */

int pc_session_start(struct pc_session *pc, struct error *err)
{
	CUpti_PCSamplingStartParams params = {.size = CUpti_PCSamplingStartParamsSize, .ctx = pc->context};
	CUptiResult code = pc->cuptiPCSamplingStart(&params);

	return code == CUPTI_SUCCESS ? 0 : pc_session_failed(pc, code, "PC sampling does not start", err);
}

static void hand_over(const struct pc_session *pc, const CUpti_PCSamplingPCData *at, pc_taker *take, void *user)
{
	for (size_t i = 0; i < at->stallReasonCount; i++) {
		const struct pc_reason *reason = reason_of(pc, at->stallReason[i].pcSamplingStallReasonIndex);

		if (reason && at->stallReason[i].samples > 0)
			take(user, at, reason, at->stallReason[i].samples);
	}
}

/* 1: there is more; 0: that was all; -1. */
static int take_data(struct pc_session *pc, pc_taker *take, void *user, struct error *err)
{
	CUpti_PCSamplingGetDataParams params = {
		.size = CUpti_PCSamplingGetDataParamsSize, .ctx = pc->context, .pcSamplingData = &pc->data};
	CUptiResult code;

	/* A call that fails may leave the old contents in the buffer. */
	pc->data.totalNumPcs = pc->data.remainingNumPcs = 0;
	pc->data.totalSamples = pc->data.droppedSamples = pc->data.nonUsrKernelsTotalSamples = 0;
	pc->data.hardwareBufferFull = 0;
	code = pc->cuptiPCSamplingGetData(&params);
	pc->full = pc->full || code == CUPTI_ERROR_OUT_OF_MEMORY || pc->data.hardwareBufferFull != 0;
	if (code != CUPTI_SUCCESS && code != CUPTI_ERROR_OUT_OF_MEMORY)
		return pc_session_failed(pc, code, "PC sampling gives no data", err);
	for (size_t i = 0; i < pc->data.totalNumPcs; i++)
		hand_over(pc, &pc->data.pPcData[i], take, user);
	pc->total += pc->data.totalSamples;
	pc->dropped += pc->data.droppedSamples;
	pc->foreign += pc->data.nonUsrKernelsTotalSamples;
	return pc->data.totalNumPcs > 0 && pc->data.remainingNumPcs > 0;
}

int pc_session_stop(struct pc_session *pc, pc_taker *take, void *user, struct error *err)
{
	CUpti_PCSamplingStopParams params = {.size = CUpti_PCSamplingStopParamsSize, .ctx = pc->context};
	CUptiResult code = pc->cuptiPCSamplingStop(&params);
	int more = 1;

	pc->total = pc->dropped = pc->foreign = 0;
	pc->full = false;
	if (code != CUPTI_SUCCESS)
		return pc_session_failed(pc, code, "PC sampling does not stop", err);
	while (more > 0)
		more = take_data(pc, take, user, err);
	return more;
}
