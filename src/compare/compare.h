/*
 * compare.h: two recordings side by side: per variant and case the ratio of the times, its interval, a verdict, and the
 * evidence for it. Needs no GPU. Recordings in; a tree, a text or a page out.
 */
#ifndef DBPROF_COMPARE_COMPARE_H
#define DBPROF_COMPARE_COMPARE_H

#include <jansson.h>
#include <stdbool.h>

#include "report/report.h"
#include "util/error.h"

/* Strings are borrowed for the length of the call. */
struct compare_options {
	const char *base, *fresh; /* paths of recordings */
	double threshold;         /* times nearer than this share count as the same: 0.01 */
	const char *const *only;  /* FAMILY[/VARIANT[/CASE]]: what to compare */
	int nonly;                /* 0: everything */
	const char *version;      /* of dbprof */
};

/* The tree that `dbprof compare --format=json` prints (docs/compare.md): a new reference, or NULL with err. *status
 * tells bad input (no recording, no times in it, nothing in common) from failure. */
json_t *compare_build(const struct compare_options *options, enum report_status *status, struct error *err);

/* How many comparisons of the tree have this verdict ("slower"). */
json_int_t compare_count(const json_t *tree, const char *verdict);

/* The tree for a terminal: at most 100 columns wide, in UTF-8, with colours if wanted. A string for free(), or NULL
 * with err. */
char *compare_text(const json_t *tree, bool color, struct error *err);

/* The tree as an HTML page that needs no other file and no network. A string for free(), or NULL with err. */
char *compare_page(const json_t *tree, struct error *err);

#endif
