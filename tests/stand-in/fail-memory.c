/* fail-memory.c: getting memory, and what of it is not given back. See fail.h. */
#include "fail.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what dlsym() itself asks for ---- */

static char early[64 * 1024] __attribute__((aligned(16)));
static size_t early_used;

static bool is_early(const void *block)
{
	return (const char *)block >= early && (const char *)block < early + sizeof early;
}

static void *give_early(size_t size)
{
	size_t start = early_used;

	early_used += (size + 15) & ~(size_t)15;
	return early_used <= sizeof early ? early + start : NULL;
}

/* ---- what is alive ---- */

enum { LIVE_MOST = 1 << 20, TAKEN_BACK = 1 };

static struct live {
	uintptr_t block; /* 0: never used; TAKEN_BACK */
	const void *caller;
} * live;

static int lock, wanted = -1;

static bool keeps_track(void)
{
	if (wanted < 0)
		wanted = getenv("FAIL_LEAKS") != NULL;
	return wanted != 0 && !fail_is_paused() && fail_is_dbprof();
}

static size_t first_place(const void *block)
{
	return (size_t)((uintptr_t)block >> 4) * 0x9E3779B97F4A7C15u >> 44;
}

static void take_lock(void)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0)
		;
}

static void drop_lock(void)
{
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

static void remember(const void *block, const void *caller)
{
	size_t i = first_place(block);

	if (block == NULL || !keeps_track())
		return;
	take_lock();
	if (live == NULL)
		live = fail_memory(LIVE_MOST * sizeof *live);
	for (size_t tries = 0; tries < LIVE_MOST && live[i].block > TAKEN_BACK; tries++)
		i = (i + 1) % LIVE_MOST;
	live[i] = (struct live){(uintptr_t)block, caller};
	drop_lock();
}

static void forget(const void *block)
{
	size_t i = first_place(block);

	if (block == NULL || live == NULL)
		return;
	take_lock();
	for (size_t tries = 0; tries < LIVE_MOST && live[i].block != 0; tries++, i = (i + 1) % LIVE_MOST) {
		if (live[i].block != (uintptr_t)block)
			continue;
		live[i].block = TAKEN_BACK;
		break;
	}
	drop_lock();
}

void fail_write_leaks(void)
{
	char line[128];

	if (live == NULL || !fail_is_dbprof())
		return;
	fail_pause();
	for (size_t i = 0; i < LIVE_MOST; i++) {
		if (live[i].block <= TAKEN_BACK)
			continue;
		fail_site_text(live[i].caller, line, sizeof line - 1);
		strcat(line, "\n");
		fail_append("FAIL_LEAKS", line, strlen(line));
	}
	fail_resume();
}

/* ---- the functions ---- */

static bool looking;

/* Looking up a function may ask for memory itself. */
#define MEMORY_NEXT(name)                                                                                              \
	static __typeof__(&name) next;                                                                                 \
	if (next == NULL && !looking) {                                                                                \
		looking = true;                                                                                        \
		fail_next(#name, &next);                                                                               \
		looking = false;                                                                                       \
	}

void *malloc(size_t size)
{
	MEMORY_NEXT(malloc)
	void *block;

	if (next == NULL)
		return give_early(size);
	FAIL_CALL("malloc", NULL);
	block = next(size);
	remember(block, __builtin_return_address(0));
	return block;
}

void *calloc(size_t n, size_t size)
{
	MEMORY_NEXT(calloc)
	void *block;

	if (next == NULL)
		return give_early(n * size);
	FAIL_CALL("malloc", NULL);
	block = next(n, size);
	remember(block, __builtin_return_address(0));
	return block;
}

static void *move_early(const void *block, size_t size)
{
	void *moved = malloc(size);
	size_t room = (size_t)(early + sizeof early - (const char *)block);

	if (moved != NULL)
		memcpy(moved, block, size < room ? size : room);
	return moved;
}

void *realloc(void *block, size_t size)
{
	MEMORY_NEXT(realloc)
	void *moved;

	if (next == NULL || is_early(block))
		return block == NULL ? give_early(size) : move_early(block, size);
	/* A block that shrinks or goes away is not asked for. */
	if (size > 0 && (block == NULL || size > malloc_usable_size(block)))
		FAIL_CALL("malloc", NULL);
	forget(block);
	moved = next(block, size);
	remember(moved == NULL && size > 0 ? block : moved, __builtin_return_address(0));
	return moved;
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
	MEMORY_NEXT(posix_memalign)
	int code = next == NULL ? ENOMEM : fail_here("malloc", false);

	/* Only buffers for CUPTI are aligned: it has them to the end, when it was not asked for them. */
	return code != 0 ? code : next(block, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	MEMORY_NEXT(aligned_alloc)
	void *block;

	if (next == NULL)
		return NULL;
	FAIL_CALL("malloc", NULL);
	block = next(alignment, size);
	remember(block, __builtin_return_address(0));
	return block;
}

void free(void *block)
{
	MEMORY_NEXT(free)

	if (next == NULL || is_early(block))
		return;
	forget(block);
	next(block);
}
