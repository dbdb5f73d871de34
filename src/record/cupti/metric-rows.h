/* metric-rows.h: metric sets as rows of a recording. */
#ifndef DBPROF_RECORD_CUPTI_METRIC_ROWS_H
#define DBPROF_RECORD_CUPTI_METRIC_ROWS_H

#include "record/cupti/metric-set.h"
#include "store/store.h"

/* DBPROF_METRIC: each value of each set. */
int metric_sets_write(struct recording *rec, const struct metric_set *sets, int n, struct error *err);

#endif
