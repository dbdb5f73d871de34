/* activity.c: starts and stops CUPTI's activity records and takes its buffers. See activity.h. */
#include "record/cupti/activity-private.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "record/cupti/buffers.h"
#include "record/cupti/flush.h"
#include "util/clock.h"

/* Ranges are never paused. */
enum { GROUPS_THAT_PAUSE = ACTIVITY_WORK | ACTIVITY_HOST };

/* The session. CUPTI's callbacks get no argument of ours, so it stands here; NULL for a buffer that comes too late. The
 * lock guards it and what buffers fill. */
static struct activity *active;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static atomic_bool is_foreign;   /* the session traces a program that is not ours */
static atomic_bool is_forgotten; /* this process was forked from the one that traced */

static atomic_uint progress; /* see activity_progress() */

/* Who answers instead, see activity_lend_buffers(); NULL: nobody. */
static _Atomic(lend_request_func *) lend_request;
static _Atomic(lend_complete_func *) lend_complete;

/* ---- buffers ---- */

static void CUPTIAPI buffer_requested(uint8_t **buffer, size_t *size, size_t *max_records)
{
	*buffer = NULL;
	*size = 0;
	*max_records = 0; /* as many as fit */
	/* Without a buffer CUPTI drops records, and counts them. */
	if (atomic_load(&is_forgotten) || (lend_request && (*lend_request)(buffer, size, max_records)))
		return;
	*buffer = buffers_get(size);
}

static void take_records(struct activity *a, uint8_t *buffer, size_t size)
{
	CUpti_Activity *record = NULL;
	CUptiResult code;

	while ((code = a->cupti.cuptiActivityGetNextRecord(buffer, size, &record)) == CUPTI_SUCCESS)
		activity_record(a, record);
	if (code != CUPTI_ERROR_MAX_LIMIT_REACHED)
		a->losses.damaged++;
}

static void count_dropped(struct activity *a, CUcontext context, uint32_t stream)
{
	size_t dropped = 0;

	if (a->cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
		a->losses.dropped += dropped;
}

/* In a program that is not ours CUPTI's thread must not be held up: activity_write() takes the records. */
static void keep_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t valid)
{
	if (!buffer || atomic_load(&is_forgotten))
		return;
	pthread_mutex_lock(&lock);
	if (active)
		count_dropped(active, context, stream);
	/* A buffer that CUPTI got from another profiler before we came. Only that one knows how to free it. */
	if (!buffers_fill(buffer, valid) && active && valid > 0)
		take_records(active, buffer, valid);
	pthread_mutex_unlock(&lock);
}

static void take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	if (lend_complete && (*lend_complete)(context, stream, buffer, size, valid))
		return;
	if (atomic_load(&is_foreign)) {
		keep_buffer(context, stream, buffer, valid);
		return;
	}
	pthread_mutex_lock(&lock);
	if (active && valid > 0) {
		take_records(active, buffer, valid);
		count_dropped(active, context, stream);
	}
	pthread_mutex_unlock(&lock);
	buffers_put(buffer, valid);
}

static void CUPTIAPI buffer_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	flush_buffer(true);
	take_buffer(context, stream, buffer, size, valid);
	flush_buffer(false);
	atomic_fetch_add(&progress, 1);
}

void activity_row(struct activity *a, enum table_id table, const struct value *row)
{
	struct error err = {0};

	if (a->discard)
		return;
	if (a->take)
		a->take(a->user, table, row);
	else if (spool_row(a->spool, table, row, &err) < 0 && a->io.text[0] == '\0')
		a->io = err;
}

void activity_note(struct activity *a, enum table_id table, const struct value *row)
{
	pthread_mutex_lock(&lock);
	activity_row(a, table, row);
	pthread_mutex_unlock(&lock);
}

void activity_problem(struct activity *a, const struct error *err)
{
	pthread_mutex_lock(&lock);
	if (a->io.text[0] == '\0')
		a->io = *err;
	pthread_mutex_unlock(&lock);
}

/* ---- on and off ---- */

void activity_pause(struct activity *a)
{
	activity_disable(a, a->groups & GROUPS_THAT_PAUSE);
}

int activity_resume(struct activity *a, struct error *err)
{
	return activity_enable(a, a->groups & GROUPS_THAT_PAUSE, err);
}

