/* device.h: the GPU that families ran on, and its clocks. */
#ifndef DBPROF_MODEL_DEVICE_H
#define DBPROF_MODEL_DEVICE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "analyze/analyze.h"
#include "store/rowset.h"

struct model;

/* The row of the GPU that families ran on, or of model->gpu; no row if it is unknown. */
struct rows device_row(const struct model *model);

/* Both are null if nothing is known. */
json_t *device_json(const struct model *model);
json_t *clocks_json(const struct model *model);

/* Whether NVML's mask of throttle reasons has one that slows a running kernel. */
bool throttle_matters(int64_t mask);

/* Whether the power limit is the only one of these reasons. */
bool throttle_by_power_alone(int64_t mask);

/* What limits occupancy on the GPU of a row; false if some of it is unknown. */
bool sm_limits_of(const struct rows *device, struct sm_limits *out);

#endif
