/* measure-private.h: what measure.c, run.c and traced.c share. */
#ifndef DBPROF_CONTRAST_MEASURE_MEASURE_PRIVATE_H
#define DBPROF_CONTRAST_MEASURE_MEASURE_PRIVATE_H

#include "contrast/measure/measure.h"

/* What is passed around while runs are made. */
struct measuring {
	const struct contrast_options *options;
	const char *folder;
	struct measurement *out;
	size_t planned; /* runs; 0 as long as that is not known */
	int64_t begun;  /* clock_monotonic() */
	struct error *err;
};

/* What became of a run, if it is no use: 0 is one that went well, and -1 one that we could not make. */
enum {
	RUN_FAILED = 1, /* the side failed, or has nothing to measure */
	RUN_UNCHOSEN,   /* its recording has nothing that the options choose, or cannot be read */
	RUN_BROKE,      /* a traced program did not end well */
	RUN_HIDDEN      /* a traced program went well, and what it did on the GPU was not recorded */
};

/* The name of the file of run `number` with that suffix, in our folder; for free(). */
char *measure_file(const struct measuring *m, size_t number, const char *suffix);

/* The program's name without its folders. Borrowed. */
const char *program_of_side(const struct contrast_command *side);

/* Runs a side once; `output`: a file for what it prints, or NULL: that is ours. */
int measure_once(
	const struct measuring *m, size_t side, enum side_kind kind, int block, int position, const char *output);

/* Runs a side once and traces it; once more if it then does not go well, and less. 0 also where nothing is traced any
 * more. */
int measure_traced(const struct measuring *m, size_t side, int block, int position);

#endif
