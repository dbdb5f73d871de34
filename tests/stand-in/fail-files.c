/* fail-files.c: files: opening, reading, writing, naming, closing. See fail.h. What libc calls within itself, as the
 * writes of a stream, cannot be seen from here: a stream fails when it is opened, flushed or closed. */
#undef _FILE_OFFSET_BITS
#include "fail.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* A function with one value that tells its failure: the arguments with their types, and without. */
#define WRAP(type, name, failure, arguments, values)                                                                   \
	type name arguments                                                                                            \
	{                                                                                                              \
		FAIL_NEXT(name);                                                                                       \
		FAIL_CALL(#name, failure);                                                                             \
		return next values;                                                                                    \
	}

WRAP(ssize_t, read, -1, (int fd, void *data, size_t size), (fd, data, size))
WRAP(ssize_t, pread, -1, (int fd, void *data, size_t size, off_t at), (fd, data, size, at))
WRAP(ssize_t, pread64, -1, (int fd, void *data, size_t size, off64_t at), (fd, data, size, at))
WRAP(int, fsync, -1, (int fd), (fd))
WRAP(int, fdatasync, -1, (int fd), (fd))
WRAP(int, rename, -1, (const char *from, const char *to), (from, to))
WRAP(int, renameat, -1, (int a, const char *from, int b, const char *to), (a, from, b, to))
WRAP(int, linkat, -1, (int a, const char *from, int b, const char *to, int how), (a, from, b, to, how))
WRAP(int, mkdirat, -1, (int folder, const char *name, mode_t mode), (folder, name, mode))
WRAP(int, flock, -1, (int fd, int how), (fd, how))
WRAP(int, renameat2, -1, (int a, const char *from, int b, const char *to, unsigned how), (a, from, b, to, how))
WRAP(int, ftruncate, -1, (int fd, off_t size), (fd, size))
WRAP(int, ftruncate64, -1, (int fd, off64_t size), (fd, size))
WRAP(int, fchmod, -1, (int fd, mode_t mode), (fd, mode))
WRAP(int, fstat, -1, (int fd, struct stat *st), (fd, st))
WRAP(int, stat, -1, (const char *path, struct stat *st), (path, st))
WRAP(int, mkdir, -1, (const char *path, mode_t mode), (path, mode))
WRAP(char *, mkdtemp, NULL, (char *path), (path))
WRAP(int, mkstemp, -1, (char *path), (path))
WRAP(int, unlink, -1, (const char *path), (path))
WRAP(int, dup2, -1, (int fd, int other), (fd, other))
WRAP(int, pipe2, -1, (int ends[2], int flags), (ends, flags))
WRAP(int, memfd_create, -1, (const char *name, unsigned flags), (name, flags))
WRAP(off_t, lseek, -1, (int fd, off_t at, int from), (fd, at, from))
WRAP(off64_t, lseek64, -1, (int fd, off64_t at, int from), (fd, at, from))
WRAP(char *, realpath, NULL, (const char *path, char *whole), (path, whole))
WRAP(DIR *, opendir, NULL, (const char *path), (path))
WRAP(FILE *, fopen, NULL, (const char *path, const char *mode), (path, mode))
WRAP(FILE *, fopen64, NULL, (const char *path, const char *mode), (path, mode))
WRAP(FILE *, fdopen, NULL, (int fd, const char *mode), (fd, mode))
WRAP(FILE *, open_memstream, NULL, (char **data, size_t *size), (data, size))
WRAP(int, fflush, EOF, (FILE * file), (file))
WRAP(void *, mmap, MAP_FAILED, (void *where, size_t size, int may, int how, int fd, off_t at),
	(where, size, may, how, fd, at))
WRAP(void *, mmap64, MAP_FAILED, (void *where, size_t size, int may, int how, int fd, off64_t at),
	(where, size, may, how, fd, at))

/* A disk that is full takes half, and says how much it took. */
#define WRAP_WRITE(name, arguments, values, shorter, half)                                                             \
	ssize_t name arguments                                                                                         \
	{                                                                                                              \
		int code = fail_here(#name, true);                                                                     \
		FAIL_NEXT(name);                                                                                       \
		if (code == FAIL_SHORT && (half) > 0)                                                                  \
			return next shorter;                                                                           \
		if (code <= 0)                                                                                         \
			return next values;                                                                            \
		errno = code;                                                                                          \
		return -1;                                                                                             \
	}

WRAP_WRITE(write, (int fd, const void *data, size_t size), (fd, data, size), (fd, data, size / 2), size / 2)
WRAP_WRITE(pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at), (fd, data, size / 2, at),
	size / 2)
WRAP_WRITE(pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at),
	(fd, data, size / 2, at), size / 2)
WRAP_WRITE(writev, (int fd, const struct iovec *data, int n), (fd, data, n), (fd, data, n / 2), n / 2)

/* What fails to close is closed all the same, as Linux does it. */
int close(int fd)
{
	FAIL_NEXT(close);
	int code = fail_here("close", false), rc = next(fd);

	if (code == 0)
		return rc;
	errno = code;
	return -1;
}

int fclose(FILE *file)
{
	FAIL_NEXT(fclose);
	int code = fail_here("fclose", false), rc;

	/* Its lock may be another library's to look at. */
	fail_pause();
	rc = next(file);
	fail_resume();
	if (code == 0)
		return rc;
	errno = code;
	return EOF;
}

/* The third argument counts where O_CREAT or O_TMPFILE is among the flags. */
static mode_t mode_of(va_list arguments, int flags)
{
	return (flags & (O_CREAT | O_TMPFILE)) != 0 ? (mode_t)va_arg(arguments, int) : 0;
}

#define WRAP_OPEN(name, arguments, values)                                                                             \
	int name arguments                                                                                             \
	{                                                                                                              \
		va_list rest;                                                                                          \
		mode_t mode;                                                                                           \
		FAIL_NEXT(name);                                                                                       \
		va_start(rest, flags);                                                                                 \
		mode = mode_of(rest, flags);                                                                           \
		va_end(rest);                                                                                          \
		FAIL_CALL((flags & O_CREAT) != 0 ? #name "-create" : #name, -1);                                       \
		return next values;                                                                                    \
	}

WRAP_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
WRAP_OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

int fcntl(int fd, int command, ...)
{
	va_list rest;
	void *value;
	FAIL_NEXT(fcntl);

	va_start(rest, command);
	value = va_arg(rest, void *);
	va_end(rest);
	FAIL_CALL("fcntl", -1);
	return next(fd, command, value);
}
