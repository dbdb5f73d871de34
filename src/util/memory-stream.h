/* memory-stream.h: a stream into memory that tells when memory runs short. glibc's open_memstream() does not: what it
 * has no room for is missing from the text, while ferror() and fclose() say that all went well (glibc 2.36). */
#ifndef DBPROF_UTIL_MEMORY_STREAM_H
#define DBPROF_UTIL_MEMORY_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* A stream for writing only; ftell() works, fseek() does not. fclose() stores the text, NUL-terminated, and its size in
 * bytes without the NUL; the text is for free(). Where anything that was written is missing, fclose() returns EOF and
 * *text is NULL. NULL when memory is short; *text is NULL then, too. */
FILE *memory_stream(char **text, size_t *size);

#endif
