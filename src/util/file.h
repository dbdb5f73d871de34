/* file.h: a whole file in memory. */
#ifndef DBPROF_UTIL_FILE_H
#define DBPROF_UTIL_FILE_H

#include <stddef.h>

#include "util/error.h"

/* Reads a regular file. Returns its bytes with a NUL after them, for free(), and their number in *size (may be NULL);
 * NULL with `err` if that does not work. */
char *file_read(const char *path, size_t *size, struct error *err);

#endif
