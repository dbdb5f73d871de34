/* counted.h: where the time of a kernel went, by hardware counters. */
#ifndef DBPROF_ANALYZE_CAUSE_COUNTED_H
#define DBPROF_ANALYZE_CAUSE_COUNTED_H

#include <stdbool.h>
#include <stdint.h>

/* What a warp on an SM is at. */
enum warp_state {
	STATE_BARRIER,
	STATE_MEMORY, /* waits for global or local memory */
	STATE_QUEUE,  /* waits for shared memory, or for a place in its queue */
	STATE_ISSUE,  /* issues, or waits for its turn, a pipe or the latency of its last instruction */
	STATE_OTHER,
	WARP_STATES
};
const char *warp_state_name(enum warp_state state); /* "barrier" ... */
/* The state that a stall reason (as in "long_scoreboard") belongs to. */
enum warp_state warp_state_of(const char *reason);

/* Counters of a kernel, as counted. NaN for what was not. */
struct counters_read {
	double share[WARP_STATES]; /* of warp time */
	double selected;           /* share of warp time in which warps issue */
	double issued, executed;   /* instructions */
	double occupancy;          /* achieved, share of the most */
	double per_cycle;          /* instructions executed per cycle of an SM that has work */
	double warps_per_sm, sms;  /* the most warps that an SM holds; SMs that get a block */
	double mhz;                /* of the SM while timed */
};

/* What is made of them. */
struct counted {
	bool known;
	double share[WARP_STATES]; /* of warp time: add up to 1 */
	double occupancy;
	double active_ns; /* time in which an SM has work, on average, for the launch; only a ratio if not `in_ns` */
	bool in_ns;
	double doubt;        /* how far the counters contradict each other: share of warp time */
	bool doubt_active;   /* the active time suffers from it too */
	double issued;       /* instructions */
	int64_t local_bytes; /* per thread; the caller's, as are: */
	double launches;     /* that active_ns is of */
	double apart;        /* how far the counted launches lie from their median: share of the active time */
	double resident;     /* warps that fit an SM; NaN if unknown */
	double waves;        /* blocks / blocks that fit the GPU; NaN if unknown */
	double warps;        /* of the grid; 0 or NaN if unknown */
};

/* Fills all but what is the caller's. */
void counted_of(const struct counters_read *read, struct counted *out);

/* Share of the SMs' time that a grid of so many waves can use: 1.25 waves take the time of 2. */
double wave_efficiency(double waves);

#endif
