/* file.h: writing whole buffers, and the words for what can go wrong with a file. */
#ifndef DBPROF_STORE_FILE_H
#define DBPROF_STORE_FILE_H

#include <stddef.h>

#include "util/error.h"

/* Writes all of `data`, however many calls that takes. Returns 0, or the errno of the failure. */
int file_write_all(int fd, const void *data, size_t size);

/* "cannot write PATH: ..." for an errno, with what to do. Returns -1. */
int file_write_error(struct error *err, const char *path, int errnum);

/* "cannot write PATH: out of memory ..."; `doing` is "write" or "read". Returns -1. */
int file_memory_error(struct error *err, const char *doing, const char *path);

/* True for the errnos of a full disk: no space, quota, file size limit. */
int file_is_full(int errnum);

/* `path` such that SQLite cannot take it for a URI or for ":memory:". The caller frees it; NULL without memory. */
char *file_plain_path(const char *path);

/* `path` as a SQLite URI with `query` ("immutable=1"). The caller frees it; NULL without memory. */
char *file_uri(const char *path, const char *query);

#endif
