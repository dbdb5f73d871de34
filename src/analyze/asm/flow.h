/* flow.h: where values that are loaded go. Within the room. */
#ifndef DBPROF_ANALYZE_ASM_FLOW_H
#define DBPROF_ANALYZE_ASM_FLOW_H

#include <stddef.h>

#include "analyze/asm/graph.h"

/* Values are followed for so many turns of a loop. */
enum { ASM_TURNS = 4 };

/* No load, or no turn. */
enum { ASM_NO_LAG = -1 };

/* By instruction; asm_flow_free() frees it. */
struct asm_flow {
	size_t *source; /* of a store to shared memory: the load whose value it stores, or SIZE_MAX */
	int *store_lag; /* of the same: turns of its loop between load and store; ASM_NO_LAG without a load */
	int *use_lag;   /* of a load: turns between it and the first use of its value that is no move; or ASM_NO_LAG */
};

/* Values are followed through moves and conversions, within the instructions that have the same innermost loop. */
void asm_flow_make(const struct asm_graph *graph, struct asm_flow *out);
void asm_flow_free(struct asm_flow *flow);

#endif
