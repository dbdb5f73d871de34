/* phase.c: the loops of a program, and what double buffering would do for them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/recording.h"
#include "model/trace/pays/parts.h"
#include "model/trace/pays/phasing.h"
#include "util/alloc.h"
#include "util/machine/parallel.h"
#include "util/number.h"
#include "analyze/sort.h"

static struct interval loop_time(const struct phasing *phasing, const struct replay_loop *loop)
{
	return (struct interval){
		phase_call(phasing, loop->first[0])->start, phase_call(phasing, loop->first[loop->rounds] - 1)->end};
}

/* The GPU that works most for a loop. */
static int device_of_loop(const struct phasing *phasing, const struct replay_loop *loop)
{
	const struct replay_program *program = &phasing->program->program;
	double *busy = xcalloc((size_t)program->ndevices + 1, sizeof(*busy));
	int best = 0;

	for (uint32_t turn = loop->first[0]; turn < loop->first[loop->rounds]; turn++) {
		const struct replay_call *call = phase_call(phasing, turn);

		for (uint32_t p = call->first; p < call->first + call->count; p++) {
			const struct replay_piece *piece = &program->piece[p];

			busy[program->stream[piece->stream].device] += (double)(piece->end - piece->start);
		}
	}
	for (int d = 1; d < program->ndevices; d++)
		best = busy[d] > busy[best] ? d : best;
	free(busy);
	return best;
}

static bool run_together(const struct begun_loop *a, const struct begun_loop *b)
{
	int64_t start = a->time.start > b->time.start ? a->time.start : b->time.start;
	int64_t end = a->time.end < b->time.end ? a->time.end : b->time.end;
	int64_t left = a->time.end - a->time.start, right = b->time.end - b->time.start;

	return a->device == b->device && (double)(end - start) > together_part * (double)(left < right ? left : right);
}

/* ---- what ran ---- */

static int phase_by_start(const void *left, const void *right)
{
	const struct device_work *a = left, *b = right;

	if (a->start != b->start)
		return int64_order(a->start, b->start);
	return int64_order(a->end, b->end);
}

/* Calls `take` with each piece of the phase. */
static void each_piece(const struct phasing *phasing, void (*take)(void *user, uint32_t piece), void *user)
{
	for (size_t l = 0; l < phasing->nloops; l++) {
		const struct replay_loop *loop = &phasing->loop[l];

		for (uint32_t turn = loop->first[0]; turn < loop->first[loop->rounds]; turn++) {
			const struct replay_call *call = phase_call(phasing, turn);

			for (uint32_t p = call->first; p < call->first + call->count; p++)
				take(user, p);
		}
	}
}

void list_piece(void *user, uint32_t piece)
{
	struct piece_list *list = user;

	xgrow(&list->piece, list->n, &list->room, sizeof(*list->piece));
	list->piece[list->n++] = piece;
}

static void measure_phase(const struct phasing *phasing, const struct piece_list *list,
	const struct piece_list *migrations, struct pays_phase *phase)
{
	const struct trace *trace = &phasing->model->trace;
	const struct replay_program *program = &phasing->program->program;
	struct device_work *work = xcalloc(list->n + migrations->n + 1, sizeof(*work));
	struct overlap_sweep sweep = {0};
	struct overlap overlap;
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct replay_piece *piece = &program->piece[list->piece[i]];

		if (program->stream[piece->stream].device != phasing->device)
			continue;
		work[n++] = (struct device_work){piece->start, piece->end, (enum work_class)piece->cls};
		phase->kernels += piece->cls == WORK_KERNEL;
	}
	for (size_t i = 0; i < migrations->n; i++) {
		uint32_t w = phasing->program->migration[migrations->piece[i]].work;

		work[n++] = (struct device_work){within_limit(trace->start[w]), within_limit(trace->end[w]),
			(enum work_class)work_lane(trace, w)->cls};
	}
	if (n > 1)
		sort_runs(work, n, sizeof(*work), phase_by_start);
	for (size_t i = 0; i < n; i++)
		overlap_add(&sweep, &work[i]);
	overlap_end(&sweep, &overlap);
	phase->span = overlap.span;
	phase->floor = overlap.floor;
	phase->duplex = overlap.duplex;
	phase->computing = overlap.busy[WORK_KERNEL];
	free(work);
}

