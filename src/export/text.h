/* text.h: how values are written as JSON and as CSV. */
#ifndef DBPROF_EXPORT_TEXT_H
#define DBPROF_EXPORT_TEXT_H

#include <stdint.h>

#include "util/strbuf.h"

void text_int(struct strbuf *text, int64_t number);
/* As short as a double can be read back from; a number that is not finite is written as 0. */
void text_real(struct strbuf *text, double number);
/* Nanoseconds as microseconds with three decimals: all digits, also of large times. */
void text_us(struct strbuf *text, int64_t ns);

/* A JSON string with its quotes. What is in it must be UTF-8. Control characters, DEL and the line separators U+2028
 * and U+2029, which JavaScript takes for line ends, are escaped. */
void text_quoted(struct strbuf *text, const char *string);

/*
 * A CSV cell by RFC 4180: in quotes where it holds a comma, a quote or a line break. A spreadsheet takes a cell that
 * begins with = + - @ tab or carriage return for a formula: such a text gets an apostrophe in front. NULL is an empty
 * cell.
 */
void text_cell(struct strbuf *text, const char *string);

#endif
