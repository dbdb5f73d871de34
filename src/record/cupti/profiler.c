/* profiler.c: see profiler.h. */
#include "record/cupti/profiler.h"

#include <cupti_profiler_host.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/alloc.h"

/* clang-format off */
#define HOST_FUNCTIONS(FUNCTION) \
	FUNCTION(cuptiProfilerHostInitialize) \
	FUNCTION(cuptiProfilerHostDeinitialize) \
	FUNCTION(cuptiProfilerHostGetSupportedChips) \
	FUNCTION(cuptiProfilerHostConfigAddMetrics) \
	FUNCTION(cuptiProfilerHostGetConfigImageSize) \
	FUNCTION(cuptiProfilerHostGetConfigImage) \
	FUNCTION(cuptiProfilerHostGetNumOfPasses) \
	FUNCTION(cuptiProfilerHostEvaluateToGpuValues)
/* clang-format on */

struct profiler_host {
#define HOST_MEMBER(name) __typeof__(name) *name; /* NOLINT(bugprone-macro-parentheses): a declarator */
	HOST_FUNCTIONS(HOST_MEMBER)
#undef HOST_MEMBER
};

struct metric_plan {
	const struct profiler *profiler;
	CUpti_Profiler_Host_Object *object;
	const char *const *metrics;
	size_t nmetrics;
	uint8_t *image;
	size_t size, passes;
};

/* ---- functions ---- */

