/* items.c: see items.h. */
#include "analyze/statistics/items.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/statistics/order.h"
#include "analyze/statistics/spread.h"
#include "analyze/statistics/stats.h"
#include "util/alloc.h"

/* What is taken from each item. */
enum taken { TAKEN_LATENCY, TAKEN_WAIT, TAKEN_WORK, TAKEN_NUMBER };

/* Numbers of the items that count, each list sorted at the end. */
struct lists {
	double *of[TAKEN_NUMBER];
	size_t n[TAKEN_NUMBER];
	double *interval;
	size_t intervals;
};

static void items_list_add(struct lists *lists, enum taken what, double x)
{
	if (!isnan(x))
		lists->of[what][lists->n[what]++] = x;
}

/* How many items from `items` on are of the same launch. */
static size_t launch_length(const struct item_times *items, size_t n)
{
	size_t length = 1;

	while (length < n && items[length].launch == items->launch)
		length++;
	return length;
}

double items_rate(const struct item_times *items, size_t n)
{
	double *rates = xcalloc(n + 1, sizeof(*rates)), rate;
	size_t launches = 0;

	for (size_t i = 0, length; i < n; i += length) {
		double first, last;

		length = launch_length(&items[i], n - i);
		first = last = items[i].done;
		for (size_t k = i + 1; k < i + length; k++) {
			first = fmin(first, items[k].done);
			last = fmax(last, items[k].done);
		}
		if (last > first)
			rates[launches++] = (double)(length - 1) / (last - first) * 1e9;
	}
	rate = launches > 0 ? median_of(rates, launches) : NAN;
	free(rates);
	return rate;
}

/* Takes the items of a launch from number `filling` on. */
static void items_take_launch(
	struct lists *lists, const struct item_times *items, size_t length, size_t filling, struct items_summary *out)
{
	out->launches += length > filling;
	for (size_t i = filling; i < length; i++) {
		out->n++;
		out->held_back += items[i].held_back;
		items_list_add(lists, TAKEN_LATENCY, items[i].done - items[i].arrived);
		items_list_add(lists, TAKEN_WAIT, items[i].taken - items[i].arrived);
		items_list_add(lists, TAKEN_WORK, items[i].work);
		if (i > 0)
			lists->interval[lists->intervals++] = items[i].done - items[i - 1].done;
	}
}

/* The most items of a launch that were taken and not done at the same time. `room` holds twice its items. */
static size_t most_under_way(const struct item_times *items, size_t length, double *room)
{
	double *taken = room, *done = room + length;
	size_t ended = 0, most = 0;

	for (size_t i = 0; i < length; i++) {
		taken[i] = items[i].taken;
		done[i] = items[i].done;
	}
	qsort(taken, length, sizeof(*taken), compare_doubles);
	qsort(done, length, sizeof(*done), compare_doubles);
	for (size_t i = 0; i < length; i++) {
		while (ended < length && done[ended] <= taken[i])
			ended++;
		if (i + 1 > ended && i + 1 - ended > most)
			most = i + 1 - ended;
	}
	return most;
}

size_t items_filling(const struct item_times *items, size_t n)
{
	double *room = xcalloc(2 * n + 1, sizeof(*room));
	size_t most = 0;

	for (size_t i = 0, length; i < n; i += length) {
		size_t under_way;

		length = launch_length(&items[i], n - i);
		under_way = most_under_way(&items[i], length, room);
		most = under_way > most ? under_way : most;
	}
	free(room);
	return 1 + most;
}

static double quantile_or_none(const double *sorted, size_t n, double p)
{
	return n > 0 ? quantile(sorted, n, p) : NAN;
}

static double mean_or_none(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return n > 0 ? sum / (double)n : NAN;
}

static void summarize_lists(struct lists *lists, struct items_summary *out)
{
	const double *latency = lists->of[TAKEN_LATENCY], *wait = lists->of[TAKEN_WAIT];
	const size_t n = out->n, intervals = lists->intervals;

	for (int what = 0; what < TAKEN_NUMBER; what++)
		qsort(lists->of[what], lists->n[what], sizeof(double), compare_doubles);
	qsort(lists->interval, intervals, sizeof(double), compare_doubles);
	out->mean = mean_or_none(latency, n);
	out->median = quantile_or_none(latency, n, 0.5);
	out->p95 = quantile_or_none(latency, n, 0.95);
	out->p99 = quantile_or_none(latency, n, 0.99);
	out->least = quantile_or_none(latency, n, 0);
	out->most = quantile_or_none(latency, n, 1);
	out->jitter = out->p99 - out->least;
	out->wait_median = quantile_or_none(wait, n, 0.5);
	out->wait_p99 = quantile_or_none(wait, n, 0.99);
	out->wait_most = quantile_or_none(wait, n, 1);
	out->work_median = quantile_or_none(lists->of[TAKEN_WORK], lists->n[TAKEN_WORK], 0.5);
	out->interval = quantile_or_none(lists->interval, intervals, 0.5);
	out->interval_deviation =
		intervals > 1 ? sqrt(squares_of(lists->interval, intervals) / (double)(intervals - 1)) : NAN;
}

void items_summarize(const struct item_times *items, size_t n, size_t filling, struct items_summary *out)
{
	double *room = xcalloc(n * (TAKEN_NUMBER + 3) + 1, sizeof(*room));
	struct lists lists = {.interval = room + n * TAKEN_NUMBER};

	*out = (struct items_summary){0};
	for (int what = 0; what < TAKEN_NUMBER; what++)
		lists.of[what] = room + n * (size_t)what;
	for (size_t i = 0, length; i < n; i += length) {
		size_t most;

		length = launch_length(&items[i], n - i);
		items_take_launch(&lists, &items[i], length, filling, out);
		most = most_under_way(&items[i], length, room + n * (TAKEN_NUMBER + 1));
		out->under_way = most > out->under_way ? most : out->under_way;
	}
	summarize_lists(&lists, out);
	free(room);
}