/* Makes CUPTI hand over what it has. flush_all() explains `meanwhile`. */
static int cupti_activity_flush(struct activity *a, uint32_t flag, void (*meanwhile)(void *user), struct error *err)
{
	CUptiResult code;

	if (!flush_all(&a->cupti, flag, meanwhile, a, &code))
		return error_set(err, "CUPTI hangs: it was asked to hand over its records and has not come back");
	return code == CUPTI_SUCCESS ? 0 : cupti_error(&a->cupti, err, code, "CUPTI does not hand over its records");
}

int activity_flush(struct activity *a, struct error *err)
{
	int result = 0;

	if (cupti_activity_flush(a, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED, NULL, err) < 0)
		return -1;
	pthread_mutex_lock(&lock);
	markers_write(a, MARKERS_COMPLETE);
	if (a->io.text[0] != '\0')
		result = error_set(err, "%s", a->io.text);
	pthread_mutex_unlock(&lock);
	return result;
}

/* Writes the records of the next buffer in the line; false if there is none. */
static bool write_buffer(struct activity *a)
{
	size_t used;
	uint8_t *buffer = buffers_next(&used);

	if (!buffer)
		return false;
	pthread_mutex_lock(&lock);
	take_records(a, buffer, used);
	markers_write(a, MARKERS_SETTLED);
	pthread_mutex_unlock(&lock);
	buffers_put(buffer, used);
	atomic_fetch_add(&progress, 1);
	return true;
}

/* All that is in the line. */
static void write_line(void *user)
{
	while (write_buffer(user))
		;
}

int activity_write(struct activity *a, struct error *err)
{
	int written = 0;

	while (write_buffer(a))
		written++;
	pthread_mutex_lock(&lock);
	if (a->io.text[0] == '\0' && spool_flush(a->spool, err) < 0)
		a->io = *err;
	if (a->io.text[0] != '\0')
		written = error_set(err, "%s", a->io.text);
	pthread_mutex_unlock(&lock);
	return written;
}

int activity_drain(struct activity *a, bool last, struct error *err)
{
	struct error refused = {0};
	int flushed = cupti_activity_flush(a, last ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0, write_line, &refused);

	write_line(a);
	if (last) {
		pthread_mutex_lock(&lock);
		markers_write(a, MARKERS_ALL);
		pthread_mutex_unlock(&lock);
	}
	if (activity_write(a, err) < 0)
		return -1;
	return flushed == 0 ? 0 : error_set(err, "%s", refused.text);
}

void activity_end(struct activity *a)
{
	activity_disable(a, a->groups);
}

/* This includes the buffer of work that has not ended: otherwise another session's records would come into it next, and
 * that session would lose them. So a flush that fails is tried again. */
void activity_suspend(struct activity *a)
{
	enum { TRIES = 2 };
	struct error err;
	int flushed = -1;

	activity_disable(a, a->groups);
	for (int i = 0; i < TRIES && flushed < 0; i++)
		flushed = cupti_activity_flush(a, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED, NULL, &err);
	if (flushed < 0)
		activity_problem(a, &err);
}

int activity_continue(struct activity *a, struct error *err)
{
	return activity_enable(a, a->groups, err);
}

void activity_lend_buffers(lend_request_func *request, lend_complete_func *complete)
{
	atomic_store(&lend_request, request);
	atomic_store(&lend_complete, complete);
}

void activity_discard(struct activity *a, bool discard)
{
	pthread_mutex_lock(&lock);
	a->discard = discard;
	pthread_mutex_unlock(&lock);
}

unsigned activity_progress(void)
{
	return atomic_load(&progress);
}

void activity_losses(const struct activity *a, struct losses *losses)
{
	pthread_mutex_lock(&lock);
	*losses = a->losses;
	pthread_mutex_unlock(&lock);
}

void activity_take(struct activity *a, struct tally *tally, struct losses *losses)
{
	pthread_mutex_lock(&lock);
	*tally = a->tally;
	*losses = a->losses;
	a->tally = (struct tally){0};
	a->losses = (struct losses){0};
	pthread_mutex_unlock(&lock);
}

/* ---- life ---- */

/* NVTX calls the library that an environment variable names. If it has a value already, that is another tool's. A
 * traced program was started with the variable set. */
static int listen_to_ranges(const struct activity *a, struct error *err)
{
	const char *tool = getenv("NVTX_INJECTION64_PATH");

	if (a->foreign)
		return 0;
	if (tool && *tool != '\0')
		return error_set(err,
			"another tool takes the NVTX ranges (NVTX_INJECTION64_PATH is %s): unset it to let dbprof "
			"trace",
			tool);
	return setenv("NVTX_INJECTION64_PATH", a->cupti.path, 1) == 0 ? 0 : error_set(err, "out of memory");
}

