/* pace.h: how fast host and engines went. Private to this folder. */
#ifndef DBPROF_ANALYZE_REPLAY_PACE_H
#define DBPROF_ANALYZE_REPLAY_PACE_H

/* What lies between two pieces is a latency up to here (ns). */
enum { REPLAY_LONGEST_LATENCY = 20000 };

struct replay_orders;
struct replay_program;

/* Fills orders->room; `usual` is what a launch takes that waits for nothing (ns). */
void replay_find_room(struct replay_orders *orders, const struct replay_program *program, float usual);
/* Fills the lengths, latencies and the host's pace of orders whose edges are known. */
void replay_find_pace(struct replay_orders *orders, const struct replay_program *program);

#endif
