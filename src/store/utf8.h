/* utf8.h: makes sure that text is UTF-8, wherever it came from. */
#ifndef DBPROF_STORE_UTF8_H
#define DBPROF_STORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `text` is well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF). */
bool utf8_valid(const char *text);

/* A copy in which every byte that is part of no well-formed character is '?'. The caller frees it; NULL without
 * memory. */
char *utf8_repair(const char *text);

#endif
