/* unusual.h: GPUs of which something differs from the other GPUs of the recording. */
#ifndef DBPROF_MODEL_TRACE_UNUSUAL_H
#define DBPROF_MODEL_TRACE_UNUSUAL_H

#include <jansson.h>
#include <stdbool.h>

/* Puts "unusual" into each G of a list that is unusual among them: {"by", "value_ns", "median_ns", "score"}. */
void gpus_mark_unusual(json_t *gpus);

/* How unusual a device is by its G of the list: 0 if it is not, else more the more it is. */
double gpu_unusual(const json_t *gpus, int64_t device);

#endif
