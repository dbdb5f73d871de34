/* clip.h: prints into a buffer of a fixed size. Text that does not fit is cut between two characters of UTF-8. */
#ifndef DBPROF_UTIL_CLIP_H
#define DBPROF_UTIL_CLIP_H

#include <stddef.h>

/* Writes to `text`, of `size` bytes (at least 1). */
void clip_print(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Appends to the string that is there already; nothing if the buffer is full. */
void clip_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
