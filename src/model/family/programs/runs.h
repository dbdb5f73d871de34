/* runs.h: what DBPROF_SIDE and DBPROF_BLOCK say of a side of a contrast of programs. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_RUNS_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/rowset.h"

struct family_rows;

/* Whether `dbprof compare` made the family of two traced runs: its samples are parts of one run on each side. */
bool is_of_traces(const struct family_rows *f);

/* Whether the kernels' times are of a part of the kernels, which `--kernel` chose. The program's step has all of them.
 */
bool kernels_are_chosen(const struct family_rows *f);

/* The side's row of DBPROF_SIDE, or none; and its processes in the order of their starts. */
struct rows side_row(const struct family_rows *f, const char *variant);
struct rows side_runs(const struct family_rows *f, const char *variant);

/* Whether its first run ended with another status than 0, or by a signal. A side without a row did not fail. */
bool side_failed(const struct family_rows *f, const char *variant);

size_t runs_of_kind(const struct rows *runs, const char *kind);

/* Mean of a column of DBPROF_BLOCK over the runs of a kind (NULL: those that were timed) that know it; NaN without any.
 */
double runs_mean(const struct rows *runs, const char *kind, int column);

/* Median of the same. */
double runs_median(const struct rows *runs, const char *kind, int column);

/* One column less another, of each run of a kind that knows both; returns how many. `out` has room for all runs. */
size_t runs_differences(const struct rows *runs, const char *kind, int column, int less, double *out);

/* A number of a run, by its block and position. */
struct run_number {
	int64_t block, position;
	double value;
};

/* The SM clocks of the runs of one kind (MHz). Owned: for free(). */
struct run_number *run_clocks(const struct rows *runs, const char *kind, size_t *n);

/* Of the time of the kernels that count, the part in which the GPU was busy with them, in traced runs; none in a
 * recording that does not tell. Owned: for free(). */
struct run_number *run_busy_shares(const struct rows *runs, size_t *n);

/* The number of the run that a sample comes from; NaN if unknown. */
double run_number_at(const struct run_number *numbers, size_t n, int64_t block, int64_t position);

/* The reason of a pass; NULL if there is none. *done, if it is not NULL: whether the pass was made. */
const char *reason_of_pass(const struct family_rows *f, const char *pass, bool *done);

/* How long a whole block takes, all sides and kinds, and the warm-ups together (s). NaN where no run tells its times.
 */
struct block_cost {
	double block_s, warm_up_s;
};
struct block_cost block_cost_of(const struct family_rows *f);

#endif
