/*
 * replay.h: replays what a process did on its GPUs, as it was and changed. Calls of host threads ask for pieces of
 * device work; CUDA's rules put these in order; engines do them. docs/pays.md explains the model.
 */
#ifndef DBPROF_ANALYZE_REPLAY_REPLAY_H
#define DBPROF_ANALYZE_REPLAY_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/interval.h"
#include "analyze/overlap.h"
#include "analyze/pays.h"

/* No call, no piece, no round. */
#define REPLAY_NONE UINT32_MAX

enum replay_kind {
	REPLAY_LAUNCH, /* asks for pieces of work; of a copy, it may wait for it as well */
	REPLAY_WAIT,   /* the host waits */
	REPLAY_RECORD, /* an event is recorded in a stream */
	REPLAY_JOIN,   /* a stream is told to wait for an event */
	REPLAY_MARK    /* an NVTX range begins: takes no time */
};

/* What a REPLAY_WAIT waits for. */
enum replay_target {
	REPLAY_STREAM,
	REPLAY_EVENT,
	REPLAY_DEVICE,
	REPLAY_OBSERVED /* the recording does not tell: what the times allow */
};

/* A call of a host thread. Calls of a thread do not overlap. */
struct replay_call {
	int64_t start, end;
	uint32_t token;  /* equal for calls that do the same */
	uint32_t thread; /* 0 .. nthreads - 1 */
	uint32_t event;  /* the REPLAY_RECORD whose event is waited for; REPLAY_NONE if it is not known */
	int32_t stream;  /* that is recorded in, waited for, or told to wait; -1 if it is not known */
	uint32_t first;  /* its pieces: piece[first .. first + count) */
	uint32_t count;
	uint8_t kind;   /* enum replay_kind */
	uint8_t target; /* enum replay_target */
	bool blocking;  /* a copy whose call may wait for it */
	bool freeing;   /* a wait that only happens where the device has work: allocates or frees memory */
	bool drains;    /* of these: frees, which waits for all that the device was asked for */
	bool polls;     /* a wait that only asks, again and again, whether work is done */
	bool known;     /* the recording has the call: its times are not guessed */
};

/* The kind of kernels that communicate: they take few of a GPU's units, so several may run at once. */
enum { REPLAY_COLLECTIVE = 62 };

/* A piece of device work. */
struct replay_piece {
	int64_t start, end;
	/* How long it would take with buffers (ns): of a copy, from pinned memory; its own length where that is not
	 * known. */
	double pinned;
	uint32_t call; /* that asked for it */
	/* Collectives of several GPUs that have the same number wait for each other; 0: it waits for no other. */
	uint32_t meeting;
	int32_t stream; /* place in replay_program.stream */
	uint16_t kind;  /* of kernels of one name: 0 .. 63, equal names have equal numbers */
	uint8_t cls;    /* enum work_class */
	bool pageable;
	bool pinned_known; /* of a pageable one: pinned copies of like size tell `pinned` */
	bool managed;      /* a migration of managed memory */
	bool apart;        /* a copy between GPUs: runs beside all else */
};

struct replay_stream {
	enum pays_stream kind;
	int device; /* 0 .. ndevices - 1 */
};

/* What was recorded. Borrowed. */
struct replay_program {
	const struct replay_call *call; /* by start */
	size_t ncalls;
	const struct replay_piece *piece; /* by call */
	size_t npieces;
	const struct replay_stream *stream;
	size_t nstreams, nthreads;
	int ndevices;
	const bool *shared_copies; /* by device: one engine copies in both directions */
	struct pays_duplex rate;   /* of copies while the other direction runs, as a share of their speed alone */
	const uint32_t *process;   /* by thread: those of several processes do not hand over; NULL: all are of one */
	size_t nmeetings;          /* the largest number of one */
};

/* ---- orders (orders.c) ---- */

/* A piece that something waits for. */
struct replay_edge {
	uint32_t from; /* a piece */
	bool event;    /* by an event, not by the order of streams */
	bool begun;    /* of a call: it waited for the start only */
};

