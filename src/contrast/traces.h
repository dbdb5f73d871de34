/* traces.h: two recorded runs become a recording in which they are the variants of a family. */
#ifndef DBPROF_CONTRAST_TRACES_H
#define DBPROF_CONTRAST_TRACES_H

#include <stdbool.h>

#include "util/error.h"

/* DBPROF_FAMILY.single and .double of two traces. */
#define TRACES_BASE "base"
#define TRACES_NEW "new"

/* Strings are borrowed for the length of contrast_traces(). */
struct traces_options {
	const char *base, *fresh; /* recordings of `dbprof trace`, or exports of Nsight Systems */
	const char *range;        /* NVTX range that is a step; NULL: the whole run is one */
	const char *kernel;       /* extended regular expression: only these kernels count; NULL: all */
	bool nameless;            /* as in launches.h */
	double band;              /* times nearer than this share count as the same */
	const char *output;       /* the recording to write */
};

/* Writes the family (origin "traces"), a case for all kernels, one for the range's host time, one for each kernel that
 * is matched, and samples of each. A sample is a part of a run: of its steady steps or, without a range, of its
 * launches. 0, or -1 with `err`; error_is_of_system() tells what could not be written from what cannot be compared. */
int contrast_traces(const struct traces_options *options, struct error *err);

#endif
