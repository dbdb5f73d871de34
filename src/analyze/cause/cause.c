/* cause.c: see cause.h. */
#include "analyze/cause/cause.h"

#include "analyze/cause/ledger.h"

/* The same parts with those of the own kernel in another order. */
static int first_in_order(struct ledger ledger, const struct cause_side *single, const struct cause_side *dbl,
	double difference, enum kernel_order order)
{
	ledger_add_kernel(&ledger, single, dbl, order);
	return ledger_first(&ledger, difference);
}

void causes_of(const struct cause_side *single, const struct cause_side *dbl, bool kernel_bound,
	struct part_ns difference, bool judged, uint64_t seed, struct causes *out)
{
	struct ledger ledger = {.doubt = 0}, traced;
	int first;

	if (single->nruns > 0 && dbl->nruns > 0)
		ledger_add_trace(&ledger, single, dbl, !kernel_bound, seed);
	traced = ledger;
	if (kernel_bound)
		ledger_add_kernel(&ledger, single, dbl, ORDER_SYMMETRIC);
	ledger_close(&ledger, difference, judged, out);
	if (!kernel_bound)
		return;
	first = ledger_first(&ledger, difference.value);
	out->stable = first_in_order(traced, single, dbl, difference.value, ORDER_STATES_FIRST) == first &&
		      first_in_order(traced, single, dbl, difference.value, ORDER_OCCUPANCY_FIRST) == first;
}
