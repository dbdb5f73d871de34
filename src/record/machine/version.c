/* version.c: see version.h. */
#include "record/machine/version.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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
