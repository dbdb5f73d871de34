/* group-batch.c: see group-batch.h. */
#include "model/trace/group-batch.h"

#include <stdlib.h>
#include <string.h>

#include "model/trace/calls.h"
#include "util/alloc.h"
#include "util/machine/parallel.h"

/* ---- which work belongs to which group ---- */

/* The ranges of some threads: first to end - 1. No two threads ask for the same work. */
struct marking {
	struct group_batch *batch;
	size_t first, end;
	size_t low, high; /* the pieces that were marked */
};

/* How far the ranges of the groups were looked at. */
struct group_cursors {
	uint32_t range[GROUPS_AT_ONCE]; /* the next one of each group; UINT32_MAX: there is none */
	const uint32_t *next[GROUPS_AT_ONCE], *end[GROUPS_AT_ONCE];
	size_t taken[GROUPS_AT_ONCE]; /* by_call up to here was looked at, as far as the group is concerned */
};

/* The first range of a group with a number of `from` or more. */
static const uint32_t *group_range_from(const struct groups *groups, const struct group *group, size_t from)
{
	size_t low = 0, high = group->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (groups->range[group->first + middle] < from)
			low = middle + 1;
		else
			high = middle;
	}
	return groups->range + group->first + low;
}

static void cursor_step(struct group_cursors *cursors, size_t g)
{
	cursors->range[g] = cursors->next[g] < cursors->end[g] ? *cursors->next[g]++ : UINT32_MAX;
}

static void cursors_begin(struct group_cursors *cursors, const struct marking *marking)
{
	const struct group_batch *batch = marking->batch;

	memset(cursors, 0, sizeof(*cursors));
	for (size_t g = 0; g < GROUPS_AT_ONCE; g++)
		cursors->range[g] = UINT32_MAX;
	for (size_t g = 0; g < batch->n; g++) {
		cursors->next[g] = group_range_from(batch->groups, &batch->group[g], marking->first);
		cursors->end[g] = group_range_from(batch->groups, &batch->group[g], marking->end);
		cursor_step(cursors, g);
	}
}

/* The group whose next range comes first, by thread and start. */
static size_t next_group(const struct group_cursors *cursors)
{
	size_t found = 0;

	for (size_t g = 1; g < GROUPS_AT_ONCE; g++)
		found = cursors->range[g] < cursors->range[found] ? g : found;
	return found;
}

static void mark_piece(struct marking *marking, size_t g, uint32_t piece)
{
	marking->batch->member[piece] |= (uint16_t)(1U << g);
	marking->low = piece < marking->low ? piece : marking->low;
	marking->high = piece >= marking->high ? (size_t)piece + 1 : marking->high;
}

/* Finds the work of each group. Ranges come in the order of their calls, so that neighbours share it. */
static void mark_work(void *user, size_t share)
{
	struct marking *shared = (struct marking *)user + share, marking = *shared;
	const struct trace *trace = marking.batch->groups->trace;
	struct called_work work = {0, 0};
	struct group_cursors cursors;

	cursors_begin(&cursors, &marking);
	for (;;) {
		size_t g = next_group(&cursors), end;

		if (cursors.range[g] == UINT32_MAX)
			break;
		range_work(trace, &trace->ranges[cursors.range[g]], &work);
		cursor_step(&cursors, g);
		end = work.first + work.count;
		for (size_t k = work.first > cursors.taken[g] ? work.first : cursors.taken[g]; k < end; k++)
			mark_piece(&marking, g, trace->by_call[k]);
		cursors.taken[g] = end > cursors.taken[g] ? end : cursors.taken[g];
	}
	*shared = marking;
}

