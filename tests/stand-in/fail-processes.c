/* fail-processes.c: processes and threads, how they start and end. See fail.h. */
#include "fail.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *files,
	const posix_spawnattr_t *attributes, char *const argv[], char *const environment[])
{
	int code = fail_here("posix_spawnp", false);
	FAIL_NEXT(posix_spawnp);

	return code != 0 ? code : next(pid, file, files, attributes, argv, environment);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	int code = fail_here("pthread_create", false);
	FAIL_NEXT(pthread_create);

	return code != 0 ? code : next(thread, attributes, start, argument);
}

pid_t fork(void)
{
	FAIL_NEXT(fork);
	pid_t pid;

	FAIL_CALL("fork", -1);
	/* What libc itself calls at a fork is not counted: the lock is held. */
	fail_pause();
	fail_hold();
	pid = next();
	fail_let_go();
	fail_resume();
	/* What the parent called is its own to tell. */
	if (pid == 0)
		fail_forget_log();
	return pid;
}

pid_t waitpid(pid_t pid, int *status, int how)
{
	FAIL_NEXT(waitpid);
	FAIL_CALL("waitpid", -1);
	return next(pid, status, how);
}

int poll(struct pollfd *fds, nfds_t n, int ms)
{
	FAIL_NEXT(poll);
	FAIL_CALL("poll", -1);
	return next(fds, n, ms);
}

void *dlopen(const char *file, int how)
{
	int code = fail_here("dlopen", false);
	void *none;
	FAIL_NEXT(dlopen);

	if (code == 0)
		return next(file, how);
	/* A name that no file has: dlerror() has words then, which libc keeps. */
	fail_pause();
	none = next("libfail-there-is-no-such-library.so", how);
	fail_resume();
	return none;
}

/* Its text is libc's to free. */
char *dlerror(void)
{
	FAIL_NEXT(dlerror);
	char *text;

	fail_pause();
	text = next();
	fail_resume();
	return text;
}

/* ---- the start ---- */

static int (*program)(int, char **, char **);

static int start(int argc, char **argv, char **environment)
{
	fail_start(argc, argv);
	return program(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*before)(void),
	void (*after)(void), void (*at_exit)(void), void *stack);

/* What every program calls first: see the Linux Standard Base. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*before)(void),
	void (*after)(void), void (*at_exit)(void), void *stack)
{
	static int (*next)(
		int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

	fail_next("__libc_start_main", &next);
	program = main;
	return next(start, argc, argv, before, after, at_exit, stack);
}

/* ---- the end, or another program ---- */

int execv(const char *path, char *const argv[])
{
	FAIL_NEXT(execv);
	FAIL_CALL("execv", -1);
	fail_write_log();
	return next(path, argv);
}

int execvp(const char *file, char *const argv[])
{
	FAIL_NEXT(execvp);
	FAIL_CALL("execvp", -1);
	fail_write_log();
	return next(file, argv);
}

void _exit(int status)
{
	FAIL_NEXT(_exit);

	fail_write_log();
	next(status);
	__builtin_unreachable();
}

__attribute__((destructor)) static void end(void)
{
	fail_write_log();
	fail_write_leaks();
}
