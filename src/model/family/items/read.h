/* read.h: the items of a variant's launches, as the recording has them. */
#ifndef DBPROF_MODEL_FAMILY_ITEMS_READ_H
#define DBPROF_MODEL_FAMILY_ITEMS_READ_H

#include <jansson.h>
#include <stdint.h>

#include "analyze/statistics/items.h"

struct model;

/* A variant in a case. Texts are borrowed. */
struct items_place {
	const char *family, *variant, *label;
};

/* The items that have sound times, launch by launch and in each by their place; *n of them. The caller's. */
struct item_times *items_read(const struct model *model, const struct items_place *place, size_t *n);

/* I, of that summary: JSON null if no item counts. */
json_t *items_summary_json(const struct items_summary *summary);

#endif
