/* running.h: a sum over intervals that come and go, as a curve over time; memory as for those open at once. */
#ifndef DBPROF_EXPORT_TRACE_RUNNING_H
#define DBPROF_EXPORT_TRACE_RUNNING_H

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

/* To be called before running_add() with the start of the interval, until it gives 0: closes what ends next, at `until`
 * or before, and gives that time; `sum` is then what holds from there on. */
int running_next(struct running *running, int64_t until, int64_t *time);

/* Opens an interval that ends at `end`. */
void running_add(struct running *running, int64_t end, double value);

void running_free(struct running *running);

#endif
