/* pace.h: how fast host and engines went. Private to this folder. */
#ifndef DBPROF_ANALYZE_REPLAY_PACE_H
#define DBPROF_ANALYZE_REPLAY_PACE_H

#include <stddef.h>

/* What lies between two pieces is a latency up to here (ns). */
enum { REPLAY_LONGEST_LATENCY = 20000 };

struct replay_orders;
struct replay_program;

/* What a call that need not wait any more takes, where no other call tells it (ns). */
enum { SHORT_CALL = 5000 };

/* The median of value[0 .. n), which is changed; NaN of none. */
float pace_median(float *value, size_t n);

/* Fills orders->room, for which the waits must be known. */
void replay_find_room(struct replay_orders *orders, const struct replay_program *program);
/* Fills the lengths, latencies and the host's pace of orders whose edges are known. */
void replay_find_pace(struct replay_orders *orders, const struct replay_program *program);

#endif
