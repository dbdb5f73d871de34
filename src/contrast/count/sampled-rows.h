/* sampled-rows.h: PC samples of a contrast as rows of the recording. */
#ifndef DBPROF_CONTRAST_COUNT_SAMPLED_ROWS_H
#define DBPROF_CONTRAST_COUNT_SAMPLED_ROWS_H

#include "contrast/count/sampled.h"
#include "store/store.h"

/* Finds the source line of an instruction of a side's kernel: DBPROF_STALL.file and .line. False if it is not known;
 * the file's name lives as long as the finder. */
struct line_finder {
	bool (*find)(void *user, size_t side, const struct sampled_case *one, const struct sampled_stall *stall,
		const char **file, int64_t *line);
	void *user;
};

/* The pass, DBPROF_STALL_RUN and DBPROF_STALL. `samples` may be NULL where nothing was sampled, and `lines` where no
 * lines are known. */
int rows_of_sampled(struct recording *rec, const struct contrast_options *options,
	const struct contrast_samples *samples, const struct sampled_kernels *sampled, const struct line_finder *lines,
	struct error *err);

#endif
