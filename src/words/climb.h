/* climb.h: how far a family's ladder reaches, in words. */
#ifndef DBPROF_WORDS_CLIMB_H
#define DBPROF_WORDS_CLIMB_H

#include <jansson.h>

/* Adds to each of the family's climbs "text" (one sentence: the fastest rung, its share of the reference or its speed,
 * and the top where that is another), "brief" (the same for a terminal; both null if no rung was timed; all times may
 * be set apart, which is told), "worth" (of the techniques that the top can lose the one that gains most; null where
 * none surely gains), "uncounted" (which of the recording's passes takes the counters that rungs lack; null where they
 * have all that would explain them), to a reference that ran another kernel than it was asked to, or has no time since
 * the GPU was throttled, "text", and to the contrasts of all rungs what those of a family have.
 */
void climb_words(const json_t *family, const json_t *passes);

#endif
