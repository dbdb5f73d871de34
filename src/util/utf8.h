/* utf8.h: makes text of unknown origin fit for JSON, HTML and XML. */
#ifndef DBPROF_UTIL_UTF8_H
#define DBPROF_UTIL_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `text` is well-formed UTF-8, control characters included. */
bool utf8_valid(const char *text);

/* Makes the text one line that steers no terminal, in place: control characters, those from U+0080 to U+009F too,
 * become spaces, and each byte that belongs to no character '?'. */
void utf8_one_line(char *text);

/* A copy of the text as valid UTF-8 without NUL: each byte that belongs to no character, and each character that XML
 * refuses (control characters but tab and line breaks, U+FFFE and U+FFFF), becomes U+FFFD. A string for free(), or NULL
 * if memory is short. *clean_size may be NULL. */
char *utf8_clean(const char *text, size_t size, size_t *clean_size);

#endif
