/* markdown.h: anybody's text inside Markdown, as GitHub and GitLab read it: it stays the text that it is. */
#ifndef DBPROF_UTIL_MARKDOWN_H
#define DBPROF_UTIL_MARKDOWN_H

#include "util/strbuf.h"

/* Adds a text for a cell of a table or the inside of a paragraph. No markup, no HTML, no link, no mention of a person
 * or an issue comes of it. Line breaks and control characters become blanks. */
void markdown_text(struct strbuf *out, const char *text);

/* Adds a name in a cell of a table as code; a long one is cut. A dash where it is empty. */
void markdown_name(struct strbuf *out, const char *name);

#endif
