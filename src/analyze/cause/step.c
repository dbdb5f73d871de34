/* step.c: see step.h. */
#include "analyze/cause/step.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/cause/ledger.h"

static int by_size_of_part(const void *left, const void *right)
{
	const struct step_part *a = left, *b = right;
	double x = fabs(a->ns.value), y = fabs(b->ns.value);

	if (x != y)
		return x < y ? 1 : -1;
	if (a->kernel != b->kernel)
		return a->kernel < b->kernel ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* A part without an interval is as sure as its kernel's difference is. */
static bool is_named_part(const struct step_part *part, struct part_ns difference)
{
	struct part_ns ns = part->ns;

	if (isnan(ns.low) || isnan(ns.high))
		ns.low = ns.high = ns.value;
	return part->sure && part_is_named(ns, difference);
}

/* Those that the list has no room for. */
static struct cause smaller_parts(const struct step_part *part, size_t n)
{
	struct ledger sum = {.doubt = 0};

	for (size_t i = 0; i < n; i++)
		ledger_add(&sum, CAUSE_SMALLER_PARTS, part[i].ns);
	return (struct cause){.id = CAUSE_SMALLER_PARTS, .ns = sum.part[CAUSE_SMALLER_PARTS], .kernel = -1};
}

void step_causes_of(
	struct step_part *part, size_t n, struct part_ns difference, bool judged, double doubt, struct causes *out)
{
	size_t listed = n < STEP_PARTS ? n : STEP_PARTS;

	*out = (struct causes){.difference = difference, .first = -1, .stable = true};
	if (n > 1)
		qsort(part, n, sizeof(*part), by_size_of_part);
	for (size_t i = 0; i < listed; i++)
		out->item[out->n++] = (struct cause){.id = part[i].id,
			.ns = part[i].ns,
			.named = judged && is_named_part(&part[i], difference),
			.kernel = part[i].kernel};
	if (n > listed)
		out->item[out->n++] = smaller_parts(part + listed, n - listed);
	causes_close(out, doubt);
}
