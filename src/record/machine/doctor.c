/* doctor.c: the facts of the machine that recording depends on. See record_doctor() in record.h. */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "record/code/arch.h"
#include "record/cupti/cupti.h"
#include "record/cupti/nvml.h"
#include "record/cupti/version.h"
#include "record/machine/device.h"
#include "record/machine/doctor.h"

void doctor_tell(
	const struct doctor *d, const char *what, enum doctor_level level, const char *finding, const char *advice)
{
	d->item(d->user, what, level, finding, advice);
}

static void hardware(const struct doctor *d)
{
	if (device_present())
		doctor_tell(d, "NVIDIA GPU", DOCTOR_OK, "present", NULL);
	else
		doctor_tell(d, "NVIDIA GPU", d->state == DEVICE_OK ? DOCTOR_OK : DOCTOR_MISSING,
			d->state == DEVICE_OK ? "present" : "none in this machine",
			d->state == DEVICE_OK ? NULL : "record on a machine with one; reports work without");
}

static void driver(const struct doctor *d)
{
	char version[VERSION_TEXT];

	if (driver_version(version, sizeof(version)) == 0)
		doctor_tell(d, "NVIDIA driver", DOCTOR_OK, version, NULL);
	else if (d->state == DEVICE_NONE)
		doctor_tell(d, "NVIDIA driver", DOCTOR_MISSING, "none", NULL);
	else
		doctor_tell(d, "NVIDIA driver", DOCTOR_BROKEN, "not found",
			"install the NVIDIA driver and load its kernel module");
}

static void cuda(const struct doctor *d)
{
	char runtime[VERSION_TEXT], supported[VERSION_TEXT], finding[3 * VERSION_TEXT];

	device_cuda_versions(runtime, supported, sizeof(runtime));
	if (strcmp(supported, "0.0") == 0)
		snprintf(finding, sizeof(finding), "built with %s; no driver to run it", runtime);
	else
		snprintf(finding, sizeof(finding), "built with %s, the driver supports %s", runtime, supported);
	if (d->state == DEVICE_BROKEN)
		doctor_tell(d, "CUDA", DOCTOR_BROKEN, finding, d->why.text);
	else
		doctor_tell(d, "CUDA", d->state == DEVICE_OK ? DOCTOR_OK : DOCTOR_MISSING, finding, NULL);
}

static void gpu(const struct doctor *d)
{
	struct cudaDeviceProp p;
	char finding[512], notice[ARCH_NOTICE];

	if (d->state != DEVICE_OK || cudaGetDeviceProperties(&p, d->device) != cudaSuccess)
		return;
	snprintf(finding, sizeof(finding), "%s, compute capability %d.%d, %d SMs, %.0f GiB", p.name, p.major, p.minor,
		p.multiProcessorCount, (double)p.totalGlobalMem / (1024.0 * 1024 * 1024));
	doctor_tell(d, "device", DOCTOR_OK, finding, NULL);
	if (arch_notice(CUDA_TARGETS, p.major * 10 + p.minor, notice, sizeof(notice)))
		doctor_tell(d, "kernels built for", DOCTOR_HINT, CUDA_TARGETS, notice);
	else
		doctor_tell(d, "kernels built for", DOCTOR_OK, CUDA_TARGETS, NULL);
}

/* For CUDA 13.0, CUPTI's version is 130001 and the driver's 13000. Versions of older CUPTIs are plain counts and say
 * nothing. */
static bool newer_than_driver(uint32_t version)
{
	int supported = 0;

	return version >= 100000 && cudaDriverGetVersion(&supported) == cudaSuccess && supported > 0 &&
	       version / 100 > (uint32_t)supported / 10;
}

