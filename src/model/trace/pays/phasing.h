/* phasing.h: a phase while it is looked at; private to phase.c and group.c. */
#ifndef DBPROF_MODEL_TRACE_PAYS_PHASING_H
#define DBPROF_MODEL_TRACE_PAYS_PHASING_H

#include "model/trace/pays/parts.h"

struct begun_loop {
	struct interval time;
	int device;  /* that works most for it */
	size_t loop; /* SIZE_MAX: taken */
};

struct phasing {
	const struct model *model;
	const struct pays_program *program;
	int device; /* the phase's: a device of the program */
	struct replay_orders orders;
	const struct replay_loop *loop;
	size_t nloops;
	struct replay_phase replay;     /* what is replayed */
	double scale;                   /* how many rounds each of its rounds stands for */
	const struct pays_joint *joint; /* whose loops are replayed with the phase's; NULL: none */
	size_t part;                    /* the phase's program in it */
	double before, calibrate;       /* the replay as it was (ns); what its gains are to be multiplied with */
};

/* Pieces of the program, or its migrations, by number. */
struct piece_list {
	uint32_t *piece;
	size_t n, room;
};

/* Loops that run together, until they are replayed. */
struct found_phase {
	struct replay_loop *loop; /* owned, but for their rounds */
	size_t nloops;
	struct piece_list list, migrations; /* their pieces, and what belongs to them */
	struct pays_phase phase;
	bool can_gain;
	size_t unlike, pageable_kept; /* as in struct pays_phases */
	size_t item;                  /* where it belongs to in struct pays_phases */
	int64_t start;                /* of its first call */
	struct found_phase *next;     /* the next one there */
	const struct pays_findings *of;
};

struct pays_findings {
	struct phasing phasing;
	bool sampled;
	struct replay_loop *loops;
	size_t nloops;
	struct found_phase *found;
	size_t n, room;
	struct pays_outside outside;
	const struct pays_joint *joint; /* the programs whose collectives this one waits for; NULL */
	size_t part;                    /* of these */
};

/* Programs of a stretch whose GPUs wait for each other in collectives (joint.c). */
struct pays_joint {
	struct replay_joined joined;           /* owned */
	struct pays_findings *const *findings; /* by part; borrowed */
	size_t n;
};

/* Finds them among `n` findings, in which those of a stretch stand together, and gives each its place. *count is how
 * many; for joints_free(). */
struct pays_joint *joints_find(struct pays_findings *const *findings, size_t n, size_t *count);
void joints_free(struct pays_joint *joints, size_t n);

/* The loops that are replayed for a phase: its own, then those of other GPUs that it waits for. Owned, with their
 * rounds. */
struct joint_loops {
	struct replay_loop *loop;
	uint32_t **first; /* by loop: all its rounds */
	size_t n, own, room;
	struct replay_program program; /* the joined one, with the rates of the phase's */
};

/* Fills *loops, with those of the phase only if `alone`, and what phasing->replay is of; joint_loops_free() frees them.
 */
void joint_loops_make(struct joint_loops *loops, struct phasing *phasing, const struct found_phase *found, bool alone);
void joint_loops_free(struct joint_loops *loops);
/* replay_duration() of the phase; change->freed is by piece of its program. */
double joint_duration(const struct phasing *phasing, const struct replay_change *change);

/* Adds a piece to a struct piece_list, `user`. */
void list_piece(void *user, uint32_t piece);

/* The call at a place of its thread's calls. */
static inline const struct replay_call *phase_call(const struct phasing *phasing, uint32_t turn)
{
	return &phasing->program->program.call[phasing->orders.by_thread[turn]];
}

/* The innermost push/pop range of a thread around a time, -1 for none; *next is the first range that begins later. */
int phase_range_around(const struct trace *trace, uint32_t thread, int64_t time, size_t *next);

/* Fills *late for loops that run from `from` to `to` on a device. */
void find_late(const struct phasing *phasing, int device, int64_t from, int64_t to, struct pays_late *late);

/* The first call of a thread, or of a later one, that ends behind a time (late.c). */
size_t late_first_call(const struct pays_host *host, uint32_t thread, int64_t time);

/* Lists the calls that make and free memory in the rounds of loops (memory.c). */
void list_memory_calls(const struct phasing *phasing, struct pays_memory *memory);
/* Adds those of the same loop at another time. */
void memory_join(struct pays_memory *into, const struct pays_memory *more);

/* A number that is equal for the same loops: those that do the same at the same place, if both take turns with streams
 * or neither does. */
uint64_t phase_signature(const struct phasing *phasing, const struct pays_phase *phase, bool sampled);

/* Cuts `n` loops to the rounds in the middle if they have more than about `most` calls; returns how many rounds each
 * stands for. */
double cut_loops(struct replay_loop *loops, size_t n, size_t most);

/* Replays the phase as it was and with 2 to 8 buffers: fills its times and gains. */
void replay_loops_of_phase(struct phasing *phasing, struct pays_phase *phase);

/* The migrations of managed memory on the phase's GPU that belong to the loops (managed.c). */
void list_migrations(const struct phasing *phasing, struct piece_list *list);
/* Fills phase->managed of them, from phase->loop and floor. */
void measure_managed(const struct phasing *phasing, const struct piece_list *list, struct pays_phase *phase);

/* The share of a time in which the busiest engine of the phase's GPU does nothing, for any process (shared.c): no more
 * can be gained. The phase's copies count as pinned. 1 if no other process uses the GPU. */
double unused_share(const struct phasing *phasing, struct interval time, const struct piece_list *pieces);

/* Time (ns) of intervals, which it unites, in which no kernel ran on a device of the program. */
int64_t phase_exposed(const struct phasing *phasing, int device, struct interval *times, size_t n);

/* Fills the groups of a phase, of these pieces and migrations, its lost time and what of its gain belongs to no group.
 */
void find_groups(const struct phasing *phasing, struct pays_phase *phase, const struct piece_list *pieces,
	const struct piece_list *migrations);

/* Whether so much of a loop was replayed that more of it is taken to gain as much. */
bool phase_is_known(const struct pays_phase *phase);
/* Multiplies its gains, for so much more of the loop (ns); phase_join() adds that. */
void phase_grow(struct pays_phase *phase, double more);

/* Adds a phase of the same loop, whose groups are freed. */
void phase_join(struct pays_phase *into, const struct pays_phase *more, const struct trace *trace);

#endif
