/* csv-model.h: the tables of CSV that are a part of the tree of a report (docs/report-json.md). */
#ifndef DBPROF_EXPORT_CSV_MODEL_H
#define DBPROF_EXPORT_CSV_MODEL_H

#include <jansson.h>

struct export;

/* `recording` is an entry of the tree's "recordings". */
void csv_gpus(struct export *ex, const json_t *recording);
void csv_families(struct export *ex, const json_t *recording);
void csv_points(struct export *ex, const json_t *recording);

#endif
