/* held.c: see held.h. */
#include "util/file/held.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int file_above_streams(int fd)
{
	int above, error;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	error = errno;
	close(fd);
	errno = error;
	return above;
}

struct held_file file_hold(int fd)
{
	struct stat now;

	if (fd < 0 || fstat(fd, &now) != 0)
		return (struct held_file){-1, 0, 0};
	return (struct held_file){fd, now.st_dev, now.st_ino};
}

bool file_is_held(const struct held_file *held)
{
	struct stat now;

	return held->fd >= 0 && fstat(held->fd, &now) == 0 && now.st_dev == held->device && now.st_ino == held->inode;
}
