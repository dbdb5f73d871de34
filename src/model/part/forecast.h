/* forecast.h: what reading a recording will take. */
#ifndef DBPROF_MODEL_PART_FORECAST_H
#define DBPROF_MODEL_PART_FORECAST_H

#include "model/part/wish.h"
#include "store/store.h"

/* Of all rows; `memory` as in struct part_wish. */
struct forecast forecast_of(struct store *store, int64_t memory);

/* The share of the work that fits into what is free: 1 for all. */
double forecast_share(const struct forecast *forecast);

#endif
