/* pc-sampling.c: see pc-sampling.h. */
#include "record/cupti/pc/pc-sampling.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "record/code/cubin.h"
#include "record/cupti/context.h"
#include "util/alloc.h"

enum { CUBIN_MAX_MIB = 32 };

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
	if (pc_session_prepare(&pc->session, cupti, err) < 0)
		return -1;
	code = pc->cuptiSubscribe(&pc->subscriber, on_resource, pc);
	if (code == CUPTI_SUCCESS)
		code = pc->cuptiEnableCallback(
			1, pc->subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
	return code == CUPTI_SUCCESS ? 0
				     : pc_sampling_failed(pc, code, "CUPTI does not tell which code is loaded", err);
}

void pc_sampling_close(struct pc_sampling *pc)
{
	/* Errors do not matter: the process ends soon, and gives all back. */
	pc_session_close(&pc->session);
	if (pc->subscriber)
		(void)pc->cuptiUnsubscribe(pc->subscriber);
	for (size_t i = 0; i < pc->ncubins; i++)
		free(pc->cubins[i].bytes);
	free(pc->cubins);
	free(pc->counts);
	*pc = (struct pc_sampling){0};
}

int pc_sampling_enable(struct pc_sampling *pc, unsigned period, struct error *err)
{
	CUcontext context;

	return context_current(&context, err) < 0 ? -1 : pc_session_open(&pc->session, context, period, err);
}

/* ---- samples ---- */

int pc_sampling_start(struct pc_sampling *pc, struct error *err)
{
	return pc_session_start(&pc->session, err);
}

static void add_count(void *user, const CUpti_PCSamplingPCData *at, const struct pc_reason *reason, uint32_t samples)
{
	struct pc_sampling *pc = user;
	struct pc_count *count;

	xgrow(&pc->counts, pc->ncounts, &pc->room, sizeof(*pc->counts));
	count = &pc->counts[pc->ncounts++];
	*count = (struct pc_count){at->functionName, at->cubinCrc, at->pcOffset, reason->name, {0, 0}};
	count->samples[reason->not_issued] = samples;
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
	pc->ncounts = 0;
	if (pc_session_stop(&pc->session, add_count, pc, err) < 0)
		return -1;
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
