/* orphans.h: what a program leaves behind. As long as we are its reaper, a process whose parent ends becomes our child:
 * so we know of each, whatever its session and its group are. */
#ifndef DBPROF_TRACE_ORPHANS_H
#define DBPROF_TRACE_ORPHANS_H

#include <stddef.h>
#include <sys/types.h>

struct orphans {
	pid_t *others; /* children that we had before; they are left alone */
	size_t nothers;
	int was_reaper; /* orphans came to us before, too */
};

/* From now on orphans come to us. orphans_let() ends that. */
void orphans_adopt(struct orphans *orphans);
void orphans_let(struct orphans *orphans);

/* Sends the signal (0: none) to the orphans that still live: how many do. *seen: with those that ended meanwhile, whose
 * own children come to us, while the list may be older. */
int orphans_signal(const struct orphans *orphans, int signal, int *seen);

/* Those that still live, and what lives below them, for free(). NULL without memory. */
pid_t *orphans_list(const struct orphans *orphans, size_t *n);

#endif
