/* path.h: paths as SQLite wants them. */
#ifndef DBPROF_STORE_PATH_H
#define DBPROF_STORE_PATH_H

#include "util/error.h"

/* "cannot write PATH: out of memory ..."; `doing` is "write" or "read". Returns -1. */
int path_memory_error(struct error *err, const char *doing, const char *path);

/* `path` such that SQLite cannot take it for a URI or for ":memory:". The caller frees it; NULL without memory. */
char *path_plain(const char *path);

/* `path` as a SQLite URI with `query` ("immutable=1"). The caller frees it; NULL without memory. */
char *path_uri(const char *path, const char *query);

#endif