/* ---- where it stands ---- */

int phase_range_around(const struct trace *trace, uint32_t thread, int64_t time, size_t *next)
{
	int range;

	*next = trace_first_range(trace, thread, time);
	range = (int)*next - 1;
	while (range >= 0 && trace->ranges[range].thread == thread &&
		(trace->ranges[range].end <= time || trace->ranges[range].apart))
		range = trace->ranges[range].parent;
	return range >= 0 && trace->ranges[range].thread == thread ? range : -1;
}

/* The outermost range around a time that does not reach from `from` to `to`; -1 for none. */
static int range_of_round(const struct trace *trace, uint32_t thread, int64_t time, int64_t from, int64_t to)
{
	size_t next;
	int range = phase_range_around(trace, thread, time, &next), found = -1;

	for (; range >= 0; range = trace->ranges[range].parent) {
		if (trace->ranges[range].start <= from && trace->ranges[range].end > to)
			break;
		found = range;
	}
	return found;
}

/* When the last call of a round that asks for work begins. */
static int64_t round_time(const struct phasing *phasing, const struct replay_loop *loop, size_t round)
{
	uint32_t turn = loop->first[round + 1] - 1;

	while (turn > loop->first[round] && phase_call(phasing, turn)->count == 0)
		turn--;
	return phase_call(phasing, turn)->start;
}

static bool loop_copies(const struct phasing *phasing, const struct replay_loop *loop)
{
	const struct replay_piece *piece = phasing->program->program.piece;

	for (uint32_t turn = loop->first[0]; turn < loop->first[loop->rounds]; turn++) {
		const struct replay_call *call = phase_call(phasing, turn);

		for (uint32_t p = call->first; p < call->first + call->count; p++) {
			if (piece[p].cls == WORK_H2D || piece[p].cls == WORK_D2H)
				return true;
		}
	}
	return false;
}

/* The loop that a phase is named after: the first thread's that copies. */
static const struct replay_loop *leading_loop(const struct phasing *phasing)
{
	for (size_t l = 0; l < phasing->nloops; l++) {
		if (loop_copies(phasing, &phasing->loop[l]))
			return &phasing->loop[l];
	}
	return phasing->loop;
}

/* Threads that only launch kernels, as PyTorch's for gradients, take part in the rounds of the others. */
static size_t rounds_of_phase(const struct phasing *phasing)
{
	size_t rounds = 0;

	for (size_t l = 0; l < phasing->nloops; l++) {
		if (loop_copies(phasing, &phasing->loop[l]))
			rounds += phasing->loop[l].rounds;
	}
	return rounds ? rounds : phasing->loop->rounds;
}

static void find_place(const struct phasing *phasing, struct pays_phase *phase)
{
	const struct trace *trace = &phasing->model->trace;
	const struct replay_loop *loop = leading_loop(phasing);
	uint32_t thread = phasing->program->thread[loop->thread], text = 0, domain = 0;
	int64_t from = phase_call(phasing, loop->first[0])->start;
	int64_t to = round_time(phasing, loop, loop->rounds - 1);
	size_t alike = 0, next;
	int around = phase_range_around(trace, thread, from, &next);

	while (around >= 0 && trace->ranges[around].end <= to)
		around = trace->ranges[around].parent;
	for (size_t r = 0; r < loop->rounds; r++) {
		int range = range_of_round(trace, thread, round_time(phasing, loop, r), from, to);

		if (range >= 0 && alike == 0) {
			text = trace->ranges[range].text;
			domain = trace->ranges[range].domain;
		}
		alike += range >= 0 && trace->ranges[range].text == text;
	}
	if (text && alike * 10 >= loop->rounds * 9) {
		*phase = (struct pays_phase){.range = text,
			.domain = domain,
			.entered = alike,
			.within = around >= 0 ? trace->ranges[around].text : 0};
	} else if (around >= 0) {
		int parent = trace->ranges[around].parent;

		*phase = (struct pays_phase){.range = trace->ranges[around].text,
			.domain = trace->ranges[around].domain,
			.entered = 1,
			.within = parent >= 0 ? trace->ranges[parent].text : 0};
	}
}

