/* running.h: the sum of the intervals that are open, as a curve over time. Only open intervals take memory. */
#ifndef DBPROF_ANALYZE_RUNNING_H
#define DBPROF_ANALYZE_RUNNING_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed, nothing is open. */
struct running {
	double sum; /* of the values that are open */
	struct running_part {
		int64_t end;
		double value;
	} * open;
	size_t n, room;
};

/* Call it before running_add() with the start of the interval, until it returns 0. Closes the intervals that end
 * next, if they end at `until` or before, and puts that time into *time; `sum` holds from then on. */
int running_next(struct running *running, int64_t until, int64_t *time);

/* Opens an interval that ends at `end`. */
void running_add(struct running *running, int64_t end, double value);

void running_free(struct running *running);

#endif
