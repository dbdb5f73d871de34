/* shared.c: a GPU that other processes use too: what of a loop's time its engines have for more. */
#include <math.h>
#include <stdlib.h>

#include "analyze/interval.h"
#include "model/trace/pays/phasing.h"
#include "store/copies.h"
#include "util/alloc.h"

/* What an engine of a GPU does in a while, for all processes. */
struct shared_engine {
	struct interval *time;
	size_t n, room;
	double pinned; /* so much shorter the phase's own copies are from pinned memory (ns) */
};

/* As replay_engine() has them, of one GPU. */
static int shared_engine_of(const struct phasing *phasing, uint8_t cls)
{
	if (cls == WORK_H2D)
		return REPLAY_IN;
	if (cls == WORK_D2H)
		return phasing->program->program.shared_copies[phasing->device] ? REPLAY_IN : REPLAY_OUT;
	return REPLAY_COMPUTE;
}

static void take_shared_time(const struct phasing *phasing, struct interval time, struct shared_engine *engines)
{
	const struct trace *trace = &phasing->model->trace;
	const int device = phasing->program->device[phasing->device];

	for (size_t i = trace_first_from(trace, time.start); i < trace->nwork && trace->start[i] < time.end; i++) {
		const struct work_lane *lane = work_lane(trace, i);
		struct shared_engine *engine = &engines[shared_engine_of(phasing, lane->cls)];

		if (lane->device != device || work_copy_kind(trace, i) == COPY_PEER)
			continue;
		xgrow(&engine->time, engine->n, &engine->room, sizeof(*engine->time));
		engine->time[engine->n++] =
			(struct interval){trace->start[i], trace->end[i] < time.end ? trace->end[i] : time.end};
	}
}

static void take_pinned_time(
	const struct phasing *phasing, const struct piece_list *pieces, struct shared_engine *engines)
{
	const struct replay_program *program = &phasing->program->program;

	for (size_t i = 0; i < pieces->n; i++) {
		const struct replay_piece *piece = &program->piece[pieces->piece[i]];

		if (piece->pageable && program->stream[piece->stream].device == phasing->device)
			engines[shared_engine_of(phasing, piece->cls)].pinned +=
				(double)(piece->end - piece->start) - piece->pinned;
	}
}

static bool others_use(const struct phasing *phasing)
{
	const struct trace *trace = &phasing->model->trace;

	for (size_t l = 0; l < trace->nlanes; l++) {
		if (trace->lanes[l].device == phasing->program->device[phasing->device] &&
			trace->lanes[l].process != phasing->program->process)
			return true;
	}
	return false;
}

double unused_share(const struct phasing *phasing, struct interval time, const struct piece_list *pieces)
{
	struct shared_engine engines[REPLAY_ENGINES] = {{0}};
	double busy = 0;

	if (!others_use(phasing) || time.end <= time.start)
		return 1;
	take_shared_time(phasing, time, engines);
	take_pinned_time(phasing, pieces, engines);
	for (int e = 0; e < REPLAY_ENGINES; e++) {
		size_t n = intervals_union(engines[e].time, engines[e].n);

		busy = fmax(busy, (double)intervals_length(engines[e].time, n) - engines[e].pinned);
		free(engines[e].time);
	}
	return fmax(1 - busy / (double)(time.end - time.start), 0);
}
