/* verdict.h: from an interval to a word. */
#ifndef DBPROF_ANALYZE_STATISTICS_VERDICT_H
#define DBPROF_ANALYZE_STATISTICS_VERDICT_H

#include <stdbool.h>

#include "analyze/statistics/ratio.h"

enum verdict { VERDICT_FASTER, VERDICT_SLOWER, VERDICT_SAME, VERDICT_UNCLEAR };

/* "Same" if the whole interval lies inside [1 - band, 1 + band], ends included; "faster" or "slower" if all of it lies
 * outside; else "unclear". NaN is unclear, and so is everything when `evidence_ok` is false. */
enum verdict verdict_of(const struct ratio *ratio, double band, bool evidence_ok);

/* What time and cycles (time x clock) say together, for work that the kernel bounds and that should take the same
 * cycles at any clock. A gap in time that is not the same gap in cycles may be the clock's, and is unclear. "Same" and
 * "unclear" in time stay what they are. */
enum verdict verdict_confirmed(enum verdict in_time, enum verdict in_cycles);

/* Whether what times say holds in cycles. `own_clocks`: each side had a clock of its own, which may also hide a gap:
 * then what is the same in time must not be a gap in cycles. */
bool verdict_holds(enum verdict in_time, enum verdict in_cycles, bool own_clocks);
/* Whether it says that something differs: faster or slower. */
bool verdict_is_clear(enum verdict verdict);
bool verdict_is_definite(enum verdict verdict); /* or that it is the same */
const char *verdict_name(enum verdict verdict); /* "faster" ... */
/* The same with the size of the gain or loss `ratio`: "slightly-faster" ... beside those of verdict_name(). */
const char *verdict_size(enum verdict verdict, double ratio);
enum verdict verdict_named(const char *word); /* the opposite of "faster" or "slower"; unclear for any other word */

#endif
