/* inject.h: what the library's ear for ranges needs of the rest of it. */
#ifndef DBPROF_CONTRAST_COUNT_INJECT_H
#define DBPROF_CONTRAST_COUNT_INJECT_H

#include <stdbool.h>

/* `capturing`: a stream is being captured. */
typedef void inject_act(void *user, bool capturing);

/* Calls act() while no other thread is in a launch. False, and it was not called, where launches are not followed, or
 * do not come to an end. */
bool inject_alone(inject_act *act, void *user);

#endif