static void cupti(const struct doctor *d)
{
	struct cupti library;
	struct error err = {0};
	char finding[PATH_MAX + 32];

	if (record_under_nsys()) {
		doctor_tell(d, "CUPTI", DOCTOR_MISSING, "left alone: running under Nsight Systems",
			"run dbprof without nsys to record a trace");
		return;
	}
	if (cupti_open(&library, &err) < 0) {
		doctor_tell(d, "CUPTI", DOCTOR_MISSING, "not usable: there will be no trace", err.text);
		return;
	}
	snprintf(finding, sizeof(finding), "version %u, %s", (unsigned)library.version, library.path);
	if (newer_than_driver(library.version))
		doctor_tell(d, "CUPTI", DOCTOR_HINT, finding,
			"it is newer than the driver, which may refuse parts of it: update the NVIDIA driver");
	else
		doctor_tell(d, "CUPTI", DOCTOR_OK, finding, NULL);
	cupti_close(&library);
}

static void nvml(const struct doctor *d)
{
	char pci[PCI_TEXT] = "", finding[64];
	struct error err = {0};
	struct nvml *library;
	long long mhz;

	if (d->state == DEVICE_OK)
		device_pci(d->device, pci);
	library = nvml_open(pci[0] == '\0' ? NULL : pci, &err);
	if (!library) {
		doctor_tell(d, "NVML", DOCTOR_MISSING, "not usable: clocks will not be recorded", err.text);
		return;
	}
	mhz = nvml_sm_mhz(library);
	snprintf(finding, sizeof(finding), "SM clock %lld MHz now", mhz);
	if (pci[0] == '\0')
		doctor_tell(d, "NVML", DOCTOR_OK, "loads", NULL);
	else if (mhz < 0)
		doctor_tell(d, "NVML", DOCTOR_MISSING, "the GPU's clocks cannot be read: they will not be recorded",
			"run nvidia-smi -q -d CLOCK to see why");
	else
		doctor_tell(d, "NVML", DOCTOR_OK, finding, NULL);
	doctor_modes(d, library);
	nvml_close(library);
}

/* The value of "RmProfilingAdminOnly: 1" in the driver's parameters, or -1. */
static int admin_only(void)
{
	FILE *file = fopen("/proc/driver/nvidia/params", "re");
	char line[256];
	int value = -1;

	if (!file)
		return -1;
	while (value < 0 && fgets(line, sizeof(line), file))
		if (sscanf(line, "RmProfilingAdminOnly: %d", &value) != 1)
			value = -1;
	fclose(file);
	return value;
}

/* Whether this process has the capability that the driver asks for. Root in a container often lacks it. */
static bool is_administrator(void)
{
	const unsigned SYS_ADMIN = 21;
	FILE *file = fopen("/proc/self/status", "re");
	char line[256];
	unsigned long long effective = 0;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "CapEff: %llx", &effective) == 1)
			break;
	if (file)
		fclose(file);
	return (effective >> SYS_ADMIN & 1) != 0;
}

static void counters(const struct doctor *d)
{
	int only = admin_only();

	if (only == 0)
		doctor_tell(d, "hardware counters", DOCTOR_OK, "open to everyone", NULL);
	else if (only > 0 && is_administrator())
		doctor_tell(d, "hardware counters", DOCTOR_OK, "open to the administrator, which you are", NULL);
	else if (only > 0)
		doctor_tell(d, "hardware counters", DOCTOR_MISSING,
			"for the administrator only (the pm, counters and stalls passes need them)",
			"load the nvidia module with NVreg_RestrictProfilingToAdminUsers=0, or run dbprof with "
			"CAP_SYS_ADMIN (docker run --cap-add SYS_ADMIN)");
}

void record_doctor(int device, doctor_item *item, void *user)
{
	struct doctor d = {.device = device, .why = {0}, .item = item, .user = user};

	doctor_try(&d);
	d.state = device_probe(device, &d.why);
	hardware(&d);
	doctor_device_files(&d);
	driver(&d);
	cuda(&d);
	gpu(&d);
	cupti(&d);
	nvml(&d);
	counters(&d);
	doctor_surroundings(&d);
	doctor_passes(&d);
}
