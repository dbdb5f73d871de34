/* network.h: how long blocks take that share units: a closed queueing network. Within the room. */
#ifndef DBPROF_ANALYZE_ADVISE_NETWORK_H
#define DBPROF_ANALYZE_ADVISE_NETWORK_H

#include <stdbool.h>

/* What blocks ask for service, one at a time. */
enum advise_unit {
	ADVISE_SM,     /* what is busiest in an SM: issue, a pipe, or the path to shared memory and the L1 cache */
	ADVISE_MEMORY, /* an SM's share of what is busier: the L2 cache, or device memory */
	ADVISE_UNITS
};

/* What a customer does in a cycle. Times are in one unit, whatever it is. */
struct advise_network {
	bool is_even;                /* customers come in turn: none meets another while a unit has time for all */
	double think;                /* time that no other customer can lengthen */
	double demand[ADVISE_UNITS]; /* time that it keeps a unit busy */
};

/* The time of a cycle with so many customers (1 or more), by mean value analysis (Reiser and Lavenberg, 1980).
 * `residence` gets the time spent at each unit, queues included; NULL: not wanted. */
double advise_cycle(const struct advise_network *network, int customers, double residence[ADVISE_UNITS]);

/* The think time with which a cycle takes `cycle`; 0 if units alone take longer. `network->think` is not read. */
double advise_think(const struct advise_network *network, int customers, double cycle);

#endif
