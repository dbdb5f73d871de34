/* choose.h: which kernels of a contrast, or of one program, are counted, and why some are not. */
#ifndef DBPROF_CONTRAST_COUNT_CHOOSE_H
#define DBPROF_CONTRAST_COUNT_CHOOSE_H

#include "contrast/count/count.h"
#include "contrast/options.h"
#include "contrast/samples.h"

/* Places in samples->cases of the kernels that make up the difference, the largest difference first: as few as have
 * counted_difference of the sum of all (analyze/thresholds.h), and COUNTED_KERNELS at most. If nothing differs, the one
 * that takes the most time. With several sides the largest difference to the first one counts. With one side it is the
 * time that counts; options->kernels says how many, whatever they take. `out` has room for CHOSEN_KERNELS_MOST; returns
 * how many. */
size_t count_choose(const struct contrast_options *options, const struct contrast_samples *samples, size_t *out);

/* Places in samples->cases of the graphs that are counted besides, if a CUDA graph launches one of the `n` kernels that
 * were chosen: all that have a case. `out` has room for CASES_OF_GRAPHS; returns how many. */
size_t count_choose_graphs(const struct contrast_samples *samples, const size_t *chosen, size_t n, size_t *out);

/* Why count_choose() takes none. */
const char *count_chose_nothing(const struct contrast_options *options, const struct contrast_samples *samples);

/* A kernel or graph that is not refused, as the library in the program knows it: with no groups, and no launches to
 * sample. Its name is borrowed. */
struct count_kernel count_kernel_of(const struct launch_kernel *kernel);

/* Why a kernel or a graph must not, or cannot, be counted, in words of a person; NULL if it can. */
const char *count_refusal(const struct side_kernel *kernel);

#endif
