/*
 * fake-cupti.c: as much of CUPTI as `dbprof trace` takes, for machines without a GPU. Like the real one it keeps a
 * buffer for each thread that calls and one for the device, asks for them where it needs them, hands them over in a
 * thread of its own, and keeps what has not ended until it is forced. The work is made up: a program asks for it with
 * the functions of fake-cupti.h.
 */
#include "fake-cupti.h"

#include <cupti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SLOTS = 4096, LAUNCH_KERNEL = 211, NAP_NS = 1000000 };

/* The records of one thread, or of the device. */
struct slot {
	pthread_mutex_t lock;
	uint8_t *buffer;
	size_t size, used;
};

struct full {
	struct full *next;
	uint8_t *buffer;
	size_t size, used;
};

static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static CUpti_TimestampCallbackFunc clock_of_client;
static bool enabled[CUPTI_ACTIVITY_KIND_COUNT];

static struct slot slots[MAX_SLOTS] = {{.lock = PTHREAD_MUTEX_INITIALIZER}}; /* the first is the device's */
static int nslots = 1;
static __thread struct slot *mine;

/* Guards all below. `starting` is what the driver holds while it starts. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t starting = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct full *fulls, **fulls_end = &fulls;
static CUpti_ActivityKernel9 *unended;
static size_t nunended, dropped;
static uint32_t correlations, markers;
static bool worker_runs;
static unsigned asked, answered; /* flushes */
static bool forced;

static uint64_t now(void)
{
	struct timespec t;

	if (clock_of_client != NULL)
		return clock_of_client();
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* ---- buffers ---- */

static void hand_over(struct slot *slot)
{
	struct full *full;

	if (slot->buffer == NULL)
		return;
	full = malloc(sizeof *full);
	*full = (struct full){.buffer = slot->buffer, .size = slot->size, .used = slot->used};
	slot->buffer = NULL;
	pthread_mutex_lock(&lock);
	*fulls_end = full;
	fulls_end = &full->next;
	pthread_mutex_unlock(&lock);
}

static void put(struct slot *slot, const void *record, size_t size)
{
	CUpti_BuffersCallbackRequestFunc ask;
	size_t max = 0;

	pthread_mutex_lock(&slot->lock);
	if (slot->buffer != NULL && slot->used + size > slot->size)
		hand_over(slot);
	if (slot->buffer == NULL) {
		slot->used = slot->size = 0;
		ask = __atomic_load_n(&request, __ATOMIC_ACQUIRE);
		if (ask != NULL)
			ask(&slot->buffer, &slot->size, &max);
	}
	if (slot->buffer == NULL) {
		__atomic_add_fetch(&dropped, 1, __ATOMIC_RELAXED);
	} else {
		memcpy(slot->buffer + slot->used, record, size);
		slot->used += size;
	}
	pthread_mutex_unlock(&slot->lock);
}

static struct slot *slot_of_thread(void)
{
	if (mine == NULL) {
		int i = __atomic_fetch_add(&nslots, 1, __ATOMIC_ACQ_REL);

		if (i >= MAX_SLOTS)
			abort();
		pthread_mutex_init(&slots[i].lock, NULL);
		mine = &slots[i];
	}
	return mine;
}

static void deliver(void)
{
	for (;;) {
		struct full *full;

		pthread_mutex_lock(&lock);
		full = fulls;
		if (full != NULL && (fulls = full->next) == NULL)
			fulls_end = &fulls;
		pthread_mutex_unlock(&lock);
		if (full == NULL)
			return;
		__atomic_load_n(&complete, __ATOMIC_ACQUIRE)(NULL, 0, full->buffer, full->size, full->used);
		free(full);
	}
}

/* What has not ended holds back its buffer, unless it is forced out: without times then. */
static void flush(bool force)
{
	int n = __atomic_load_n(&nslots, __ATOMIC_ACQUIRE);
	bool holds;

	pthread_mutex_lock(&lock);
	holds = nunended > 0 && !force;
	pthread_mutex_unlock(&lock);
	if (force)
		for (size_t i = 0; i < nunended; i++)
			put(&slots[0], &unended[i], sizeof unended[i]);
	if (force)
		nunended = 0;
	for (int i = holds ? 1 : 0; i < n && i < MAX_SLOTS; i++) {
		pthread_mutex_lock(&slots[i].lock);
		hand_over(&slots[i]);
		pthread_mutex_unlock(&slots[i].lock);
	}
}

static void *work(void *unused)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};

	(void)unused;
	for (;;) {
		unsigned wanted;
		bool force;

		pthread_mutex_lock(&lock);
		wanted = asked;
		force = forced;
		forced = false;
		pthread_mutex_unlock(&lock);
		if (wanted != __atomic_load_n(&answered, __ATOMIC_ACQUIRE))
			flush(force);
		deliver();
		__atomic_store_n(&answered, wanted, __ATOMIC_RELEASE);
		nanosleep(&nap, NULL);
	}
	return NULL;
}