/* What CUDA's rules put in order. Owned. */
struct replay_orders {
	uint32_t *piece_first; /* by piece: edge[piece_first[i] .. piece_first[i + 1]) come before it */
	uint32_t *call_first;  /* by call: the same of waits, in `waits` */
	struct replay_edge *edge, *waits;
	float *length;         /* by piece: how long it takes alone (ns) */
	float *issue_latency;  /* by piece: from its call's start to its own, if nothing else holds it up (ns) */
	float *order_latency;  /* by piece: from the end of what it waited for */
	float *engine_latency; /* by piece: from the end of the piece before it on its engine */
	uint64_t beside[64];   /* by kind of kernel: those (bits) that ran at the same time */
	uint8_t at_once[64];   /* and the most kernels that ran at the same time, it one of them */
	const struct replay_orders **of_device; /* of programs that are joined, by device: whose the last two are */
	uint64_t *devices;                      /* by thread: bits of the devices (modulo 64) that it uses */
	uint32_t *turn;                         /* by call: its place in `by_thread` */
	uint32_t *by_thread;                    /* calls by thread and start */
	size_t *thread_first;                   /* by thread, and the end: in by_thread */
	uint32_t *room; /* by call: the piece whose end made room for it in a stream's queue; REPLAY_NONE */
	float *gap;     /* by call: the host's own work before it (ns) */
	float *own;     /* by call: what it takes itself */
	float *lag;     /* by call: from the end of what it waits for to its own */
};

void replay_orders_make(struct replay_orders *orders, const struct replay_program *program);
void replay_orders_free(struct replay_orders *orders);

/* Which engine does a piece: device * REPLAY_ENGINES + one of these. */
enum { REPLAY_IN, REPLAY_OUT, REPLAY_COMPUTE, REPLAY_APART, REPLAY_ENGINES };
int replay_engine(const struct replay_program *program, const struct replay_piece *piece);

/* The orders that tell which kernels of a device ran at the same time. */
static inline const struct replay_orders *replay_orders_of(const struct replay_orders *orders, int device)
{
	return orders->of_device ? orders->of_device[device] : orders;
}

/* ---- programs that wait for each other (join.c) ---- */

/* Programs as one, with all their GPUs, threads and streams. Owned. */
struct replay_joined {
	struct replay_program program;
	struct replay_orders orders;
	size_t nparts;
	struct replay_part {
		uint32_t *piece;         /* by its piece: the joined program's */
		uint32_t threads, turns; /* before its own: to be added to a thread's number, and to a call's turn */
	} * part;
	struct replay_spins {
		struct interval *time; /* united */
		size_t n;
	} * spins; /* by device: while collectives wait for others */
};

/* Programs of more GPUs are not joined: a replay takes more than the square of their number. */
enum { REPLAY_JOINED_GPUS_MOST = 16 };

/* Joins `n` programs and finds the collectives that wait for each other: they ran at the same time, again and again. If
 * there are none, joined->program.nmeetings is 0. A collective of these takes from when the last one has begun. Of
 * `program` and `orders` all arrays are kept by the caller. For replay_joined_free(). */
void replay_join(struct replay_joined *joined, const struct replay_program *const *program,
	const struct replay_orders *const *orders, size_t n);
void replay_joined_free(struct replay_joined *joined);

/* ---- loops (loops.c) ---- */

/* What a host thread repeats. */
struct replay_loop {
	uint32_t thread;
	size_t rounds;
	uint32_t *first; /* by round, and the end: places in by_thread. Owned */
	bool turns;      /* most rounds are in another stream than the one before */
};

/* A collective that waits keeps multiprocessors from kernels that begin beside it. Those of a loop of a part that took
 * longer there than at the same place of other rounds take as long as these where buffers are added: `pinned` of their
 * pieces. */
void replay_calm_kernels(struct replay_joined *joined, size_t part, const struct replay_loop *loop);

