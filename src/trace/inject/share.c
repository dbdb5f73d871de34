/* share.c: see share.h. */
#include "trace/inject/share.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "record/cupti/flush.h"
#include "trace/inject/modules.h"
#include "trace/inject/plt.h"
#include "util/clock.h"

enum { MAX_THEIRS = 1024 };
enum { SUBSCRIBING = 2 }; /* the last detours */

/* After the program's profiler has stopped recording, its work may take so long to end. Then its last buffers are
 * forced home. */
static const int64_t PATIENCE_NS = 2000000000;

/* What is known about the program's profiler. */
static struct {
	pthread_mutex_t lock;
	/* Read without the lock: in CUPTI's callbacks, and before it is taken. */
	_Atomic(struct activity *) ours;
	void (*leave)(int status); /* in place of _exit() */
	_Atomic(CUpti_BuffersCallbackRequestFunc) request;
	_Atomic(CUpti_BuffersCallbackCompleteFunc) complete;
	bool kind[CUPTI_ACTIVITY_KIND_COUNT]; /* that it records */
	int nkinds;
	unsigned enables;                  /* calls so far */
	CUpti_TimestampCallbackFunc clock; /* its own, which CUPTI has while it is lent; NULL: CUPTI's */
	bool finalized;                    /* it has ended CUPTI, which ends our callbacks as well */
	int64_t since, lent;               /* ns */
	int64_t idle;                      /* when it stopped recording: CLOCK_MONOTONIC, ns */
	const uint8_t *buffer[MAX_THEIRS]; /* of its own that CUPTI has */
	int nbuffers;
} theirs = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* CUPTI's callbacks call it, so it does not take the lock. */
static atomic_bool is_lent;
static pthread_mutex_t buffers_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- whose buffer is it? ---- */

/* False if there is no room. Then the buffer must not be filled, since nobody would know whose it is. */
static bool note_buffer(const uint8_t *buffer)
{
	bool noted;

	pthread_mutex_lock(&buffers_lock);
	noted = theirs.nbuffers < MAX_THEIRS;
	if (noted)
		theirs.buffer[theirs.nbuffers++] = buffer;
	pthread_mutex_unlock(&buffers_lock);
	return noted;
}

static int count_buffers(void)
{
	int n;

	pthread_mutex_lock(&buffers_lock);
	n = theirs.nbuffers;
	pthread_mutex_unlock(&buffers_lock);
	return n;
}

static bool is_their_buffer(const uint8_t *buffer)
{
	bool found = false;

	pthread_mutex_lock(&buffers_lock);
	for (int i = 0; i < theirs.nbuffers && !found; i++) {
		found = theirs.buffer[i] == buffer;
		if (found)
			theirs.buffer[i] = theirs.buffer[--theirs.nbuffers];
	}
	pthread_mutex_unlock(&buffers_lock);
	return found;
}

static bool lend_request(uint8_t **buffer, size_t *size, size_t *max_records)
{
	if (!atomic_load(&is_lent) || !theirs.request)
		return false;
	theirs.request(buffer, size, max_records);
	if (*buffer && !note_buffer(*buffer)) {
		theirs.complete(NULL, 0, *buffer, *size, 0);
		*buffer = NULL;
	}
	return true;
}

static bool lend_complete(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	if (!theirs.complete || !is_their_buffer(buffer))
		return false;
	theirs.complete(context, stream, buffer, size, valid);
	return true;
}

/* ---- lending and taking back ---- */

/* From CUPTI's own clock to ours. A child of fork() may be asked for the time, too, and knows nothing of `theirs`. */
static _Atomic int64_t usual_offset;

static uint64_t CUPTIAPI usual_clock(void)
{
	return (uint64_t)(clock_realtime() - atomic_load(&usual_offset));
}

/* CUPTI asks a clock also for records that it has not handed over yet, so it changes only when none of ours is under
 * way. The lock is held. */
static CUptiResult set_clock(CUpti_TimestampCallbackFunc clock)
{
	return theirs.ours->cupti.cuptiActivityRegisterTimestampCallback(clock);
}

/* The lock is held. */
static void lend(void)
{
	activity_suspend(theirs.ours);
	if (theirs.clock)
		(void)set_clock(theirs.clock);
	theirs.since = clock_realtime();
	theirs.idle = clock_monotonic();
	atomic_store(&is_lent, true);
}

