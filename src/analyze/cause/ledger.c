/* ledger.c: parts of a difference: adds them up, sorts them and judges. */
#include "analyze/cause/ledger.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/thresholds.h"

double joined(double a, double b)
{
	return sqrt(a * a + b * b);
}

static struct part_ns estimates_added(struct part_ns a, struct part_ns b)
{
	double value = a.value + b.value;

	return (struct part_ns){value, value - joined(a.value - a.low, b.value - b.low),
		value + joined(a.high - a.value, b.high - b.value)};
}

void ledger_add(struct ledger *ledger, enum cause_id id, struct part_ns ns)
{
	if (ns.value == 0 || !isfinite(ns.value))
		return;
	ledger->part[id] = ledger->there[id] ? estimates_added(ledger->part[id], ns) : ns;
	ledger->there[id] = true;
}

void ledger_add_half(struct ledger *ledger, enum cause_id id, double value, double half)
{
	ledger_add(ledger, id, (struct part_ns){value, value - half, value + half});
}

int ledger_first(const struct ledger *ledger, double difference)
{
	double most = 0;
	int first = -1;

	for (int id = 0; id < CAUSE_UNEXPLAINED; id++) {
		double along = difference < 0 ? -ledger->part[id].value : ledger->part[id].value;

		if (ledger->there[id] && along > most) {
			most = along;
			first = id;
		}
	}
	return first;
}

static int by_size(const void *left, const void *right)
{
	const struct cause *a = left, *b = right;
	double x = fabs(a->ns.value), y = fabs(b->ns.value);

	if (x != y)
		return x < y ? 1 : -1;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->kernel > b->kernel) - (a->kernel < b->kernel);
}

static bool excludes_zero(struct part_ns ns)
{
	return ns.low > 0 || ns.high < 0;
}

bool part_is_named(struct part_ns ns, struct part_ns difference)
{
	return excludes_zero(difference) && excludes_zero(ns) && fabs(ns.value) >= named_share * fabs(difference.value);
}

/* The rest, so that all parts add up to the difference. */
static struct cause the_rest(const struct causes *causes, double doubt)
{
	struct part_ns difference = causes->difference, rest = difference;

	for (size_t i = 0; i < causes->n; i++)
		rest.value -= causes->item[i].ns.value;
	rest.low = rest.value - joined(difference.value - difference.low, doubt);
	rest.high = rest.value + joined(difference.high - difference.value, doubt);
	return (struct cause){.id = CAUSE_UNEXPLAINED, .ns = rest, .kernel = -1};
}

static void take_parts(const struct ledger *ledger, bool judged, struct causes *out)
{
	for (int id = 0; id < CAUSE_UNEXPLAINED; id++)
		if (ledger->there[id])
			out->item[out->n++] = (struct cause){.id = (enum cause_id)id,
				.ns = ledger->part[id],
				.named = judged && part_is_named(ledger->part[id], out->difference),
				.kernel = -1};
}

/* The items are sorted, so the first one that goes the way of the difference is the largest of them. */
static int first_named(const struct causes *causes)
{
	for (size_t i = 0; i < causes->n && causes->explained; i++) {
		const struct cause *cause = &causes->item[i];

		if (cause->named && (cause->ns.value > 0) == (causes->difference.value > 0))
			return (int)cause->id;
	}
	return -1;
}

void causes_close(struct causes *causes, double doubt)
{
	struct cause rest = the_rest(causes, doubt);

	if (causes->n > 1)
		qsort(causes->item, causes->n, sizeof(causes->item[0]), by_size);
	causes->explained = causes->n > 0 && fabs(rest.ns.value) <= main_part_share * fabs(causes->difference.value);
	causes->first = first_named(causes);
	causes->item[causes->n++] = rest;
}

void ledger_close(const struct ledger *ledger, struct part_ns difference, bool judged, struct causes *out)
{
	*out = (struct causes){.difference = difference, .first = -1, .stable = true};
	take_parts(ledger, judged, out);
	causes_close(out, ledger->doubt);
}
