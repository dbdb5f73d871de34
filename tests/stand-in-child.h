/* stand-in-child.h: tests of the stand-in GPU, each with settings of its own: they are read once in a process. */
#ifndef DBPROF_TESTS_STAND_IN_CHILD_H
#define DBPROF_TESTS_STAND_IN_CHILD_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a child: ends it if the condition does not hold. */
#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                \
			_exit(1);                                                                                      \
		}                                                                                                      \
	} while (0)

/* Runs `body` in a child with STAND_IN set so; its status as waitpid() has it. */
static inline int status_with(const char *settings, void (*body)(void))
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		setenv("STAND_IN", settings, 1);
		alarm(60);
		body();
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	return status;
}

/* The arguments of a profiling function, with their size. */
#define PARAMS(type, ...) (&(type##_Params){.structSize = type##_Params_STRUCT_SIZE, __VA_ARGS__})

#endif
