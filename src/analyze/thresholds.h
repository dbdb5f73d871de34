/* thresholds.h: where a judgement turns, for all who measure, judge or show it. docs/statistics.md has the reasons. */
#ifndef DBPROF_ANALYZE_THRESHOLDS_H
#define DBPROF_ANALYZE_THRESHOLDS_H

/* Half the width of the band around 1 in which two times count as the same. */
#define EQUIVALENCE_BAND 0.01

/* A speed-up is known well enough, so that sampling may stop, when its interval is narrower than this share of it. */
#define SETTLED_WIDTH 0.01

/* A verdict needs so many blocks with samples of both variants, over all processes. */
enum { BLOCKS_NEEDED = 12 };

#endif
