/* first-ones.c: see first-ones.h. */
#include "contrast/step/first-ones.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/alloc.h"
#include "util/numbering.h"

double mean_ns(const int64_t *ns, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)ns[i];
	return n ? sum / (double)n : NAN;
}

/* A process of a run. */
struct counted_process {
	size_t number, steps; /* number: in the order of their first steps */
};

static int by_most_steps(const void *left, const void *right)
{
	const struct counted_process *a = left, *b = right;

	if (a->steps != b->steps)
		return a->steps > b->steps ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* The processes of a run, those with most steps first, numbered in `numbers`. For free(). */
static struct counted_process *count_steps(const struct step_time *steps, size_t n, struct numbering *numbers)
{
	struct counted_process *out = xcalloc(n + 1, sizeof(*out));

	for (size_t i = 0; i < n; i++) {
		size_t number = numbering_place(numbers, steps[i].process);

		out[number].number = number;
		out[number].steps += steps[i].ns != NO_TIME;
	}
	qsort(out, numbers->n, sizeof(*out), by_most_steps);
	return out;
}

/* Processes are taken in the order of their places. */
static void within(struct first_ones *ones, size_t place, size_t steps)
{
	if (place == ones->n) {
		xgrow(&ones->most, ones->n, &ones->room, sizeof(*ones->most));
		ones->most[ones->n++] = steps;
	} else if (steps < ones->most[place]) {
		ones->most[place] = steps;
	}
}

void first_ones_within(struct first_ones *ones, const struct step_time *steps, size_t n)
{
	struct numbering numbers = {0};
	struct counted_process *process = count_steps(steps, n, &numbers);

	for (size_t i = 0; process[0].steps > 0 && i < numbers.n; i++)
		within(ones, i, process[i].steps);
	free(process);
	numbering_free(&numbers);
}

static int by_count(const void *left, const void *right)
{
	const size_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

void first_ones_within_side(struct first_ones *ones, const struct first_ones *runs, size_t n)
{
	size_t *steps = xcalloc(n + 1, sizeof(*steps));

	for (size_t place = 0, found = 1; found > 0; place++) {
		found = 0;
		for (size_t i = 0; i < n; i++)
			if (place < runs[i].n)
				steps[found++] = runs[i].most[place];
		qsort(steps, found, sizeof(*steps), by_count);
		if (found > 0)
			within(ones, place, steps[(found - 1) / 2]);
	}
	free(steps);
}

size_t first_ones_take(const struct first_ones *ones, const struct step_time *steps, size_t n, int64_t *out)
{
	struct numbering numbers = {0};
	struct counted_process *process = count_steps(steps, n, &numbers);
	size_t *left = xcalloc(numbers.n + 1, sizeof(*left)), found = 0;

	for (size_t i = 0; i < numbers.n; i++)
		left[process[i].number] = i < ones->n ? ones->most[i] : process[i].steps;
	for (size_t i = 0; i < n; i++) {
		size_t number = numbering_place(&numbers, steps[i].process);

		if (steps[i].ns == NO_TIME || left[number] == 0)
			continue;
		left[number]--;
		out[found++] = steps[i].ns;
	}
	free(left);
	free(process);
	numbering_free(&numbers);
	return found;
}

/* The first step of each process becomes 1, and all others 0; those that do not count stay so. For free(). */
static struct step_time *mark_begins(const struct step_time *steps, size_t n)
{
	struct step_time *out = xcalloc(n + 1, sizeof(*out));
	struct numbering numbers = {0};

	for (size_t i = 0; i < n; i++) {
		size_t seen = numbers.n;
		bool begins = numbering_place(&numbers, steps[i].process) == seen;

		out[i] = (struct step_time){steps[i].process, steps[i].ns == NO_TIME ? NO_TIME : begins};
	}
	numbering_free(&numbers);
	return out;
}

size_t first_ones_begins(const struct first_ones *ones, const struct step_time *steps, size_t n)
{
	struct step_time *marked = mark_begins(steps, n);
	int64_t *begins = xcalloc(n + 1, sizeof(*begins));
	size_t found = first_ones_take(ones, marked, n, begins), sum = 0;

	for (size_t i = 0; i < found; i++)
		sum += begins[i] == 1;
	free(begins);
	free(marked);
	return sum;
}

double first_ones_mean(const struct first_ones *ones, const struct step_time *steps, size_t n, size_t *found)
{
	int64_t *ns = xcalloc(n + 1, sizeof(*ns));
	double mean;

	*found = first_ones_take(ones, steps, n, ns);
	mean = mean_ns(ns, *found);
	free(ns);
	return mean;
}

void first_ones_free(struct first_ones *ones)
{
	free(ones->most);
	*ones = (struct first_ones){0};
}
