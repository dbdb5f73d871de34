/* doctor.c: the facts of the machine that recording depends on. See record_doctor() in record.h. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "record/arch.h"
#include "record/cupti.h"
#include "record/device.h"
#include "record/nvml.h"
#include "record/record.h"

enum { BROKEN = -1, MISSING = 0, FINE = 1 };

struct doctor {
	int device;
	enum device_state state;
	struct error why; /* for DEVICE_BROKEN */
	doctor_item *item;
	void *user;
};

static void tell(const struct doctor *d, const char *what, int ok, const char *finding, const char *advice)
{
	d->item(d->user, what, ok, finding, advice);
}

static void hardware(const struct doctor *d)
{
	if (device_present())
		tell(d, "NVIDIA GPU", FINE, "present", NULL);
	else
		tell(d, "NVIDIA GPU", d->state == DEVICE_OK ? FINE : MISSING,
			d->state == DEVICE_OK ? "present" : "none in this machine",
			d->state == DEVICE_OK ? NULL : "record on a machine with one; reports work without");
}

static void driver(const struct doctor *d)
{
	char version[VERSION_TEXT];

	if (device_driver(version, sizeof version) == 0)
		tell(d, "NVIDIA driver", FINE, version, NULL);
	else if (d->state == DEVICE_NONE)
		tell(d, "NVIDIA driver", MISSING, "none", NULL);
	else
		tell(d, "NVIDIA driver", BROKEN, "not found", "install the NVIDIA driver and load its kernel module");
}

static void cuda(const struct doctor *d)
{
	char runtime[VERSION_TEXT], supported[VERSION_TEXT], finding[3 * VERSION_TEXT];

	device_cuda_versions(runtime, supported, sizeof runtime);
	if (strcmp(supported, "0.0") == 0)
		snprintf(finding, sizeof finding, "built with %s; no driver to run it", runtime);
	else
		snprintf(finding, sizeof finding, "built with %s, the driver supports %s", runtime, supported);
	if (d->state == DEVICE_BROKEN)
		tell(d, "CUDA", BROKEN, finding, d->why.text);
	else
		tell(d, "CUDA", d->state == DEVICE_OK ? FINE : MISSING, finding, NULL);
}

static void gpu(const struct doctor *d)
{
	struct cudaDeviceProp p;
	char finding[512], list[256];

	if (d->state != DEVICE_OK || cudaGetDeviceProperties(&p, d->device) != cudaSuccess)
		return;
	snprintf(finding, sizeof finding, "%s, compute capability %d.%d, %d SMs, %.0f GiB", p.name, p.major, p.minor,
		p.multiProcessorCount, (double)p.totalGlobalMem / (1024.0 * 1024 * 1024));
	tell(d, "device", FINE, finding, NULL);
	arch_list(embedded_files, embedded_files_count, list, sizeof list);
	tell(d, "kernels built for", FINE, list, NULL);
}

static void cupti(const struct doctor *d)
{
	struct cupti library;
	struct error err = {""};
	char finding[PATH_MAX + 32];

	if (record_under_nsys()) {
		tell(d, "CUPTI", MISSING, "left alone: running under Nsight Systems",
			"run dbprof without nsys to record a trace");
		return;
	}
	if (cupti_open(&library, &err) < 0) {
		tell(d, "CUPTI", MISSING, "not usable: there will be no trace", err.text);
		return;
	}
	snprintf(finding, sizeof finding, "version %u, %s", (unsigned)library.version, library.path);
	tell(d, "CUPTI", FINE, finding, NULL);
	cupti_close(&library);
}

static void nvml(const struct doctor *d)
{
	char pci[PCI_TEXT] = "", finding[64];
	struct error err = {""};
	struct nvml *library;

	if (d->state == DEVICE_OK)
		device_pci(d->device, pci);
	library = nvml_open(pci[0] == '\0' ? NULL : pci, &err);
	if (library == NULL) {
		tell(d, "NVML", MISSING, "not usable: clocks will not be recorded", err.text);
		return;
	}
	snprintf(finding, sizeof finding, "SM clock %lld MHz now", nvml_sm_mhz(library));
	tell(d, "NVML", FINE, pci[0] == '\0' ? "loads" : finding, NULL);
	nvml_close(library);
}

/* The value of "RmProfilingAdminOnly: 1" in the driver's parameters, or -1. */
static int admin_only(void)
{
	FILE *file = fopen("/proc/driver/nvidia/params", "re");
	char line[256];
	int value = -1;

	if (file == NULL)
		return -1;
	while (value < 0 && fgets(line, sizeof line, file) != NULL)
		if (sscanf(line, "RmProfilingAdminOnly: %d", &value) != 1)
			value = -1;
	fclose(file);
	return value;
}

static void counters(const struct doctor *d)
{
	int only = admin_only();

	if (only < 0)
		return;
	if (only == 0 || geteuid() == 0)
		tell(d, "hardware counters", FINE, only == 0 ? "open to everyone" : "open to root, which you are",
			NULL);
	else
		tell(d, "hardware counters", MISSING,
			"for the administrator only (the pm, counters and stalls passes need them)",
			"load the nvidia module with NVreg_RestrictProfilingToAdminUsers=0");
}

void record_doctor(int device, doctor_item *item, void *user)
{
	struct doctor d = {.device = device, .why = {""}, .item = item, .user = user};

	d.state = device_probe(device, &d.why);
	hardware(&d);
	driver(&d);
	cuda(&d);
	gpu(&d);
	cupti(&d);
	nvml(&d);
	counters(&d);
	if (record_under_nsys())
		tell(&d, "Nsight Systems", FINE, "dbprof runs under it", NULL);
}
