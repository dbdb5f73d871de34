/* head.h: what stands at the head of report.json, before the recordings. */
#ifndef DBPROF_REPORT_HEAD_H
#define DBPROF_REPORT_HEAD_H

#include <jansson.h>

/* A tree of model_build() with `id`, a hash of all that is in it, and `files`, a list that is still empty; a new
 * reference. Two reports that differ in anything have different ids. */
json_t *report_with_head(const json_t *model);

#endif
