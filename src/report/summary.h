/* summary.h: summary.json: what a contrast of programs or an advice says, in a few kilobytes, for a machine that reads
 * no page. */
#ifndef DBPROF_REPORT_SUMMARY_H
#define DBPROF_REPORT_SUMMARY_H

#include <jansson.h>

/* The file holds at most so many bytes. */
enum { SUMMARY_MOST = 4096 };

/* Text of summary.json: keys as in report.json, of the families that are contrasts of programs, and of programs that
 * were advised. What is null there is left out. Where that is too much, keys go that say little, long texts end with an
 * ellipsis, and lists are cut from their end, which is the smallest share; what is left out is counted. NULL if the
 * tree has none of these; the caller frees. report_write() puts it beside report.json. */
char *report_summary(const json_t *tree);

#endif
