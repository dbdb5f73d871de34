/* balance.h: the balance of compute to load per tile. */
#ifndef DBPROF_MODEL_SWEEP_BALANCE_H
#define DBPROF_MODEL_SWEEP_BALANCE_H

#include <jansson.h>

/* F."balance", from F."sweeps" and F."machine". */
json_t *balance_json(const json_t *sweeps, const json_t *machine);

#endif
