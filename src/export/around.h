/* around.h: the NVTX ranges that are open on each thread at a time that only goes on. */
#ifndef DBPROF_EXPORT_AROUND_H
#define DBPROF_EXPORT_AROUND_H

#include <stdint.h>

struct export;
struct texts;
struct around;

/* A range of a thread. Texts live as long as the `texts` that they are kept in. */
struct around_range {
	int64_t end;
	const char *text, *domain; /* domain NULL: the default one */
};

/* NULL with ex->err. Memory is that of the ranges that are open at once. */
struct around *around_open(struct export *ex, struct texts *texts);
void around_close(struct around *around); /* NULL is allowed */

/* The innermost range around a time on a thread, or NULL in *range. It lives until the next call. Times must not go
 * back. 0, or -1 with ex->err. */
int around_find(struct around *around, int64_t thread, int64_t time, const struct around_range **range);

#endif
