/* inject.c: the library inside a traced program. It starts CUPTI, writes a spool, and writes the rest when the program
 * ends. */
#include "trace/inject/inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "record/cupti/activity.h"
#include "record/cupti/buffers.h"
#include "store/store.h"
#include "trace/inject/complaint.h"
#include "trace/inject/modules.h"
#include "trace/inject/self.h"
#include "trace/inject/share.h"
#include "trace/inject/wide.h"
#include "util/clock.h"
#include "util/host.h"

#define EXPORTED __attribute__((visibility("default")))

enum { PERIOD_MS = 100, LAST_WORDS_S = 10, LEAVING_S = 2, MAX_SPOOLS = 1000, START_S = 2 };

/* When the program is killed, its last 0.2 s are missing, or its last second if it was busy. */
static const int64_t QUIET_NS = 200000000, LONGEST_NS = 1000000000;

/* The one tracer of this process. */
static struct {
	pthread_mutex_t lock; /* guards the two flags */
	pthread_cond_t told;
	bool ending; /* the program has come to its exit() */
	bool ended;  /* and everything is written; goes with `told` */

	atomic_bool writes; /* there is a thread for what is recorded, and nobody has told it yet to end */
	bool started;
	bool complained;       /* of the spool */
	pid_t pid;             /* the process that started it; a child of fork() has another id */
	char folder[PATH_MAX]; /* folder of the spools of all processes */
	struct spool *spool;
	struct activity *activity; /* NULL: nothing can be recorded here */
	struct activity *parents; /* in a child of fork(): its parent's; it stays as it is, since a thread may have been
				     changing it */
	struct self self;
} tracer = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Recursive, because CUPTI may start CUDA, which then calls InitializeInjection() from inside start(). */
static pthread_mutex_t starting = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* ---- the spool ---- */

/* A program that calls exec() keeps its process id, so there is a number as well. */
static struct spool *make_spool(const char *folder, struct error *err)
{
	char path[PATH_MAX];

	for (int i = 0; i < MAX_SPOOLS; i++) {
		struct spool *spool;

		if (snprintf(path, sizeof(path), "%s/%d-%d" INJECT_SUFFIX, folder, (int)getpid(), i) >=
			(int)sizeof(path))
			break;
		if (access(path, F_OK) == 0)
			continue;
		spool = spool_create(path, err);
		if (spool || errno != EEXIST)
			return spool;
	}
	error_set(err, "%s has no room for another name: choose a shorter output file", folder);
	return NULL;
}

/* The process's spool, or NULL after a complaint, which is all that can be told without a spool. */
static struct spool *open_spool(const char *folder)
{
	struct error err = {0};
	struct spool *spool = make_spool(folder, &err);

	if (!spool)
		complaint_send(folder, &err);
	return spool;
}

/* An error of the spool, now or before, is complained about: what dbprof finds is only that the spool is cut off. */
static void write_self(bool finished, const char *note)
{
	struct losses lost = {0};
	struct error err = {0};

	if (tracer.activity)
		activity_losses(tracer.activity, &lost);
	tracer.self.wide_ranges = wide_ranges();
	self_write(tracer.spool, &tracer.self, finished, lost.dropped + lost.damaged + lost.unnoted, lost.untimed, note,
		&err);
	if (spool_flush(tracer.spool, &err) < 0 && !tracer.complained)
		complaint_send(tracer.folder, &err);
	tracer.complained |= err.text[0] != '\0';
}

/* ---- the thread ---- */

static bool is_ending(void)
{
	bool ending;

	pthread_mutex_lock(&tracer.lock);
	ending = tracer.ending;
	pthread_mutex_unlock(&tracer.lock);
	return ending;
}

/* A busy program fills buffers, and CUPTI hands them over by itself. If the program is quiet, and from time to time in
 * any program, CUPTI is asked for the records that it has. */
static void write_a_period(int64_t *handed, int64_t *asked)
{
	int64_t now = clock_monotonic();
	struct error err = {0};

	share_tend(tracer.activity);
	modules_write(tracer.activity);
	if (activity_write(tracer.activity, &err) > 0)
		*handed = now;
	if (now - *handed >= QUIET_NS || now - *asked >= LONGEST_NS) {
		(void)activity_drain(tracer.activity, false, &err);
		*handed = *asked = now;
	}
	buffers_warm();
}

