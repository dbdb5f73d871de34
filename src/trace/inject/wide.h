/* wide.h: ranges of NVTX with names in wide characters. CUPTI makes no record of them, so they are counted. */
#ifndef DBPROF_TRACE_INJECT_WIDE_H
#define DBPROF_TRACE_INJECT_WIDE_H

#include <stddef.h>

enum { WIDE_WAYS = 2 };

/* A table of NVTX's functions, as it was before CUPTI entered its own ones. */
struct wide_table {
	void *get; /* what InitializeInjectionNvtx2() was given */
	void (*before[WIDE_WAYS])(void);
};

/* To be called before CUPTI enters its functions, and behind that. */
struct wide_table wide_begin(void *get_table);
void wide_listen(const struct wide_table *table);

/* How many ranges with wide names were pushed or started. */
size_t wide_ranges(void);

#endif
