/* orphans.c: see orphans.h. */
#include "trace/orphans.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "trace/children.h"

void orphans_adopt(struct orphans *orphans)
{
	*orphans = (struct orphans){0};
	orphans->others = children_list(&orphans->nothers);
	(void)prctl(PR_GET_CHILD_SUBREAPER, &orphans->was_reaper);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1L);
}

void orphans_let(struct orphans *orphans)
{
	(void)prctl(PR_SET_CHILD_SUBREAPER, (long)orphans->was_reaper);
	free(orphans->others);
	*orphans = (struct orphans){0};
}

static bool is_other(const struct orphans *orphans, pid_t pid)
{
	for (size_t i = 0; i < orphans->nothers; i++)
		if (orphans->others[i] == pid)
			return true;
	return false;
}

int orphans_signal(const struct orphans *orphans, int signal, int *seen)
{
	size_t n;
	pid_t *all = children_list(&n);
	int alive = 0;

	*seen = 0;
	for (size_t i = 0; i < n; i++) {
		if (is_other(orphans, all[i]))
			continue;
		(*seen)++;
		if (waitpid(all[i], NULL, WNOHANG) != 0)
			continue;
		alive++;
		if (signal != 0)
			kill(all[i], signal);
		if (signal == SIGTERM)
			kill(all[i], SIGCONT);
	}
	free(all);
	return alive;
}

pid_t *orphans_list(const struct orphans *orphans, size_t *n)
{
	return children_below(orphans->others, orphans->nothers, n);
}
