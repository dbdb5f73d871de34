/* children.h: the processes whose parent we are, and those below them. */
#ifndef DBPROF_TRACE_CHILDREN_H
#define DBPROF_TRACE_CHILDREN_H

#include <stddef.h>
#include <sys/types.h>

/* Our children, for free(); ended ones too, until we have asked how. Orphans of a program are ours while we are their
 * reaper. Empty where /proc does not tell. */
pid_t *children_list(size_t *n);

/* The processes that run below us, whatever is between, for free(). The n processes `without` and those below them are
 * left out. Empty where /proc does not tell; NULL without memory. */
pid_t *children_below(const pid_t *without, size_t nwithout, size_t *n);

#endif
