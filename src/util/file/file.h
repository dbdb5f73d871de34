/* file.h: reads a whole file into memory, writes a buffer to a file, and has the words for what can go wrong. */
#ifndef DBPROF_UTIL_FILE_FILE_H
#define DBPROF_UTIL_FILE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "util/error.h"

/* Reads a regular file. Returns its bytes with a NUL after them, for free(), and their number in *size (may be NULL).
 * NULL with `err` on failure. */
char *file_read(const char *path, size_t *size, struct error *err);

/* Writes all of `data`, however many calls that takes. Returns 0, or the errno of the failure. */
int file_write_all(int fd, const void *data, size_t size);

/* The same in somebody else's program: a limit on the size of files is an error (EFBIG), not a signal that ends the
 * program. If the program has blocked that signal and one is pending, it stays pending. */
int file_write_quietly(int fd, const void *data, size_t size);

/* Whether both names lead to the same file. */
bool file_same(const char *a, const char *b);

/* Whether both can be read and hold the same bytes. */
bool file_alike(const char *a, const char *b);

/* Where a new file `path` belongs: follows links, also those that lead to nothing yet, and fills `target`. *there: the
 * file that is there now, all zero if there is none. Returns 0 or an errno. ESTALE if the file has no name: it was
 * removed, and the link is in /proc/PID/fd of a process that has it open. */
int file_target(const char *path, char target[PATH_MAX], struct stat *there);

/* Why a path cannot be opened or started: the errno in words, and what to do if the name or the machine is to blame,
 * whoever asks. In a buffer of the thread's own, until the next call. */
const char *file_open_error(int errnum);

/* What to do about an errno of opening, making or moving a file to write, or of opening one to read. */
const char *file_write_advice(int errnum);
const char *file_read_advice(int errnum);

/* "cannot write PATH: ..." for an errno, with what to do. Returns -1. */
int file_write_error(struct error *err, const char *path, int errnum);

/* Why standard output cannot be written, and what to do about it. errnum 0: unknown. */
const char *file_output_error(int errnum);

/* True for the errnos of a full disk: no space, quota, file size limit. */
bool file_is_full(int errnum);

#endif
