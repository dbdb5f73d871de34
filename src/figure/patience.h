/* patience.h: how long to wait for a process that should get on, on a machine that may have other work. */
#ifndef DBPROF_FIGURE_PATIENCE_H
#define DBPROF_FIGURE_PATIENCE_H

#include <stdint.h>

struct patience {
	int64_t at_ms;   /* when it was asked last */
	double spent_ms; /* of the time until then, what counts */
};

void patience_begin(struct patience *p);

/* The milliseconds since patience_begin() that count. To be asked several times a second: while more processes want to
 * run than there are processors, only the share counts that each of them gets, and time in which this process did not
 * run itself does not. */
double patience_spent_ms(struct patience *p);

/* The share of a processor that a process gets; `loadavg` is the text of /proc/loadavg. */
double patience_share(const char *loadavg, int processors);

#endif
