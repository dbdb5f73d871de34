/* wish.h: which part of a recording is asked for, and which one is read. docs/size.md, "A part of a recording". */
#ifndef DBPROF_MODEL_PART_WISH_H
#define DBPROF_MODEL_PART_WISH_H

#include <stdbool.h>
#include <stdint.h>

/* What is asked for. Zeroed: no part, and no limit but the machine's. Strings are borrowed. */
struct part_wish {
	bool window;       /* only work that begins from `from` on and before `to`, times as the file has them (ns) */
	int64_t from, to;  /* INT64_MIN, INT64_MAX: open. Both open: all, even if it does not fit */
	const char *range; /* only what lies in NVTX ranges of this name, which may be a pattern; NULL: everything */
	long every;        /* of these ranges each n-th on its thread; 0: each */
	int64_t memory;    /* how much may be taken (bytes); 0: what is free */
};

/* What reading a recording would take. */
struct forecast {
	int64_t rows;  /* that are read */
	int64_t bytes; /* of memory */
	int64_t free;  /* that may be taken */
	int64_t own;   /* of `bytes`: what a report takes that reads nothing */
	/* More than `free`, but so little beside `own` that a part would hardly take less. For those who hear of it,
	 * only if a `memory` was asked for. */
	bool little;
	double seconds;
};

/* Who hears of it. Members may be NULL. */
struct part_hearer {
	/* Before a recording is read. `part`: it does not fit, so a part is read. */
	void (*begins)(void *user, const char *file, const struct forecast *forecast, bool part);
	void (*read)(void *user, int64_t rows); /* so far, now and then */
	void *user;
};

/* Work that other threads of a range's process asked for while the range was open: it is not read. */
struct part_others {
	int64_t kernels, copies, rest; /* pieces; rest: memsets, graphs as a whole */
	int64_t ns;                    /* the sum of what they take */
	int64_t threads;               /* how many asked for it */
};

/* The part that is read. */
struct part {
	struct part_wish wish;    /* with the window that was chosen, if one was */
	bool chosen;              /* the whole does not fit: the window is the largest that does, from the middle */
	bool is_part;             /* anything is left out */
	int64_t first, last;      /* starts of the recording's work, if `chosen` */
	struct forecast forecast; /* of the whole */
	long instances, used;     /* ranges of the name, and how many of them are read */
	/* If ranges were asked for, once all is read: */
	struct part_others others;
	int64_t ns;                          /* the sum of what the work takes that is read */
	int64_t host_copies, copies_outside; /* between host and GPU: those that are read, and all others */
	int64_t earliest, latest;            /* starts of the work that is read and of `others` */
	struct part_filter *filter;          /* NULL: everything is read */
};

#endif
