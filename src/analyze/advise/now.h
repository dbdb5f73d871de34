/* now.h: where a kernel's time goes as it runs, in the terms of the model. Within the room. docs/advise.md explains
 * them. */
#ifndef DBPROF_ANALYZE_ADVISE_NOW_H
#define DBPROF_ANALYZE_ADVISE_NOW_H

#include "analyze/advise/form.h"
#include "analyze/advise/waits.h"

/* What is not known for certain, taken otherwise: each stands for a doubt that the interval has (docs/advise.md). */
enum advise_guess {
	ADVISE_AS_TAKEN,
	ADVISE_BARRIERS_APART, /* warps wait at barriers for others' work, none for others' tiles */
	ADVISE_BARRIERS_WAIT,  /* all of them for others' tiles */
	ADVISE_LOADS_ALONE,    /* while a tile comes, no other SM loads */
	ADVISE_LOADS_TOGETHER, /* all do */
	ADVISE_UNITS_PEAK,     /* units reach their peaks */
	ADVISE_COUNTED_CLOSE,  /* counters counted over the launch alone */
	ADVISE_RING_SHORT,     /* a ring needs few instructions */
	ADVISE_RING_LONG,
	ADVISE_EVEN, /* blocks come in turn, without queues that chance makes */
	ADVISE_GUESSES
};

struct advise_now {
	enum advise_guess guess;
	struct advise_form form;
	struct advise_waits waits;
	double fixed;   /* ns of a launch that stages do not change: the launch, and what is outside the loop */
	double rounds;  /* of a block; NaN: unknown, then all of a block's rounds count as one */
	double per_sm;  /* blocks of the busiest SM */
	int resident;   /* blocks that fit on an SM */
	int together;   /* of these, run at once */
	double round;   /* ns of a round of a block, while others share its SM */
	double share;   /* the same, divided by the blocks: what a unit takes of it that is busy all the time */
	double exposed; /* part of a round in which a block waits for a tile */
	/* Parts of the time in which units are busy, of what they reach at best; 0: unknown. */
	double issue, l1, l2, dram;
	double served;  /* ns of a round with no tile ahead in which memory serves a block that waits for it */
	double rest;    /* ns of a load that meets no other */
	double latency; /* ns of a tile's load as the kernel runs, without queues for L2 cache and device memory */
	/* What a round with copies has beside that of one without: ns that it is longer, and ns of the SM's issue. */
	double ring_chain, ring_busy;
	double chain; /* rest of a round, ns, that other blocks do not lengthen */
};

/* The same kernel with a guess, in place of ADVISE_AS_TAKEN. */
void advise_now_guessed(const struct advise_kernel *kernel, const struct machine *machine, const struct advise_now *now,
	enum advise_guess guess, struct advise_now *out);

/* What a unit reaches of its peak. */
double advise_full(const struct advise_now *now);

/* NULL, or what is lacking. Without a loop only `form` is filled in. */
const char *advise_now_of(const struct advise_kernel *kernel, const struct machine *machine, struct advise_now *out);

#endif