/* ---- phases ---- */

/* What is known of a phase without a replay. */
static void describe_phase(const struct phasing *phasing, const struct piece_list *list,
	const struct piece_list *migrations, bool sampled, struct pays_phase *phase)
{
	find_place(phasing, phase);
	phase->process = phasing->program->process;
	phase->device = phasing->program->device[phasing->device];
	phase->threads = phasing->nloops;
	phase->rate = phasing->program->program.rate;
	phase->rate_measured = phasing->program->rate_measured;
	phase->rounds = rounds_of_phase(phasing);
	for (size_t l = 0; l < phasing->nloops; l++)
		phase->turns |= phasing->loop[l].turns;
	phase->signature = phase_signature(phasing, phase, sampled);
	measure_phase(phasing, list, migrations, phase);
}

static struct pays_phase *same_phase(const struct pays_phases *phases, const struct pays_phase *phase)
{
	for (size_t i = 0; i < phases->n; i++) {
		if (phases->item[i].signature == phase->signature && phases->item[i].process == phase->process)
			return &phases->item[i];
	}
	return NULL;
}

/* From the first call of the loops to their last device work or wait. */
static struct interval phase_time(const struct phasing *phasing, const struct piece_list *list)
{
	struct interval time = loop_time(phasing, phasing->loop);

	for (size_t l = 1; l < phasing->nloops; l++) {
		struct interval more = loop_time(phasing, &phasing->loop[l]);

		time.start = more.start < time.start ? more.start : time.start;
		time.end = more.end > time.end ? more.end : time.end;
	}
	for (size_t i = 0; i < list->n; i++) {
		int64_t end = phasing->program->program.piece[list->piece[i]].end;

		time.end = end > time.end ? end : time.end;
	}
	return time;
}

/* How long a loop takes in a stretch of a large recording, of all the time from its first call to its last work: the
 * host may be ahead of the GPU where the stretch begins, and it is as far ahead where it ends. */
static double time_in_stretch(const struct phasing *phasing, const struct piece_list *list, struct interval time)
{
	struct interval calls = loop_time(phasing, phasing->loop);
	int64_t work = time.end;

	for (size_t l = 1; l < phasing->nloops; l++) {
		struct interval more = loop_time(phasing, &phasing->loop[l]);

		calls.start = more.start < calls.start ? more.start : calls.start;
		calls.end = more.end > calls.end ? more.end : calls.end;
	}
	for (size_t i = 0; i < list->n; i++) {
		int64_t start = phasing->program->program.piece[list->piece[i]].start;

		work = start < work ? start : work;
	}
	return fmax((double)(calls.end - calls.start), (double)(time.end - work));
}

/* Whether something could run at once: else there is nothing to double-buffer. */
static bool could_gain(const struct phasing *phasing, const struct piece_list *list)
{
	unsigned does = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct replay_piece *piece = &phasing->program->program.piece[list->piece[i]];

		/* Communication is nothing to hide a copy behind. */
		if (!piece->apart && (piece->cls != WORK_KERNEL || piece->kind != REPLAY_COLLECTIVE))
			does |= 1U << piece->cls;
	}
	return replay_could_overlap(does);
}

/* Replays a phase: with the loops that it waits for, or alone. False if that is not to be, since the replay with others
 * does not reproduce the recording. */
