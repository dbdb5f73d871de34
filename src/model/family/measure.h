/* measure.h: gathers what was measured of one variant in one case. */
#ifndef DBPROF_MODEL_FAMILY_MEASURE_H
#define DBPROF_MODEL_FAMILY_MEASURE_H

#include "model/family/measured.h"

struct model;
struct rows;

/* Fills the rest of *m. The caller has set the borrowed strings, `buffers`, `pair`, `headline` and `on_purpose`, and
 * zeroed all else; measured_free() ends it. `device` is device_row(). */
void measure_case(const struct model *model, const struct rows *device, struct measured *m);

void measured_free(struct measured *m);

#endif
