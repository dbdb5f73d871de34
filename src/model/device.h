/* device.h: the GPU that families ran on. */
#ifndef DBPROF_MODEL_DEVICE_H
#define DBPROF_MODEL_DEVICE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "analyze/analyze.h"
#include "store/rowset.h"

struct model;

struct rows device_row(const struct model *model); /* the GPU of the families; empty if unknown (model-device.c) */

json_t *device_json(const struct model *model);

json_t *clocks_json(const struct model *model);

bool throttle_matters(int64_t mask); /* of NVML's reasons: those that slow a running kernel */

bool sm_limits_of(const struct rows *device, struct sm_limits *out);

#endif
