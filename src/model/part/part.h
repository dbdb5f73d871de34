/* part.h: the part of a recording that is read. docs/size.md, "A part of a recording". */
#ifndef DBPROF_MODEL_PART_PART_H
#define DBPROF_MODEL_PART_PART_H

#include "model/part/wish.h"
#include "store/store.h"
#include "util/error.h"

/* Forecasts, tells `hearer` (which may be NULL), chooses a part if the whole does not fit, and makes the store's scans
 * keep to it. 0, or -1 with `err`. For part_end() whatever comes back, before the store is closed. */
int part_begin(struct part *part, const struct part_wish *wish, struct store *store, const struct part_hearer *hearer,
	struct error *err);

/* All rows were read once: sums over what was left out are whole. */
void part_all_is_read(struct part *part);

/* Whether work of other threads was left out, and its part of what that work and the work that is read take. */
static inline bool part_has_others(const struct part *part)
{
	return part->others.kernels + part->others.copies + part->others.rest > 0;
}
double part_others_share(const struct part *part);

/* Whether that is so much that the work that is read tells nothing of gains. */
bool part_lacks_work(const struct part *part);

/* Says where work is, if the part has none: -1 with `err`. 0 if all was read, or if the recording has no work. */
int part_refuse_empty(const struct part *part, struct store *store, struct error *err);

/* Scans of the store have all rows again, and nobody hears of them. Frees what the part owns; a zeroed one is fine. */
void part_end(struct part *part, struct store *store);

#endif
