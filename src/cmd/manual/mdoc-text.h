/* mdoc-text.h: plain text of the tables in the language of mdoc(7). */
#ifndef DBPROF_CMD_MANUAL_MDOC_TEXT_H
#define DBPROF_CMD_MANUAL_MDOC_TEXT_H

#include <stddef.h>

/* Prints sentences, each on lines of its own; a capital letter begins them and a full stop ends them, where they lack
 * that. What stands in backquotes is code. A word of capital letters that is also in `names`, as FILE, is a
 * placeholder.
 */
void mdoc_sentences(const char *text, const char *names);

/* Prints a placeholder such as NAME=VALUE, in lower case, behind the macro Ar. */
void mdoc_placeholder(const char *text, size_t length);

#endif
