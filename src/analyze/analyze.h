/*
 * analyze.h: every number that dbprof derives, for the other rooms. Arrays in, numbers out: no I/O, no SQL, no JSON, no
 * globals, nothing printed. Each topic has a header of its own.
 *
 * Times are int64_t nanoseconds. A ratio with a zero denominator is NaN, which the report prints as "n/a".
 */
#ifndef DBPROF_ANALYZE_ANALYZE_H
#define DBPROF_ANALYZE_ANALYZE_H

#include "analyze/asm/asm.h"
#include "analyze/barrier.h"
#include "analyze/cause/cause.h"
#include "analyze/cause/step.h"
#include "analyze/interval.h"
#include "analyze/lines.h"
#include "analyze/occupancy.h"
#include "analyze/overlap.h"
#include "analyze/pays.h"
#include "analyze/predict.h"
#include "analyze/ptx.h"
#include "analyze/rule.h"
#include "analyze/statistics/items.h"
#include "analyze/statistics/ratio.h"
#include "analyze/statistics/stats.h"
#include "analyze/statistics/verdict.h"
#include "analyze/sweep.h"
#include "analyze/thresholds.h"

#endif