/* The loops of all threads, in the order of threads and time; *n is how many. For replay_loops_free(). */
struct replay_loop *replay_loops_find(
	const struct replay_program *program, const struct replay_orders *orders, size_t *n);
void replay_loops_free(struct replay_loop *loops, size_t n);
/* Whether half of its rounds or more allocate or free memory: it could be made once before the loop. */
bool replay_loop_remakes(
	const struct replay_program *program, const struct replay_orders *orders, const struct replay_loop *loop);
/* The loops, which it frees, parted where those of other threads beside them change (beside.c): a thread that goes on
 * has one loop beside each of the threads that are made one after the other. Of replay_loops_find() only. */
struct replay_loop *replay_loops_part(
	const struct replay_program *program, const struct replay_orders *orders, struct replay_loop *loops, size_t *n);

/* ---- repetition (repeat.c, coarse.c) ---- */

/* A stretch of tokens that repeats: rounds begin at first[0 .. rounds), and the last ends at first[rounds]. */
struct replay_repeat {
	size_t rounds;
	uint32_t *first; /* owned */
};

/* What is known of tokens beside their numbers; by place. */
struct replay_tokens {
	const uint32_t *token;
	size_t n;
	const uint16_t *weight; /* how much it matters that a repetition has it */
	const uint8_t *does;    /* bits (1 << enum work_class) of its work */
	const int8_t *cut;      /* how well a round may begin there: more is better */
	const int32_t *stream;  /* of its work; -1: none */
	const bool *mark;       /* a range begins; of replay_repeats() only */
};

/* Whether work of these classes (bits) could gain by running at once: copies and kernels, or copies both ways. */
static inline bool replay_could_overlap(unsigned does)
{
	const unsigned both = 1U << WORK_H2D | 1U << WORK_D2H;

	return (does & both) && ((does & both) == both || (does & 1U << WORK_KERNEL));
}

/* Finds repetitions of tokens [low, high), which do not overlap, by place; *count is how many. Nearly all rounds have
 * the same tokens. For free(), and the `first` of each. */
struct replay_repeat *replay_repeats_exact(const struct replay_tokens *tokens, size_t low, size_t high, size_t *count);
/* The same of all tokens. Where rounds are not alike, they have the same copies at least, or the same ranges. */
struct replay_repeat *replay_repeats(const struct replay_tokens *tokens, size_t *count);

/* ---- the replay (change.c, scope.c) ---- */

/* A thread waits for another one: `to` begins `lag` ns after `from` has ended, or later. Both are calls. */
struct replay_handover {
	uint32_t from, to;
	float lag;
	bool same_round; /* what is handed over is of the same round */
};

/* What is replayed: loops that run at the same time, and all else that was asked for meanwhile. */
struct replay_phase {
	const struct replay_program *program;
	const struct replay_orders *orders;
	const struct replay_loop *loop; /* several of them */
	size_t nloops;
	const struct replay_handover *handover; /* by `to` */
	size_t nhandovers;
	size_t ncompanions; /* so many of the loops, the last ones, run on other GPUs: their time does not count */
	bool middle;        /* the loops are the middle of longer ones */
};

/* Where the threads of a phase wait for each other; of phase->handover nothing is read. For free(). */
struct replay_handover *replay_handovers_find(const struct replay_phase *phase, size_t *n);

/* What is changed. */
struct replay_change {
	int buffers;       /* 1: nothing, the work as it was */
	const bool *freed; /* by piece: copies that are not stay in their order; NULL: all are */
	bool keeps_memory; /* loops go on to allocate and free in their rounds; else they do so before, once */
};

/* From the first call of the loops that count to their last work or wait (ns), as recorded and as replayed. */
double replay_recorded(const struct replay_phase *phase);
double replay_duration(const struct replay_phase *phase, const struct replay_change *change);
/* No change makes it shorter: what the engine that works most takes, or the host (ns). */
double replay_least(const struct replay_phase *phase);

#endif