/* The kinds of records that the program's profiler has asked for so far. */
struct asked {
	unsigned enables;
	int64_t since; /* when it stopped recording */
	bool finalized;
};

/* Whether it has stopped recording, and which kinds it had asked for. */
static bool is_idle(struct asked *asked)
{
	bool idle;

	pthread_mutex_lock(&theirs.lock);
	idle = atomic_load(&is_lent) && theirs.nkinds == 0;
	*asked = (struct asked){theirs.enables, theirs.idle, theirs.finalized};
	pthread_mutex_unlock(&theirs.lock);
	return idle;
}

/* Their buffers go home first; those that CUPTI fills afterwards are ours. Our lock is not held: their callback may
 * need a lock that they hold while they wait for ours. True when all buffers are home, or when they had enough time. */
static bool send_home(const struct cupti *cupti, const struct asked *asked)
{
	CUptiResult code;

	if (asked->finalized)
		return true;
	(void)flush_all(cupti, 0, NULL, NULL, &code);
	if (count_buffers() > 0 && clock_monotonic() - asked->since < PATIENCE_NS)
		return false;
	(void)flush_all(cupti, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED, NULL, NULL, &code);
	return true;
}

/* Records again, or tells why not. The lock is held. */
static void go_on(struct activity *ours, bool anew)
{
	struct error err = {0};
	CUptiResult code = anew ? activity_attach(ours) : CUPTI_SUCCESS;

	if (code != CUPTI_SUCCESS)
		cupti_error(&ours->cupti, &err, code, "CUPTI does not start again after the program's own profiler");
	if (code != CUPTI_SUCCESS || activity_continue(ours, &err) < 0)
		activity_problem(ours, &err);
}

/* The lock is held. */
static void take_back(void)
{
	atomic_store(&is_lent, false);
	theirs.lent += clock_realtime() - theirs.since;
	atomic_store(&usual_offset, theirs.ours->offset);
	if (theirs.clock)
		(void)set_clock(usual_clock);
	go_on(theirs.ours, theirs.finalized);
	theirs.finalized = false;
}

/* ---- what the program's profiler calls ---- */

static CUptiResult CUPTIAPI their_callbacks(
	CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete)
{
	if (!theirs.ours)
		return CUPTI_ERROR_NOT_INITIALIZED;
	if (!request || !complete)
		return CUPTI_ERROR_INVALID_PARAMETER;
	pthread_mutex_lock(&theirs.lock);
	/* CUPTI's threads do not take the lock. Who gave a buffer gets it back. */
	theirs.complete = complete;
	theirs.request = request;
	pthread_mutex_unlock(&theirs.lock);
	return CUPTI_SUCCESS;
}

static CUptiResult CUPTIAPI their_enable(CUpti_ActivityKind kind)
{
	CUptiResult code;

	if (!theirs.ours)
		return CUPTI_ERROR_NOT_INITIALIZED;
	pthread_mutex_lock(&theirs.lock);
	if (!atomic_load(&is_lent))
		lend();
	theirs.enables++;
	code = theirs.ours->cupti.cuptiActivityEnable(kind);
	if (code == CUPTI_SUCCESS && (unsigned)kind < CUPTI_ACTIVITY_KIND_COUNT && !theirs.kind[kind]) {
		theirs.kind[kind] = true;
		theirs.nkinds++;
	}
	pthread_mutex_unlock(&theirs.lock);
	return code;
}

static CUptiResult CUPTIAPI their_disable(CUpti_ActivityKind kind)
{
	CUptiResult code = CUPTI_SUCCESS;

	if (!theirs.ours)
		return CUPTI_ERROR_NOT_INITIALIZED;
	pthread_mutex_lock(&theirs.lock);
	if ((unsigned)kind < CUPTI_ACTIVITY_KIND_COUNT && theirs.kind[kind]) {
		code = theirs.ours->cupti.cuptiActivityDisable(kind);
		theirs.kind[kind] = false;
		theirs.nkinds--;
		theirs.idle = clock_monotonic();
	}
	pthread_mutex_unlock(&theirs.lock);
	return code;
}

