/* clip.h: text into room of a fixed size. What does not fit is cut off in front of a whole character of UTF-8. */
#ifndef DBPROF_UTIL_CLIP_H
#define DBPROF_UTIL_CLIP_H

#include <stddef.h>

/* Writes to `text`, of `size` bytes (at least 1). */
void clip_print(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same behind the string that is there already; nothing if it fills the room. */
void clip_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
