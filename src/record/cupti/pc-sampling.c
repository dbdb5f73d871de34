/* pc-sampling.c: see pc-sampling.h. */
#include "record/cupti/pc-sampling.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/code/cubin.h"
#include "record/cupti/context.h"
#include "util/alloc.h"

/* So many instructions come with one call of CUPTI. The rest, of code that a library brings along, is dropped. */
enum { BUFFER_PCS = 4096, CUBIN_MAX_MIB = 32 };

static int pc_sampling_failed(const struct pc_sampling *pc, CUptiResult code, const char *what, struct error *err)
{
	return cupti_error(pc->cupti, err, code, what);
}

/* ---- code that is loaded ---- */

static void keep_cubin(struct pc_sampling *pc, const void *bytes, size_t size)
{
	CUpti_GetCubinCrcParams crc = {.size = CUpti_GetCubinCrcParamsSize, .cubinSize = size, .cubin = bytes};

	if (size == 0 || size >> 20 >= CUBIN_MAX_MIB || pc->cuptiGetCubinCrc(&crc) != CUPTI_SUCCESS)
		return;
	pc->cubins = xreallocarray(pc->cubins, pc->ncubins + 1, sizeof(*pc->cubins));
	pc->cubins[pc->ncubins++] = (struct cubin){crc.cubinCrc, xmemdup(bytes, size), size};
}

static void CUPTIAPI on_resource(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
	const CUpti_ResourceData *resource = data;

	if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED) {
		const CUpti_ModuleResourceData *module = resource->resourceDescriptor;

		keep_cubin(user, module->pCubin, module->cubinSize);
	}
}

/* ---- opening and closing ---- */