/* It ends CUPTI for the whole process. We begin anew, as its other clients must. */
static CUptiResult CUPTIAPI their_end(void)
{
	CUptiResult code;

	if (!theirs.ours || !theirs.ours->cupti.cuptiFinalize)
		return CUPTI_ERROR_NOT_INITIALIZED;
	modules_leave();
	pthread_mutex_lock(&theirs.lock);
	if (!atomic_load(&is_lent))
		lend();
	code = theirs.ours->cupti.cuptiFinalize();
	if (code == CUPTI_SUCCESS) {
		theirs.finalized = true;
		theirs.clock = NULL;
		theirs.nkinds = 0;
		memset(theirs.kind, 0, sizeof(theirs.kind));
	}
	pthread_mutex_unlock(&theirs.lock);
	return code;
}

/* Its records get its own clock, and ours do not: CUPTI hears of it when it is lent. */
static CUptiResult CUPTIAPI their_clock(CUpti_TimestampCallbackFunc clock)
{
	CUptiResult code = CUPTI_SUCCESS;

	if (!theirs.ours || !theirs.ours->cupti.cuptiActivityRegisterTimestampCallback)
		return CUPTI_ERROR_NOT_INITIALIZED;
	pthread_mutex_lock(&theirs.lock);
	if (atomic_load(&is_lent))
		code = set_clock(clock);
	if (code == CUPTI_SUCCESS)
		theirs.clock = clock;
	pthread_mutex_unlock(&theirs.lock);
	return code;
}

/* ---- the way past here ---- */

static int count_cupti(struct dl_phdr_info *object, size_t size, void *user)
{
	int *n = user;

	(void)size;
	*n += cupti_is_file(object->dlpi_name);
	return 0;
}

/* Finds libraries that call the CUPTI of `a`, and leads their calls past here: the first time in those that are loaded,
 * later in those that came since. */
static void share_look(struct activity *a)
{
	const struct detour detours[] = {
		{"cuptiActivityRegisterCallbacks", (void *)(uintptr_t)their_callbacks},
		{"cuptiActivityEnable", (void *)(uintptr_t)their_enable},
		{"cuptiActivityDisable", (void *)(uintptr_t)their_disable},
		{"cuptiActivityRegisterTimestampCallback", (void *)(uintptr_t)their_clock},
		{"cuptiFinalize", (void *)(uintptr_t)their_end},
		{"_exit", (void *)(uintptr_t)theirs.leave},
		{"_Exit", (void *)(uintptr_t)theirs.leave},
		/* Only where we are a subscriber ourselves. */
		{"cuptiSubscribe", (void *)(uintptr_t)modules_subscribe},
		{"cuptiSubscribe_v2", (void *)(uintptr_t)modules_subscribe_v2},
	};
	size_t n = sizeof(detours) / sizeof(detours[0]);
	int copies = 0;

	dl_iterate_phdr(count_cupti, &copies);
	if (copies != 1)
		return;
	atomic_store(&theirs.ours, a);
	activity_lend_buffers(lend_request, lend_complete);
	(void)plt_lead(detours, modules_asked() ? n : n - SUBSCRIBING, &theirs, cupti_is_file);
}

void share_lead(struct activity *a, void (*leave)(int status))
{
	theirs.leave = leave;
	share_look(a);
}

void share_tend(struct activity *a)
{
	struct asked asked;

	share_look(a);
	if (!is_idle(&asked) || !send_home(&a->cupti, &asked))
		return;
	pthread_mutex_lock(&theirs.lock);
	if (theirs.nkinds == 0 && theirs.enables == asked.enables)
		take_back();
	pthread_mutex_unlock(&theirs.lock);
}

void share_retire(struct activity *a)
{
	pthread_mutex_lock(&theirs.lock);
	if (!theirs.ours)
		activity_suspend(a);
	else if (!atomic_load(&is_lent))
		lend();
	pthread_mutex_unlock(&theirs.lock);
}

int64_t share_lent(void)
{
	int64_t lent;

	pthread_mutex_lock(&theirs.lock);
	lent = theirs.lent + (atomic_load(&is_lent) ? clock_realtime() - theirs.since : 0);
	pthread_mutex_unlock(&theirs.lock);
	return lent;
}

void share_forget(void)
{
	theirs.ours = NULL;
	atomic_store(&is_lent, false);
	pthread_mutex_init(&theirs.lock, NULL);
	pthread_mutex_init(&buffers_lock, NULL);
}
