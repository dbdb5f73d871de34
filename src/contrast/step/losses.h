/* losses.h: what a recording is known to lack. */
#ifndef DBPROF_CONTRAST_LOSSES_H
#define DBPROF_CONTRAST_LOSSES_H

#include "contrast/launches-private.h"
#include "util/error.h"

/* Reads what each process lost: fills gather->losses, and in gather->out `lost`, `unfinished` and `perhaps_lost`. 0, or
 * -1 with `err`. */
int losses_read(struct gather *gather, struct error *err);

/* Adds the launches that are chosen and have no usable times, and fills gather->out->steps_may_lack, once it is known
 * which steps are steady. */
void losses_of_steps(struct gather *gather);

#endif
