/* doctor-machine.c: what is around the GPU and changes what can be measured. See doctor.h. */
#include "record/machine/doctor.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "record/cupti/nvml.h"
#include "record/machine/environment.h"
#include "util/file/temporary.h"
#include "util/format.h"

/* ---- device files ---- */

/* Device nodes "nvidia0", "nvidia1" ... in /dev. */
static int count_nodes(void)
{
	DIR *dir = opendir("/dev");
	int n = 0;

	for (struct dirent *entry; dir && (entry = readdir(dir));)
		n += strncmp(entry->d_name, "nvidia", 6) == 0 && isdigit((unsigned char)entry->d_name[6]);
	if (dir)
		closedir(dir);
	return n;
}

/* What an error of open() means for one of the driver's files. */
static const char *node_advice(int error)
{
	switch (error) {
	case ENOENT:
		return "in a container: give it the GPU (docker run --gpus all); else load the driver: nvidia-modprobe";
	case EACCES:
		return "your user may not open it: ask for the permission (on Debian the group video)";
	case EPERM:
		return "the container's or the batch system's rules for devices (cgroup) forbid it: ask for a GPU";
	default:
		return "run nvidia-smi and look at dmesg";
	}
}

void doctor_device_files(const struct doctor *d)
{
	static const char *const files[] = {"/dev/nvidiactl", "/dev/nvidia-uvm"};
	char finding[128];
	int nodes;

	if (!device_present() || access("/dev/dxg", F_OK) == 0)
		return;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		int fd = open(files[i], O_RDWR | O_CLOEXEC), error = errno;

		if (fd >= 0) {
			close(fd);
			continue;
		}
		snprintf(finding, sizeof(finding), "%s cannot be opened: %s", files[i], strerror(error));
		doctor_tell(d, "device files", d->state == DEVICE_OK ? DOCTOR_HINT : DOCTOR_BROKEN, finding,
			node_advice(error));
		return;
	}
	nodes = count_nodes();
	snprintf(finding, sizeof(finding), "can be opened; %d GPU%s", nodes, nodes == 1 ? "" : "s");
	doctor_tell(d, "device files", DOCTOR_OK, finding, NULL);
}

/* ---- modes ---- */

void doctor_modes(const struct doctor *d, const struct nvml *nvml)
{
	struct nvml_modes modes;

	nvml_read_modes(nvml, &modes);
	if (modes.mig == 1)
		doctor_tell(d, "MIG", DOCTOR_HINT, "on: this is a slice of a GPU",
			"counters of the whole GPU may be closed to it: nvidia-smi -mig 0 as root gives the whole GPU");
	if (modes.is_virtual == 1)
		doctor_tell(d, "virtual GPU", DOCTOR_HINT, "the GPU is shared with other machines",
			"times vary with their load, and the host must allow profiling (vGPU plug-in parameters)");
	if (modes.persistence == 0)
		doctor_tell(d, "persistence mode", DOCTOR_HINT, "off: each pass waits for the driver to start",
			"nvidia-smi -pm 1 as root makes recording quicker");
	if (access("/dev/dxg", F_OK) == 0)
		doctor_tell(d, "WSL", DOCTOR_HINT, "the GPU belongs to Windows, which schedules its work",
			"allow access to the GPU's counters in the NVIDIA control panel of Windows");
}

/* ---- surroundings ---- */

static void tell_variable(void *user, const char *sentence)
{
	doctor_tell(user, "environment", DOCTOR_HINT, sentence, "unset it to measure without that");
}

/* Whether the process is a tool that may hold the counters. `name` is as in /proc/PID/comm, at most 15 letters. */
static bool is_profiler(const char *name)
{
	static const char *const names[] = {"nv-hostengine", "dcgm-exporter", "nsys", "nsys-launcher", "ncu", "nvprof"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool read_comm(const char *pid, char *name, int size)
{
	char path[300];
	FILE *file;
	bool good;

	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	good = fgets(name, size, file) != NULL;
	fclose(file);
	name[strcspn(name, "\n")] = '\0';
	return good;
}

static void tell_profilers(const struct doctor *d)
{
	DIR *dir = opendir("/proc");
	char name[64], finding[512];

	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		if (!isdigit((unsigned char)entry->d_name[0]) || !read_comm(entry->d_name, name, sizeof(name)) ||
			!is_profiler(name))
			continue;
		snprintf(finding, sizeof(finding), "%s (process %.20s)", name, entry->d_name);
		doctor_tell(d, "other profiler", DOCTOR_HINT, finding,
			"if a pass finds the counters busy, end it (dcgm: dcgmi profile --pause)");
	}
	if (dir)
		closedir(dir);
}

/* `what`: a name for the folder; `advice`: how to choose another. */
static void tell_room(const struct doctor *d, const char *what, const char *folder, const char *advice)
{
	const double ENOUGH =
		1024.0 * 1024 * 1024; /* a long trace takes some hundred MiB, and twice as much while it is built */
	struct statvfs fs;
	char room[FORMAT_SIZE], finding[FORMAT_SIZE + 300];
	double bytes;

	if (statvfs(folder, &fs) < 0 || access(folder, W_OK | X_OK) < 0) {
		snprintf(finding, sizeof(finding), "%.200s: %s", folder, strerror(errno));
		doctor_tell(d, what, DOCTOR_MISSING, finding, advice);
		return;
	}
	bytes = (double)fs.f_bavail * (double)fs.f_frsize;
	snprintf(finding, sizeof(finding), "%.200s: %s free", folder, format_bytes(room, sizeof(room), bytes));
	doctor_tell(d, what, bytes < ENOUGH ? DOCTOR_HINT : DOCTOR_OK, finding, bytes < ENOUGH ? advice : NULL);
}

void doctor_surroundings(const struct doctor *d)
{
	environment_tell(tell_variable, (void *)d);
	tell_profilers(d);
	tell_room(
		d, "temporary folder", temporary_base(), "set TMPDIR to a folder with more room that you may write to");
	tell_room(d, "current folder", ".", "write recordings elsewhere with -o");
}
