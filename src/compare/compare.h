/*
 * compare.h: shows a comparison of two recordings: a text or a page. The tree is that of model_pair_build(), with its
 * sentences (words_comparison()).
 */
#ifndef DBPROF_COMPARE_COMPARE_H
#define DBPROF_COMPARE_COMPARE_H

#include <jansson.h>
#include <stdbool.h>

#include "util/error.h"

/* How many comparisons of the tree have this verdict ("slower"). */
json_int_t compare_count(const json_t *tree, const char *verdict);

/* Whether no check of the recordings as wholes failed: else every verdict is unclear. */
bool compare_is_comparable(const json_t *tree);

/* The tree for a terminal: at most 100 columns wide, in UTF-8, with colours if wanted. A string for free(). */
char *compare_text(const json_t *tree, bool color);

/* The tree as Markdown for a pull request. A string for free(). */
char *compare_markdown(const json_t *tree);

/* The tree as an HTML page that needs no other file and no network. `drawn` has figures by their names, as of
 * figures_draw(); NULL: there are none. A string for free(), or NULL with err. */
char *compare_page(const json_t *tree, const json_t *drawn, struct error *err);

#endif