static bool replay_one_phase(struct phasing *phasing, struct found_phase *found, bool alone, size_t calls_most)
{
	struct replay_handover *handover;
	struct joint_loops loops;
	bool fits;

	joint_loops_make(&loops, phasing, found, alone);
	phasing->scale = cut_loops(loops.loop, loops.n, calls_most);
	phasing->replay.middle = phasing->scale > 1;
	phasing->replay.handover = handover = replay_handovers_find(&phasing->replay, &phasing->replay.nhandovers);
	found->phase.replayed = 0;
	for (size_t l = 0; l < loops.own; l++)
		found->phase.replayed += loops.loop[l].rounds;
	replay_loops_of_phase(phasing, &found->phase);
	found->unlike = phase_unlike(&found->phase);
	fits = !phasing->joint || !found->unlike;
	if (fits)
		find_groups(phasing, &found->phase, &found->list, &found->migrations);
	free(handover);
	joint_loops_free(&loops);
	return fits;
}

/* Replays a phase, or lets the same loop in other stretches stand for it. */
static void look_at_gain(struct found_phase *found, struct pays_phase *same, size_t calls_most)
{
	struct phasing phasing = found->of->phasing;
	struct pays_phase *phase = &found->phase;

	phasing.loop = found->loop;
	phasing.nloops = found->nloops;
	phasing.device = device_of_loop(&phasing, found->loop);
	phase->can_gain = true;
	for (size_t i = 0; i < found->list.n; i++) {
		const struct replay_piece *piece = &phasing.program->program.piece[found->list.piece[i]];

		found->pageable_kept += piece->pageable && !piece->pinned_known;
	}
	if (same && found->of->sampled && phase_is_known(same)) {
		phase->replay = 0; /* the growth has it */
		phase_grow(same, phase->loop);
		find_groups(&phasing, phase, &found->list, &found->migrations);
	} else {
		double loop = phase->loop;

		if (!replay_one_phase(&phasing, found, false, calls_most)) {
			phase->loop = loop;
			replay_one_phase(&phasing, found, true, calls_most);
		}
	}
}

/* What belongs to some loop: by piece, and by migration of the program. */
struct looped {
	bool *piece, *migration;
};

/* Adds what is known of a phase before its replay. */
static void find_phase(struct pays_findings *findings, struct phasing *phasing, struct looped *looped)
{
	struct found_phase found = {.of = findings, .nloops = phasing->nloops};
	struct interval time;

	phasing->device = device_of_loop(phasing, phasing->loop);
	found.loop = xmemdup(phasing->loop, phasing->nloops * sizeof(*found.loop));
	each_piece(phasing, list_piece, &found.list);
	list_migrations(phasing, &found.migrations);
	for (size_t i = 0; i < found.list.n; i++)
		looped->piece[found.list.piece[i]] = true;
	for (size_t i = 0; i < found.migrations.n; i++)
		looped->migration[found.migrations.piece[i]] = true;
	describe_phase(phasing, &found.list, &found.migrations, findings->sampled, &found.phase);
	time = phase_time(phasing, &found.list);
	found.phase.loop =
		findings->sampled ? time_in_stretch(phasing, &found.list, time) : (double)(time.end - time.start);
	found.phase.replay = found.phase.loop;
	found.phase.unused = unused_share(phasing, time, &found.list);
	measure_managed(phasing, &found.migrations, &found.phase);
	list_memory_calls(phasing, &found.phase.memory);
	find_late(phasing, found.phase.device, time.start, time.end, &found.phase.late);
	found.start = time.start;
	found.can_gain = could_gain(phasing, &found.list);
	xgrow(&findings->found, findings->n, &findings->room, sizeof(*findings->found));
	findings->found[findings->n++] = found;
}

static void add_outside_copy(struct pays_outside *outside, int64_t bytes, int64_t time)
{
	outside->copies++;
	outside->copy_time += time;
	if (__builtin_add_overflow(outside->bytes, bytes, &outside->bytes))
		outside->bytes = INT64_MAX;
}

