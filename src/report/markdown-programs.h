/* markdown-programs.h: what is said of somebody's programs, as Markdown. Private to this folder. */
#ifndef DBPROF_REPORT_MARKDOWN_PROGRAMS_H
#define DBPROF_REPORT_MARKDOWN_PROGRAMS_H

#include <jansson.h>

#include "util/strbuf.h"

/* Adds a contrast of programs: a row for each side, then its sentences. */
void markdown_contrast(struct strbuf *out, const json_t *family);

/* Adds the answer on a program that was advised, and a row for each kernel. Nothing of other recordings. */
void markdown_advice(struct strbuf *out, const json_t *recording);

#endif
