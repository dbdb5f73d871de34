/* nvml.c: the part of NVML that src/record/cupti/nvml.c looks up, by its documented ABI: clocks that do not change,
 * but for a GPU without work (STAND_IN_BUSY, docs/stand-in.md). As the real one, it does not care which GPUs a process
 * sees. */
#include "stand-in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	SUCCESS = 0,
	INVALID_ARGUMENT = 2,
	NOT_FOUND = 6,
	INSUFFICIENT_SIZE = 7,
	SM_CLOCK = 1,
	MEMORY_MHZ = 1600,
	IDLE_MHZ = 345,
	REASON_IDLE = 1,
	MHZ_MORE = 100, /* the clock of each GPU is so much faster than that of the one before */
	TEMPERATURE_C = 40,
	POWER_MW = 100000,
};

#define DRIVER "580.00.00"

typedef struct nvml_device *nvml_handle;

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, nvml_handle *out);
int nvmlDeviceGetHandleByUUID(const char *uuid, nvml_handle *out);
int nvmlDeviceGetClockInfo(nvml_handle device, int which, unsigned *out);
int nvmlDeviceGetTemperature(nvml_handle device, int sensor, unsigned *out);
int nvmlDeviceGetPowerUsage(nvml_handle device, unsigned *out);
int nvmlDeviceGetCurrentClocksThrottleReasons(nvml_handle device, unsigned long long *out);
int nvmlDeviceGetComputeRunningProcesses_v3(nvml_handle device, unsigned *count, void *list);
int nvmlSystemGetDriverVersion(char *out, unsigned size);
int nvmlDeviceGetPersistenceMode(nvml_handle device, int *out);
int nvmlDeviceGetVirtualizationMode(nvml_handle device, int *out);
int nvmlDeviceGetMigMode(nvml_handle device, unsigned *now, unsigned *after_reset);

int nvmlInit_v2(void)
{
	STAND_IN_CALL(int);
	return SUCCESS;
}

int nvmlShutdown(void)
{
	STAND_IN_CALL(int);
	return SUCCESS;
}

/* A handle is the bus number, which is that of the device plus 1. */
int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, nvml_handle *out)
{
	unsigned domain, bus;

	STAND_IN_CALL(int);
	if (sscanf(pci, "%x:%x:", &domain, &bus) != 2)
		return INVALID_ARGUMENT;
	if (bus < 1 || (int)bus > stand_in()->devices)
		return NOT_FOUND;
	*out = (nvml_handle)(uintptr_t)bus;
	return SUCCESS;
}

/* The last byte of a device's UUID is its number, from 1. */
int nvmlDeviceGetHandleByUUID(const char *uuid, nvml_handle *out)
{
	unsigned number;

	STAND_IN_CALL(int);
	if (strncmp(uuid, "GPU-", 4) != 0 || strlen(uuid) < 6 || sscanf(uuid + strlen(uuid) - 2, "%x", &number) != 1)
		return INVALID_ARGUMENT;
	if (number < 1 || (int)number > stand_in()->devices)
		return NOT_FOUND;
	*out = (nvml_handle)(uintptr_t)number;
	return SUCCESS;
}

static unsigned number_of(nvml_handle device)
{
	return (unsigned)(uintptr_t)device;
}

/* As it was when the clock was read: the reasons are of the same moment. */
static _Thread_local int is_idle;

static unsigned sm_mhz(unsigned device)
{
	const char *busy = getenv("STAND_IN_BUSY");

	is_idle = busy && access(busy, F_OK) != 0;
	return is_idle ? IDLE_MHZ : STAND_IN_SM_MHZ + MHZ_MORE * (device - 1);
}

int nvmlDeviceGetClockInfo(nvml_handle device, int which, unsigned *out)
{
	STAND_IN_CALL(int);
	*out = which == SM_CLOCK ? sm_mhz(number_of(device)) : MEMORY_MHZ;
	return SUCCESS;
}

int nvmlDeviceGetTemperature(nvml_handle device, int sensor, unsigned *out)
{
	(void)device;
	(void)sensor;
	STAND_IN_CALL(int);
	*out = TEMPERATURE_C;
	return SUCCESS;
}

int nvmlDeviceGetPowerUsage(nvml_handle device, unsigned *out)
{
	(void)device;
	STAND_IN_CALL(int);
	*out = POWER_MW;
	return SUCCESS;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(nvml_handle device, unsigned long long *out)
{
	(void)device;
	STAND_IN_CALL(int);
	*out = is_idle ? REASON_IDLE : 0;
	return SUCCESS;
}

/* One process, this one: as the real one, it refuses a list without room for it. */
int nvmlDeviceGetComputeRunningProcesses_v3(nvml_handle device, unsigned *count, void *list)
{
	(void)device;
	(void)list;
	STAND_IN_CALL(int);
	*count = 1;
	return INSUFFICIENT_SIZE;
}

int nvmlSystemGetDriverVersion(char *out, unsigned size)
{
	STAND_IN_CALL(int);
	if (size < sizeof DRIVER)
		return INSUFFICIENT_SIZE;
	memcpy(out, DRIVER, sizeof DRIVER);
	return SUCCESS;
}

int nvmlDeviceGetPersistenceMode(nvml_handle device, int *out)
{
	(void)device;
	STAND_IN_CALL(int);
	*out = 1;
	return SUCCESS;
}

/* None. */
int nvmlDeviceGetVirtualizationMode(nvml_handle device, int *out)
{
	(void)device;
	STAND_IN_CALL(int);
	*out = 0;
	return SUCCESS;
}

int nvmlDeviceGetMigMode(nvml_handle device, unsigned *now, unsigned *after_reset)
{
	(void)device;
	STAND_IN_CALL(int);
	*now = *after_reset = 0;
	return SUCCESS;
}
