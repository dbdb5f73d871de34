/* buffers.c: see buffers.h. */
#include "record/buffers.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { SIZES = 3, SPARE = 2, PATIENCE_MS = 2000 };

/* At most 64 MiB in buffers of each size. */
static const struct {
	size_t size;
	int most;
} classes[SIZES] = {{8 << 20, 8}, {1 << 20, 64}, {128 << 10, 512}};

/* Stands before the records: a buffer remembers its size, and spare ones form a list. CUPTI wants records
 * aligned to 8 bytes. */
struct head {
	struct head *next;
	size_t used; /* bytes that hold records, in the line */
	int size;    /* index into classes */
};

enum { HEAD = 64 };

_Static_assert(sizeof(struct head) <= HEAD, "the head fits before the records");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct head *spare[SIZES]; /* zeroed */
static int nspare[SIZES], made[SIZES];
static struct head *oldest, *newest; /* the line of filled ones */
static bool woken;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static struct head *take_spare(int size)
{
	struct head *head = spare[size];

	if (head != NULL) {
		spare[size] = head->next;
		nspare[size]--;
	}
	return head;
}

static void add_spare(struct head *head)
{
	pthread_mutex_lock(&lock);
	head->next = spare[head->size];
	spare[head->size] = head;
	nspare[head->size]++;
	pthread_mutex_unlock(&lock);
}

/* New memory is zero. One that cannot be made counts as if it were out. */
static struct head *make(int size)
{
	struct head *head = mmap(
		NULL, classes[size].size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (head == MAP_FAILED)
		return NULL;
	(void)madvise(head, classes[size].size, MADV_HUGEPAGE);
	head->size = size;
	return head;
}

/* True if another one of that size may be made; it then counts. */
static bool may_make(int size)
{
	if (made[size] == classes[size].most)
		return false;
	made[size]++;
	return true;
}

/* A buffer of the largest size that is to be had. */
static struct head *try_get(void)
{
	struct head *head = NULL;
	int size;

	pthread_mutex_lock(&lock);
	for (size = 0; size < SIZES && head == NULL; size++) {
		head = take_spare(size);
		if (head == NULL && may_make(size))
			break;
	}
	pthread_mutex_unlock(&lock);
	return head != NULL ? head : size < SIZES ? make(size) : NULL;
}

uint8_t *buffers_get(size_t *size)
{
	const struct timespec tick = {.tv_nsec = 1000000};
	struct head *head = try_get();

	/* Not for ever: whoever brings them back could need something that this thread holds. */
	for (int i = 0; i < PATIENCE_MS && head == NULL; i++) {
		nanosleep(&tick, NULL);
		head = try_get();
	}
	*size = head == NULL ? 0 : classes[head->size].size - HEAD;
	return head == NULL ? NULL : (uint8_t *)head + HEAD;
}

void buffers_put(uint8_t *buffer, size_t used)
{
	struct head *head = (struct head *)(buffer - HEAD);

	memset(buffer, 0, used);
	add_spare(head);
}

void buffers_fill(uint8_t *buffer, size_t used)
{
	struct head *head = (struct head *)(buffer - HEAD);

	head->next = NULL;
	head->used = used;
	pthread_mutex_lock(&lock);
	if (oldest == NULL)
		oldest = head;
	else
		newest->next = head;
	newest = head;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&lock);
}

uint8_t *buffers_next(size_t *used)
{
	struct head *head;

	pthread_mutex_lock(&lock);
	head = oldest;
	if (head != NULL)
		oldest = head->next;
	pthread_mutex_unlock(&lock);
	*used = head == NULL ? 0 : head->used;
	return head == NULL ? NULL : (uint8_t *)head + HEAD;
}

void buffers_wait(int ms)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += ms * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&lock);
	while (oldest == NULL && !woken && pthread_cond_timedwait(&filled, &lock, &until) == 0)
		;
	woken = false;
	pthread_mutex_unlock(&lock);
}

void buffers_wake(void)
{
	pthread_mutex_lock(&lock);
	woken = true;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&lock);
}

void buffers_warm(void)
{
	for (;;) {
		struct head *head = NULL;
		bool wanted;

		pthread_mutex_lock(&lock);
		wanted = nspare[0] < SPARE && may_make(0);
		pthread_mutex_unlock(&lock);
		if (wanted)
			head = make(0);
		if (head == NULL)
			return;
		memset((uint8_t *)head + HEAD, 0, classes[0].size - HEAD);
		add_spare(head);
	}
}

void buffers_forget(void)
{
	pthread_mutex_init(&lock, NULL);
}
