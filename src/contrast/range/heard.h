/* heard.h: what nvtx.c calls when ranges of the wanted name begin and end. */
#ifndef DBPROF_CONTRAST_RANGE_HEARD_H
#define DBPROF_CONTRAST_RANGE_HEARD_H

#include <stdbool.h>
#include <stdint.h>

/* The functions are called in the threads of the program, several at a time. */
struct range_ear {
	/* Called first, and once. False: no range is wanted in this process. */
	bool (*is_wanted)(void);
	/* Returns a mark above 0, by which ends() knows the range again; 0 if its end need not be told. `nests`: it is
	 * a push/pop range, which ends in its thread, and before those that are open there. */
	int64_t (*begins)(bool nests);
	void (*ends)(int64_t mark, bool nests);
	/* In a child of fork(): what is open in its parent never ends here. */
	void (*forgets)(void);
};

/* Each library that nvtx.c is part of has its own. */
extern const struct range_ear range_ear;

#endif
