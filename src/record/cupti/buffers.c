/* buffers.c: see buffers.h. */
#include "record/cupti/buffers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "util/clock.h"

enum { SIZES = 3, SPARE = 2 };

/* Who waits for a buffer may hold up a flush, and a flush gets no more than two seconds. */
static const int64_t PATIENCE_NS = 1000000000;

/* At most 64 MiB in buffers of each size. */
static const struct {
	size_t size;
	int most;
} classes[SIZES] = {{8 << 20, 8}, {1 << 20, 64}, {128 << 10, 512}};

enum { MOST = 8 + 64 + 512 }; /* of all sizes together */

/* CUPTI gets plain memory only: another profiler that takes CUPTI over frees what it gets. All facts about a buffer
 * stand here. A buffer that is not listed here is somebody else's. */
struct entry {
	uint8_t *memory;
	struct entry *next; /* in the list of spare ones, or in the line */
	size_t used;        /* bytes that hold records, in the line */
	int size;           /* index into classes */
};

static struct entry entries[MOST];
static int nentries;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *spare[SIZES]; /* zeroed */
static int nspare[SIZES], made[SIZES];
static struct entry *oldest, *newest; /* the line of filled ones */
static bool woken;
static pthread_cond_t filled;

/* Two threads never wait for a buffer: the one that takes from the line, and one that it waits for. A thread-local flag
 * would not do: a library that is loaded late gets memory for it where a thread first looks at it, which may be inside
 * CUPTI. */
static _Atomic(pthread_t) emptier, other;
static atomic_uint returned;     /* buffers that have come back */
static atomic_bool none_returns; /* somebody waited in vain, and no buffer has come back since */

/* The time of day may be set back while somebody waits. It is made before anybody can come, and not by who comes first:
 * buffers_wake() may be called by a signal handler that interrupts that one. */
__attribute__((constructor)) static void make_filled(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&filled, &attributes);
	pthread_condattr_destroy(&attributes);
}

static struct entry *take_spare(int size)
{
	struct entry *entry = spare[size];

	if (entry) {
		spare[size] = entry->next;
		nspare[size]--;
	}
	return entry;
}

static void add_spare(struct entry *entry)
{
	pthread_mutex_lock(&lock);
	entry->next = spare[entry->size];
	spare[entry->size] = entry;
	nspare[entry->size]++;
	pthread_mutex_unlock(&lock);
	atomic_fetch_add(&returned, 1);
	atomic_store(&none_returns, false);
}

/* The entry of a buffer, or NULL. The lock is held. */
static struct entry *buffers_find(const uint8_t *buffer)
{
	for (int i = 0; i < nentries; i++)
		if (entries[i].memory == buffer)
			return &entries[i];
	return NULL;
}

static void advise(const uint8_t *memory, size_t size)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)memory & ~(page - 1);

	(void)madvise((void *)begin, size, MADV_HUGEPAGE);
}

/* A buffer that cannot be made counts as one that is out. */
static struct entry *buffers_make(int size)
{
	uint8_t *memory = calloc(1, classes[size].size);
	struct entry *entry;

	if (!memory)
		return NULL;
	advise(memory, classes[size].size);
	pthread_mutex_lock(&lock);
	/* A buffer with that address was given away, and somebody freed it. */
	entry = buffers_find(memory);
	if (!entry)
		entry = &entries[nentries++];
	*entry = (struct entry){.memory = memory, .size = size};
	pthread_mutex_unlock(&lock);
	return entry;
}

/* Whether another one of that size may be made. If so, it counts from now on. */
static bool may_make(int size)
{
	if (made[size] == classes[size].most)
		return false;
	made[size]++;
	return true;
}

/* A buffer of the largest size that is available. */
static struct entry *try_get(void)
{
	struct entry *entry = NULL;
	int size;

	pthread_mutex_lock(&lock);
	for (size = 0; size < SIZES && !entry; size++) {
		entry = take_spare(size);
		if (!entry && may_make(size))
			break;
	}
	pthread_mutex_unlock(&lock);
	return entry ? entry : size < SIZES ? buffers_make(size) : NULL;
}

static bool may_not_wait(void)
{
	pthread_t self = pthread_self();

	return self == atomic_load(&emptier) || self == atomic_load(&other);
}

/* Waits, but not for ever: the thread that brings buffers back may need something that this thread holds. As long as
 * some come back, even if others take them, that is not so. After waiting in vain it does not wait again for each
 * record, because the program would stand still. */
static struct entry *wait_for_one(void)
{
	const struct timespec tick = {.tv_nsec = 1000000};
	unsigned seen = atomic_load(&returned);
	int64_t since = clock_monotonic();
	struct entry *entry = NULL;

	while (!entry && !atomic_load(&none_returns) && clock_monotonic() - since < PATIENCE_NS) {
		unsigned now;

		nanosleep(&tick, NULL);
		entry = try_get();
		now = atomic_load(&returned);
		if (now != seen)
			since = clock_monotonic();
		seen = now;
	}
	if (!entry)
		atomic_store(&none_returns, true);
	return entry;
}

uint8_t *buffers_get(size_t *size)
{
	struct entry *entry = try_get();

	if (!entry && !may_not_wait())
		entry = wait_for_one();
	*size = !entry ? 0 : classes[entry->size].size;
	return !entry ? NULL : entry->memory;
}

static struct entry *entry_of(const uint8_t *buffer)
{
	struct entry *entry;

	pthread_mutex_lock(&lock);
	entry = buffers_find(buffer);
	pthread_mutex_unlock(&lock);
	return entry;
}

void buffers_put(uint8_t *buffer, size_t used)
{
	struct entry *entry = entry_of(buffer);

	if (!entry)
		return;
	memset(buffer, 0, used);
	add_spare(entry);
}

static void buffers_append(struct entry *entry, size_t used)
{
	entry->next = NULL;
	entry->used = used;
	pthread_mutex_lock(&lock);
	if (!oldest)
		oldest = entry;
	else
		newest->next = entry;
	newest = entry;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&lock);
}

bool buffers_fill(uint8_t *buffer, size_t used)
{
	struct entry *entry = entry_of(buffer);

	if (!entry)
		return false;
	if (used > 0)
		buffers_append(entry, used);
	else
		add_spare(entry);
	return true;
}

uint8_t *buffers_next(size_t *used)
{
	struct entry *entry;

	atomic_store(&emptier, pthread_self());
	pthread_mutex_lock(&lock);
	entry = oldest;
	if (entry)
		oldest = entry->next;
	pthread_mutex_unlock(&lock);
	*used = !entry ? 0 : entry->used;
	return !entry ? NULL : entry->memory;
}

void buffers_wait(int ms)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ms * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&lock);
	while (!oldest && !woken && pthread_cond_timedwait(&filled, &lock, &until) == 0)
		;
	woken = false;
	pthread_mutex_unlock(&lock);
}

void buffers_never_wait(void)
{
	atomic_store(&other, pthread_self());
}

void buffers_wake(void)
{
	/* The thread that a signal handler interrupts may hold it. */
	if (pthread_mutex_trylock(&lock) != 0)
		return;
	woken = true;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&lock);
}

void buffers_warm(void)
{
	for (;;) {
		struct entry *entry = NULL;
		bool wanted;

		pthread_mutex_lock(&lock);
		wanted = nspare[0] < SPARE && may_make(0);
		pthread_mutex_unlock(&lock);
		if (wanted)
			entry = buffers_make(0);
		if (!entry)
			return;
		memset(entry->memory, 0, classes[0].size);
		add_spare(entry);
	}
}

void buffers_forget(void)
{
	pthread_mutex_init(&lock, NULL);
}
