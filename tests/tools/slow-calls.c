/*
 * slow-calls.c: preloaded, it makes the calls that put files into place or take them away last some milliseconds, so
 * that tests/kill.test hits dbprof between two of them, which by chance alone it would do once in ten thousand times.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

/* Waits, then gives the C library's own. */
static void *slowly(const char *name)
{
	const struct timespec wait = {.tv_nsec = 4000000};

	nanosleep(&wait, NULL);
	return dlsym(RTLD_NEXT, name);
}

/* Before and after the call, the moment in between is as long as it may be. */
#define SLOW(type, name, parameters, arguments)                                                                        \
	type name parameters;                                                                                          \
	type name parameters                                                                                           \
	{                                                                                                              \
		type(*own) parameters = NULL;                                                                          \
		*(void **)&own = slowly(#name);                                                                        \
		return own arguments;                                                                                  \
	}

SLOW(int, rename, (const char *from, const char *to), (from, to))
SLOW(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
SLOW(int, linkat, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags))
SLOW(int, unlinkat, (int folder, const char *name, int flags), (folder, name, flags))
SLOW(int, renameat2, (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags))
SLOW(int, fsync, (int fd), (fd))
SLOW(int, mkdir, (const char *path, mode_t mode), (path, mode))
SLOW(int, flock, (int fd, int operation), (fd, operation))
