/* markdown.h: a report as a few lines of Markdown, for a pull request. */
#ifndef DBPROF_REPORT_MARKDOWN_H
#define DBPROF_REPORT_MARKDOWN_H

#include <jansson.h>

/* The tree with its sentences as a short table: of families sign, ratio, cause and where it holds; of a contrast of
 * programs its sides; of a program its answer and where double buffering would pay most, and of an advised one its
 * kernels. A string for free(). */
char *report_markdown(const json_t *tree);

#endif
