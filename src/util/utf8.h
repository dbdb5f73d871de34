/* utf8.h: makes text of unknown origin fit for JSON, HTML and XML. */
#ifndef DBPROF_UTIL_UTF8_H
#define DBPROF_UTIL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether `text` is well-formed UTF-8, control characters included. */
bool utf8_valid(const char *text);

/* A copy of the text as valid UTF-8 without NUL: each byte that belongs to no character, and each character that XML
 * refuses (control characters but tab and line breaks, U+FFFE and U+FFFF), becomes U+FFFD. A string for free().
 * *clean_size may be NULL. */
char *utf8_clean(const char *text, size_t size, size_t *clean_size);

/* The same for text that a person reads: the other control characters, and those that would set what follows from right
 * to left or end the line, become U+FFFD too. */
char *utf8_visible(const char *text, size_t size);

/* Makes text fit for one line of a terminal, in place: what would steer it (control characters, line breaks) becomes a
 * blank, each bit of bad UTF-8 and each mark of right-to-left text '?'. */
void utf8_one_line(char *text);

/* The length of the well-formed character at `s`, of which `left` bytes are there, and its number in *code; 0 if there
 * is none. */
size_t utf8_character(const unsigned char *s, size_t left, uint32_t *code);

/* Whether it is a mark or an override of right-to-left text, or ends a line or a paragraph. */
bool utf8_reorders(uint32_t code);

#endif
