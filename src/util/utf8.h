/* utf8.h: makes text of unknown origin fit for JSON, HTML and XML. */
#ifndef DBPROF_UTIL_UTF8_H
#define DBPROF_UTIL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether `text` is well-formed UTF-8, control characters included. */
bool utf8_valid(const char *text);

/* A copy of the text as valid UTF-8 without NUL, for free(). U+FFFD stands for each byte that belongs to no character
 * and for each character that XML refuses: control characters but tab and line breaks, U+FFFE and U+FFFF. *clean_size
 * may be NULL. */
char *utf8_clean(const char *text, size_t size, size_t *clean_size);

/* The same for text that a person reads: U+FFFD also stands for other control characters, for those that write from
 * right to left, and for those that end a line. */
char *utf8_visible(const char *text, size_t size);

/* Makes text fit for one line of a terminal, in place. Control characters and line breaks become blanks; bad UTF-8 and
 * marks of right-to-left text become '?'. */
void utf8_one_line(char *text);

/* The length of the well-formed character at `s`, of which `left` bytes are there, and its number in *code; 0 if there
 * is none. */
size_t utf8_character(const unsigned char *s, size_t left, uint32_t *code);

/* Whether it is a mark or an override of right-to-left text, or ends a line or a paragraph. */
bool utf8_reorders(uint32_t code);

#endif
