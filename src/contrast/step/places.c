/* places.c: see places.h. */
#include "contrast/step/places.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/step/by-process.h"
#include "contrast/step/steady.h"
#include "store/event.h"
#include "util/alloc.h"

/* ---- what a traced run tells ---- */

struct told_run {
	const struct launches *launches; /* borrowed */
	struct steps_by_process by;
	size_t *counts; /* of steps of each process, fewest first; owned */
	size_t leading; /* most steps that a process has before the first one that counts */
	size_t unpaced; /* the same, before the first one whose period counts */
};

static int64_t process_of_host_step(const void *steps, size_t i)
{
	return ((const struct side_step *)steps)[i].process;
}

static int64_t process_of_traced_step(const void *steps, size_t i)
{
	return process_of(((const struct launch_step *)steps)[i].thread);
}

static int by_count_of_steps(const void *left, const void *right)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	return (a > b) - (a < b);
}

static size_t steps_of_process(const struct steps_by_process *by, size_t process)
{
	return by->first[process + 1] - by->first[process];
}

static size_t *sorted_counts(const struct steps_by_process *by)
{
	size_t *counts = xcalloc(by->n + 1, sizeof(*counts));

	for (size_t p = 0; p < by->n; p++)
		counts[p] = steps_of_process(by, p);
	qsort(counts, by->n, sizeof(*counts), by_count_of_steps);
	return counts;
}

/* Of a process without any that counts nothing is known. */
static void look_at_first_steps(struct told_run *run, size_t process)
{
	const size_t *step = run->by.step + run->by.first[process];
	size_t n = steps_of_process(&run->by, process), leading = 0, unpaced = 0;

	while (leading < n && run->launches->steps[step[leading]].left_out != LEFT_NOTHING)
		leading++;
	while (unpaced < n && run->launches->steps[step[unpaced]].period == NO_PERIOD)
		unpaced++;
	if (leading < n && leading > run->leading)
		run->leading = leading;
	if (unpaced < n && unpaced > run->unpaced)
		run->unpaced = unpaced;
}

struct places places_told_by(const struct launches *const *traced, size_t n)
{
	struct places out = {xcalloc(n + 1, sizeof(*out.run)), n};

	for (size_t i = 0; i < n; i++) {
		struct told_run *run = &out.run[i];

		run->launches = traced[i];
		run->by = steps_by_process(traced[i]->steps, traced[i]->nsteps, process_of_traced_step);
		run->counts = sorted_counts(&run->by);
		for (size_t p = 0; p < run->by.n; p++)
			look_at_first_steps(run, p);
	}
	return out;
}

void places_free(struct places *places)
{
	for (size_t i = 0; i < places->n; i++) {
		steps_by_process_free(&places->run[i].by);
		free(places->run[i].counts);
	}
	free(places->run);
	*places = (struct places){0};
}

/* ---- a run that is told of ---- */

struct placing {
	const struct places *places;
	size_t but;
	struct steps_by_process by; /* of the run */
	size_t *counts;             /* as told_run.counts */
	struct placed_step *out;
};

static bool is_alike(const struct placing *p, const struct told_run *run)
{
	return run->by.n == p->by.n && memcmp(run->counts, p->counts, p->by.n * sizeof(*p->counts)) == 0;
}

/* ---- by the same places ---- */

/* What traced processes with one number of steps say of a place. */
struct place_votes {
	size_t left, unpaced, all;
};

/* Of all numbers of steps, fewest first. */
struct vote_table {
	size_t *count; /* numbers of steps, each once */
	size_t *first; /* where the places of each begin in votes[] */
	size_t n;
	struct place_votes *votes;
};

static struct vote_table vote_table_of(const struct placing *p)
{
	struct vote_table out = {
		xcalloc(p->by.n + 1, sizeof(*out.count)), xcalloc(p->by.n + 1, sizeof(*out.first)), 0, NULL};
	size_t places = 0;

	for (size_t i = 0; i < p->by.n; i++) {
		if (i > 0 && p->counts[i] == p->counts[i - 1])
			continue;
		out.count[out.n] = p->counts[i];
		out.first[out.n++] = places;
		places += p->counts[i];
	}
	out.votes = xcalloc(places + 1, sizeof(*out.votes));
	return out;
}

