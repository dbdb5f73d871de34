/*
 * alloc.h: allocation that does not fail. Where there is no memory, one line goes to stderr, what is temporary is
 * removed (util/file/temporary.h) and the process ends with status 1: so no code carries "out of memory" upwards.
 *
 * Not for the library that lives in somebody else's program (src/trace/inject): that one returns errors and never
 * exits.
 */
#ifndef DBPROF_UTIL_ALLOC_H
#define DBPROF_UTIL_ALLOC_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* As malloc() and its like, for free(); never NULL, also for 0 bytes. */
void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
void *xrealloc(void *old, size_t size) __attribute__((returns_nonnull));

/* `old` with room for `n` elements of `size` bytes. */
void *xreallocarray(void *old, size_t n, size_t size) __attribute__((returns_nonnull));

/* Room for one more element behind `n` of them: `*list` has room for `*room` of `size` bytes, and grows by half. */
void xgrow(void *list, size_t n, size_t *room, size_t size);

/* As xgrow(), for what can be left undone: false where there is no memory, with the list as it was. */
bool alloc_grow(void *list, size_t n, size_t *room, size_t size);

char *xstrdup(const char *text) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *text, size_t most) __attribute__((malloc, returns_nonnull));

/* A copy of `size` bytes. */
void *xmemdup(const void *data, size_t size) __attribute__((malloc, returns_nonnull));

/* As asprintf(): the text, for free(). */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2), returns_nonnull));
char *xvasprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0), returns_nonnull));

/* From now on what is large goes back to the system as soon as it is freed. Else the allocator keeps much of it for the
 * threads that freed it. */
void alloc_return_large(void);

/* Whether the allocator keeps a megabyte of what is freed and is not large, rather than an eighth of it: for work that
 * frees and asks for the same again and again, and that would wait for the system's pages each time. */
void alloc_keep_freed(bool keep);

/* Sets `bytes` aside for work that must be ended once it was begun; what is there already counts. When memory runs
 * short, they are given back and the allocation is tried once more. Not for several threads at once. */
void xreserve(size_t bytes);

/* For functions that report a lack of memory: gives back what xreserve() has set aside, so that they can be tried
 * again. Ends the process if nothing is set aside. */
void memory_short(void);

/* Ends the process as described above. */
void out_of_memory(void) __attribute__((noreturn));

/* Sends the line to this descriptor instead of stderr: a child lets its parent speak. */
void out_of_memory_to(int fd);

#ifdef __clang_analyzer__
/* The analyzer sees one file at a time, and has to be told that these never return NULL. */
static inline void *alloc_known(void *got)
{
	if (!got)
		__builtin_unreachable();
	return got;
}
#define xmalloc(...) alloc_known((xmalloc)(__VA_ARGS__))
#define xcalloc(...) alloc_known((xcalloc)(__VA_ARGS__))
#define xrealloc(...) alloc_known((xrealloc)(__VA_ARGS__))
#define xreallocarray(...) alloc_known((xreallocarray)(__VA_ARGS__))
#endif

#endif
