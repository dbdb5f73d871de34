/* file.h: whole files: reading one into memory, writing a buffer to one, and the words for what can go wrong. */
#ifndef DBPROF_UTIL_FILE_H
#define DBPROF_UTIL_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "util/error.h"

/* Reads a regular file. Returns its bytes with a NUL after them, for free(), and their number in *size (may be NULL);
 * NULL with `err` if that does not work. */
char *file_read(const char *path, size_t *size, struct error *err);

/* Writes all of `data`, however many calls that takes. Returns 0, or the errno of the failure. */
int file_write_all(int fd, const void *data, size_t size);

/* Whether both names lead to the same file. */
bool file_same(const char *a, const char *b);

/*
 * Where a file belongs that is to be `path`: follows links, also those that lead to nothing yet, into `target`. Fills
 * *there of the file that is there, all zero if there is none. Returns 0 or an errno; ESTALE if the file has no name
 * (was removed, and is open in a process whose /proc/PID/fd the link is in).
 */
int file_target(const char *path, char target[PATH_MAX], struct stat *there);

/* What to do about an errno of opening, making or moving a file to write, or of opening one to read. */
const char *file_write_advice(int errnum);
const char *file_read_advice(int errnum);

/* "cannot write PATH: ..." for an errno, with what to do. Returns -1. */
int file_write_error(struct error *err, const char *path, int errnum);

/* Why standard output cannot be written, and what to do about it; errnum 0: it is not known. */
const char *file_output_error(int errnum);

/* True for the errnos of a full disk: no space, quota, file size limit. */
bool file_is_full(int errnum);

#endif
