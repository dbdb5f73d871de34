/* pace.c: see pace.h. */
#include "contrast/step/pace.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "contrast/step/by-process.h"
#include "util/alloc.h"
#include "util/number.h"

const char *step_measure_word(enum step_measure measure)
{
	static const char *const words[] = {
		[STEP_DURATION] = "duration", [STEP_PERIOD] = "period", [STEP_PERIOD_ALL] = "period with pauses"};

	return words[measure];
}

/* ---- periods ---- */

/* Steady steps that follow each other in a process; for STEP_PERIOD without a pause between them. */
struct pace_row {
	struct paced_step **step;
	size_t n;
};

static int by_time(const void *left, const void *right)
{
	return int64_order(*(const int64_t *)left, *(const int64_t *)right);
}

/* One of the lags, so that one step has it at least. */
static int64_t usual_lag(const struct pace_row *row)
{
	int64_t *lags = xcalloc(row->n, sizeof(*lags)), usual;

	for (size_t i = 0; i < row->n; i++)
		lags[i] = row->step[i]->lag;
	qsort(lags, row->n, sizeof(*lags), by_time);
	usual = lags[row->n / 2];
	free(lags);
	return usual;
}

static int64_t lag_between(const struct paced_step *a, const struct paced_step *b)
{
	return a->lag > b->lag ? a->lag - b->lag : b->lag - a->lag;
}

/* The first step at which the pipeline is filled. */
static size_t filled_from(const struct pace_row *row)
{
	const struct paced_step usual = {.lag = usual_lag(row)};
	double mean = (double)(row->step[row->n - 1]->start - row->step[0]->start) / (double)(row->n - 1);
	double room = period_filled * mean;
	size_t i = 0;

	while ((double)lag_between(row->step[i], &usual) > room)
		i++;
	return i;
}

/* Of the last steps the one at which the lag is most like it was at step `from`: the last of them, and of those that
 * are as like but for what does not count. Where each step that is left out makes a pause weigh more, jitter must not
 * choose. */
static size_t same_lag_until(const struct pace_row *row, size_t from)
{
	size_t last = row->n - 1, room = (size_t)(period_end_part * (double)(last - from)), best = last;
	double enough = period_end_lag * (double)(row->step[last]->start - row->step[from]->start);

	for (size_t i = last; i + room >= last && i > from; i--) {
		if ((double)lag_between(row->step[i], row->step[from]) <= enough)
			return i;
		if (lag_between(row->step[i], row->step[from]) < lag_between(row->step[best], row->step[from]))
			best = i;
	}
	return best;
}

static void pace_of_row(const struct pace_row *row, enum step_measure measure, struct period_sums *out)
{
	size_t from, until;

	if (row->n < 2)
		return;
	from = filled_from(row);
	until = same_lag_until(row, from);
	for (size_t i = from; i < until; i++) {
		row->step[i]->host_ns[measure] = row->step[i + 1]->start - row->step[i]->start;
		out->ns = int64_sum(out->ns, row->step[i]->host_ns[measure]);
		out->periods++;
	}
	if (until > from)
		out->lag_change = int64_sum(out->lag_change, lag_between(row->step[until], row->step[from]));
}

/* The steps of a process. */
struct process_steps {
	struct paced_step *steps;
	const size_t *place; /* of its n steps in steps[] */
	size_t n;
	struct paced_step **room; /* for n */
};

/* Ways from steady steps to the next ones. */
struct ways {
	int64_t *ns; /* owned */
	size_t n;
	double pauses; /* of them */
};

/* Adds those of a process; how long a pause of it is. Of two kinds of processes the slow one pauses no more often. */
static double add_ways(struct ways *ways, const struct process_steps *of, double pause)
{
	int64_t *own = ways->ns + ways->n;
	size_t n = 0, middle;
	double longest;

	for (size_t i = 1; i < of->n; i++) {
		const struct paced_step *one = &of->steps[of->place[i - 1]], *next = &of->steps[of->place[i]];

		if (one->is_steady && next->is_steady)
			own[n++] = next->start - one->start;
	}
	if (n == 0)
		return INFINITY;
	qsort(own, n, sizeof(*own), by_time);
	middle = (n - 1) / 2;
	longest = fmax(pause, period_pause * (double)own[middle]);
	for (size_t i = 0; i < n; i++)
		ways->pauses += (double)own[i] > longest;
	ways->n += n;
	return longest;
}

static void ways_end(struct ways *ways, struct step_pace *out)
{
	size_t middle = ways->n / 2;

	qsort(ways->ns, ways->n, sizeof(*ways->ns), by_time);
	out->usual_ns = ways->n > 0 ? (double)ways->ns[middle] : NAN;
	out->pause_share = ways->n > 0 ? ways->pauses / (double)ways->n : NAN;
	free(ways->ns);
}

static void find_durations(const struct process_steps *of, struct step_pace *out)
{
	int64_t end = INT64_MIN;

	for (size_t i = 0; i < of->n; i++) {
		struct paced_step *one = &of->steps[of->place[i]];

		if (!one->is_steady)
			continue;
		one->host_ns[STEP_DURATION] = one->end - one->start;
		out->overlap |= one->start < end;
		end = one->end > end ? one->end : end;
	}
}

