/* parallel.c: see parallel.h. */
#include "util/machine/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "util/alloc.h"

int processors_usable(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

int threads_wanted(void)
{
	enum { THREADS_MOST = 256 };
	const char *wanted = getenv("DBPROF_THREADS");
	long n = wanted ? strtol(wanted, NULL, 10) : 0;

	return n >= 1 && n <= THREADS_MOST ? (int)n : processors_usable();
}

struct parallel {
	void (*work)(void *user, size_t i);
	void *user;
	size_t n;
	_Atomic size_t next; /* that nobody has taken yet */
};

static void *parallel_work(void *arg)
{
	struct parallel *all = arg;
	size_t i;

	while ((i = all->next++) < all->n)
		all->work(all->user, i);
	return NULL;
}

void parallel_run(size_t threads, size_t n, void (*work)(void *user, size_t i), void *user)
{
	struct parallel all = {.work = work, .user = user, .n = n};
	size_t most = threads < n ? threads : n, started = 1;
	pthread_t *thread = xcalloc(most + 1, sizeof(*thread));
	sigset_t signals, before;

	/* Signals are for the thread that called. */
	sigfillset(&signals);
	pthread_sigmask(SIG_SETMASK, &signals, &before);
	while (started < most && pthread_create(&thread[started], NULL, parallel_work, &all) == 0)
		started++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	parallel_work(&all);
	for (size_t i = 1; i < started; i++)
		pthread_join(thread[i], NULL);
	free(thread);
}