/* The name of the first function that is missing, or NULL. */
static const char *pc_sampling_load(struct pc_sampling *pc)
{
	/* clang-format off */
#define LOAD(name) \
	*(void **)&pc->name = dlsym(pc->cupti->handle, #name); \
	if (!pc->name) \
		return #name;
	PC_SAMPLING_FUNCTIONS(LOAD)
#undef LOAD
	/* clang-format on */
	return NULL;
}

int pc_sampling_open(struct pc_sampling *pc, const struct cupti *cupti, struct error *err)
{
	const char *missing;
	CUptiResult code;

	*pc = (struct pc_sampling){.cupti = cupti};
	missing = pc_sampling_load(pc);
	if (missing)
		return error_set(err, "%s has no %s: install CUPTI 12.8 or later", cupti->path, missing);
	code = pc->cuptiSubscribe(&pc->subscriber, on_resource, pc);
	if (code == CUPTI_SUCCESS)
		code = pc->cuptiEnableCallback(
			1, pc->subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
	return code == CUPTI_SUCCESS ? 0
				     : pc_sampling_failed(pc, code, "CUPTI does not tell which code is loaded", err);
}

static void free_buffer(CUpti_PCSamplingData *data)
{
	for (size_t i = 0; data->pPcData && i < data->collectNumPcs; i++)
		free(data->pPcData[i].stallReason);
	free(data->pPcData);
	data->pPcData = NULL;
}

void pc_sampling_close(struct pc_sampling *pc)
{
	CUpti_PCSamplingDisableParams params = {.size = CUpti_PCSamplingDisableParamsSize, .ctx = pc->context};

	/* Errors do not matter: the process ends soon, and gives all back. */
	if (pc->context)
		(void)pc->cuptiPCSamplingDisable(&params);
	if (pc->subscriber)
		(void)pc->cuptiUnsubscribe(pc->subscriber);
	for (size_t i = 0; i < pc->ncubins; i++)
		free(pc->cubins[i].bytes);
	free(pc->cubins);
	free_buffer(&pc->configured);
	free_buffer(&pc->data);
	free(pc->reasons);
	free(pc->counts);
	*pc = (struct pc_sampling){0};
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

/* `names` holds n times CUPTI_STALL_REASON_STRING_SIZE bytes. */
/* NOLINTNEXTLINE(readability-non-const-parameter): CUPTI writes into index[]. */
static int ask_reasons(struct pc_sampling *pc, char *names, char **name, uint32_t *index, struct error *err)
{
	CUpti_PCSamplingGetStallReasonsParams params = {
		.size = CUpti_PCSamplingGetStallReasonsParamsSize,
		.ctx = pc->context,
		.numStallReasons = pc->nreasons,
		.stallReasonIndex = index,
		.stallReasons = name,
	};
	CUptiResult code;

	for (size_t i = 0; i < pc->nreasons; i++)
		name[i] = names + i * CUPTI_STALL_REASON_STRING_SIZE;
	code = pc->cuptiPCSamplingGetStallReasons(&params);
	if (code != CUPTI_SUCCESS)
		return pc_sampling_failed(pc, code, "CUPTI does not name the stall reasons", err);
	for (size_t i = 0; i < pc->nreasons; i++) {
		pc->reasons[i].index = index[i];
		name_reason(&pc->reasons[i], name[i]);
	}
	return 0;
}

static int pc_sampling_find_reasons(struct pc_sampling *pc, struct error *err)
{
	CUpti_PCSamplingGetNumStallReasonsParams params = {.size = CUpti_PCSamplingGetNumStallReasonsParamsSize,
		.ctx = pc->context,
		.numStallReasons = &pc->nreasons};
	CUptiResult code = pc->cuptiPCSamplingGetNumStallReasons(&params);
	char *names, **name;
	uint32_t *index;
	int result;

	if (code != CUPTI_SUCCESS)
		return pc_sampling_failed(pc, code, "CUPTI does not name the stall reasons", err);
	names = xcalloc(pc->nreasons, CUPTI_STALL_REASON_STRING_SIZE);
	name = xcalloc(pc->nreasons, sizeof(*name));
	index = xcalloc(pc->nreasons, sizeof(*index));
	pc->reasons = xcalloc(pc->nreasons, sizeof(*pc->reasons));
	result = ask_reasons(pc, names, name, index, err);
	free(names);
	free(name);
	free(index);
	return result;
}

static const struct pc_reason *reason_of(const struct pc_sampling *pc, uint32_t index)
{
	for (size_t i = 0; i < pc->nreasons; i++)
		if (pc->reasons[i].index == index)
			return &pc->reasons[i];
	return NULL;
}

/* ---- configuration ---- */

static void make_buffer(const struct pc_sampling *pc, CUpti_PCSamplingData *data)
{
	*data = (CUpti_PCSamplingData){.size = sizeof(*data), .collectNumPcs = BUFFER_PCS};
	data->pPcData = xcalloc(BUFFER_PCS, sizeof(*data->pPcData));
	for (size_t i = 0; i < BUFFER_PCS; i++) {
		data->pPcData[i].size = sizeof(*data->pPcData);
		data->pPcData[i].stallReason = xcalloc(pc->nreasons, sizeof(*data->pPcData[i].stallReason));
	}
}

static int pc_sampling_configure(struct pc_sampling *pc, unsigned period, struct error *err)
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

	return code == CUPTI_SUCCESS ? 0 : pc_sampling_failed(pc, code, "PC sampling does not take its settings", err);
}

int pc_sampling_enable(struct pc_sampling *pc, unsigned period, struct error *err)
{
	CUpti_PCSamplingEnableParams params = {.size = CUpti_PCSamplingEnableParamsSize};
	CUptiResult code;

	if (context_current(&params.ctx, err) < 0)
		return -1;
	code = pc->cuptiPCSamplingEnable(&params);
	if (code != CUPTI_SUCCESS)
		return pc_sampling_failed(pc, code, "PC sampling cannot begin", err);
	pc->context = params.ctx;
	if (pc_sampling_find_reasons(pc, err) < 0)
		return -1;
	make_buffer(pc, &pc->configured);
	make_buffer(pc, &pc->data);
	return pc_sampling_configure(pc, period, err);
}

/* ---- samples ---- */

int pc_sampling_start(struct pc_sampling *pc, struct error *err)
{
	CUpti_PCSamplingStartParams params = {.size = CUpti_PCSamplingStartParamsSize, .ctx = pc->context};
	CUptiResult code = pc->cuptiPCSamplingStart(&params);

	return code == CUPTI_SUCCESS ? 0 : pc_sampling_failed(pc, code, "PC sampling does not start", err);
}

static void add_count(
	struct pc_sampling *pc, const CUpti_PCSamplingPCData *at, const struct pc_reason *reason, uint32_t samples)
{
	struct pc_count *count;

	xgrow(&pc->counts, pc->ncounts, &pc->room, sizeof(*pc->counts));
	count = &pc->counts[pc->ncounts++];
	*count = (struct pc_count){at->functionName, at->cubinCrc, at->pcOffset, reason->name, {0, 0}};
	count->samples[reason->not_issued] = samples;
}

static void take_pc(struct pc_sampling *pc, const CUpti_PCSamplingPCData *at)
{
	for (size_t i = 0; i < at->stallReasonCount; i++) {
		const struct pc_reason *reason = reason_of(pc, at->stallReason[i].pcSamplingStallReasonIndex);

		if (reason && at->stallReason[i].samples > 0)
			add_count(pc, at, reason, at->stallReason[i].samples);
	}
}

/* 1: there is more; 0: that was all; -1. */
static int take_data(struct pc_sampling *pc, struct error *err)
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
		return pc_sampling_failed(pc, code, "PC sampling gives no data", err);
	for (size_t i = 0; i < pc->data.totalNumPcs; i++)
		take_pc(pc, &pc->data.pPcData[i]);
	pc->total += pc->data.totalSamples;
	pc->dropped += pc->data.droppedSamples;
	pc->foreign += pc->data.nonUsrKernelsTotalSamples;
	return pc->data.remainingNumPcs > 0;
}

static int pc_sampling_by_place(const void *left, const void *right)
{
	const struct pc_count *a = left, *b = right;
	int order = strcmp(a->function, b->function);

	if (order == 0)
		order = (a->offset > b->offset) - (a->offset < b->offset);
	if (order == 0)
		order = strcmp(a->reason, b->reason);
	return order;
}

/* CUPTI has an entry for each kernel, and for each of both counts. */
static void pc_sampling_merge(struct pc_sampling *pc)
{
	size_t n = 0;

	if (pc->ncounts > 1)
		qsort(pc->counts, pc->ncounts, sizeof(*pc->counts), pc_sampling_by_place);
	for (size_t i = 0; i < pc->ncounts; i++) {
		if (n == 0 || pc_sampling_by_place(&pc->counts[n - 1], &pc->counts[i]) != 0) {
			pc->counts[n++] = pc->counts[i];
			continue;
		}
		pc->counts[n - 1].samples[0] += pc->counts[i].samples[0];
		pc->counts[n - 1].samples[1] += pc->counts[i].samples[1];
	}
	pc->ncounts = n;
}

int pc_sampling_stop(struct pc_sampling *pc, struct error *err)
{
	CUpti_PCSamplingStopParams params = {.size = CUpti_PCSamplingStopParamsSize, .ctx = pc->context};
	CUptiResult code = pc->cuptiPCSamplingStop(&params);
	int more = 1;

	pc->ncounts = 0;
	pc->total = pc->dropped = pc->foreign = 0;
	pc->full = false;
	if (code != CUPTI_SUCCESS)
		return pc_sampling_failed(pc, code, "PC sampling does not stop", err);
	while (more > 0) {
		more = take_data(pc, err);
		if (more < 0)
			return -1;
	}
	pc_sampling_merge(pc);
	return 0;
}

/* ---- lines ---- */

static const struct cubin *find_cubin(const struct pc_sampling *pc, uint64_t crc)
{
	for (size_t i = 0; i < pc->ncubins; i++)
		if (pc->cubins[i].crc == crc)
			return &pc->cubins[i];
	return NULL;
}

char *pc_sampling_source(const struct pc_sampling *pc, const struct pc_count *count, int *line)
{
	const struct cubin *cubin = find_cubin(pc, count->cubin);
	CUpti_GetSassToSourceCorrelationParams params = {
		.size = CUpti_GetSassToSourceCorrelationParamsSize,
		.functionName = count->function,
		.pcOffset = count->offset,
	};
	const char *slash;
	char *file;

	*line = 0;
	if (!cubin)
		return NULL;
	/* The barrier has been issued by then: the sample is of an instruction a little further on. */
	if (strcmp(count->reason, "barrier") == 0)
		(void)cubin_barrier_before(cubin->bytes, cubin->size, count->function, count->offset, &params.pcOffset);
	params.cubin = cubin->bytes;
	params.cubinSize = cubin->size;
	if (pc->cuptiGetSassToSourceCorrelation(&params) != CUPTI_SUCCESS || !params.fileName)
		return NULL;
	slash = strrchr(params.fileName, '/');
	file = xstrdup(!slash ? params.fileName : slash + 1);
	*line = (int)params.lineNumber;
	free(params.fileName);
	free(params.dirName);
	return file;
}