static void add_migrations(struct pays_outside *outside, const struct phasing *phasing, const bool *looped)
{
	const struct trace *trace = &phasing->model->trace;

	for (size_t m = 0; m < phasing->program->nmigrations; m++) {
		uint32_t work = phasing->program->migration[m].work;

		if (!looped[m])
			add_outside_copy(outside, work_copy(trace, work)->bytes,
				within_limit(trace->end[work]) - within_limit(trace->start[work]));
	}
}

/* Adds up what belongs to no loop. */
static void add_outside(struct pays_outside *outside, const struct phasing *phasing, const struct looped *looped)
{
	const struct trace *trace = &phasing->model->trace;
	const struct replay_program *program = &phasing->program->program;

	for (size_t p = 0; p < program->npieces; p++) {
		const struct replay_piece *piece = &program->piece[p];
		const struct work_copy *copy = work_copy(trace, phasing->program->work[p]);

		if (looped->piece[p])
			continue;
		if (piece->cls == WORK_KERNEL) {
			outside->kernels++;
			outside->kernel_time += piece->end - piece->start;
		} else if (copy && (piece->cls == WORK_H2D || piece->cls == WORK_D2H)) {
			add_outside_copy(outside, copy->bytes, piece->end - piece->start);
		}
	}
	add_migrations(outside, phasing, looped->migration);
}

/* Loops in the order in which they begin. */
static int phase_by_begin(const void *left, const void *right)
{
	const struct begun_loop *a = left, *b = right;

	if (a->time.start != b->time.start)
		return int64_order(a->time.start, b->time.start);
	return (a->loop > b->loop) - (a->loop < b->loop);
}

/* The longest first, so that no short one, such as a few launches that are alike, takes a long one away from the loop
 * with which that runs all the time. */
static int phase_by_length(const void *left, const void *right)
{
	const struct begun_loop *a = left, *b = right;
	int64_t time_a = a->time.end - a->time.start, time_b = b->time.end - b->time.start;

	return time_a != time_b ? int64_order(time_b, time_a) : phase_by_begin(left, right);
}

static int found_by_start(const void *left, const void *right)
{
	const struct found_phase *a = left, *b = right;

	return int64_order(a->start, b->start);
}

/* Takes the loops, which stand by length, that run together with the first that is left, in the order in which they
 * begin; `taken` has room for all. */
static size_t take_together(struct begun_loop *begun, size_t n, const struct replay_loop *all, struct begun_loop *taken,
	struct replay_loop *out)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		bool together = begun[i].loop != SIZE_MAX;

		for (size_t k = 0; k < count && together; k++)
			together = all[taken[k].loop].thread != all[begun[i].loop].thread &&
				   run_together(&taken[k], &begun[i]);
		if (!together)
			continue;
		taken[count++] = begun[i];
		begun[i].loop = SIZE_MAX;
	}
	if (count > 1)
		qsort(taken, count, sizeof(*taken), phase_by_begin);
	for (size_t k = 0; k < count; k++)
		out[k] = all[taken[k].loop];
	return count;
}

/* How many calls of turns [from, to) ask for work. */
static size_t asking_calls(const struct phasing *phasing, uint32_t from, uint32_t to)
{
	size_t n = 0;

	for (uint32_t turn = from; turn < to; turn++)
		n += phase_call(phasing, turn)->count > 0;
	return n;
}

/* Cuts a follower where the rounds of the leading loop begin, if nearly all of its rounds then ask as often. A
 * repetition may be cut anywhere, and its own cuts need not be those of the leading loop; nor need it be as long, where
 * the follower does the same several times a round. */
