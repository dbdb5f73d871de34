/* sustained.h: the rates of arrival that a sweep's pair sustains. */
#ifndef DBPROF_MODEL_SWEEP_SUSTAINED_H
#define DBPROF_MODEL_SWEEP_SUSTAINED_H

#include <jansson.h>

/* W."sustained", of W: the highest rate up to which items go through each side without waiting for a buffer. JSON null
 * where x is no rate, or of no point items are known. Both sides have what W."points" say of their "items". */
json_t *sustained_json(const json_t *sweep);

#endif
