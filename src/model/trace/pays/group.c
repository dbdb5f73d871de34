/* group.c: the copies of a loop by kind and reason, and what each group gains. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/names.h"
#include "model/recording.h"
#include "model/trace/pays/phasing.h"
#include "store/copies.h"
#include "util/alloc.h"
#include "util/number.h"

/* The most groups whose gain is looked for. */
enum { GROUPS_REPLAYED = 16 };

/* A loop with so many replayed rounds, from several stretches, is known. */
enum { ROUNDS_ENOUGH = 80 };

/* A copy of the phase, for qsort(). */
struct grouped {
	const struct trace *trace;
	uint32_t piece, work; /* no piece: a migration that the replay does not know */
	unsigned reasons;
};

static int group_memory(const struct trace *trace, uint32_t work)
{
	const struct work_copy *copy = work_copy(trace, work);

	return copy_memory_kind(copy->kind, copy->source, copy->target);
}

static const char *group_call(const struct trace *trace, uint32_t work)
{
	const char *name = work_copy(trace, work)->call ? texts_text(trace->texts, work_copy(trace, work)->call) : NULL;

	return name ? name : "";
}

/* Copies of one group are equal. */
static int copies_order(const struct trace *trace, uint32_t a, unsigned reasons_a, uint32_t b, unsigned reasons_b)
{
	int cls_a = work_lane(trace, a)->cls, cls_b = work_lane(trace, b)->cls;
	int memory_a = group_memory(trace, a), memory_b = group_memory(trace, b);

	if (cls_a != cls_b)
		return cls_a < cls_b ? -1 : 1;
	if (reasons_a != reasons_b)
		return reasons_a < reasons_b ? -1 : 1;
	if (memory_a != memory_b)
		return memory_a < memory_b ? -1 : 1;
	return strcmp(group_call(trace, a), group_call(trace, b));
}

static int group_by_kind(const void *left, const void *right)
{
	const struct grouped *a = left, *b = right;
	int order = copies_order(a->trace, a->work, a->reasons, b->work, b->reasons);

	return order ? order : (a->work > b->work) - (a->work < b->work);
}

int64_t phase_exposed(const struct phasing *phasing, int device, struct interval *times, size_t n)
{
	const struct pays_computing *computing = &phasing->program->computing[device];

	n = intervals_union(times, n);
	return intervals_length(times, n) - intervals_overlap(times, n, computing->time, computing->n);
}

/* The device of the program that a copy is for; migrations are the phase's own. */
static int group_device(const struct phasing *phasing, const struct grouped *copy)
{
	const struct pays_program *program = phasing->program;

	return copy->piece == REPLAY_NONE ? phasing->device
					  : program->program.stream[program->program.piece[copy->piece].stream].device;
}

/* Adds the times at which a device copies and computes nothing. */
static void add_exposed(
	const struct phasing *phasing, int device, const struct grouped *copies, size_t n, struct intervals *exposed)
{
	const struct pays_computing *computing = &phasing->program->computing[device];
	const struct trace *trace = &phasing->model->trace;
	struct interval *times = xcalloc(n + 1, sizeof(*times));
	size_t here = 0;

	for (size_t i = 0; i < n; i++)
		if (group_device(phasing, &copies[i]) == device)
			times[here++] = (struct interval){
				within_limit(trace->start[copies[i].work]), within_limit(trace->end[copies[i].work])};
	here = intervals_union(times, here);
	intervals_add_minus(exposed, times, here, computing->time, computing->n);
	free(times);
}

/* Kernels of one GPU hide no copies of another. Copies of two that are exposed at once lose that time once. */
static int64_t group_lost(const struct phasing *phasing, const struct grouped *copies, size_t n)
{
	struct intervals exposed = {.n = 0};
	int64_t lost;

	for (int device = 0; device < phasing->program->program.ndevices; device++)
		add_exposed(phasing, device, copies, n, &exposed);
	exposed.n = intervals_union(exposed.at, exposed.n);
	lost = intervals_length(exposed.at, exposed.n);
	free(exposed.at);
	return lost;
}

static bool is_same_stream(const struct trace *trace, uint32_t a, uint32_t b)
{
	return work_lane(trace, a)->stream == work_lane(trace, b)->stream &&
	       work_lane(trace, a)->device == work_lane(trace, b)->device;
}