/* What is longer than `longest` is no period. */
static void find_periods(
	const struct process_steps *of, double longest, enum step_measure measure, struct period_sums *out)
{
	struct pace_row row = {.step = of->room};

	for (size_t i = 0; i < of->n; i++) {
		struct paced_step *one = &of->steps[of->place[i]];

		if (!one->is_steady || (row.n > 0 && (double)(one->start - row.step[row.n - 1]->start) > longest)) {
			pace_of_row(&row, measure, out);
			row.n = 0;
		}
		if (one->is_steady)
			row.step[row.n++] = one;
	}
	pace_of_row(&row, measure, out);
}

static void pace_of_process(const struct process_steps *of, double longest, struct step_pace *out)
{
	find_durations(of, out);
	find_periods(of, longest, STEP_PERIOD, &out->by[STEP_PERIOD]);
	find_periods(of, INFINITY, STEP_PERIOD_ALL, &out->by[STEP_PERIOD_ALL]);
}

static int64_t process_of_paced(const void *steps, size_t i)
{
	return ((const struct paced_step *)steps)[i].process;
}

void steps_pace(struct paced_step *steps, size_t n, double pause, struct step_pace *out)
{
	struct steps_by_process all = steps_by_process(steps, n, process_of_paced);
	struct paced_step **room = xcalloc(n + 1, sizeof(struct paced_step *));
	struct ways ways = {.ns = xcalloc(n + 1, sizeof(*ways.ns))};

	*out = (struct step_pace){.overlap = false};
	for (size_t i = 0; i < n; i++)
		for (enum step_measure m = 0; m < STEP_MEASURES; m++)
			steps[i].host_ns[m] = NO_TIME;
	for (size_t p = 0; p < all.n; p++) {
		const struct process_steps of = {steps, all.step + all.first[p], all.first[p + 1] - all.first[p], room};

		pace_of_process(&of, add_ways(&ways, &of, pause), out);
	}
	ways_end(&ways, out);
	free(room);
	steps_by_process_free(&all);
}

double pace_lag_share(const struct period_sums *sums)
{
	return sums->ns > 0 ? (double)sums->lag_change / (double)sums->ns : NAN;
}

/* ---- the measure ---- */

/* The largest over all sides of what runs of a side say by median; NaN if none does. */
static double most_of_sides(
	const struct paced_run *runs, size_t n, size_t nsides, double (*number_of)(const struct step_pace *pace))
{
	double *x = xcalloc(n + 1, sizeof(*x)), most = NAN;

	for (size_t side = 0; side < nsides; side++) {
		struct summary summary;
		size_t found = 0;

		for (size_t i = 0; i < n; i++)
			if (runs[i].side == side && !isnan(number_of(&runs[i].pace)))
				x[found++] = number_of(&runs[i].pace);
		if (found == 0)
			continue;
		summarize(x, found, &summary);
		most = fmax(most, summary.median);
	}
	free(x);
	return most;
}

static double usual_ns(const struct step_pace *pace)
{
	return pace->usual_ns;
}

double pause_of_runs(const struct paced_run *runs, size_t n, size_t nsides)
{
	return period_pause * most_of_sides(runs, n, nsides, usual_ns);
}

static double pause_share(const struct step_pace *pace)
{
	return pace->pause_share;
}

enum step_measure periods_of(const struct paced_run *runs, size_t n, size_t nsides)
{
	return most_of_sides(runs, n, nsides, pause_share) > period_pauses_most ? STEP_PERIOD_ALL : STEP_PERIOD;
}

enum step_measure step_period_beside(enum step_measure measure)
{
	return measure == STEP_DURATION ? STEP_PERIOD : measure;
}

/* What the runs of a side say. */
struct paced_side {
	size_t runs[2], ends[2], paced[2]; /* those without CUPTI, and traced ones */
	double *lag;                       /* of the traced ones that have periods; owned */
};

static struct paced_side paced_side_of(const struct paced_run *runs, size_t n, size_t side, enum step_measure periods)
{
	struct paced_side out = {.lag = xcalloc(n + 1, sizeof(*out.lag))};

	for (size_t i = 0; i < n; i++) {
		const struct period_sums *sums = &runs[i].pace.by[periods];

		if (runs[i].side != side)
			continue;
		if (runs[i].traced && sums->periods)
			out.lag[out.paced[1]] = pace_lag_share(sums);
		out.runs[runs[i].traced]++;
		out.ends[runs[i].traced] += runs[i].ends;
		out.paced[runs[i].traced] += sums->periods > 0;
	}
	return out;
}

/* Most of both kinds. */
static bool most_runs(const struct paced_side *side, const size_t some[2])
{
	return 2 * some[0] >= side->runs[0] && 2 * some[1] >= side->runs[1];
}

/* Where nothing was traced it is not known, and not held against it. */
static bool keeps_pace(const struct paced_side *side)
{
	struct summary lag;

	if (side->runs[1] == 0)
		return true;
	summarize(side->lag, side->paced[1], &lag);
	return lag.median <= period_lag_share;
}

enum step_measure step_measure_of(const struct paced_run *runs, size_t n, size_t nsides)
{
	enum step_measure periods = periods_of(runs, n, nsides);
	bool flows = false, paced = true;

	for (size_t s = 0; s < nsides; s++) {
		struct paced_side side = paced_side_of(runs, n, s, periods);

		flows |= !most_runs(&side, side.ends) && keeps_pace(&side);
		paced &= most_runs(&side, side.paced);
		free(side.lag);
	}
	return flows && paced ? periods : STEP_DURATION;
}
