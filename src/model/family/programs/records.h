/* records.h: records that traced runs of a pair lack. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_RECORDS_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_RECORDS_H

#include <stdbool.h>

#include "model/family/programs/judging.h"

/* Whether kernel times of a pair may be too low, since records are missing and no range tells which steps are whole. */
bool records_are_in_doubt(const struct judging *judging);

/* The check of that, for the table in checks.c. */
void check_missing_records(const struct judging *judging, struct finding *out);

/* Whether another side than this one may launch a kernel that none of its traced runs has, since all of them lack
 * records. */
bool records_leave_open(const struct family_rows *f, const char *side);

#endif