static bool cut_as_leader(const struct phasing *phasing, const struct replay_loop *leader, struct replay_loop *loop)
{
	uint32_t turn = loop->first[0], end = loop->first[loop->rounds], *first;
	const size_t middle = leader->rounds / 2;
	size_t alike = 0, calls;

	if (leader->rounds > loop->rounds)
		return false;
	first = xcalloc(leader->rounds + 1, sizeof(*first));
	for (size_t r = 0; r <= leader->rounds; r++) {
		int64_t begin = r < leader->rounds ? phase_call(phasing, leader->first[r])->start
						   : loop_time(phasing, leader).end;

		while (turn < end && phase_call(phasing, turn)->start < begin)
			turn++;
		first[r] = turn;
	}
	calls = asking_calls(phasing, first[middle], first[middle + 1]);
	for (size_t r = 0; r < leader->rounds && calls > 0; r++)
		alike += asking_calls(phasing, first[r], first[r + 1]) == calls;
	if (alike * 10 >= leader->rounds * 9) {
		memcpy(loop->first, first, (leader->rounds + 1) * sizeof(*first));
		loop->rounds = leader->rounds;
	}
	free(first);
	return alike * 10 >= leader->rounds * 9;
}

/* Threads that only launch kernels take part for as long as the leading loop runs: what they do for a warm-up before it
 * is no part of it. */
static void trim_followers(const struct phasing *phasing, struct replay_loop *loops)
{
	const struct replay_loop *leader = leading_loop(phasing);
	const struct interval time = loop_time(phasing, leader);

	for (size_t l = 0; l < phasing->nloops; l++) {
		struct replay_loop *loop = &loops[l];

		if (loop == leader || loop_copies(phasing, loop) || cut_as_leader(phasing, leader, loop))
			continue;
		for (; loop->rounds > 1 && phase_call(phasing, loop->first[1] - 1)->end <= time.start; loop->rounds--)
			loop->first++;
		while (loop->rounds > 1 && phase_call(phasing, loop->first[loop->rounds - 1])->start >= time.end)
			loop->rounds--;
	}
}

/* Loops that run together, one group of them after the other. */
static void find_phases_of(struct pays_findings *findings)
{
	struct phasing phasing = findings->phasing;
	size_t n = findings->nloops;
	struct replay_loop *together = xcalloc(n + 1, sizeof(*together));
	struct begun_loop *begun = xcalloc(n + 1, sizeof(*begun)), *taken = xcalloc(n + 1, sizeof(*taken));
	struct looped looped = {xcalloc(phasing.program->program.npieces + 1, sizeof(bool)),
		xcalloc(phasing.program->nmigrations + 1, sizeof(bool))};

	for (size_t l = 0; l < n; l++)
		begun[l] = (struct begun_loop){
			loop_time(&phasing, &findings->loops[l]), device_of_loop(&phasing, &findings->loops[l]), l};
	if (n > 1)
		qsort(begun, n, sizeof(*begun), phase_by_length);
	while ((phasing.nloops = take_together(begun, n, findings->loops, taken, together)) > 0) {
		phasing.loop = together;
		trim_followers(&phasing, together);
		find_phase(findings, &phasing, &looped);
	}
	if (findings->n > 1)
		qsort(findings->found, findings->n, sizeof(*findings->found), found_by_start);
	add_outside(&findings->outside, &phasing, &looped);
	free(looped.piece);
	free(looped.migration);
	free(begun);
	free(taken);
	free(together);
}

struct pays_findings *pays_find_loops(
	const struct pays_phases *phases, const struct model *model, const struct pays_program *program)
{
	struct pays_findings *findings = xcalloc(1, sizeof(*findings));
	struct phasing *phasing = &findings->phasing;

	*phasing = (struct phasing){.model = model, .program = program};
	findings->sampled = phases->sampled;
	replay_orders_make(&phasing->orders, &program->program);
	findings->loops = replay_loops_find(&program->program, &phasing->orders, &findings->nloops);
	find_phases_of(findings);
	return findings;
}

