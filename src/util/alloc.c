/* alloc.c: see alloc.h. */
#include "util/alloc.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/file/temporary.h"

static void *_Atomic reserve;
static int listener = STDERR_FILENO;

void out_of_memory(void)
{
	static const char line[] = "dbprof: out of memory: close other programs, or ask for less at once\n";

	temporary_remove_all();
	(void)!write(listener, line, sizeof(line) - 1);
	_exit(EXIT_FAILURE);
}

void out_of_memory_to(int fd)
{
	listener = fd;
}

void memory_short(void)
{
	void *held = atomic_exchange(&reserve, NULL);

	if (!held)
		out_of_memory();
	free(held);
}

void xreserve(size_t bytes)
{
	static size_t set_aside;
	void *held;

	if (atomic_load(&reserve) && bytes <= set_aside)
		return;
	/* Not touched: malloc() fails by a limit of address space or of committed memory. Both count it as it is. */
	held = xmalloc(bytes);
	set_aside = bytes;
	free(atomic_exchange(&reserve, held));
}

void *(xmalloc)(size_t size)
{
	void *got;

	while (!(got = malloc(size > 0 ? size : 1)))
		memory_short();
	return got;
}

void *(xcalloc)(size_t n, size_t size)
{
	void *got;

	while (!(got = n > 0 && size > 0 ? calloc(n, size) : calloc(1, 1)))
		memory_short();
	return got;
}

void *(xrealloc)(void *old, size_t size)
{
	void *got;

	while (!(got = realloc(old, size > 0 ? size : 1)))
		memory_short();
	return got;
}

void *(xreallocarray)(void *old, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		out_of_memory();
	return xrealloc(old, bytes);
}

void alloc_return_large(void)
{
	enum { LARGE = 256 << 10 };

	mallopt(M_MMAP_THRESHOLD, LARGE);
}

void alloc_keep_freed(bool keep)
{
	enum { LITTLE = 128 << 10, MUCH = 1 << 20 }; /* the former is usual */

	mallopt(M_TRIM_THRESHOLD, keep ? MUCH : LITTLE);
}

bool alloc_grow(void *list, size_t n, size_t *room, size_t size)
{
	size_t more = n + n / 2 + 8, bytes;
	void *held, *larger;

	if (n < *room)
		return true;
	memcpy(&held, list, sizeof(held)); /* a pointer of any type */
	if (__builtin_mul_overflow(more, size, &bytes))
		return false;
	larger = realloc(held, bytes);
	if (!larger)
		return false;
	*room = more;
	held = larger;
	memcpy(list, &held, sizeof(held));
	return true;
}

void xgrow(void *list, size_t n, size_t *room, size_t size)
{
	while (!alloc_grow(list, n, room, size))
		memory_short();
}

void *xmemdup(const void *data, size_t size)
{
	void *copy = xmalloc(size);

	return size > 0 ? memcpy(copy, data, size) : copy;
}

char *xstrdup(const char *text)
{
	return xmemdup(text, strlen(text) + 1);
}

char *xstrndup(const char *text, size_t most)
{
	size_t length = strnlen(text, most);
	char *copy = xmalloc(length + 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *xvasprintf(const char *format, va_list args)
{
	va_list again;
	int length;
	char *text;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length < 0)
		out_of_memory();
	text = xmalloc((size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	return text;
}
