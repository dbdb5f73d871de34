/* host.c: see host.h. */
#include "util/host.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define HEXADECIMAL "0123456789abcdef"

/* The kernel makes a random number at each boot (random(4)). */
void host_digits(char digits[HOST_DIGITS + 1])
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, digits, HOST_DIGITS);

	if (fd >= 0)
		close(fd);
	digits[HOST_DIGITS] = '\0';
	if (got != HOST_DIGITS || strspn(digits, HEXADECIMAL) != HOST_DIGITS)
		memcpy(digits, HOST_NONE, sizeof(HOST_NONE));
}

bool host_made(const char *name)
{
	size_t length = strlen(name);
	char own[HOST_DIGITS + 1];

	if (length < HOST_TAIL || strspn(name + length - HOST_TAIL, HEXADECIMAL) != HOST_TAIL)
		return false;
	host_digits(own);
	return strcmp(own, HOST_NONE) != 0 && strncmp(name + length - HOST_TAIL, own, HOST_DIGITS) == 0;
}