/* The name of the first function that is missing, or NULL. */
static const char *profiler_load(struct profiler *profiler)
{
	/* clang-format off */
#define LOAD(name) \
	*(void **)&profiler->name = dlsym(profiler->cupti->handle, #name); \
	if (!profiler->name) \
		return #name;
#define LOAD_HOST(name) \
	*(void **)&profiler->host->name = dlsym(profiler->cupti->handle, #name); \
	if (!profiler->host->name) \
		return #name;
	PROFILER_FUNCTIONS(LOAD)
	HOST_FUNCTIONS(LOAD_HOST)
#undef LOAD
#undef LOAD_HOST
	/* clang-format on */
	return NULL;
}

int profiler_open(struct profiler *profiler, const struct cupti *cupti, struct error *err)
{
	const char *missing;

	*profiler = (struct profiler){.cupti = cupti, .host = xcalloc(1, sizeof(*profiler->host))};
	missing = profiler_load(profiler);
	if (!missing)
		return 0;
	profiler_close(profiler);
	return error_set(err, "%s has no %s: install CUPTI 12.8 or later", cupti->path, missing);
}

void profiler_close(struct profiler *profiler)
{
	free(profiler->host);
	*profiler = (struct profiler){0};
}

/* ---- the device ---- */

int profiler_start(const struct profiler *profiler, struct error *err)
{
	CUpti_Profiler_Initialize_Params params = {.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
	CUptiResult code = profiler->cuptiProfilerInitialize(&params);

	return code == CUPTI_SUCCESS ? 0 : cupti_error(profiler->cupti, err, code, "CUPTI's profiler does not start");
}

int profiler_chip(const struct profiler *profiler, int device, char *name, size_t size, struct error *err)
{
	CUpti_Device_GetChipName_Params params = {
		.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE, .deviceIndex = (size_t)device};
	CUptiResult code = profiler->cuptiDeviceGetChipName(&params);

	if (code != CUPTI_SUCCESS)
		return cupti_error(profiler->cupti, err, code, "CUPTI does not know this GPU");
	snprintf(name, size, "%s", params.pChipName);
	return 0;
}

int profiler_chips(const struct profiler *profiler, const char *const **names, size_t *n, struct error *err)
{
	CUpti_Profiler_Host_GetSupportedChips_Params params = {
		.structSize = CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE};
	CUptiResult code = profiler->host->cuptiProfilerHostGetSupportedChips(&params);

	if (code != CUPTI_SUCCESS)
		return cupti_error(profiler->cupti, err, code, "CUPTI does not list the chips it knows");
	*names = params.ppChipNames;
	*n = params.numChips;
	return 0;
}

/* ---- plans ---- */

static int open_host(struct metric_plan *plan, enum profiler_kind kind, const char *chip, const uint8_t *availability,
	struct error *err)
{
	CUpti_Profiler_Host_Initialize_Params params = {
		.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE,
		.profilerType =
			kind == PROFILER_PM ? CUPTI_PROFILER_TYPE_PM_SAMPLING : CUPTI_PROFILER_TYPE_RANGE_PROFILER,
		.pChipName = chip,
		.pCounterAvailabilityImage = availability,
	};
	CUptiResult code = plan->profiler->host->cuptiProfilerHostInitialize(&params);
	char what[128];

	plan->object = params.pHostObject;
	if (code == CUPTI_SUCCESS)
		return 0;
	snprintf(what, sizeof(what), "no counters are known for %s", chip);
	return cupti_error(plan->profiler->cupti, err, code, what);
}

static void close_host(struct metric_plan *plan)
{
	CUpti_Profiler_Host_Deinitialize_Params params = {
		.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE, .pHostObject = plan->object};

	if (plan->object)
		(void)plan->profiler->host->cuptiProfilerHostDeinitialize(&params);
}

/* All at once: if they are added one by one, CUPTI gives each a pass of its own. */
static int add_all(struct metric_plan *plan, struct error *err)
{
	CUpti_Profiler_Host_ConfigAddMetrics_Params params = {
		.structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE,
		.pHostObject = plan->object,
		.ppMetricNames = (const char **)plan->metrics,
		.numMetrics = plan->nmetrics,
	};
	CUptiResult code = plan->profiler->host->cuptiProfilerHostConfigAddMetrics(&params);

	return code == CUPTI_SUCCESS
		       ? 0
		       : cupti_error(plan->profiler->cupti, err, code, "the metrics cannot be collected together");
}

static int profiler_make_image(struct metric_plan *plan, struct error *err)
{
	const struct profiler_host *host = plan->profiler->host;
	CUpti_Profiler_Host_GetConfigImageSize_Params size = {
		.structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE, .pHostObject = plan->object};
	CUpti_Profiler_Host_GetConfigImage_Params image = {
		.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE, .pHostObject = plan->object};
	CUpti_Profiler_Host_GetNumOfPasses_Params passes = {
		.structSize = CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE};
	CUptiResult code = host->cuptiProfilerHostGetConfigImageSize(&size);

	if (code == CUPTI_SUCCESS) {
		plan->size = size.configImageSize;
		plan->image = xcalloc(1, plan->size);
		image.configImageSize = passes.configImageSize = plan->size;
		image.pConfigImage = passes.pConfigImage = plan->image;
		code = host->cuptiProfilerHostGetConfigImage(&image);
	}
	if (code == CUPTI_SUCCESS)
		code = host->cuptiProfilerHostGetNumOfPasses(&passes);
	plan->passes = passes.numOfPasses;
	return code == CUPTI_SUCCESS
		       ? 0
		       : cupti_error(plan->profiler->cupti, err, code, "the metrics cannot be collected together");
}

struct metric_plan *metric_plan_new(const struct profiler *profiler, enum profiler_kind kind, const char *chip,
	const uint8_t *availability, const char *const *metrics, int n, struct error *err)
{
	struct metric_plan *plan = xcalloc(1, sizeof(*plan));

	plan->profiler = profiler;
	plan->metrics = metrics;
	plan->nmetrics = (size_t)n;
	if (open_host(plan, kind, chip, availability, err) == 0 && add_all(plan, err) == 0 &&
		profiler_make_image(plan, err) == 0)
		return plan;
	metric_plan_free(plan);
	return NULL;
}

void metric_plan_free(struct metric_plan *plan)
{
	if (!plan)
		return;
	close_host(plan);
	free(plan->image);
	free(plan);
}

int metrics_known(const struct profiler *profiler, enum profiler_kind kind, const char *chip,
	const uint8_t *availability, const char **metrics, int *n, struct error *err)
{
	struct metric_plan probe = {.profiler = profiler}, *plan;
	struct error unknown = {0};
	int known = 0;

	/* A chip without any counters has its own message. */
	if (open_host(&probe, kind, chip, availability, err) < 0)
		return -1;
	close_host(&probe);
	plan = metric_plan_new(profiler, kind, chip, availability, metrics, *n, &unknown);
	metric_plan_free(plan);
	if (plan)
		return 0;
	for (int i = 0; i < *n; i++) {
		plan = metric_plan_new(profiler, kind, chip, availability, &metrics[i], 1, &unknown);
		if (plan)
			metrics[known++] = metrics[i];
		metric_plan_free(plan);
	}
	*n = known;
	return 0;
}

size_t metric_plan_passes(const struct metric_plan *plan)
{
	return plan->passes;
}

const uint8_t *metric_plan_image(const struct metric_plan *plan, size_t *size)
{
	*size = plan->size;
	return plan->image;
}

int metric_plan_evaluate(const struct metric_plan *plan, const uint8_t *counters, size_t size, size_t index,
	double *values, struct error *err) /* NOLINT(readability-non-const-parameter): CUPTI writes there */
{
	CUpti_Profiler_Host_EvaluateToGpuValues_Params params = {
		.structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE,
		.pHostObject = plan->object,
		.pCounterDataImage = counters,
		.counterDataImageSize = size,
		.rangeIndex = index,
		.ppMetricNames = (const char **)plan->metrics,
		.numMetrics = plan->nmetrics,
		.pMetricValues = values,
	};
	CUptiResult code = plan->profiler->host->cuptiProfilerHostEvaluateToGpuValues(&params);

	return code == CUPTI_SUCCESS
		       ? 0
		       : cupti_error(plan->profiler->cupti, err, code, "the counters cannot be worked out");
}
