/* line.h: a family in one line of a terminal. */
#ifndef DBPROF_WORDS_LINE_H
#define DBPROF_WORDS_LINE_H

#include <jansson.h>

/* Puts "line" into each family: "1.34×  stream  copies in and out overlap for 258 µs", with its columns as wide as the
 * lines of all these families need. The sign of the size stands before it where it is shown. */
void line_words(json_t *families);

#endif
