/* markdown.h: anybody's text inside Markdown, as GitHub and GitLab read it: it stays the text that it is. */
#ifndef DBPROF_UTIL_MARKDOWN_H
#define DBPROF_UTIL_MARKDOWN_H

#include <stdbool.h>

#include "util/strbuf.h"

/* Adds a text for a cell of a table or the inside of a paragraph. No markup, no HTML, no link, no mention of a person
 * or an issue comes of it. Line breaks and control characters become blanks. */
void markdown_text(struct strbuf *out, const char *text);

/* Adds a name in a cell of a table as code; a long one is cut. A dash where it is empty. */
void markdown_name(struct strbuf *out, const char *name);

/* The same of a command, which is longer. */
void markdown_command(struct strbuf *out, const char *command);

/* Adds sentences of dbprof's, in which names stand in backquotes: these become code. A list of names that ends with
 * NULL tells apart those that have backquotes themselves. `in_table`: in a cell. */
void markdown_sentence(struct strbuf *out, const char *text, const char *const *names, bool in_table);

#endif
