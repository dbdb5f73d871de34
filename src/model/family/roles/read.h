/* read.h: metered launches of a variant in a case, as the recording has them. */
#ifndef DBPROF_MODEL_FAMILY_ROLES_READ_H
#define DBPROF_MODEL_FAMILY_ROLES_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "store/rowset.h"

struct measured;
struct model;

/* Of all warps with one role, in all launches that count. Cycles are sums over warps. */
struct role_cycles {
	double launches; /* 0: no warp has the role, or none of its rows can be true */
	double warps, waits, loads, loaded, life;
	double timed, waited; /* the waits that were timed, and their cycles */
};

struct roles {
	struct rows run; /* its one row in DBPROF_ROLE_RUN */
	double blocks, stage_bytes;
	double cost;         /* of the meter: how much longer the launch takes; a share */
	const char *exposed; /* the variant whose loads are all exposed; NULL: none. Borrowed */
	struct role_cycles consumer, producer;
};

/* Rows that cannot be true are left out: waits longer than lives, say. False if no consumer's row is left. */
bool roles_read(const struct model *model, const struct measured *m, struct roles *out);

/* Cycles that a stage's load takes where nothing is loaded ahead, from issue to full; NaN elsewhere. */
double roles_load_cycles(const struct roles *roles);

/* Warps of a block that have the role. */
double roles_warps(const struct roles *roles, const struct role_cycles *cycles);

/* Whether the meter changes the launch's time by more than it may. */
bool roles_disturbed(const struct roles *roles);

#endif
