/* flush.c: see flush.h. */
#include "record/cupti/flush.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "record/cupti/buffers.h"

/* It waits in short steps. So a process that was stopped for a while does not give up at once. */
enum { STEP_MS = 50, PATIENCE_STEPS = 40 };

/* One thread does all flushes, because CUPTI sets itself up for each new thread. */
static struct {
	pthread_mutex_t turn; /* held during a flush and the wait for it */
	pthread_mutex_t lock; /* of the rest */
	pthread_cond_t changed;
	bool has_thread, wanted, done;
	CUptiResult (*call)(uint32_t flag);
	uint32_t flag;
	CUptiResult code;
} flusher = {.turn = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_bool hangs;
static atomic_int handing_over; /* callbacks that run */
static atomic_uint handed_over; /* buffers */

static void *flush_work(void *unused)
{
	buffers_never_wait();
	pthread_mutex_lock(&flusher.lock);
	for (;;) {
		CUptiResult code;

		while (!flusher.wanted)
			pthread_cond_wait(&flusher.changed, &flusher.lock);
		flusher.wanted = false;
		pthread_mutex_unlock(&flusher.lock);
		code = flusher.call(flusher.flag);
		pthread_mutex_lock(&flusher.lock);
		flusher.code = code;
		flusher.done = true;
		pthread_cond_broadcast(&flusher.changed);
	}
	return unused;
}

/* A traced program's signals must not be delivered to a thread that it does not know. */
static bool flush_start_thread(void)
{
	pthread_condattr_t attributes;
	pthread_t thread;
	sigset_t all, old;

	if (flusher.has_thread)
		return true;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&flusher.changed, &attributes);
	pthread_condattr_destroy(&attributes);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	flusher.has_thread = pthread_create(&thread, NULL, flush_work, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (flusher.has_thread) {
		pthread_setname_np(thread, "dbprof-flush");
		pthread_detach(thread);
	}
	return flusher.has_thread;
}

/* The lock is held, but not while `meanwhile` runs. */
static void wait_a_step(void (*meanwhile)(void *user), void *user)
{
	struct timespec until;

	if (meanwhile) {
		pthread_mutex_unlock(&flusher.lock);
		meanwhile(user);
		pthread_mutex_lock(&flusher.lock);
	}
	if (flusher.done)
		return;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += STEP_MS * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	(void)pthread_cond_timedwait(&flusher.changed, &flusher.lock, &until);
}

/* False if it was given up. */
static bool wait_for_it(void (*meanwhile)(void *user), void *user, CUptiResult *code)
{
	unsigned seen = atomic_load(&handed_over);

	pthread_mutex_lock(&flusher.lock);
	for (int steps = 0; !flusher.done && steps < PATIENCE_STEPS; steps++) {
		unsigned now;

		wait_a_step(meanwhile, user);
		now = atomic_load(&handed_over);
		if (now != seen || atomic_load(&handing_over) > 0)
			steps = 0;
		seen = now;
	}
	atomic_store(&hangs, !flusher.done);
	*code = flusher.done ? flusher.code : CUPTI_ERROR_UNKNOWN;
	pthread_mutex_unlock(&flusher.lock);
	return !atomic_load(&hangs);
}

static bool flush_flush(
	const struct cupti *cupti, uint32_t flag, void (*meanwhile)(void *user), void *user, CUptiResult *code)
{
	if (atomic_load(&hangs))
		return false;
	if (!flush_start_thread()) {
		*code = cupti->cuptiActivityFlushAll(flag);
		return true;
	}
	pthread_mutex_lock(&flusher.lock);
	flusher.call = cupti->cuptiActivityFlushAll;
	flusher.flag = flag;
	flusher.done = false;
	flusher.wanted = true;
	pthread_cond_broadcast(&flusher.changed);
	pthread_mutex_unlock(&flusher.lock);
	return wait_for_it(meanwhile, user, code);
}

bool flush_all(const struct cupti *cupti, uint32_t flag, void (*meanwhile)(void *user), void *user, CUptiResult *code)
{
	bool returned;

	*code = CUPTI_ERROR_UNKNOWN;
	pthread_mutex_lock(&flusher.turn);
	returned = flush_flush(cupti, flag, meanwhile, user, code);
	pthread_mutex_unlock(&flusher.turn);
	return returned;
}

bool flush_hangs(void)
{
	return atomic_load(&hangs);
}

void flush_buffer(bool begins)
{
	atomic_fetch_add(&handing_over, begins ? 1 : -1);
	if (!begins)
		atomic_fetch_add(&handed_over, 1);
}

void flush_forget(void)
{
	pthread_mutex_init(&flusher.turn, NULL);
	pthread_mutex_init(&flusher.lock, NULL);
	flusher.has_thread = false;
	atomic_store(&handing_over, 0);
}
