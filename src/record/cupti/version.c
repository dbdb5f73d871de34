/* version.c: see version.h. */
#include "record/cupti/version.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "record/cupti/nvml.h"

void version_of_cuda(int number, char *out, size_t size)
{
	snprintf(out, size, "%d.%d", number / 1000, number % 1000 / 10);
}

int version_in_text(const char *text, char *out, size_t size)
{
	for (const char *p = text; *p != '\0';) {
		size_t length;

		p += strspn(p, " \t\n");
		length = strcspn(p, " \t\n");
		if (isdigit((unsigned char)*p) && length < size && memchr(p, '.', length)) {
			memcpy(out, p, length);
			out[length] = '\0';
			return 0;
		}
		p += length;
	}
	return -1;
}

/* A file in /proc has no size: file_read() is for regular ones. */
static int driver_of_proc(char *out, size_t size)
{
	FILE *file = fopen("/proc/driver/nvidia/version", "re");
	char text[512];
	size_t n;

	if (!file)
		return -1;
	n = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[n] = '\0';
	return version_in_text(text, out, size);
}

int driver_version(char *out, size_t size)
{
	struct nvml *nvml = nvml_open(NULL, NULL);
	int result = nvml ? nvml_driver(nvml, out, size) : -1;

	nvml_close(nvml);
	return result == 0 ? 0 : driver_of_proc(out, size);
}
