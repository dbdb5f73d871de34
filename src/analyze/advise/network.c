/* network.c: see network.h. */
#include "analyze/advise/network.h"

#include <stddef.h>

double advise_cycle(const struct advise_network *network, int customers, double residence[ADVISE_UNITS])
{
	double waiting[ADVISE_UNITS] = {0}, here[ADVISE_UNITS] = {0}, cycle = 0;

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
