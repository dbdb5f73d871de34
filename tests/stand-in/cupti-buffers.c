/*
 * cupti-buffers.c: activity buffers of the stand-in's CUPTI. Like the real one it keeps a buffer for each thread that
 * calls and one for the device, asks for them where it needs them, hands them over in a thread of its own, and keeps
 * what has not ended until it is forced.
 */
#include "cupti-records.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A full buffer is no multiple of any record. */
enum { MAX_SLOTS = 4096, FULL_SIZE = 1001 };

/* The records of one thread, or of the device. */
struct slot {
	pthread_mutex_t lock;
	uint8_t *buffer;
	size_t size, used;
};

/* A buffer on its way home. */
struct full {
	struct full *next;
	uint8_t *buffer;
	size_t size, used;
};

static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static bool enabled[CUPTI_ACTIVITY_KIND_COUNT];

static struct slot slots[MAX_SLOTS] = {{.lock = PTHREAD_MUTEX_INITIALIZER}}; /* the first is the device's */
static int nslots = 1;
static __thread struct slot *mine;
static __thread bool hands_over; /* this is the thread that does */

/* Guards all below. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static struct full *fulls, **fulls_end = &fulls;
static kernel_record *unended;
static size_t nunended;
static unsigned asked, answered; /* flushes */
static bool forced, worker_runs;

static size_t dropped;

/* ---- kinds ---- */

bool records_wanted(CUpti_ActivityKind kind)
{
	return __atomic_load_n(&enabled[kind], __ATOMIC_ACQUIRE);
}

void records_enable(CUpti_ActivityKind kind, bool on)
{
	__atomic_store_n(&enabled[kind], on, __ATOMIC_RELEASE);
}

/* ---- buffers ---- */

/* The slot's lock is held. */
static void hand_over(struct slot *slot)
{
	struct full *full;

	if (slot->buffer == NULL)
		return;
	full = malloc(sizeof *full);
	if (full == NULL)
		abort();
	*full = (struct full){.buffer = slot->buffer, .size = slot->size, .used = slot->used};
	slot->buffer = NULL;
	pthread_mutex_lock(&lock);
	*fulls_end = full;
	fulls_end = &full->next;
	pthread_cond_signal(&wanted);
	pthread_mutex_unlock(&lock);
}

/* True if there was a buffer. The slot's lock is held. */
static bool finish(struct slot *slot)
{
	bool had = slot->buffer != NULL;

	if (had && stand_in()->unordered)
		layout_reverse(slot->buffer, slot->used);
	hand_over(slot);
	return had;
}

/* The buffer has no room for the record, which is then put into the next one: of a full one the rest is filled with as
 * much of it as there is room for. */
static void finish_full(struct slot *slot, const uint8_t *record)
{
	if (stand_in()->unordered)
		layout_reverse(slot->buffer, slot->used);
	if (stand_in()->full) {
		memcpy(slot->buffer + slot->used, record, slot->size - slot->used);
		slot->used = slot->size;
	}
	hand_over(slot);
}

static void ask_for_buffer(struct slot *slot)
{
	CUpti_BuffersCallbackRequestFunc ask = __atomic_load_n(&request, __ATOMIC_ACQUIRE);
	size_t max = 0;

	slot->used = slot->size = 0;
	if (ask != NULL)
		ask(&slot->buffer, &slot->size, &max);
	if (stand_in()->full && slot->size > FULL_SIZE)
		slot->size = FULL_SIZE;
}

/* With one record in each, all buffers are soon out: a thread of the program asks again until one is back, however slow
 * the machine is. A flush may have the slot meanwhile: buffers come back behind it. The slot's lock is held. */
static void ask_until_there_is_one(struct slot *slot)
{
	const struct timespec tick = {.tv_nsec = 1000000};
	enum { TRIES = 60000 };

	for (int i = 0; i < TRIES && slot->buffer == NULL && !hands_over; i++) {
		pthread_mutex_unlock(&slot->lock);
		nanosleep(&tick, NULL);
		pthread_mutex_lock(&slot->lock);
		if (slot->buffer == NULL)
			ask_for_buffer(slot);
	}
}

