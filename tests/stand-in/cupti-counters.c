/* cupti-counters.c: see cupti-counters.h. */
#include "cupti-counters.h"

#include <math.h>
#include <string.h>

static const char chip[] = "GH100";

/* The units that a GH100 counts in. */
static const char *const units[] = {"dram__", "gpu__", "gr__", "l1tex__", "lts__", "pcie__", "sm__", "smsp__", NULL};

static bool is_taken, is_initialized;

/* ---- metrics ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), n = strlen(end);

	return length >= n && strcmp(text + length - n, end) == 0;
}

/* Later chips count the bytes of DRAM by operation. */
bool counter_is_known(const char *metric)
{
	if (metric == NULL || strchr(metric, '.') == NULL || strncmp(metric, "dram__bytes_op_", 15) == 0)
		return false;
	for (int i = 0; units[i] != NULL; i++)
		if (strncmp(metric, units[i], strlen(units[i])) == 0)
			return true;
	return false;
}

static double weight_of(const char *metric)
{
	unsigned sum = 0;

	for (const char *p = metric; *p != '\0'; p++)
		sum += (unsigned char)*p;
	return 1 + sum % 5;
}

static double value_of_sample(const char *metric, const struct counted *c)
{
	if (strstr(metric, "pct") != NULL)
		return c->end == c->start ? NAN : 100.0 * (double)c->kernel_ns / (double)(c->end - c->start);
	if (strstr(metric, "read") != NULL)
		return c->read;
	if (strstr(metric, "write") != NULL)
		return c->written;
	return (double)c->kernel_ns;
}

double counter_value(const char *metric, const struct counted *c, bool is_sampled)
{
	if (is_sampled)
		return value_of_sample(metric, c);
	if (strcmp(metric, "gpu__time_duration.sum") == 0)
		return (double)c->kernel_ns;
	if (ends_with(metric, ".sum"))
		return weight_of(metric) * (double)c->threads;
	if (c->kernels == 0)
		return NAN;
	return strstr(metric, "pct") != NULL ? weight_of(metric) : weight_of(metric) / 10;
}

/* ---- images ---- */

const struct config_image *config_image_of(const uint8_t *image, size_t size)
{
	const struct config_image *config = (const void *)image;

	return config != NULL && size >= sizeof *config && config->magic == CONFIG_MAGIC ? config : NULL;
}

struct counter_image *counter_image_of(const uint8_t *image, size_t size)
{
	struct counter_image *counters = (void *)(uintptr_t)image;

	return counters != NULL && size >= sizeof *counters && counters->magic == COUNTERS_MAGIC &&
			       counter_image_size(counters->room) <= size
		       ? counters
		       : NULL;
}

size_t counter_image_size(size_t room)
{
	return sizeof(struct counter_image) + room * sizeof(struct counted);
}

CUptiResult counter_image_initialize(uint8_t *image, size_t size, bool is_sampled)
{
	struct counter_image *counters = (void *)image;

	if (image == NULL || size < sizeof *counters)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*counters = (struct counter_image){.magic = COUNTERS_MAGIC,
		.is_sampled = is_sampled,
		.room = (size - sizeof *counters) / sizeof counters->all[0]};
	return CUPTI_SUCCESS;
}

CUptiResult availability_image_fill(uint8_t *image, size_t *size, size_t device)
{
	const struct availability_image available = {
		stand_in()->foreign ? FOREIGN_MAGIC : AVAILABILITY_MAGIC, (uint32_t)device};

	if (!is_initialized)
		return CUPTI_ERROR_NOT_INITIALIZED;
	if (stand_in()->no_permission)
		return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
	if (image == NULL) {
		*size = sizeof available;
		return CUPTI_SUCCESS;
	}
	if (*size < sizeof available)
		return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
	memcpy(image, &available, sizeof available);
	return CUPTI_SUCCESS;
}

/* ---- one at a time ---- */

CUptiResult counters_take(void)
{
	if (stand_in()->no_permission)
		return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
	return __atomic_exchange_n(&is_taken, true, __ATOMIC_ACQ_REL) ? CUPTI_ERROR_HARDWARE_BUSY : CUPTI_SUCCESS;
}

void counters_release(void)
{
	__atomic_store_n(&is_taken, false, __ATOMIC_RELEASE);
}

/* ---- CUPTI ---- */

CUptiResult CUPTIAPI cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_Profiler_Initialize_Params))
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (stand_in()->devices == 0)
		return CUPTI_ERROR_NOT_INITIALIZED;
	is_initialized = true;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerDeInitialize(CUpti_Profiler_DeInitialize_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_Profiler_DeInitialize_Params))
		return CUPTI_ERROR_INVALID_PARAMETER;
	is_initialized = false;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_Device_GetChipName_Params) || params->deviceIndex >= (size_t)stand_in()->devices)
		return CUPTI_ERROR_INVALID_PARAMETER;
	params->pChipName = stand_in_is_other((int)params->deviceIndex) ? "GA100" : chip;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params *params)
{
	STAND_IN_CALL(CUptiResult);
	if (!IS_SIZED(params, CUpti_Profiler_GetCounterAvailability_Params))
		return CUPTI_ERROR_INVALID_PARAMETER;
	return availability_image_fill(params->pCounterAvailabilityImage, &params->counterAvailabilityImageSize, 0);
}
