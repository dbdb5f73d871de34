/* present.c: see present.h. Part of every dbprof. */
#include "record/cupti/present.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the folder holds an entry that `wanted` accepts. */
static bool any_entry(const char *folder, bool (*wanted)(int folder, const char *name))
{
	DIR *dir = opendir(folder);
	bool found = false;

	if (!dir)
		return false;
	for (struct dirent *entry; !found && (entry = readdir(dir));)
		found = entry->d_name[0] != '.' && wanted(dirfd(dir), entry->d_name);
	closedir(dir);
	return found;
}

/* The hexadecimal number in a sysfs file of a device, or -1. */
static long read_hex(int folder, const char *device, const char *file)
{
	char path[512], text[32];
	ssize_t n;
	int fd;

	if (snprintf(path, sizeof(path), "%s/%s", device, file) >= (int)sizeof(path))
		return -1;
	fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return -1;
	text[n] = '\0';
	return strtol(text, NULL, 16);
}

/* A display or 3D controller (PCI class 03) of NVIDIA (vendor 10de). */
static bool is_gpu(int folder, const char *device)
{
	return read_hex(folder, device, "vendor") == 0x10de && read_hex(folder, device, "class") >> 16 == 0x03;
}

/* /dev/nvidia0, but not nvidiactl or nvidia-uvm, which are there without a GPU. */
static bool is_node(int folder, const char *name)
{
	static const char prefix[] = "nvidia";
	size_t length = sizeof(prefix) - 1;

	(void)folder;
	return strncmp(name, prefix, length) == 0 && name[length] != '\0' &&
	       strspn(name + length, "0123456789") == strlen(name + length);
}

static bool is_any(int folder, const char *name)
{
	(void)folder;
	(void)name;
	return true;
}

bool device_present(void)
{
	return any_entry("/sys/bus/pci/devices", is_gpu) || any_entry("/dev", is_node) ||
	       any_entry("/proc/driver/nvidia/gpus", is_any) || access("/dev/dxg", F_OK) == 0;
}
