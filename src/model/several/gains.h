/* gains.h: what double buffering gains in each family, in several recordings beside each other. */
#ifndef DBPROF_MODEL_SEVERAL_GAINS_H
#define DBPROF_MODEL_SEVERAL_GAINS_H

#include "model/several/dates.h"

/* Each family that any of the `n` recordings has, in the order of first sight: {`name`, `title`, `buffering`, `gains`:
 * one per recording {`value`, `low`, `high`, `verdict`, `size`} of its headline contrast, or null}. A pair that changed
 * its variants is another family. */
json_t *gains_json(const struct dated *recordings, size_t n);

#endif
