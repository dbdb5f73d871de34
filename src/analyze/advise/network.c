/* network.c: see network.h. */
#include "analyze/advise/network.h"

#include <stddef.h>

/* Customers in turn: alone, or as the busiest unit serves all. Its queue is where they wait. */
static double even_cycle(const struct advise_network *network, int customers, double residence[ADVISE_UNITS])
{
	double alone = network->think, most = 0, cycle;
	int busiest = 0;

	for (int unit = 0; unit < ADVISE_UNITS; unit++) {
		alone += network->demand[unit];
		busiest = network->demand[unit] > network->demand[busiest] ? unit : busiest;
	}
	most = customers * network->demand[busiest];
	cycle = most > alone ? most : alone;
	for (int unit = 0; residence && unit < ADVISE_UNITS; unit++)
		residence[unit] = network->demand[unit] + (unit == busiest ? cycle - alone : 0);
	return cycle;
}

double advise_cycle(const struct advise_network *network, int customers, double residence[ADVISE_UNITS])
{
	double waiting[ADVISE_UNITS] = {0}, here[ADVISE_UNITS] = {0}, cycle = 0;

	if (network->is_even)
		return even_cycle(network, customers, residence);
	for (int n = 1; n <= customers; n++) {
		cycle = network->think;
		for (int unit = 0; unit < ADVISE_UNITS; unit++) {
			here[unit] = network->demand[unit] * (1 + waiting[unit]);
			cycle += here[unit];
		}
		for (int unit = 0; unit < ADVISE_UNITS; unit++)
			waiting[unit] = cycle > 0 ? n * here[unit] / cycle : 0;
	}
	for (int unit = 0; residence && unit < ADVISE_UNITS; unit++)
		residence[unit] = here[unit];
	return cycle;
}

double advise_think(const struct advise_network *network, int customers, double cycle)
{
	enum { HALVINGS = 40 };
	struct advise_network trial = *network;
	double low = 0, high = cycle;

	for (int i = 0; i < HALVINGS; i++) {
		trial.think = (low + high) / 2;
		if (advise_cycle(&trial, customers, NULL) > cycle)
			high = trial.think;
		else
			low = trial.think;
	}
	return low;
}