static void vote_table_free(struct vote_table *table)
{
	free(table->count);
	free(table->first);
	free(table->votes);
}

/* The places of processes with so many steps, which there are. */
static struct place_votes *votes_for(const struct vote_table *table, size_t steps)
{
	const size_t *found = bsearch(&steps, table->count, table->n, sizeof(*table->count), by_count_of_steps);

	return table->votes + table->first[found - table->count];
}

static void take_votes(const struct vote_table *table, const struct told_run *run)
{
	for (size_t p = 0; p < run->by.n; p++) {
		struct place_votes *votes = votes_for(table, steps_of_process(&run->by, p));

		for (size_t i = 0; i < steps_of_process(&run->by, p); i++) {
			const struct launch_step *step = &run->launches->steps[run->by.step[run->by.first[p] + i]];

			votes[i].all++;
			votes[i].left += step->left_out != LEFT_NOTHING;
			votes[i].unpaced += step->period == NO_PERIOD;
		}
	}
}

/* False if no step counts. */
static bool place_by_votes(const struct placing *p)
{
	struct vote_table table = vote_table_of(p);
	bool any = false;

	for (size_t i = 0; i < p->places->n; i++)
		if (i != p->but && is_alike(p, &p->places->run[i]))
			take_votes(&table, &p->places->run[i]);
	for (size_t process = 0; process < p->by.n; process++) {
		const struct place_votes *votes = votes_for(&table, steps_of_process(&p->by, process));

		for (size_t i = 0; i < steps_of_process(&p->by, process); i++) {
			struct placed_step *step = &p->out[p->by.step[p->by.first[process] + i]];

			step->counts = votes[i].left == 0;
			step->period_counts = 2 * votes[i].unpaced <= votes[i].all;
			any |= step->counts;
		}
	}
	vote_table_free(&table);
	return any;
}

/* ---- by the number of first steps ---- */

static void place_behind_first(const struct placing *p, size_t told)
{
	size_t *unpaced = xcalloc(told, sizeof(*unpaced)), n = 0, leading = 0, before;

	for (size_t i = 0; i < p->places->n; i++) {
		const struct told_run *run = &p->places->run[i];

		if (i == p->but)
			continue;
		leading = run->leading > leading ? run->leading : leading;
		unpaced[n++] = run->unpaced;
	}
	qsort(unpaced, n, sizeof(*unpaced), by_count_of_steps);
	before = unpaced[n / 2];
	for (size_t process = 0; process < p->by.n; process++)
		for (size_t i = 0; i < steps_of_process(&p->by, process); i++)
			p->out[p->by.step[p->by.first[process] + i]] = (struct placed_step){i >= leading, i >= before};
	free(unpaced);
}

/* Without kernels all lists are alike. */
static void place_untold(const struct side_step *steps, size_t n, struct placed_step *out)
{
	struct step_list *lists = xcalloc(n + 1, sizeof(*lists));
	enum left_out *why = xcalloc(n + 1, sizeof(*why));

	for (size_t i = 0; i < n; i++)
		lists[i] = (struct step_list){.process = steps[i].process, .launches = 1};
	steady_steps(lists, n, why);
	for (size_t i = 0; i < n; i++)
		out[i] = (struct placed_step){why[i] == LEFT_NOTHING, true};
	free(why);
	free(lists);
}

void places_apply(
	const struct places *places, size_t but, const struct side_step *steps, size_t n, struct placed_step *out)
{
	struct placing p = {places, but, steps_by_process(steps, n, process_of_host_step), NULL, out};
	size_t told = places->n - (but < places->n), alike = 0;

	p.counts = sorted_counts(&p.by);
	for (size_t i = 0; i < places->n; i++)
		alike += i != but && is_alike(&p, &places->run[i]);
	if (told == 0)
		place_untold(steps, n, out);
	else if (2 * alike < told || !place_by_votes(&p))
		place_behind_first(&p, told);
	free(p.counts);
	steps_by_process_free(&p.by);
}