static struct pays_group make_group(const struct phasing *phasing, const struct grouped *copies, size_t n)
{
	const struct trace *trace = &phasing->model->trace;
	struct pays_group group = {.example = copies[n / 2].work,
		.reasons = copies[0].reasons,
		.count = n,
		.replayed = copies[0].piece != REPLAY_NONE,
		.one_stream = true};

	for (size_t i = 0; i < n; i++) {
		if (__builtin_add_overflow(group.bytes, work_copy(trace, copies[i].work)->bytes, &group.bytes))
			group.bytes = INT64_MAX;
		group.time += within_limit(trace->end[copies[i].work]) - within_limit(trace->start[copies[i].work]);
		group.one_stream = group.one_stream && is_same_stream(trace, copies[i].work, copies[0].work);
	}
	group.lost = group_lost(phasing, copies, n);
	return group;
}

/* Groups that nothing can be done about come last; else the largest first. */
static int by_lost(const void *left, const void *right)
{
	const struct pays_group *a = left, *b = right;
	bool lost_a = a->reasons & PAYS_HOPELESS, lost_b = b->reasons & PAYS_HOPELESS;

	if (lost_a != lost_b)
		return lost_a ? 1 : -1;
	if (a->lost != b->lost)
		return a->lost > b->lost ? -1 : 1;
	return (a->example > b->example) - (a->example < b->example);
}

/* Whether something can be done about a group, and a replay tells what. */
static bool can_be_freed(const struct pays_group *group)
{
	return group->replayed && !(group->reasons & PAYS_HOPELESS);
}

/* Which copies are freed while no group is, by piece: those of no group, and those about which nothing can be done. For
 * free(). */
static bool *freed_without_groups(const struct phasing *phasing, const struct grouped *copies, size_t n)
{
	bool *freed = xreallocarray(NULL, phasing->program->program.npieces + 1, sizeof(*freed));

	for (size_t p = 0; p < phasing->program->program.npieces; p++)
		freed[p] = true;
	for (size_t i = 0; i < n; i++) {
		if (copies[i].piece != REPLAY_NONE)
			freed[copies[i].piece] = copies[i].reasons & PAYS_HOPELESS;
	}
	return freed;
}

/* Frees one group after the other; what each adds is its gain. */
static void gains_in_order(
	const struct phasing *phasing, struct pays_phase *phase, const struct grouped *copies, size_t n)
{
	const struct trace *trace = &phasing->model->trace;
	bool *freed = freed_without_groups(phasing, copies, n);
	const struct replay_change change = {.buffers = 2, .freed = freed};
	double so_far = 0;

	for (size_t g = 0; g < phase->ngroups && g < GROUPS_REPLAYED && phase->gain[2] > 0; g++) {
		struct pays_group *group = &phase->group[g];
		double gain;

		if (!can_be_freed(group))
			continue;
		for (size_t i = 0; i < n; i++) {
			if (copies_order(trace, copies[i].work, copies[i].reasons, group->example, group->reasons) == 0)
				freed[copies[i].piece] = true;
		}
		gain = (phasing->before - joint_duration(phasing, &change)) * phasing->calibrate * phasing->scale;
		gain = fmin(fmax(gain, so_far), phase->gain[2]);
		group->gain = gain - so_far;
		so_far = gain;
	}
	phase->rest = phase->gain[2] - so_far;
	free(freed);
}

/* The copies of a phase that kernels do not cover; for free(). */
static struct grouped *exposed_copies(const struct phasing *phasing, const struct piece_list *pieces,
	const struct piece_list *migrations, size_t *count)
{
	const struct trace *trace = &phasing->model->trace;
	const struct pays_program *program = phasing->program;
	struct grouped *copies = xcalloc(pieces->n + migrations->n + 1, sizeof(*copies));
	size_t n = 0;

	for (size_t i = 0; i < pieces->n; i++) {
		uint32_t piece = pieces->piece[i];

		if (program->reasons[piece])
			copies[n++] = (struct grouped){trace, piece, program->work[piece], program->reasons[piece]};
	}
	for (size_t i = 0; i < migrations->n; i++) {
		uint32_t work = program->migration[migrations->piece[i]].work;

		if (!pays_covered(&program->computing[phasing->device], trace->start[work], trace->end[work]))
			copies[n++] = (struct grouped){trace, REPLAY_NONE, work, 1U << PAYS_MANAGED};
	}
	*count = n;
	return copies;
}

