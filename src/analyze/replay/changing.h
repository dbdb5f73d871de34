/* changing.h: a phase while its graph is made, and what of the program is replayed with it. Private to this folder. */
#ifndef DBPROF_ANALYZE_REPLAY_CHANGING_H
#define DBPROF_ANALYZE_REPLAY_CHANGING_H

#include "analyze/replay/graph.h"
#include "analyze/replay/replay.h"

/* Where a call stands: in which loop of the phase (-1: none), in which round; the how manieth call it is of those that
 * are replayed (REPLAY_NONE: it is not), and its first piece of theirs. */
struct place_in_loop {
	int32_t loop;
	uint32_t round, call, piece;
};

/* What work of a round waits for because the host waited for it earlier in the round. */
struct held {
	uint32_t node; /* REPLAY_NONE: nothing */
	uint32_t round;
};

struct changing {
	const struct replay_phase *phase;
	const struct replay_program *program;
	const struct replay_orders *orders;
	const struct replay_change *change;
	uint32_t first_call, end_call; /* from the first call of the loops to the last */
	int64_t zero;                  /* the start of the first call */
	struct place_in_loop *place;   /* by call from first_call on */
	uint32_t *call;                /* that are replayed, in their order */
	uint32_t ncalls, npieces;
	struct replay_graph graph;
	bool communicates; /* buffers are added to rounds in which GPUs communicate */
	bool *remakes;     /* by loop: it makes its memory in its rounds */
	uint32_t **done;   /* by loop and round: happens when all work of the round is done */
	struct held *held; /* by loop and engine */
	/* By the loop that took over and the loop that handed over: of the latter's turns, those before are held. */
	uint32_t *handed;
};

static inline uint32_t call_at(const struct changing *changing, uint32_t turn)
{
	return changing->orders->by_thread[turn];
}

static inline struct place_in_loop place_in_phase(const struct changing *changing, uint32_t call)
{
	if (call < changing->first_call || call >= changing->end_call)
		return (struct place_in_loop){-1, 0, REPLAY_NONE, 0};
	return changing->place[call - changing->first_call];
}

/* Whether a call is of memory that the loop could make once before. */
static inline bool makes_again(const struct changing *changing, uint32_t call)
{
	struct place_in_loop place = place_in_phase(changing, call);

	return changing->program->call[call].freeing && place.loop >= 0 && changing->remakes[place.loop];
}

/* Finds what of the program is replayed; replay_scope_free() ends it. */
void replay_scope_make(struct changing *changing, const struct replay_phase *phase);
void replay_scope_free(struct changing *changing);

/* Whether a call belongs to a loop whose time counts. */
static inline bool counts_in_phase(const struct changing *changing, uint32_t call)
{
	int32_t loop = place_in_phase(changing, call).loop;

	return loop >= 0 && (size_t)loop < changing->phase->nloops - changing->phase->ncompanions;
}

#endif