/* Buffers come zeroed, so CUPTI need not zero them in the program's threads. It does so all the same if it refuses this
 * setting. */
static void start_buffers(struct activity *a)
{
	uint8_t zeroed = 1;
	size_t size = sizeof(zeroed);

	buffers_warm();
	if (a->cupti.cuptiActivitySetAttribute)
		(void)a->cupti.cuptiActivitySetAttribute(
			CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed);
}

/* If CUPTI refuses to number threads as the system does, calls and ranges both have pthread_self() as the thread's
 * number. So they still fit together. */
static void tell_unknown_threads(struct activity *a, CUptiResult code)
{
	struct error why;

	cupti_error(&a->cupti, &why, code, "threads have no names here and other numbers than the system's");
	const struct value row[DIAGNOSTIC_NUMBER] = {
		[DIAGNOSTIC_timestamp] = VALUE_OF_INT(clock_realtime()),
		[DIAGNOSTIC_timestampType] = VALUE_OF_INT(1), /* of the target */
		[DIAGNOSTIC_source] = VALUE_OF_INT(1),        /* by injection */
		[DIAGNOSTIC_severity] = VALUE_OF_INT(2),      /* warning */
		[DIAGNOSTIC_text] = VALUE_OF_TEXT(why.text),
		[DIAGNOSTIC_globalPid] = VALUE_OF_INT(a->pid << 24),
	};
	activity_note(a, TABLE_DIAGNOSTIC, row);
}

CUptiResult activity_attach(struct activity *a)
{
	CUptiResult code = a->cupti.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);

	if (code != CUPTI_SUCCESS && a->foreign)
		tell_unknown_threads(a, code);
	if (a->foreign)
		start_buffers(a);
	return a->cupti.cuptiActivityRegisterCallbacks(buffer_requested, buffer_completed);
}

static int start_cupti(struct activity *a, struct error *err)
{
	CUptiResult code;

	if (cupti_open(&a->cupti, err) < 0)
		return -1;
	if ((a->groups & ACTIVITY_RANGES) != 0 && listen_to_ranges(a, err) < 0)
		return -1;
	code = activity_attach(a);
	if (code != CUPTI_SUCCESS)
		return cupti_error(&a->cupti, err, code, "CUPTI does not start");
	a->offset = activity_clock_offset(a);
	return activity_enable(a, a->groups, err);
}

static void set_active(struct activity *a)
{
	pthread_mutex_lock(&lock);
	active = a;
	pthread_mutex_unlock(&lock);
}

struct activity *activity_begin(const struct activity *how, struct error *err)
{
	struct activity *a = calloc(1, sizeof(*a));

	if (!a) {
		error_set(err, "out of memory");
		return NULL;
	}
	*a = *how;
	a->pid = getpid();
	atomic_store(&is_foreign, a->foreign);
	set_active(a);
	if (start_cupti(a, err) == 0)
		return a;
	activity_stop(a);
	return NULL;
}

struct activity *activity_start_inside(
	void (*take)(void *user, enum table_id table, const struct value *row), void *user, struct error *err)
{
	return activity_begin(
		&(struct activity){.groups = ACTIVITY_WORK, .take = take, .user = user, .untallied = true}, err);
}

struct activity *activity_start_program(struct spool *spool, struct error *err)
{
	return activity_begin(
		&(struct activity){.groups = ACTIVITY_WORK | ACTIVITY_HOST | ACTIVITY_RANGES | ACTIVITY_PLACES,
			.spool = spool,
			.foreign = true},
		err);
}

void activity_forget(void)
{
	atomic_store(&is_forgotten, true);
	active = NULL;
	buffers_forget();
	flush_forget();
	/* A thread of the parent, which is not here, may have held it when the process forked. */
	pthread_mutex_init(&lock, NULL);
}

void activity_stop(struct activity *a)
{
	if (!a)
		return;
	/* CUPTI stays loaded: its own threads and exit handler may still run. */
	if (a->cupti.handle)
		activity_disable(a, a->groups);
	set_active(NULL);
	if (a->forget_kernels)
		a->forget_kernels(&a->names);
	markers_free(&a->markers);
	free(a->threads.all);
	tally_clear(&a->tally);
	free(a);
}
