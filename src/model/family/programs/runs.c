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

/* A pattern that matches all kernels of steps leaves none out. A family of traces has no rows of what it leaves out. */
bool kernels_are_chosen(const struct family_rows *f)
{
	const char *const key[] = {f->name};
	struct rows left = rows_find(&f->model->table[TABLE_LEFTOUT], 1, key);

	if (is_of_traces(f))
		return store_meta(f->model->store, "kernels_left_out") != NULL;
	for (size_t i = 0; i < left.count; i++)
		if (strcmp(row_string(&left, i, LEFTOUT_reason), "not-chosen") == 0)
			return true;
	return false;
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

	return side.count > 0 && (row_int(&side, 0, SIDE_exit) != 0 || !row_null(&side, 0, SIDE_signal) ||
					 !row_null(&side, 0, SIDE_ended));
}

const char *reason_of_pass(const struct family_rows *f, const char *pass, bool *done)
{
	struct rows passes = rows_all(&f->model->table[TABLE_PASS]);

	for (size_t i = 0; i < passes.count; i++) {
		if (strcmp(row_string(&passes, i, PASS_family), f->name) != 0 ||
			strcmp(row_string(&passes, i, PASS_pass), pass) != 0)
			continue;
		if (done)
			*done = strcmp(row_string(&passes, i, PASS_status), "done") == 0;
		return row_text(&passes, i, PASS_reason);
	}
	return NULL;
}

static bool is_run_of_kind(const struct rows *runs, size_t i, const char *kind)
{
	const char *of = row_string(runs, i, BLOCK_kind);

	if (kind)
		return strcmp(of, kind) == 0;
	return strcmp(of, "warm-up") != 0 && strcmp(of, "counted") != 0 && strcmp(of, "sampled") != 0;
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

size_t runs_differences(const struct rows *runs, const char *kind, int column, int less, double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->count; i++) {
		double difference = row_real(runs, i, column) - row_real(runs, i, less);

		if (is_run_of_kind(runs, i, kind) && isfinite(difference))
			out[n++] = difference;
	}
	return n;
}

static int by_turn(const void *left, const void *right)
{
	const struct run_number *a = left, *b = right;

	if (a->block != b->block)
		return a->block < b->block ? -1 : 1;
	return (a->position > b->position) - (a->position < b->position);
}

static double clock_of_run(const struct rows *runs, size_t i)
{
	return row_real(runs, i, BLOCK_smMhz);
}

static double busy_share_of_run(const struct rows *runs, size_t i)
{
	return row_null(runs, i, BLOCK_kernelBusyNs)
		       ? NAN
		       : row_real(runs, i, BLOCK_kernelBusyNs) / row_real(runs, i, BLOCK_kernelSumNs);
}

/* The positive numbers of the runs of a kind, by turn. */
static struct run_number *run_numbers(
	const struct rows *runs, const char *kind, double (*number_of)(const struct rows *runs, size_t i), size_t *n)
{
	struct run_number *numbers = xcalloc(runs->count, sizeof(*numbers));

	*n = 0;
	for (size_t i = 0; i < runs->count; i++) {
		double value = is_run_of_kind(runs, i, kind) ? number_of(runs, i) : NAN;

		if (value > 0 && isfinite(value))
			numbers[(*n)++] = (struct run_number){
				row_int(runs, i, BLOCK_block), row_int(runs, i, BLOCK_position), value};
	}
	if (*n)
		qsort(numbers, *n, sizeof(*numbers), by_turn);
	return numbers;
}

struct run_number *run_clocks(const struct rows *runs, const char *kind, size_t *n)
{
	return run_numbers(runs, kind, clock_of_run, n);
}

struct run_number *run_busy_shares(const struct rows *runs, size_t *n)
{
	return run_numbers(runs, "traced", busy_share_of_run, n);
}

double run_number_at(const struct run_number *numbers, size_t n, int64_t block, int64_t position)
{
	const struct run_number wanted = {.block = block, .position = position};
	const struct run_number *found = n ? bsearch(&wanted, numbers, n, sizeof(*numbers), by_turn) : NULL;

	return found ? found->value : NAN;
}

/* ---- what a block costs ---- */

static int by_number(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* The runs of a whole block: of the block that has most, since others may have been cut short. `block` is sorted. */
static size_t runs_of_block(const int64_t *block, size_t n)
{
	size_t most = 0;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && block[end] == block[i]; end++)
			;
		most = end - i > most ? end - i : most;
	}
	return most;
}

/* Between two runs dbprof reads what the first one left, which counts too: so all goes by the time of day. */
struct block_cost block_cost_of(const struct family_rows *f)
{
	const char *const key[] = {f->name};
	struct rows runs = rows_find(&f->model->table[TABLE_BLOCK], 1, key);
	int64_t *block = xcalloc(runs.count, sizeof(*block));
	double begin = INFINITY, start = INFINITY, end = -INFINITY;
	struct block_cost cost = {.warm_up_s = NAN, .block_s = NAN};
	size_t n = 0;

	for (size_t i = 0; i < runs.count; i++) {
		begin = fmin(begin, row_real(&runs, i, BLOCK_start));
		if (row_null(&runs, i, BLOCK_block))
			continue;
		block[n++] = row_int(&runs, i, BLOCK_block);
		start = fmin(start, row_real(&runs, i, BLOCK_start));
		end = fmax(end, row_real(&runs, i, BLOCK_end));
	}
	if (n && end > start) {
		qsort(block, n, sizeof(*block), by_number);
		cost.warm_up_s = (start - begin) / 1e9;
		cost.block_s = (end - start) / 1e9 * (double)runs_of_block(block, n) / (double)n;
	}
	free(block);
	return cost;
}
