/* not-counted.h: what of a side's traced runs gives no samples, and why. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_NOT_COUNTED_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_NOT_COUNTED_H

#include <jansson.h>

struct family_rows;

/* S."not_counted": medians over the side's traced runs. Null where the recording does not tell. */
json_t *not_counted_json(const struct family_rows *f, const char *variant);

#endif
