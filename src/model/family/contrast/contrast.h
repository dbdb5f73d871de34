/* contrast.h: single against double in one case, as far as it is known. */
#ifndef DBPROF_MODEL_FAMILY_CONTRAST_CONTRAST_H
#define DBPROF_MODEL_FAMILY_CONTRAST_CONTRAST_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/analyze.h"

struct floor;
struct measured;
struct model;

/* A side's launches as they were timed: what its counters, which are of one launch of a kernel, are scaled to. */
struct timed_side {
	double median;  /* of the samples, ns */
	double counted; /* what of it the counted launches are, as often as `launches` says */
	double mhz;     /* of the SMs; NaN if unknown */
	double launches;
};

struct contrast {
	const struct model *model;
	const char *file; /* the family's source; "" if unknown */
	bool headline;
	const struct measured *single, *dbl;
	struct timed_side timed[2]; /* of single and double */
	size_t ncases; /* of the family: all_single and all_double have as many, for the check of results */
	const struct measured *all_single, *all_double;
	const struct floor *floor; /* of the case; NULL if not looked for */
	bool kernel_bound;         /* no copies in a launch: the SM clock counts */
	bool of_programs;          /* steps of programs, which may communicate */
	struct ratio ratio;
	struct ratio cycles; /* the same of SM cycles; NaN if they were not measured */
	enum verdict verdict;
	const struct measured *control; /* single's code with double's shared memory, or NULL */
	struct ratio footprint, rest;   /* single / control and control / double; valid with a control */
	enum verdict footprint_verdict; /* "slower": the footprint alone costs time */
	double run_allowance; /* by what share of its time one traced run may differ from another, where each side has
				 one */
	struct cause_side sides[2]; /* what causes are found from: single and double */
	struct causes causes;
};

#endif
