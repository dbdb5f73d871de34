/* strays.h: processes of a program that our library does not get into. The CUDA driver loads it by the environment
 * alone: a process that is started without ours, as under `env -i`, uses CUDA unseen. */
#ifndef DBPROF_TRACE_STRAYS_H
#define DBPROF_TRACE_STRAYS_H

#include <sys/types.h>

#include "trace/orphans.h"

/* What was seen of a process; the later ones say more. */
enum stray_kind {
	STRAY_NONE,   /* our library can be loaded into it, or it cannot be told */
	STRAY_BARE,   /* its environment does not name our library, or its root does not have it */
	STRAY_HIDDEN, /* it is another user's, so nothing can be seen */
	STRAY_CUDA    /* as STRAY_BARE, and it has loaded libraries of CUDA, but not ours */
};

enum { STRAY_NAME = 64 };

struct stray {
	enum stray_kind kind;
	pid_t pid;
	char name[STRAY_NAME]; /* of its executable, as the system cuts it */
};

/* Looks at a process; again at once if something speaks against it, since that must be seen several times. `proc`:
 * "/proc", or a folder like it. `injection`: absolute path of our library. */
struct stray stray_look(const char *proc, pid_t pid, const char *injection);

struct strays;

/* Looks at all processes below us from time to time, until strays_end(), in a thread of its own. `first`: the program.
 * Those of `orphans->others` are left out. NULL where no thread can be made, or without memory. Both are borrowed until
 * then. */
struct strays *strays_watch(const char *injection, pid_t first, const struct orphans *orphans);

/* The first of those that say the most; STRAY_NONE for NULL. */
struct stray strays_end(struct strays *strays);

#endif
