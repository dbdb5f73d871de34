/* columns.h: text of any origin in the columns of a terminal. A character takes one column; one that a terminal would
 * take for a command or a line break is printed as a space. */
#ifndef DBPROF_UTIL_COLUMNS_H
#define DBPROF_UTIL_COLUMNS_H

#include "util/strbuf.h"

enum { COLUMNS_MOST = 100 }; /* of a line of columns_wrap() */

int columns_of(const char *text);

/* Prints at most `most` characters, the last one an ellipsis if there are more. */
void columns_put(struct strbuf *out, const char *s, int most);

/* The same, filled up with spaces to `width` behind or before the text. */
void columns_left(struct strbuf *out, const char *s, int width);
void columns_right(struct strbuf *out, const char *s, int width);

/* Prints `first` and a text with line breaks between words; the lines after the first begin under the text's first. A
 * word that is longer than a line is cut. */
void columns_wrap(struct strbuf *out, const char *first, const char *s);

/* The same with lines of `most` columns. A word that is longer has a line of its own and is whole. */
void columns_wrap_at(struct strbuf *out, const char *first, const char *s, int most);

/* columns_wrap() for a formatted text. */
void columns_line(struct strbuf *out, const char *first, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