void find_groups(const struct phasing *phasing, struct pays_phase *phase, const struct piece_list *pieces,
	const struct piece_list *migrations)
{
	const struct trace *trace = &phasing->model->trace;
	size_t count, first = 0;
	struct grouped *copies = exposed_copies(phasing, pieces, migrations, &count);

	if (count > 1)
		qsort(copies, count, sizeof(*copies), group_by_kind);
	phase->lost = group_lost(phasing, copies, count);
	phase->group = xcalloc(count + 1, sizeof(*phase->group));
	for (size_t i = 1; i <= count; i++) {
		if (i < count && copies_order(trace, copies[i].work, copies[i].reasons, copies[first].work,
					 copies[first].reasons) == 0)
			continue;
		phase->group[phase->ngroups++] = make_group(phasing, copies + first, i - first);
		first = i;
	}
	if (phase->ngroups > 1)
		qsort(phase->group, phase->ngroups, sizeof(*phase->group), by_lost);
	gains_in_order(phasing, phase, copies, count);
	free(copies);
}

static void join_group(struct pays_phase *into, const struct pays_group *more, const struct trace *trace, size_t *room)
{
	for (size_t g = 0; g < into->ngroups; g++) {
		struct pays_group *group = &into->group[g];

		if (copies_order(trace, group->example, group->reasons, more->example, more->reasons) != 0)
			continue;
		group->one_stream =
			group->one_stream && more->one_stream && is_same_stream(trace, group->example, more->example);
		group->replayed = group->replayed && more->replayed;
		group->count += more->count;
		group->bytes = more->bytes > INT64_MAX - group->bytes ? INT64_MAX : group->bytes + more->bytes;
		group->time += more->time;
		group->lost += more->lost;
		group->gain += more->gain;
		return;
	}
	xgrow(&into->group, into->ngroups, room, sizeof(*into->group));
	into->group[into->ngroups++] = *more;
}

bool phase_is_known(const struct pays_phase *phase)
{
	return phase->replayed >= ROUNDS_ENOUGH;
}

void phase_grow(struct pays_phase *phase, double more)
{
	double factor = phase->loop > 0 ? (phase->loop + more) / phase->loop : 1;

	phase->replay *= factor;
	phase->gain_high *= factor;
	phase->gain_both *= factor;
	phase->rest *= factor;
	phase->memory.gain *= factor;
	for (int k = PAYS_BUFFERS_LEAST; k <= PAYS_BUFFERS_MOST; k++)
		phase->gain[k] *= factor;
	for (size_t g = 0; g < phase->ngroups; g++)
		phase->group[g].gain *= factor;
}

static void join_managed(struct pays_managed *into, const struct pays_managed *more)
{
	into->count += more->count;
	into->bytes = more->bytes > INT64_MAX - into->bytes ? INT64_MAX : into->bytes + more->bytes;
	into->time += more->time;
	into->lost += more->lost;
	into->most += more->most;
}

void phase_join(struct pays_phase *into, const struct pays_phase *more, const struct trace *trace)
{
	size_t room = into->ngroups;

	into->entered += more->entered;
	into->rounds += more->rounds;
	into->replayed += more->replayed;
	into->span += more->span;
	into->floor += more->floor;
	into->computing += more->computing;
	into->kernels += more->kernels;
	into->lost += more->lost;
	into->duplex += more->duplex;
	late_join(&into->late, &more->late);
	join_managed(&into->managed, &more->managed);
	memory_join(&into->memory, &more->memory);
	into->loop += more->loop;
	into->replay += more->replay;
	into->gain_high += more->gain_high;
	into->gain_both += more->gain_both;
	into->rest += more->rest;
	for (int k = PAYS_BUFFERS_LEAST; k <= PAYS_BUFFERS_MOST; k++)
		into->gain[k] += more->gain[k];
	for (size_t g = 0; g < more->ngroups; g++)
		join_group(into, &more->group[g], trace, &room);
	if (into->ngroups > 1)
		qsort(into->group, into->ngroups, sizeof(*into->group), by_lost);
	free(more->group);
}