/* The first range from number `from` on that is the first of its thread. */
static size_t first_of_thread(const struct trace *trace, size_t from)
{
	size_t low = from, high = trace->nranges;

	if (from == 0 || from >= trace->nranges)
		return from;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (trace->ranges[middle].thread <= trace->ranges[from - 1].thread)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void mark_all_work(struct group_batch *batch)
{
	const struct trace *trace = batch->groups->trace;
	size_t workers = trace_workers(trace, trace->nranges);
	struct marking *marking = xcalloc(workers, sizeof(*marking));

	for (size_t w = 0; w < workers; w++)
		marking[w] = (struct marking){batch, first_of_thread(trace, trace->nranges / workers * w),
			w + 1 < workers ? first_of_thread(trace, trace->nranges / workers * (w + 1)) : trace->nranges,
			SIZE_MAX, 0};
	parallel_run(workers, workers, mark_work, marking);
	batch->low = SIZE_MAX;
	batch->high = 0;
	for (size_t w = 0; w < workers; w++) {
		batch->low = marking[w].low < batch->low ? marking[w].low : batch->low;
		batch->high = marking[w].high > batch->high ? marking[w].high : batch->high;
	}
	free(marking);
}

/* ---- groups that have the same work on a GPU ---- */

/* Of ranges in each other the outer ones often have all the work of a GPU, and those between have the same. So pieces
 * are counted by GPU and by the groups that they belong to. There are few such sets, if any ranges are in each other.
 */
enum { SETS_MOST = 1 << 11, SET_SLOTS = 2 * SETS_MOST };

struct work_set {
	uint32_t gpu;
	uint32_t groups; /* 0: a free slot */
	size_t n;
};

/* What one thread counts of its share of the pieces. */
struct set_count {
	const struct group_batch *batch;
	size_t first, end;
	struct work_set *set; /* hash table */
	size_t nsets;
	bool full; /* there are too many */
};

static void count_in_set(struct set_count *counts, uint32_t gpu, uint32_t groups)
{
	uint32_t hash = (gpu << GROUPS_AT_ONCE | groups) * UINT32_C(0x9E3779B1);
	struct work_set *set = &counts->set[(hash >> 16) % SET_SLOTS];

	while (set->groups && (set->groups != groups || set->gpu != gpu))
		set = set + 1 < counts->set + SET_SLOTS ? set + 1 : counts->set;
	if (!set->groups) {
		*set = (struct work_set){gpu, groups, 0};
		counts->full = ++counts->nsets > SETS_MOST;
	}
	set->n++;
}

static void count_sets(void *user, size_t share)
{
	struct set_count *counts = (struct set_count *)user + share;
	const struct group_batch *batch = counts->batch;

	counts->set = xcalloc(SET_SLOTS, sizeof(*counts->set));
	for (size_t i = counts->first; i < counts->end && !counts->full; i++) {
		if (batch->member[i])
			count_in_set(counts, work_lane(batch->groups->trace, i)->gpu, batch->member[i]);
	}
}

/* A set tells groups that have it from those that have not. */
static void tell_apart(struct group_batch *batch, const struct work_set *set)
{
	for (size_t g = 0; g < batch->n; g++) {
		bool has = set->groups >> g & 1;

		batch->alike[set->gpu][g] &= (uint16_t)(has ? set->groups : ~set->groups);
		batch->pieces[set->gpu][g] += has ? set->n : 0;
	}
}

static void take_sets(struct group_batch *batch, const struct set_count *counts, size_t n)
{
	bool full = false;

	for (size_t c = 0; c < n; c++)
		full |= counts[c].full;
	for (size_t gpu = 0; gpu < batch->groups->trace->ngpus; gpu++) {
		for (size_t g = 0; g < batch->n; g++) {
			batch->alike[gpu][g] = full ? (uint16_t)(1U << g) : UINT16_MAX;
			batch->pieces[gpu][g] = full ? SIZE_MAX : 0;
		}
	}
	for (size_t c = 0; c < n && !full; c++) {
		for (size_t s = 0; s < SET_SLOTS; s++) {
			if (counts[c].set[s].groups)
				tell_apart(batch, &counts[c].set[s]);
		}
	}
}

static void find_alike(struct group_batch *batch)
{
	struct set_count *counts = xcalloc(batch->workers, sizeof(*counts));
	size_t part = (batch->high - batch->low) / batch->workers;

	for (size_t w = 0; w < batch->workers; w++)
		counts[w] = (struct set_count){.batch = batch,
			.first = batch->low + part * w,
			.end = w + 1 < batch->workers ? batch->low + part * (w + 1) : batch->high};
	parallel_run(batch->workers, batch->workers, count_sets, counts);
	take_sets(batch, counts, batch->workers);
	for (size_t w = 0; w < batch->workers; w++)
		free(counts[w].set);
	free(counts);
}

/* ---- sweeps ---- */

/* The first of the groups that have the same work on a GPU. */
static size_t leading_group(const struct group_batch *batch, size_t gpu, size_t g)
{
	return (size_t)__builtin_ctz(batch->alike[gpu][g]);
}

/* Whether a group needs a sweep of its own on a GPU: not if it has no work there, or all, or the same as another. */
static bool needs_sweep(const struct group_batch *batch, size_t gpu, size_t g)
{
	size_t n = batch->pieces[gpu][g];

	return n > 0 && n != batch->all->gpu[gpu].count && leading_group(batch, gpu, g) == g;
}

/* Gives each pair of a group and a GPU to the worker that has the least to do, so that few of them keep all busy. */
static void share_sweeps(struct group_batch *batch)
{
	double *load = xcalloc(batch->workers, sizeof(*load));

	for (size_t gpu = 0; gpu < batch->groups->trace->ngpus; gpu++) {
		for (size_t g = 0; g < batch->n; g++) {
			size_t best = 0;

			if (!needs_sweep(batch, gpu, g))
				continue;
			for (size_t w = 1; w < batch->workers; w++)
				best = load[w] < load[best] ? w : best;
			batch->worker[gpu][g] = (uint8_t)best;
			load[best] += batch->pieces[gpu][g] == SIZE_MAX ? 1 : (double)batch->pieces[gpu][g];
		}
	}
	free(load);
}

/* Threads write to memory of their own, which no other one has in its cache. */
static void batch_sweep(void *user, size_t worker)
{
	struct group_batch *batch = user;
	const struct trace *trace = batch->groups->trace;
	unsigned mine[GPUS_MOST] = {0}; /* by GPU: bits of groups */
	struct gpu_sweep(*own)[GROUPS_AT_ONCE] = xcalloc(trace->ngpus + 1, sizeof(*own));

	for (size_t gpu = 0; gpu < trace->ngpus; gpu++) {
		for (size_t g = 0; g < batch->n; g++)
			mine[gpu] |= needs_sweep(batch, gpu, g) && batch->worker[gpu][g] == worker ? 1U << g : 0;
	}
	for (size_t i = batch->low; i < batch->high; i++) {
		uint32_t gpu = batch->member[i] ? work_lane(trace, i)->gpu : 0;

		for (unsigned left = batch->member[i] & mine[gpu]; left; left &= left - 1)
			gpu_sweep_add(&own[gpu][__builtin_ctz(left)], trace, i);
	}
	for (size_t gpu = 0; gpu < trace->ngpus; gpu++) {
		for (unsigned left = mine[gpu]; left; left &= left - 1)
			batch->sweeps[__builtin_ctz(left)].gpu[gpu] = own[gpu][__builtin_ctz(left)];
	}
	free(own);
}

/* Fills the sweeps that needed none of their own. */
static void copy_sweeps(struct group_batch *batch)
{
	for (size_t gpu = 0; gpu < batch->groups->trace->ngpus; gpu++) {
		for (size_t g = 0; g < batch->n; g++) {
			bool all = batch->pieces[gpu][g] == batch->all->gpu[gpu].count;
			const struct gpu_sweeps *from = all ? batch->all : &batch->sweeps[leading_group(batch, gpu, g)];

			if (batch->pieces[gpu][g] == 0 || needs_sweep(batch, gpu, g))
				continue;
			batch->sweeps[g].gpu[gpu] = from->gpu[gpu];
		}
	}
}

/* ---- batches ---- */

struct group_batch *group_batch_new(const struct groups *groups, const struct gpu_sweeps *all)
{
	struct group_batch *batch = xcalloc(1, sizeof(*batch));

	batch->groups = groups;
	batch->all = all;
	batch->member = xcalloc(groups->trace->nwork + 1, sizeof(*batch->member));
	return batch;
}

static void drop_sweeps(struct group_batch *batch)
{
	for (size_t g = 0; g < batch->n; g++)
		gpu_sweeps_free(&batch->sweeps[g]);
	batch->n = 0;
}

void group_batch_take(struct group_batch *batch, size_t first)
{
	const struct groups *groups = batch->groups;

	drop_sweeps(batch);
	batch->group = groups->group + first;
	batch->n = groups->n - first < GROUPS_AT_ONCE ? groups->n - first : GROUPS_AT_ONCE;
	for (size_t g = 0; g < batch->n; g++)
		gpu_sweeps_make(&batch->sweeps[g], groups->trace);
	mark_all_work(batch);
	if (batch->low >= batch->high)
		return;
	batch->workers = trace_workers(groups->trace, batch->high - batch->low);
	find_alike(batch);
	share_sweeps(batch);
	parallel_run(batch->workers, batch->workers, batch_sweep, batch);
	copy_sweeps(batch);
	memset(batch->member + batch->low, 0, (batch->high - batch->low) * sizeof(*batch->member));
}

size_t group_batch_pieces(const struct group_batch *batch, size_t g)
{
	size_t pieces = 0;

	for (size_t gpu = 0; gpu < batch->groups->trace->ngpus; gpu++)
		pieces += batch->sweeps[g].gpu[gpu].count;
	return pieces;
}

void group_batch_free(struct group_batch *batch)
{
	drop_sweeps(batch);
	free(batch->member);
	free(batch);
}
