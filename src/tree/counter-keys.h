/* counter-keys.h: keys of values derived from counters (metrics/NAME.set) that rules and tables name. All others are
 * shown as they come. */
#ifndef DBPROF_TREE_COUNTER_KEYS_H
#define DBPROF_TREE_COUNTER_KEYS_H

#include <stdbool.h>
#include <string.h>

#define KEY_OCCUPANCY "occupancy_achieved" /* % */
#define KEY_INSTRUCTIONS "inst_executed"
#define KEY_ISSUED "inst_issued"
#define KEY_IPC "ipc" /* executed per cycle in which an SM has work */
#define KEY_DRAM_BYTES "dram_bytes"
#define KEY_THROUGHPUT "throughput_" /* and sm, l1, l2 or dram: % of peak */

/* A reason for which warps wait, in % of warp-active cycles. */
#define STALL_PREFIX "stall_"
#define KEY_STALL_BARRIER "stall_barrier"
#define KEY_STALL_LONG_SCOREBOARD "stall_long_scoreboard"
#define KEY_STALL_SELECTED "stall_selected" /* the warp issues: no stall */

/* The same in warps per instruction issued. */
#define KEY_ISSUE_BARRIER "issue_barrier"

/* A reason below this share of warp time (in %) on both sides stands only in the table of all counters. */
enum { STALL_WORTH_A_ROW = 1 };

/* Where kernels run for less than this share of the time in both runs, what their warps wait for has no figure. */
#define STALLS_WORTH_A_FIGURE 0.1

/* Whether the key is that of a reason for which warps wait. */
static inline bool is_stall_share(const char *key)
{
	return strncmp(key, STALL_PREFIX, strlen(STALL_PREFIX)) == 0 && strcmp(key, KEY_STALL_SELECTED) != 0;
}

#endif
