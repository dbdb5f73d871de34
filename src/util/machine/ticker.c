/* ticker.c: see ticker.h. */
#include "util/machine/ticker.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

struct ticker {
	int64_t (*work)(void *user);
	void *user;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t told;
	bool ending; /* goes with `told` */
};

/* Until then. True at the end. */
static bool ticker_sleep(struct ticker *ticker, int64_t until)
{
	const struct timespec time = {until / 1000000000, until % 1000000000};
	bool ending;

	pthread_mutex_lock(&ticker->lock);
	while (!ticker->ending && pthread_cond_timedwait(&ticker->told, &ticker->lock, &time) == 0)
		;
	ending = ticker->ending;
	pthread_mutex_unlock(&ticker->lock);
	return ending;
}

static void *ticker_along(void *user)
{
	struct ticker *ticker = user;

	while (!ticker_sleep(ticker, ticker->work(ticker->user)))
		;
	return NULL;
}

static int ticker_start_thread(struct ticker *ticker)
{
	sigset_t all, old;
	int failed;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	failed = pthread_create(&ticker->thread, NULL, ticker_along, ticker);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return failed;
}

static void ticker_free(struct ticker *ticker)
{
	pthread_cond_destroy(&ticker->told);
	pthread_mutex_destroy(&ticker->lock);
	free(ticker);
}

struct ticker *ticker_start(int64_t (*work)(void *user), void *user)
{
	struct ticker *ticker = calloc(1, sizeof(*ticker));
	pthread_condattr_t attributes;

	if (!ticker)
		return NULL;
	ticker->work = work;
	ticker->user = user;
	pthread_mutex_init(&ticker->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&ticker->told, &attributes);
	pthread_condattr_destroy(&attributes);
	if (ticker_start_thread(ticker) == 0)
		return ticker;
	ticker_free(ticker);
	return NULL;
}

void ticker_end(struct ticker *ticker)
{
	if (!ticker)
		return;
	pthread_mutex_lock(&ticker->lock);
	ticker->ending = true;
	pthread_cond_signal(&ticker->told);
	pthread_mutex_unlock(&ticker->lock);
	pthread_join(ticker->thread, NULL);
	ticker_free(ticker);
}
