/* stand-in-stalls.c: PC sampling of the stand-in's CUPTI, the code that it loads, and its lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cupti.h>
#include <cupti_pcsampling.h>
#include <stdbool.h>
#include <string.h>

#include "record/code/cubin.h"
#include "fixtures/stand-in-child.h"
#include "stand-in/work.h"

enum { MAX_PCS = 6, MAX_REASONS = 16 };

static CUcontext const context = (CUcontext)1;

static uint64_t loaded_crc;
static uint8_t loaded[4096];
static size_t loaded_size;

static void CUPTIAPI on_module(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
	const CUpti_ModuleResourceData *module = ((const CUpti_ResourceData *)data)->resourceDescriptor;
	CUpti_GetCubinCrcParams crc = {
		.size = CUpti_GetCubinCrcParamsSize, .cubin = module->pCubin, .cubinSize = module->cubinSize};

	(void)user, (void)domain, (void)id;
	CHECK(cuptiGetCubinCrc(&crc) == CUPTI_SUCCESS && module->cubinSize <= sizeof loaded);
	loaded_crc = crc.cubinCrc;
	loaded_size = module->cubinSize;
	memcpy(loaded, module->pCubin, module->cubinSize);
}

static void make_buffer(CUpti_PCSamplingData *data)
{
	*data = (CUpti_PCSamplingData){.size = sizeof *data, .collectNumPcs = MAX_PCS};
	data->pPcData = calloc(MAX_PCS, sizeof *data->pPcData);
	for (int i = 0; i < MAX_PCS; i++) {
		data->pPcData[i].size = sizeof *data->pPcData;
		data->pPcData[i].stallReason = calloc(MAX_REASONS, sizeof *data->pPcData[i].stallReason);
	}
}

static void free_buffer(CUpti_PCSamplingData *data)
{
	for (int i = 0; i < MAX_PCS; i++)
		free(data->pPcData[i].stallReason);
	free(data->pPcData);
}

static void open_pc(CUpti_PCSamplingData *own)
{
	CUpti_PCSamplingEnableParams enable = {.size = CUpti_PCSamplingEnableParamsSize, .ctx = context};
	CUpti_PCSamplingConfigurationInfo how[] = {
		{.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD,
			.attributeData.samplingPeriodData.samplingPeriod = 8},
		{.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL,
			.attributeData.enableStartStopControlData.enableStartStopControl = 1},
		{.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER,
			.attributeData.samplingDataBufferData.samplingDataBuffer = own},
	};
	CUpti_PCSamplingConfigurationInfoParams params = {.size = CUpti_PCSamplingConfigurationInfoParamsSize,
		.ctx = context,
		.numAttributes = 3,
		.pPCSamplingConfigurationInfo = how};
	CUpti_PCSamplingStartParams start = {.size = CUpti_PCSamplingStartParamsSize, .ctx = context};

	CHECK(cuptiPCSamplingEnable(&enable) == CUPTI_SUCCESS);
	CHECK(cuptiPCSamplingStart(&start) == CUPTI_ERROR_INVALID_OPERATION);
	how[0].attributeData.samplingPeriodData.samplingPeriod = 4;
	CHECK(cuptiPCSamplingSetConfigurationAttribute(&params) == CUPTI_ERROR_INVALID_OPERATION);
	how[0].attributeData.samplingPeriodData.samplingPeriod = 8;
	CHECK(cuptiPCSamplingSetConfigurationAttribute(&params) == CUPTI_SUCCESS);
	CHECK(cuptiPCSamplingStart(&start) == CUPTI_SUCCESS);
}

/* Two launches give eight places, of which the buffer takes six at a time. */
static void pc_body(void)
{
	CUpti_PCSamplingStopParams stop = {.size = CUpti_PCSamplingStopParamsSize, .ctx = context};
	CUpti_PCSamplingData own, data;
	CUpti_PCSamplingGetDataParams get = {
		.size = CUpti_PCSamplingGetDataParamsSize, .ctx = context, .pcSamplingData = &data};
	CUpti_SubscriberHandle subscriber, other;
	uint64_t total = 0, placed = 0, foreign = 0;

	CHECK(cuptiSubscribe(&subscriber, on_module, NULL) == CUPTI_SUCCESS);
	CHECK(cuptiSubscribe(&other, on_module, NULL) == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
	CHECK(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED) ==
		CUPTI_SUCCESS);
	make_buffer(&own);
	make_buffer(&data);
	open_pc(&own);
	stand_in_launch("_Z1kv", true);
	stand_in_launch("_Z1kv", true);
	CHECK(cuptiPCSamplingStop(&stop) == CUPTI_SUCCESS);
	do {
		CHECK(cuptiPCSamplingGetData(&get) == CUPTI_SUCCESS);
		total += data.totalSamples;
		foreign += data.nonUsrKernelsTotalSamples;
		for (size_t i = 0; i < data.totalNumPcs; i++) {
			CHECK(strcmp(data.pPcData[i].functionName, "_Z1kv") == 0);
			CHECK(data.pPcData[i].cubinCrc == loaded_crc && data.pPcData[i].stallReasonCount == 2);
			CHECK(data.pPcData[i].stallReason[0].samples >= data.pPcData[i].stallReason[1].samples);
			placed += data.pPcData[i].stallReason[0].samples;
		}
	} while (data.remainingNumPcs > 0);
	CHECK(total == 200 && placed == 190 && foreign == 10);
	CHECK(data.totalNumPcs == 2 && data.pPcData[1].pcOffset == 0x80);
	free_buffer(&data);
	free_buffer(&own);
}

static void line_body(void)
{
	CUpti_GetSassToSourceCorrelationParams where = {.size = CUpti_GetSassToSourceCorrelationParamsSize,
		.cubin = loaded,
		.functionName = "_Z1kv",
		.pcOffset = 0x80};
	uint64_t barrier = 0;

	pc_body();
	where.cubinSize = loaded_size;
	CHECK(cubin_barrier_before(loaded, loaded_size, "_Z1kv", 0x80, &barrier) && barrier == 0x70);
	CHECK(cuptiGetSassToSourceCorrelation(&where) == CUPTI_SUCCESS);
	CHECK(where.lineNumber == 18 && strcmp(where.fileName, "stand-in.cu") == 0);
	free(where.fileName);
	free(where.dirName);
	where.functionName = "_Z1fv";
	CHECK(cuptiGetSassToSourceCorrelation(&where) == CUPTI_ERROR_INVALID_PARAMETER);
}

static void pc_samples_have_a_place_and_a_line(void **state)
{
	(void)state;
	assert_int_equal(status_with("devices=1", pc_body), 0);
	assert_int_equal(status_with("devices=1", line_body), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pc_samples_have_a_place_and_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