/* ---- CUPTI ---- */

CUptiResult CUPTIAPI cuptiGetVersion(uint32_t *version)
{
	*version = CUPTI_API_VERSION;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetResultString(CUptiResult result, const char **text)
{
	*text = result == CUPTI_SUCCESS ? "CUPTI_SUCCESS" : "an error of fake-cupti";
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetTimestamp(uint64_t *timestamp)
{
	*timestamp = now();
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id, const char **name)
{
	*name = domain == CUPTI_CB_DOMAIN_RUNTIME_API && id == LAUNCH_KERNEL ? "cudaLaunchKernel_v7000" : NULL;
	return *name == NULL ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiSetThreadIdType(CUpti_ActivityThreadIdType type)
{
	return type == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult CUPTIAPI cuptiActivityRegisterCallbacks(
	CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed)
{
	if (requested == NULL || completed == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	__atomic_store_n(&request, requested, __ATOMIC_RELEASE);
	__atomic_store_n(&complete, completed, __ATOMIC_RELEASE);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc clock)
{
	clock_of_client = clock;
	return CUPTI_SUCCESS;
}

/* Starts CUDA, as the first call of the driver would. */
CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind kind)
{
	pthread_t worker;

	if ((unsigned)kind >= CUPTI_ACTIVITY_KIND_COUNT || getenv("FAKE_CUPTI_REFUSES") != NULL)
		return CUPTI_ERROR_INVALID_KIND;
	pthread_mutex_lock(&starting);
	if (!worker_runs && pthread_create(&worker, NULL, work, NULL) == 0)
		worker_runs = true;
	pthread_mutex_unlock(&starting);
	__atomic_store_n(&enabled[kind], true, __ATOMIC_RELEASE);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityDisable(CUpti_ActivityKind kind)
{
	if ((unsigned)kind >= CUPTI_ACTIVITY_KIND_COUNT)
		return CUPTI_ERROR_INVALID_KIND;
	__atomic_store_n(&enabled[kind], false, __ATOMIC_RELEASE);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiFinalize(void)
{
	for (int i = 0; i < CUPTI_ACTIVITY_KIND_COUNT; i++)
		__atomic_store_n(&enabled[i], false, __ATOMIC_RELEASE);
	flush(true);
	deliver();
	__atomic_store_n(&request, NULL, __ATOMIC_RELEASE);
	__atomic_store_n(&complete, NULL, __ATOMIC_RELEASE);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityEnableDriverApi(CUpti_CallbackId id, uint8_t enable)
{
	(void)id;
	(void)enable;
	return CUPTI_SUCCESS;
}

/* Waits until the worker has handed over everything, as the real one does. */
CUptiResult CUPTIAPI cuptiActivityFlushAll(uint32_t flags)
{
	const struct timespec nap = {.tv_nsec = NAP_NS / 10};
	unsigned wanted;

	if (!worker_runs)
		return CUPTI_SUCCESS;
	pthread_mutex_lock(&lock);
	wanted = ++asked;
	forced = forced || (flags & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) != 0;
	pthread_mutex_unlock(&lock);
	while ((int)(__atomic_load_n(&answered, __ATOMIC_ACQUIRE) - wanted) < 0)
		nanosleep(&nap, NULL);
	return CUPTI_SUCCESS;
}

static size_t size_of(CUpti_ActivityKind kind)
{
	switch ((int)kind) {
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
		return sizeof(CUpti_ActivityKernel9);
	case CUPTI_ACTIVITY_KIND_RUNTIME:
		return sizeof(CUpti_ActivityAPI);
	case CUPTI_ACTIVITY_KIND_MARKER:
		return sizeof(CUpti_ActivityMarker2);
	case CUPTI_ACTIVITY_KIND_MARKER_DATA:
		return sizeof(CUpti_ActivityMarkerData);
	default:
		abort();
	}
}

CUptiResult CUPTIAPI cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CUpti_Activity **record)
{
	size_t at = *record == NULL ? 0 : (size_t)((uint8_t *)*record - buffer) + size_of((*record)->kind);

	if (at >= valid)
		return CUPTI_ERROR_MAX_LIMIT_REACHED;
	*record = (CUpti_Activity *)(buffer + at);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *n)
{
	(void)context;
	(void)stream;
	*n = __atomic_exchange_n(&dropped, 0, __ATOMIC_ACQ_REL);
	return CUPTI_SUCCESS;
}

/* As NVTX calls it. */
int InitializeInjectionNvtx2(void *table);
int InitializeInjectionNvtx2(void *table)
{
	(void)table;
	return 1;
}

/* ---- the work ---- */

static bool is_on(CUpti_ActivityKind kind)
{
	return __atomic_load_n(&enabled[kind], __ATOMIC_ACQUIRE);
}

void fake_launch(const char *name, bool ends)
{
	uint32_t correlation = __atomic_add_fetch(&correlations, 1, __ATOMIC_RELAXED);
	uint64_t begin = now();
	CUpti_ActivityKernel9 kernel = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
		.name = name,
		.contextId = 1,
		.streamId = 7,
		.gridX = 1,
		.gridY = 1,
		.gridZ = 1,
		.blockX = 32,
		.blockY = 1,
		.blockZ = 1,
		.correlationId = correlation,
		.start = begin + 100,
		.end = begin + 1100};
	CUpti_ActivityAPI call = {.kind = CUPTI_ACTIVITY_KIND_RUNTIME,
		.cbid = LAUNCH_KERNEL,
		.start = begin,
		.end = begin + 50,
		.processId = (uint32_t)getpid(),
		.threadId = (uint32_t)syscall(SYS_gettid),
		.correlationId = correlation};
	CUpti_ActivityKernel9 *more;

	if (is_on(CUPTI_ACTIVITY_KIND_RUNTIME))
		put(slot_of_thread(), &call, sizeof call);
	if (!is_on(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL))
		return;
	if (ends) {
		put(&slots[0], &kernel, sizeof kernel);
		return;
	}
	kernel.start = kernel.end = 0;
	pthread_mutex_lock(&lock);
	more = realloc(unended, (nunended + 1) * sizeof *unended);
	if (more == NULL)
		abort();
	unended = more;
	unended[nunended++] = kernel;
	pthread_mutex_unlock(&lock);
}

static void put_marker(uint32_t id, const char *name, CUpti_ActivityFlag flags)
{
	CUpti_ActivityMarker2 marker = {.kind = CUPTI_ACTIVITY_KIND_MARKER,
		.flags = flags,
		.timestamp = now(),
		.id = id,
		.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD,
		.name = name};

	marker.objectId.pt.processId = (uint32_t)getpid();
	marker.objectId.pt.threadId = (uint32_t)syscall(SYS_gettid);
	if (is_on(CUPTI_ACTIVITY_KIND_MARKER))
		put(slot_of_thread(), &marker, sizeof marker);
}

uint32_t fake_range_begin(const char *name)
{
	uint32_t id = __atomic_add_fetch(&markers, 1, __ATOMIC_RELAXED);
	CUpti_ActivityMarkerData data = {.kind = CUPTI_ACTIVITY_KIND_MARKER_DATA,
		.flags = CUPTI_ACTIVITY_FLAG_MARKER_COLOR_ARGB,
		.id = id,
		.color = 0xff00ff00};

	put_marker(id, name, CUPTI_ACTIVITY_FLAG_MARKER_START);
	if (is_on(CUPTI_ACTIVITY_KIND_MARKER_DATA))
		put(slot_of_thread(), &data, sizeof data);
	return id;
}

void fake_range_end(uint32_t id)
{
	put_marker(id, NULL, CUPTI_ACTIVITY_FLAG_MARKER_END);
}

void fake_start_cuda(int (*injection)(void))
{
	const struct timespec a_while = {.tv_nsec = 100 * 1000 * 1000};

	pthread_mutex_lock(&starting);
	nanosleep(&a_while, NULL);
	injection();
	pthread_mutex_unlock(&starting);
}