/* Without a buffer the record is lost, and counted. */
static void put(struct slot *slot, const uint8_t *record, size_t size)
{
	pthread_mutex_lock(&slot->lock);
	if (slot->buffer != NULL && slot->used + size > slot->size)
		finish_full(slot, record);
	if (slot->buffer == NULL)
		ask_for_buffer(slot);
	if (slot->buffer == NULL && stand_in()->pieces)
		ask_until_there_is_one(slot);
	if (slot->buffer == NULL || slot->used + size > slot->size) {
		__atomic_add_fetch(&dropped, 1, __ATOMIC_RELAXED);
	} else {
		memcpy(slot->buffer + slot->used, record, size);
		slot->used += size;
	}
	if (stand_in()->pieces)
		(void)finish(slot);
	pthread_mutex_unlock(&slot->lock);
}

static void put_as_asked(struct slot *slot, const void *record)
{
	uint8_t copy[MAX_RECORD] __attribute__((aligned(8)));
	size_t size = layout_size(record);

	if (!records_wanted(((const CUpti_Activity *)record)->kind))
		return;
	memcpy(copy, record, size);
	if (layout_spoil(copy))
		put(slot, copy, size);
	else
		__atomic_add_fetch(&dropped, 1, __ATOMIC_RELAXED);
}

/* It counts once it is whole: a flush goes through all that do. More threads than there are slots share the last one.
 */
static struct slot *make_slot(void)
{
	struct slot *slot;

	pthread_mutex_lock(&lock);
	if (nslots < MAX_SLOTS) {
		pthread_mutex_init(&slots[nslots].lock, NULL);
		__atomic_store_n(&nslots, nslots + 1, __ATOMIC_RELEASE);
	}
	slot = &slots[nslots - 1];
	pthread_mutex_unlock(&lock);
	return slot;
}

static struct slot *slot_of_thread(void)
{
	if (mine == NULL)
		mine = make_slot();
	return mine;
}

void records_put_on_device(const void *record)
{
	put_as_asked(&slots[0], record);
}

void records_put_on_thread(const void *record)
{
	put_as_asked(slot_of_thread(), record);
}

void records_put_unended(const kernel_record *record)
{
	kernel_record *all;

	if (!records_wanted(record->kind))
		return;
	pthread_mutex_lock(&lock);
	all = realloc(unended, (nunended + 1) * sizeof *unended);
	if (all == NULL)
		abort();
	unended = all;
	unended[nunended] = *record;
	unended[nunended].start = unended[nunended].end = 0;
	nunended++;
	pthread_mutex_unlock(&lock);
}

/* ---- handing over ---- */

static struct full *take_full(void)
{
	struct full *full;

	pthread_mutex_lock(&lock);
	full = fulls;
	if (full != NULL && (fulls = full->next) == NULL)
		fulls_end = &fulls;
	pthread_mutex_unlock(&lock);
	return full;
}

static void deliver(void)
{
	const struct timespec slow = {.tv_sec = stand_in()->slow / 1000, .tv_nsec = stand_in()->slow % 1000 * 1000000L};

	for (struct full *full; (full = take_full()) != NULL; free(full)) {
		CUpti_BuffersCallbackCompleteFunc give = __atomic_load_n(&complete, __ATOMIC_ACQUIRE);

		nanosleep(&slow, NULL);
		if (give != NULL)
			give(NULL, 0, full->buffer, full->size, full->used);
	}
}

/* Who holds the slot may wait for a buffer: those that are full go home meanwhile. */
static bool finish_locked(struct slot *slot, bool force)
{
	const struct timespec tick = {.tv_nsec = 100000};
	bool had;

	while (pthread_mutex_trylock(&slot->lock) != 0) {
		if (!stand_in()->late || force)
			deliver();
		nanosleep(&tick, NULL);
	}
	had = finish(slot);
	pthread_mutex_unlock(&slot->lock);
	return had;
}

/* Returns false if work that has not ended holds back the device's buffer. */
static bool release_unended(bool force)
{
	kernel_record *all;
	size_t n;

	pthread_mutex_lock(&lock);
	n = nunended;
	all = unended;
	if (force) {
		unended = NULL;
		nunended = 0;
	}
	pthread_mutex_unlock(&lock);
	if (!force)
		return n == 0;
	for (size_t i = 0; i < n; i++)
		put(&slots[0], (const uint8_t *)&all[i], sizeof all[i]);
	free(all);
	return true;
}