void pays_findings_free(struct pays_findings *findings)
{
	for (size_t i = 0; i < findings->n; i++) {
		free(findings->found[i].loop);
		free(findings->found[i].list.piece);
		free(findings->found[i].migrations.piece);
	}
	free(findings->found);
	replay_loops_free(findings->loops, findings->nloops);
	replay_orders_free(&findings->phasing.orders);
	free(findings);
}

/* ---- all that was found ---- */

/* What was found of the same loop, one after the other: what is known of it decides whether it is replayed again. */
struct phase_chain {
	struct found_phase *first, *last;
	bool known; /* there is one from before */
};

struct chaining {
	struct pays_phases *phases;
	struct phase_chain *chain; /* by item of `phases` */
};

static void look_at_chain(void *user, size_t item)
{
	const struct chaining *chaining = user;
	const struct phase_chain *chain = &chaining->chain[item];
	struct pays_phase *place = &chaining->phases->item[item];
	bool known = chain->known;

	for (struct found_phase *found = chain->first; found; found = found->next) {
		if (found->can_gain)
			look_at_gain(found, known ? place : NULL, chaining->phases->calls_most);
		if (known)
			phase_join(place, &found->phase, &found->of->phasing.model->trace);
		else
			*place = found->phase;
		known = true;
	}
}

/* Finds the item of what was found, or makes room for a new one. */
static void place_found(struct pays_phases *phases, struct found_phase *found)
{
	const struct pays_phase *same = same_phase(phases, &found->phase);

	found->item = same ? (size_t)(same - phases->item) : phases->n;
	if (same)
		return;
	xgrow(&phases->item, phases->n, &phases->room, sizeof(*phases->item));
	phases->item[phases->n++] =
		(struct pays_phase){.signature = found->phase.signature, .process = found->phase.process};
}

static void chain_found(struct phase_chain *chain, struct found_phase *found)
{
	if (chain->first)
		chain->last->next = found;
	else
		chain->first = found;
	chain->last = found;
}

/* Adds up what was counted beside the phases. */
static void count_findings(struct pays_phases *phases, const struct pays_findings *findings)
{
	struct pays_outside *outside = &phases->outside;
	const struct pays_outside *more = &findings->outside;

	for (size_t i = 0; i < findings->n; i++) {
		phases->loops += findings->found[i].can_gain;
		phases->unlike += findings->found[i].unlike;
		phases->pageable_kept += findings->found[i].pageable_kept;
	}
	outside->copies += more->copies;
	outside->kernels += more->kernels;
	outside->copy_time += more->copy_time;
	outside->kernel_time += more->kernel_time;
	if (__builtin_add_overflow(outside->bytes, more->bytes, &outside->bytes))
		outside->bytes = INT64_MAX;
}

void pays_take_findings(struct pays_phases *phases, struct pays_findings *const *findings, size_t n, size_t threads)
{
	struct chaining chaining = {.phases = phases};
	size_t before = phases->n, njoints;
	struct pays_joint *joints = joints_find(findings, n, &njoints);

	for (size_t f = 0; f < n; f++) {
		for (size_t i = 0; i < findings[f]->n; i++)
			place_found(phases, &findings[f]->found[i]);
	}
	chaining.chain = xcalloc(phases->n + 1, sizeof(*chaining.chain));
	for (size_t i = 0; i < before; i++)
		chaining.chain[i].known = true;
	for (size_t f = 0; f < n; f++) {
		for (size_t i = 0; i < findings[f]->n; i++)
			chain_found(&chaining.chain[findings[f]->found[i].item], &findings[f]->found[i]);
	}
	parallel_run(threads, phases->n, look_at_chain, &chaining);
	for (size_t f = 0; f < n; f++)
		count_findings(phases, findings[f]);
	joints_free(joints, njoints);
	free(chaining.chain);
}

void pays_phases_free(struct pays_phases *phases)
{
	for (size_t i = 0; i < phases->n; i++) {
		free(phases->item[i].group);
		free(phases->item[i].late.part);
	}
	free(phases->item);
}
