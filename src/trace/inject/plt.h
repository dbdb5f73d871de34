/* plt.h: leads calls of the libraries of this process to other functions. */
#ifndef DBPROF_TRACE_INJECT_PLT_H
#define DBPROF_TRACE_INJECT_PLT_H

#include <stdbool.h>
#include <stddef.h>

struct detour {
	const char *name; /* of a function in another library */
	void *function;   /* called instead */
};

/* From now on calls of these functions go to their detours, in the program and in every loaded library. Exceptions are
 * the library that holds the address `not_in` and those of whose file not_named() says so. Waits for a library that
 * another thread is loading. Can be repeated, from one thread at a time. Returns how many places were changed; 0 at
 * once if no library was loaded since the last time. */
int plt_lead(const struct detour *detours, size_t n, const void *not_in, bool (*not_named)(const char *path));

#endif