static void put_overhead(uint64_t start)
{
	overhead_record record = {.kind = CUPTI_ACTIVITY_KIND_OVERHEAD,
		.overheadKind = CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH,
		.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD,
		.start = records_stamp(start),
		.end = records_stamp(stand_in_now())};

	record.objectId.pt.processId = (uint32_t)getpid();
	record.objectId.pt.threadId = records_thread();
	records_put_on_device(&record);
}

static void flush(bool force)
{
	int n = __atomic_load_n(&nslots, __ATOMIC_ACQUIRE);
	uint64_t start = stand_in_now();
	bool with_device = release_unended(force), any = false;

	for (int i = with_device ? 0 : 1; i < n && i < MAX_SLOTS; i++)
		any = finish_locked(&slots[i], force) || any;
	if (!any)
		return;
	put_overhead(start);
	if (with_device)
		(void)finish_locked(&slots[0], force);
}

/* Waits for something to do: what is asked for, with *force. */
static unsigned wait_for_work(bool *force)
{
	unsigned number;

	pthread_mutex_lock(&lock);
	while (asked == answered && (fulls == NULL || stand_in()->late))
		pthread_cond_wait(&wanted, &lock);
	number = asked;
	*force = forced;
	forced = false;
	pthread_mutex_unlock(&lock);
	return number;
}

/* Buffers go first: who waits for one in a callback holds a slot, which a flush needs. */
static void *work(void *unused)
{
	(void)unused;
	hands_over = true;
	for (;;) {
		bool force;
		unsigned number = wait_for_work(&force);

		if (!stand_in()->late || force)
			deliver();
		if (number != answered)
			flush(force);
		if (!stand_in()->late || force)
			deliver();
		pthread_mutex_lock(&lock);
		answered = number;
		pthread_cond_broadcast(&done);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

/* A child of fork() records nothing, as with the real CUPTI. Another thread of the parent may hold these locks. */
static void forget_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	for (int i = 0; i < nslots; i++)
		pthread_mutex_init(&slots[i].lock, NULL);
	memset(enabled, 0, sizeof enabled);
	worker_runs = false;
}

static void prepare_forks(void)
{
	(void)pthread_atfork(NULL, NULL, forget_in_child);
}

void records_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_t worker;

	(void)pthread_once(&once, prepare_forks);
	pthread_mutex_lock(&lock);
	if (!worker_runs && pthread_create(&worker, NULL, work, NULL) == 0)
		worker_runs = true;
	pthread_mutex_unlock(&lock);
}

/* Asks the thread that hands over, and waits until it has: what it was about to give by itself is then given, too. */
static void ask_and_wait(bool force)
{
	pthread_mutex_lock(&lock);
	if (worker_runs) {
		unsigned number = ++asked;

		forced = forced || force;
		pthread_cond_signal(&wanted);
		while ((int)(answered - number) < 0)
			pthread_cond_wait(&done, &lock);
	}
	pthread_mutex_unlock(&lock);
}

void records_finalize(void)
{
	ask_and_wait(true);
	__atomic_store_n(&request, NULL, __ATOMIC_RELEASE);
	__atomic_store_n(&complete, NULL, __ATOMIC_RELEASE);
}

/* ---- CUPTI ---- */

CUptiResult CUPTIAPI cuptiActivityRegisterCallbacks(
	CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed)
{
	STAND_IN_CALL(CUptiResult);
	if (requested == NULL || completed == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	__atomic_store_n(&request, requested, __ATOMIC_RELEASE);
	__atomic_store_n(&complete, completed, __ATOMIC_RELEASE);
	return CUPTI_SUCCESS;
}

/* Waits until the worker has handed over everything, as the real one does: in a child of fork() for ever. */
CUptiResult CUPTIAPI cuptiActivityFlushAll(uint32_t flags)
{
	STAND_IN_CALL(CUptiResult);
	while (stand_in()->hang_flush)
		pause();
	ask_and_wait((flags & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) != 0);
	return CUPTI_SUCCESS;
}

/* Of all contexts and streams together: buffers are not told apart by them. */
CUptiResult CUPTIAPI cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *n)
{
	STAND_IN_CALL(CUptiResult);
	(void)context;
	(void)stream;
	if (n == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*n = __atomic_exchange_n(&dropped, 0, __ATOMIC_ACQ_REL);
	return CUPTI_SUCCESS;
}
