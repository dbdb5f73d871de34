/* complaint.c: see complaint.h. */
#include "trace/inject/complaint.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "util/hash.h"

/* An abstract name begins with a NUL and ends with its length. The folder's own name may be too long for one. */
static socklen_t name_socket(struct sockaddr_un *address, const char *folder)
{
	uint64_t hash = hash_bytes(0, folder, strlen(folder));
	int length;

	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	length = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, "dbprof-%016" PRIx64, hash);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static int open_socket(void)
{
	return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int complaint_listen(const char *folder)
{
	struct sockaddr_un address;
	socklen_t size = name_socket(&address, folder);
	int fd = open_socket();

	if (fd < 0 || bind(fd, (const struct sockaddr *)&address, size) == 0)
		return fd;
	close(fd);
	return -1;
}

void complaint_send(const char *folder, const struct error *what)
{
	struct sockaddr_un address;
	socklen_t size = name_socket(&address, folder);
	int fd = open_socket();

	if (fd < 0)
		return;
	(void)!sendto(fd, what->text, strlen(what->text), MSG_DONTWAIT | MSG_NOSIGNAL,
		(const struct sockaddr *)&address, size);
	close(fd);
}

int complaint_take(int fd, struct error *first)
{
	char text[sizeof(first->text)];
	ssize_t size;
	int n = 0;

	if (fd < 0)
		return 0;
	while ((size = recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT)) >= 0) {
		if (n++ > 0)
			continue;
		text[size] = '\0';
		error_set(first, "%s", text);
	}
	return n;
}
