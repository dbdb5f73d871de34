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
	size_t *counts;                /* of steps of each process, fewest first; owned */
	bool *any;                     /* whether steps of a process count, by its number; owned */
	size_t steady;                 /* steps that count */
	size_t leading[STEP_MEASURES]; /* most steps that a process has before the first one that counts */
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
static void look_at_steps(struct told_run *run, size_t process)
{
	const size_t *step = run->by.step + run->by.first[process];
	size_t n = steps_of_process(&run->by, process);

	for (enum step_measure m = 0; m < STEP_MEASURES; m++) {
		size_t leading = 0;

		while (leading < n && run->launches->steps[step[leading]].host_ns[m] == NO_TIME)
			leading++;
		if (leading < n && leading > run->leading[m])
			run->leading[m] = leading;
	}
	for (size_t i = 0; i < n; i++) {
		bool counts = run->launches->steps[step[i]].host_ns[STEP_DURATION] != NO_TIME;

		run->any[process] |= counts;
		run->steady += counts;
	}
}

struct places places_told_by(const struct launches *const *traced, size_t n)
{
	struct places out = {xcalloc(n + 1, sizeof(*out.run)), n};

	for (size_t i = 0; i < n; i++) {
		struct told_run *run = &out.run[i];

		run->launches = traced[i];
		run->by = steps_by_process(traced[i]->steps, traced[i]->nsteps, process_of_traced_step);
		run->counts = sorted_counts(&run->by);
		run->any = xcalloc(run->by.n + 1, sizeof(*run->any));
		for (size_t p = 0; p < run->by.n; p++)
			look_at_steps(run, p);
	}
	return out;
}

void places_free(struct places *places)
{
	for (size_t i = 0; i < places->n; i++) {
		steps_by_process_free(&places->run[i].by);
		free(places->run[i].counts);
		free(places->run[i].any);
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

/* What processes of traced runs say of a place. */
struct place_votes {
	size_t left[STEP_MEASURES], all;
};

/* For processes of each number of steps, fewest first; or for all of them at once, in one row that is long enough. */
struct vote_table {
	bool by_count;
	size_t *count; /* numbers of steps, each once */
	size_t *first; /* where the places of each begin in votes[] */
	size_t n;
	struct place_votes *votes;
};

static void add_vote_row(struct vote_table *table, size_t count, size_t *places)
{
	table->count[table->n] = count;
	table->first[table->n++] = *places;
	*places += count;
}

static struct vote_table vote_table_of(const struct placing *p, bool by_count)
{
	struct vote_table out = {
		by_count, xcalloc(p->by.n + 1, sizeof(*out.count)), xcalloc(p->by.n + 1, sizeof(*out.first)), 0, NULL};
	size_t places = 0;

	for (size_t i = 0; i < p->by.n; i++) {
		bool is_last_of_count = i + 1 == p->by.n || p->counts[i] != p->counts[i + 1];

		if (by_count ? is_last_of_count : i + 1 == p->by.n)
			add_vote_row(&out, p->counts[i], &places);
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

/* For a process with so many steps, which there is; NULL if there is none. */
static struct place_votes *votes_for(const struct vote_table *table, size_t steps)
{
	const size_t *found =
		table->by_count ? bsearch(&steps, table->count, table->n, sizeof(*table->count), by_count_of_steps)
				: table->count;

	return found && table->n > 0 ? table->votes + table->first[found - table->count] : NULL;
}

static void take_votes(const struct placing *p, const struct vote_table *table, const struct told_run *run)
{
	size_t longest = p->by.n > 0 ? p->counts[p->by.n - 1] : 0;

	for (size_t process = 0; process < run->by.n; process++) {
		size_t n = steps_of_process(&run->by, process);
		struct place_votes *votes = votes_for(table, n);

		if (!table->by_count && !run->any[process])
			continue;
		for (size_t i = 0; votes && i < n && i < longest; i++) {
			const struct launch_step *step =
				&run->launches->steps[run->by.step[run->by.first[process] + i]];

			votes[i].all++;
			for (enum step_measure m = 0; m < STEP_MEASURES; m++)
				votes[i].left[m] += step->host_ns[m] == NO_TIME;
		}
	}
}

/* Steps that count, among those of which something is known, and all steps. */
struct share {
	size_t counted, all, steps;
};

static struct share apply_votes(const struct placing *p, const struct vote_table *table)
{
	struct share share = {0};

	for (size_t process = 0; process < p->by.n; process++) {
		size_t n = steps_of_process(&p->by, process);
		const struct place_votes *votes = votes_for(table, n);

		for (size_t i = 0; i < n; i++) {
			struct placed_step *step = &p->out[p->by.step[p->by.first[process] + i]];

			for (enum step_measure m = 0; m < STEP_MEASURES; m++)
				step->counts[m] = 2 * votes[i].left[m] <= votes[i].all;
			step->counts[STEP_DURATION] = votes[i].all > 0 && votes[i].left[STEP_DURATION] == 0;
			share.counted += step->counts[STEP_DURATION];
			share.all += votes[i].all > 0;
			share.steps++;
		}
	}
	return share;
}

/* False if far fewer steps count than in the traced runs: these leave out others each time. And if tracing leaves so
 * little time that most steps have a place that no traced run has. */
static bool place_by_votes(const struct placing *p, bool by_count)
{
	struct vote_table table = vote_table_of(p, by_count);
	struct share here, there = {0};

	for (size_t i = 0; i < p->places->n; i++) {
		const struct told_run *run = &p->places->run[i];

		if (i == p->but || (by_count && !is_alike(p, run)))
			continue;
		take_votes(p, &table, run);
		there.counted += run->steady;
		there.all += run->launches->nsteps;
	}
	here = apply_votes(p, &table);
	vote_table_free(&table);
	return here.counted > 0 && 2 * here.all >= here.steps &&
	       2.0 * (double)here.counted * (double)there.all >= (double)there.counted * (double)here.all;
}

/* ---- by the number of first steps ---- */

static void place_behind_first(const struct placing *p, size_t told)
{
	size_t *leading = xcalloc(told, sizeof(*leading));

	for (enum step_measure m = 0; m < STEP_MEASURES; m++) {
		size_t n = 0, before;

		for (size_t i = 0; i < p->places->n; i++)
			if (i != p->but)
				leading[n++] = p->places->run[i].leading[m];
		qsort(leading, n, sizeof(*leading), by_count_of_steps);
		before = leading[m == STEP_DURATION ? n - 1 : n / 2];
		for (size_t process = 0; process < p->by.n; process++)
			for (size_t i = 0; i < steps_of_process(&p->by, process); i++)
				p->out[p->by.step[p->by.first[process] + i]].counts[m] = i >= before;
	}
	free(leading);
}

/* Without kernels all lists are alike. */
static void place_untold(const struct side_step *steps, size_t n, struct placed_step *out)
{
	struct step_list *lists = xcalloc(n + 1, sizeof(*lists));
	enum left_out *why = xcalloc(n + 1, sizeof(*why));

	for (size_t i = 0; i < n; i++)
		lists[i] = (struct step_list){.process = steps[i].process, .launches = 1};
	steady_steps(lists, n, false, why);
	for (size_t i = 0; i < n; i++)
		for (enum step_measure m = 0; m < STEP_MEASURES; m++)
			out[i].counts[m] = m != STEP_DURATION || why[i] == LEFT_NOTHING;
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
	else if (!(2 * alike >= told && place_by_votes(&p, true)) && !place_by_votes(&p, false))
		place_behind_first(&p, told);
	free(p.counts);
	steps_by_process_free(&p.by);
}
