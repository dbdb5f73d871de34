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
	return (a->id > b->id) - (a->id < b->id);
}

static bool excludes_zero(struct part_ns ns)
{
	return ns.low > 0 || ns.high < 0;
}

/* The rest, so that all parts add up to the difference. */
static struct cause the_rest(const struct ledger *ledger, struct part_ns difference)
{
	struct part_ns rest = {difference.value, difference.value, difference.value};

	for (int id = 0; id < CAUSE_UNEXPLAINED; id++)
		rest.value -= ledger->there[id] ? ledger->part[id].value : 0;
	rest.low = rest.value - joined(difference.value - difference.low, ledger->doubt);
	rest.high = rest.value + joined(difference.high - difference.value, ledger->doubt);
	return (struct cause){CAUSE_UNEXPLAINED, rest, false};
}

static void take_parts(const struct ledger *ledger, bool judged, struct causes *out)
{
	double least = named_share * fabs(out->difference.value);

	out->n = 0;
	for (int id = 0; id < CAUSE_UNEXPLAINED; id++) {
		struct part_ns ns = ledger->part[id];

		if (!ledger->there[id])
			continue;
		out->item[out->n++] = (struct cause){(enum cause_id)id, ns,
			judged && excludes_zero(out->difference) && excludes_zero(ns) && fabs(ns.value) >= least};
	}
	if (out->n > 1)
		qsort(out->item, out->n, sizeof(out->item[0]), by_size);
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

void ledger_close(const struct ledger *ledger, struct part_ns difference, bool judged, struct causes *out)
{
	struct cause rest = the_rest(ledger, difference);

	*out = (struct causes){.difference = difference, .first = -1, .stable = true};
	take_parts(ledger, judged, out);
	out->explained = out->n > 0 && fabs(rest.ns.value) <= main_part_share * fabs(difference.value);
	out->first = first_named(out);
	out->item[out->n++] = rest;
}
