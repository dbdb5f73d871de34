/* identity.h: whether a recording is compared with itself. */
#ifndef DBPROF_MODEL_PAIR_IDENTITY_H
#define DBPROF_MODEL_PAIR_IDENTITY_H

#include "model/pair/comparing.h"

/* Whether both files hold the same recording: a copy, a link, a compressed one. All that was loaded for the comparison
 * is equal then, each sample too. */
bool pair_is_one_recording(const struct comparing *in);

/* Whether they say the same of themselves: when and by which command they were made. */
bool pair_is_same_head(const struct comparing *in);

#endif