static void tell_lent(struct error *note)
{
	double ms = (double)share_lent() / 1e6;

	if (ms > 0)
		error_set(note, "the program's own profiler had CUPTI for %.0f ms, in which nothing was recorded here",
			ms);
}

/* What is missing although every call worked. */
static void tell_less(struct error *note)
{
	static const char names[] = "out of memory or descriptors: names of ranges and threads are missing";
	bool unnamed = tracer.activity->losses.unnamed > 0;

	tell_lent(note);
	if (unnamed && note->text[0] != '\0')
		error_prefix(note, "%s", names);
	else if (unnamed)
		error_set(note, "%s", names);
}

/* Whether the dbprof that traces us was killed: its lock on the folder is gone. This cannot be told if it has no lock,
 * or if it runs on another system and started this process as a rank from there. */
static bool is_orphan(void)
{
	int fd = host_made(tracer.folder) ? open(tracer.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	bool orphan = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0;

	if (fd >= 0)
		close(fd);
	return orphan;
}

/* False when nobody will read the spool: a process that outlives `dbprof trace` must not fill the disk unseen. */
static bool write_until_end(void)
{
	int64_t handed = clock_monotonic(), asked = handed;

	for (;;) {
		int64_t before = asked;

		buffers_wait(PERIOD_MS);
		if (is_ending())
			return true;
		write_a_period(&handed, &asked);
		if (asked != before && (spool_is_removed(tracer.spool) || is_orphan()))
			return false;
	}
}

static void *write_along(void *unused)
{
	struct error err = {0};

	(void)unused;
	if (write_until_end()) {
		activity_end(tracer.activity);
		modules_write(tracer.activity);
		if (activity_drain(tracer.activity, true, &err) == 0)
			tell_less(&err);
		write_self(true, err.text[0] == '\0' ? NULL : err.text);
	} else {
		modules_leave();
		share_retire(tracer.activity);
		spool_discard(tracer.spool);
		rmdir(tracer.folder);
	}
	pthread_mutex_lock(&tracer.lock);
	tracer.ended = true;
	pthread_cond_broadcast(&tracer.told);
	pthread_mutex_unlock(&tracer.lock);
	return NULL;
}

/* The program's signals must not be delivered to a thread that it does not know. */
static int inject_start_thread(void)
{
	pthread_condattr_t attributes;
	pthread_t thread;
	sigset_t all, old;
	int failed;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&tracer.told, &attributes);
	pthread_condattr_destroy(&attributes);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	failed = pthread_create(&thread, NULL, write_along, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (failed != 0)
		return -1;
	pthread_setname_np(thread, "dbprof");
	pthread_detach(thread);
	return 0;
}

/* ---- the ends: exit(), _exit() and fork() ---- */

/* The lock is held. Returns when all is written, or when nothing was written for so many seconds. A slow machine may
 * have much to write. */
static void inject_wait_for_end(int patience)
{
	unsigned seen;

	do {
		struct timespec until;

		seen = activity_progress();
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec += patience;
		while (!tracer.ended && pthread_cond_timedwait(&tracer.told, &tracer.lock, &until) == 0)
			;
	} while (!tracer.ended && activity_progress() != seen);
}

/* The lock is free soon: only who comes here first takes it, and the thread that writes, which no signal interrupts. If
 * it cannot be woken, it looks by itself after PERIOD_MS.
 *
 * A child of fork() or vfork() has nothing to hand over, and no thread for it. One that comes second, such as a signal
 * handler while the first waits, does not wait. */
static void inject_finish(int patience)
{
	if (tracer.pid != getpid() || !atomic_exchange(&tracer.writes, false))
		return;
	pthread_mutex_lock(&tracer.lock);
	tracer.ending = true;
	buffers_wake();
	inject_wait_for_end(patience);
	pthread_mutex_unlock(&tracer.lock);
}

/* At exit() CUDA is still there. If it hangs, the program ends all the same. */
static void at_exit(void)
{
	inject_finish(LAST_WORDS_S);
}

/* Called in place of _exit(), at which nothing that was registered for the end is run. A signal handler may call it
 * while its thread holds a lock that we need, so patience is short. */
static void leave(int status)
{
	inject_finish(LEAVING_S);
	_exit(status);
}

static void in_child(void)
{
	activity_forget();
	share_forget();
	modules_forget();
	spool_forget(tracer.spool);
	tracer.spool = NULL;
	tracer.parents = tracer.activity;
	tracer.activity = NULL;
	atomic_store(&tracer.writes, false);
	starting = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	tracer.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* ---- start ---- */

static bool wants_code(void)
{
	const char *wanted = getenv(INJECT_CODE);

	return wanted && *wanted != '\0';
}

static void inject_begin(const char *folder)
{
	struct error err = {0};

	snprintf(tracer.folder, sizeof(tracer.folder), "%s", folder);
	tracer.spool = open_spool(folder);
	if (!tracer.spool)
		return;
	self_read(&tracer.self);
	write_self(false, NULL);
	tracer.activity = activity_start_program(tracer.spool, &err);
	if (!tracer.activity) {
		write_self(false, err.text);
		return;
	}
	if (wants_code())
		modules_listen(&tracer.activity->cupti);
	share_lead(tracer.activity, leave);
	if (self_write_facts(tracer.spool, &tracer.self, tracer.activity->cupti.version, &err) < 0)
		activity_problem(tracer.activity, &err);
	if (inject_start_thread() == 0 && atexit(at_exit) == 0) {
		atomic_store(&tracer.writes, true);
		return;
	}
	/* Without this thread nobody would empty buffers, and the program would wait for them. */
	modules_leave();
	share_retire(tracer.activity);
	write_self(false, "the process could not start a thread that writes what is recorded");
}

/* CUPTI does not work after a fork(): its threads are missing in the child. */
static void begin_in_child(const char *folder)
{
	tracer.spool = open_spool(folder);
	if (!tracer.spool)
		return;
	self_read(&tracer.self);
	write_self(false, "forked from a process that was already traced: CUPTI cannot record in it; a process that "
			  "is started afresh (exec, or spawn in Python) can be traced");
}

/* From here on no lock in a child of fork() can be held by a thread that it does not have. */
static void prepare_forks(void)
{
	(void)pthread_atfork(NULL, NULL, in_child);
}

/* Waits for another thread that starts the tracer, but not for ever: CUPTI may start CUDA in that thread, while CUDA
 * itself starts in this one and makes that thread wait. This one then goes on, and the other one follows. */
static bool take_turn(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += START_S;
	return pthread_mutex_timedlock(&starting, &until) == 0;
}

static void inject_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const char *folder = getenv(INJECT_FOLDER);

	if (!folder || *folder == '\0')
		return;
	(void)pthread_once(&once, prepare_forks);
	if (!take_turn())
		return;
	if (!tracer.started || tracer.pid != getpid()) {
		bool forked = tracer.started;

		tracer.started = true;
		tracer.pid = getpid();
		if (forked)
			begin_in_child(folder);
		else
			inject_begin(folder);
	}
	pthread_mutex_unlock(&starting);
}

/* ---- what CUDA and NVTX call ---- */

/* The CUDA driver calls it when it starts. */
EXPORTED int InitializeInjection(void);
int InitializeInjection(void)
{
	inject_start();
	return 1;
}

/* NVTX has three ways to introduce itself. CUPTI knows them all. */
static int forward(const char *name, void *table)
{
	int (*initialize)(void *table);

	inject_start();
	if (!tracer.activity)
		return 0;
	*(void **)&initialize = dlsym(tracer.activity->cupti.handle, name);
	return !initialize ? 0 : initialize(table);
}

EXPORTED int InitializeInjectionNvtx(void *table);
int InitializeInjectionNvtx(void *table)
{
	return forward("InitializeInjectionNvtx", table);
}

EXPORTED int InitializeInjectionNvtx2(void *table);
int InitializeInjectionNvtx2(void *table)
{
	const struct wide_table wide = wide_begin(table);
	int done = forward("InitializeInjectionNvtx2", table);

	if (done)
		wide_listen(&wide);
	return done;
}

EXPORTED int InitializeInjectionNvtxExtension(void *table);
int InitializeInjectionNvtxExtension(void *table)
{
	return forward("InitializeInjectionNvtxExtension", table);
}
