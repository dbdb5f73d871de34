/* rounds.h: what happens in a turn of a loop, in order. Within the room. */
#ifndef DBPROF_ANALYZE_ASM_ROUNDS_H
#define DBPROF_ANALYZE_ASM_ROUNDS_H

#include "analyze/asm/asm.h"
#include "analyze/asm/choose.h"

struct asm_event {
	enum asm_kind kind;
	size_t place;
	bool is_own;        /* in no inner loop */
	bool is_poll;       /* ASM_CHECK: a whole loop that waits */
	bool is_tile_store; /* ASM_SHARED_STORE: of what was loaded */
};

/* Waits for groups of LDGSTS with several numbers, of which a turn meets one. */
enum asm_waits {
	ASM_WAITS_FIXED, /* there is no such choice */
	ASM_WAITS_MET,   /* samples were found at those of one number alone: the others are no events */
	ASM_WAITS_VARY   /* which one is met is not known */
};

/* asm_rounds_free() frees it. */
struct asm_rounds {
	const struct asm_graph *graph; /* borrowed, as the next two */
	const struct asm_flow *flow;
	const struct asm_tally *tallies;
	int loop; /* ASM_NO_LOOP: what is in no loop */
	bool *within;
	struct asm_event *events; /* of kinds that matter, in the order of offsets */
	size_t n;
	size_t kinds[ASM_KINDS];           /* how many events; of inner loops too */
	size_t inner[ASM_KINDS];           /* of inner loops alone */
	bool is_written[2][ASM_REGISTERS]; /* registers of a thread, of a warp: by an instruction of the loop */
	size_t polls;
	enum asm_waits waits;
	size_t tile_stores;
};

void asm_rounds_make(const struct asm_graph *graph, const struct asm_flow *flow, const struct asm_tally *tallies,
	int loop, struct asm_rounds *out);
void asm_rounds_free(struct asm_rounds *rounds);

/* Finds out whether a turn's waits are a choice, and leaves those that were met. */
void asm_settle_waits(struct asm_rounds *rounds);

bool asm_is_read(const struct asm_event *event);

/* Waits for mbarriers: one that is tried first and then again in a loop of its own is one. */
size_t asm_mbarrier_waits(const struct asm_rounds *rounds);

/* Groups of tile stores with a barrier between them. */
size_t asm_store_phases(const struct asm_rounds *rounds);

/* How many of a kind stand before the loop, in the loop around it. False: others stand in loops before it, so nobody
 * knows. */
bool asm_count_before(const struct asm_rounds *rounds, enum asm_kind kind, size_t *out);

/* One number for each round: `total` by `rounds`; unknown if that is no whole number. */
struct asm_fact asm_per_round(size_t total, size_t rounds);

/* Fills in what is known of tiles under way. `rounds_in_turn` is 0 where it is not known. */
void asm_read_groups(const struct asm_rounds *rounds, size_t rounds_in_turn, struct asm_kernel *out);
void asm_read_mbarriers(const struct asm_rounds *rounds, size_t rounds_in_turn, struct asm_kernel *out);
void asm_read_registers(const struct asm_rounds *rounds, size_t rounds_in_turn, struct asm_kernel *out);
void asm_read_plain(const struct asm_rounds *rounds, struct asm_kernel *out);

/* A register's name at the begin of a text, "R12" or "UR4": its number, and its file (0: of a thread, 1: of a warp).
 * -1: none stands there. */
int asm_register_at(const char *text, int *file);

/* Whether a jump forward in the loop passes over an instruction: there are rounds without it. */
bool asm_is_skipped(const struct asm_rounds *rounds, size_t place);

/* Whether the address of the event's shared memory is the same in each turn. */
bool asm_address_stays(const struct asm_rounds *rounds, const struct asm_event *event);

#endif
