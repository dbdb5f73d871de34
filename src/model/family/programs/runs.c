/* runs.c: see runs.h. */
#include "model/family/programs/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/family-rows.h"
#include "model/recording.h"
#include "store/store.h"
#include "util/alloc.h"

bool is_of_traces(const struct family_rows *f)
{
	return strcmp(row_string(&f->family, 0, FAMILY_origin), "traces") == 0;
}

struct rows side_row(const struct family_rows *f, const char *variant)
{
	const char *const key[] = {f->name, variant};

	return rows_find(&f->model->table[TABLE_SIDE], 2, key);
}

struct rows side_runs(const struct family_rows *f, const char *variant)
{
	const char *const key[] = {f->name, variant};

	return rows_find(&f->model->table[TABLE_BLOCK], 2, key);
}

bool side_failed(const struct family_rows *f, const char *variant)
{
	struct rows side = side_row(f, variant);

	return side.count > 0 && (row_int(&side, 0, SIDE_exit) != 0 || !row_null(&side, 0, SIDE_signal));
}

static bool is_run_of_kind(const struct rows *runs, size_t i, const char *kind)
{
	const char *of = row_string(runs, i, BLOCK_kind);

	return kind ? strcmp(of, kind) == 0 : strcmp(of, "warm-up") != 0;
}

size_t runs_of_kind(const struct rows *runs, const char *kind)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->count; i++)
		n += is_run_of_kind(runs, i, kind);
	return n;
}

/* The positive numbers of a column; returns how many. */
static size_t runs_numbers(const struct rows *runs, const char *kind, int column, double *x)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->count; i++) {
		double one = row_real(runs, i, column);

		if (is_run_of_kind(runs, i, kind) && one > 0 && isfinite(one))
			x[n++] = one;
	}
	return n;
}

double runs_mean(const struct rows *runs, const char *kind, int column)
{
	double *x = xcalloc(runs->count, sizeof(*x)), sum = 0;
	size_t n = runs_numbers(runs, kind, column, x);

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	free(x);
	return n ? sum / (double)n : NAN;
}

double runs_median(const struct rows *runs, const char *kind, int column)
{
	double *x = xcalloc(runs->count, sizeof(*x));
	struct summary summary;

	summarize(x, runs_numbers(runs, kind, column, x), &summary);
	free(x);
	return summary.median;
}

static int by_turn(const void *left, const void *right)
{
	const struct run_clock *a = left, *b = right;

	if (a->block != b->block)
		return a->block < b->block ? -1 : 1;
	return (a->position > b->position) - (a->position < b->position);
}

struct run_clock *run_clocks(const struct rows *runs, const char *kind, size_t *n)
{
	struct run_clock *clocks = xcalloc(runs->count, sizeof(*clocks));

	*n = 0;
	for (size_t i = 0; i < runs->count; i++) {
		double mhz = row_real(runs, i, BLOCK_smMhz);

		if (is_run_of_kind(runs, i, kind) && mhz > 0 && isfinite(mhz))
			clocks[(*n)++] = (struct run_clock){
				row_int(runs, i, BLOCK_block), row_int(runs, i, BLOCK_position), mhz};
	}
	if (*n)
		qsort(clocks, *n, sizeof(*clocks), by_turn);
	return clocks;
}

double run_mhz(const struct run_clock *clocks, size_t n, int64_t block, int64_t position)
{
	const struct run_clock wanted = {.block = block, .position = position};
	const struct run_clock *found = n ? bsearch(&wanted, clocks, n, sizeof(*clocks), by_turn) : NULL;

	return found ? found->mhz : NAN;
}

/* ---- what a block costs ---- */

/* A run's block and how long it took. */
struct timed_run {
	int64_t block;
	double seconds;
};

static int by_block(const void *left, const void *right)
{
	const struct timed_run *a = left, *b = right;

	return (a->block > b->block) - (a->block < b->block);
}

/* The mean over the blocks with the most runs: the others were cut short. `run` is sorted by block. */
static double whole_block_seconds(const struct timed_run *run, size_t n)
{
	size_t most = 0, blocks = 0;
	double seconds = 0;

	for (size_t i = 0, end; i < n; i = end) {
		double sum = 0;

		for (end = i; end < n && run[end].block == run[i].block; end++)
			sum += run[end].seconds;
		if (end - i > most)
			most = end - i, blocks = 0, seconds = 0;
		if (end - i == most)
			blocks++, seconds += sum;
	}
	return blocks ? seconds / (double)blocks : NAN;
}

struct block_cost block_cost_of(const struct family_rows *f)
{
	const char *const key[] = {f->name};
	struct rows runs = rows_find(&f->model->table[TABLE_BLOCK], 1, key);
	struct timed_run *run = xcalloc(runs.count, sizeof(*run));
	struct block_cost cost = {.warm_up_s = 0};
	size_t n = 0;

	for (size_t i = 0; i < runs.count; i++) {
		double seconds = (row_real(&runs, i, BLOCK_end) - row_real(&runs, i, BLOCK_start)) / 1e9;

		if (!(seconds > 0))
			continue;
		if (row_null(&runs, i, BLOCK_block))
			cost.warm_up_s += seconds;
		else
			run[n++] = (struct timed_run){row_int(&runs, i, BLOCK_block), seconds};
	}
	if (n)
		qsort(run, n, sizeof(*run), by_block);
	cost.block_s = whole_block_seconds(run, n);
	free(run);
	return cost;
}
