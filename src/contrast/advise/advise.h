/* advise.h: one program: where its time goes, and whether more tiles in flight would make its kernels faster. A
 * contrast with one side and nothing to hold against it. docs/advise.md says what is run. */
#ifndef DBPROF_CONTRAST_ADVISE_ADVISE_H
#define DBPROF_CONTRAST_ADVISE_ADVISE_H

#include "contrast/options.h"
#include "util/error.h"

/* What there is to spend if nobody says how much: so often as long as the program itself, and so much more (ns). */
enum { ADVISE_TIMES = 5 };
static const int64_t advise_more_ns = 25000000000;

/* Measures, judges and writes the recording. options->nsides is 1; options->budget_ns is for all runs together, 0: see
 * above. The judgement is made last, so it stands before anybody has followed it. As contrast_record(), but if the
 * program fails there is no recording: -1 with `err`, which names how. */
int advise_record(const struct contrast_options *options, struct error *err);

#endif
