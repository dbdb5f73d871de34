/* found.h: what contrast.c and advise/advise.c share: all that was measured of the sides, and how it becomes a
 * recording.
 */
#ifndef DBPROF_CONTRAST_FOUND_H
#define DBPROF_CONTRAST_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "contrast/code/coded.h"
#include "contrast/count/counted.h"
#include "contrast/count/sampled.h"
#include "contrast/measure/measure.h"
#include "contrast/options.h"
#include "contrast/pm/curves.h"
#include "contrast/samples.h"
#include "store/store.h"
#include "util/error.h"

/* All that was measured. Begins as {0}; found_free() ends it. */
struct contrast_found {
	struct measurement measured;
	struct contrast_samples samples; /* of whole blocks */
	bool any;                        /* there is a whole block */
	struct counted_kernels counted;
	struct sampled_kernels sampled;
	struct coded_kernels coded;
	struct curves curves;
};

/* Makes samples of the runs that were measured. */
void found_make_samples(struct contrast_found *found);
void found_free(struct contrast_found *found);

/* Writes the sides, and what whole blocks tell if there is one. */
int found_rows(struct recording *rec, const struct contrast_options *options, const struct contrast_found *found,
	struct error *err);

/* Writes the pass of timed runs; `failure`: how a side failed, which ended it. NULL: none did. */
int found_row_of_pass(struct recording *rec, int64_t start, const char *failure, struct error *err);

/* Writes the pass of traced runs if there are none, or if they do not tell the machine code. `start` as above. */
int found_row_of_trace(struct recording *rec, int64_t start, const struct measurement *measured, struct error *err);

/* Measures and writes: `folder` is for files meanwhile, `start` the session's (CLOCK_REALTIME, ns). As
 * contrast_record(), but for the beginning and the end of the recording. */
typedef int found_work(struct recording *rec, const struct contrast_options *options, const char *folder, int64_t start,
	int *failed, struct error *err);

/* Makes the recording of options->output by `work`. As contrast_record(). */
int found_into_recording(const struct contrast_options *options, found_work *work, int *failed, struct error *err);

#endif
