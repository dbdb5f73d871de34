/* nvml.c: see nvml.h. nvml.h of NVIDIA is not in every toolkit: the few declarations needed are here. */
#include "record/cupti/nvml.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* From NVML's documented ABI. */
enum { NVML_SUCCESS = 0, NVML_INSUFFICIENT_SIZE = 7, NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_TEMPERATURE_GPU = 0 };
enum { NVML_VIRTUALIZATION_VGPU = 2 };

typedef struct nvml_device *nvml_handle;

/* clang-format off */
#define FUNCTIONS(FUNCTION) \
	FUNCTION(init, "nvmlInit_v2", (void)) \
	FUNCTION(shutdown, "nvmlShutdown", (void)) \
	FUNCTION(by_pci, "nvmlDeviceGetHandleByPciBusId_v2", (const char *, nvml_handle *)) \
	FUNCTION(by_uuid, "nvmlDeviceGetHandleByUUID", (const char *, nvml_handle *)) \
	FUNCTION(clock, "nvmlDeviceGetClockInfo", (nvml_handle, int, unsigned *)) \
	FUNCTION(temperature, "nvmlDeviceGetTemperature", (nvml_handle, int, unsigned *)) \
	FUNCTION(power, "nvmlDeviceGetPowerUsage", (nvml_handle, unsigned *)) \
	FUNCTION(throttle, "nvmlDeviceGetCurrentClocksThrottleReasons", (nvml_handle, unsigned long long *)) \
	FUNCTION(processes, "nvmlDeviceGetComputeRunningProcesses_v3", (nvml_handle, unsigned *, void *)) \
	FUNCTION(driver, "nvmlSystemGetDriverVersion", (char *, unsigned))
/* Not in every version, and then NULL. */
#define OPTIONAL_FUNCTIONS(FUNCTION) \
	FUNCTION(persistence, "nvmlDeviceGetPersistenceMode", (nvml_handle, int *)) \
	FUNCTION(virtualization, "nvmlDeviceGetVirtualizationMode", (nvml_handle, int *)) \
	FUNCTION(mig, "nvmlDeviceGetMigMode", (nvml_handle, unsigned *, unsigned *))
/* clang-format on */

struct nvml {
	void *library;
	nvml_handle device;                                     /* NULL without a GPU */
#define MEMBER(name, symbol, parameters) int(*name) parameters; /* NOLINT(bugprone-macro-parentheses): a declarator */
	FUNCTIONS(MEMBER)
	OPTIONAL_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* The name of the first function that is missing, or NULL. */
static const char *nvml_load(struct nvml *nvml)
{
	/* ISO C has no cast from an object's to a function's address; POSIX gives this form. */
	/* clang-format off */
#define LOAD(name, symbol, parameters) \
	*(void **)&nvml->name = dlsym(nvml->library, symbol); \
	if (!nvml->name) \
		return symbol;
	FUNCTIONS(LOAD)
#undef LOAD
#define LOAD(name, symbol, parameters) *(void **)&nvml->name = dlsym(nvml->library, symbol);
	OPTIONAL_FUNCTIONS(LOAD)
#undef LOAD
	/* clang-format on */
	return NULL;
}

static int nvml_start(struct nvml *nvml, const char *gpu, struct error *err)
{
	int code = nvml->init();

	if (code != NVML_SUCCESS)
		return error_set(err, "NVML does not start (error %d): check that nvidia-smi works", code);
	if (!gpu)
		return 0;
	code = strncmp(gpu, "GPU-", 4) == 0 ? nvml->by_uuid(gpu, &nvml->device) : nvml->by_pci(gpu, &nvml->device);
	if (code == NVML_SUCCESS)
		return 0;
	nvml->shutdown();
	return error_set(err, "NVML does not know the GPU %s (error %d)", gpu, code);
}

struct nvml *nvml_open(const char *gpu, struct error *err)
{
	struct nvml *nvml = xcalloc(1, sizeof(*nvml));
	const char *missing;

	nvml->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!nvml->library) {
		error_set(err, "libnvidia-ml.so.1 is missing: it comes with the NVIDIA driver");
		free(nvml);
		return NULL;
	}
	missing = nvml_load(nvml);
	if (missing)
		error_set(err, "libnvidia-ml.so.1 has no %s: update the NVIDIA driver", missing);
	if (missing || nvml_start(nvml, gpu, err) < 0) {
		dlclose(nvml->library);
		free(nvml);
		return NULL;
	}
	return nvml;
}

void nvml_close(struct nvml *nvml)
{
	if (!nvml)
		return;
	nvml->shutdown();
	dlclose(nvml->library);
	free(nvml);
}

static long long clock_mhz(const struct nvml *nvml, int which)
{
	unsigned mhz;

	if (!nvml || !nvml->device || nvml->clock(nvml->device, which, &mhz) != NVML_SUCCESS)
		return -1;
	return mhz;
}

long long nvml_sm_mhz(const struct nvml *nvml)
{
	return clock_mhz(nvml, NVML_CLOCK_SM);
}

/* Asked with no room for a list, NVML gives its length. */
static long long count_processes(const struct nvml *nvml)
{
	unsigned n = 0;
	int code = nvml->processes(nvml->device, &n, NULL);

	return code == NVML_SUCCESS || code == NVML_INSUFFICIENT_SIZE ? (long long)n : -1;
}

void nvml_read(const struct nvml *nvml, struct nvml_clocks *out)
{
	unsigned value;
	unsigned long long mask;

	*out = (struct nvml_clocks){clock_mhz(nvml, NVML_CLOCK_SM), clock_mhz(nvml, NVML_CLOCK_MEM), -1, -1, -1, -1};
	if (!nvml || !nvml->device)
		return;
	if (nvml->temperature(nvml->device, NVML_TEMPERATURE_GPU, &value) == NVML_SUCCESS)
		out->temperature_c = value;
	if (nvml->power(nvml->device, &value) == NVML_SUCCESS)
		out->power_mw = value;
	if (nvml->throttle(nvml->device, &mask) == NVML_SUCCESS)
		out->throttle = (long long)mask;
	out->processes = count_processes(nvml);
}

void nvml_read_modes(const struct nvml *nvml, struct nvml_modes *out)
{
	unsigned now, after_reset;
	int value;

	*out = (struct nvml_modes){-1, -1, -1};
	if (!nvml || !nvml->device)
		return;
	if (nvml->mig && nvml->mig(nvml->device, &now, &after_reset) == NVML_SUCCESS)
		out->mig = now != 0;
	if (nvml->virtualization && nvml->virtualization(nvml->device, &value) == NVML_SUCCESS)
		out->is_virtual = value == NVML_VIRTUALIZATION_VGPU;
	if (nvml->persistence && nvml->persistence(nvml->device, &value) == NVML_SUCCESS)
		out->persistence = value != 0;
}

int nvml_driver(const struct nvml *nvml, char *out, size_t size)
{
	return nvml->driver(out, (unsigned)size) == NVML_SUCCESS ? 0 : -1;
}
