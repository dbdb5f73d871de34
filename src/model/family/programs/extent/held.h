/* held.h: what all steps of a run say, held against what the steps that count say. Ratios are of single over other.
 * Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_EXTENT_HELD_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_EXTENT_HELD_H

#include "model/family/programs/judging.h"

/* The verdict that a ratio without an interval gives. */
enum verdict verdict_of_value(double value, double band);

/* Of steps from begin to begin the time between two is a part, and durations tell nothing. */
bool by_period(const struct judging *program);

/* Whether two ratios say nearly as much: they may differ by a part of what the first one says, or by what is the same.
 */
bool says_as_much(double counted, double all, double band);

/* The same, but the second one may say more. */
bool says_much_less(double counted, double all, double band);

/* What is needed by the steps that count, and by `all`: ratios, and the verdicts that they give. */
void put_counted_and_all(json_t *facts, const struct judging *judging, double all);

/* Whether what all steps take says the same as those that count, or that a difference is none. What noise makes unclear
 * may still rule out that a side is slower: then all must not say that alone. */
bool all_bear_out(const struct judging *counted, double all, double band);

#endif
