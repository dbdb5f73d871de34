/* sqlite-memory.c: see sqlite-memory.h. */
#include "store/sqlite-memory.h"

#include <malloc.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "util/alloc.h"

static void *sqlite_malloc(int size)
{
	return xmalloc((size_t)size);
}

static void *sqlite_realloc(void *old, int size)
{
	return xrealloc(old, (size_t)size);
}

static int sqlite_size(void *block)
{
	return (int)malloc_usable_size(block);
}

static int sqlite_round_up(int size)
{
	return (size + 7) & ~7;
}

static int sqlite_start(void *unused)
{
	(void)unused;
	return SQLITE_OK;
}

static void sqlite_end(void *unused)
{
	(void)unused;
}

/* SQLite refuses this in a process that has used it before. Only tests have. */
static void sqlite_configure(void)
{
	static const struct sqlite3_mem_methods methods = {
		sqlite_malloc, free, sqlite_realloc, sqlite_size, sqlite_round_up, sqlite_start, sqlite_end, NULL};

	(void)sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
	/* Nobody asks how much SQLite has, and to keep the books takes a lock that all threads share. */
	(void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

void sqlite_use_xmalloc(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)pthread_once(&once, sqlite_configure);
}
