/* work-order.c: puts the rows of all tables of device work into one order, and fills the columns of the trace. Time is
 * cut into slices of a few thousand rows each, so that a slice can be sorted in a cache, and several at once. */
#include <stdlib.h>
#include <string.h>

#include "model/trace/work-parts.h"
#include "util/alloc.h"
#include "util/number.h"
#include "util/machine/parallel.h"

/* What threads share: all blocks by number, and where the copies of each part begin among all copies. */
struct ordering {
	struct trace *trace;
	const struct table_parts *parts;
	struct work_block **block;
	size_t nblocks;
	uint32_t *first_copy;
	size_t workers;

	size_t nchunks; /* of blocks that follow each other */
	int64_t low;    /* the first start */
	int shift;      /* a slice is 2^shift ns long */
	size_t nslices;
	uint32_t *next;  /* by chunk and slice: how many rows; then where the next one goes */
	uint32_t *first; /* by slice: its first place; behind the last one: their number */
	uint32_t *row;   /* by piece of work: the number of its row */
};

static struct work_block *block_of(const struct ordering *ordering, uint32_t row)
{
	return ordering->block[row >> BLOCK_BITS];
}

static size_t place_of_row(uint32_t row)
{
	return row & (BLOCK_ROWS - 1);
}

static uint32_t lane_of_row(const struct ordering *ordering, uint32_t row)
{
	const struct work_block *block = block_of(ordering, row);

	return ordering->parts->part[block->part].lanes.place[block->lane[place_of_row(row)]];
}

static uint32_t what_of_row(const struct ordering *ordering, uint32_t row)
{
	const struct work_block *block = block_of(ordering, row);
	uint32_t what = block->what[place_of_row(row)];

	return what & WHAT_COPY ? what + ordering->first_copy[block->part] : what;
}

static int64_t bytes_of_row(const struct ordering *ordering, uint32_t row)
{
	const struct work_block *block = block_of(ordering, row);
	uint32_t what = block->what[place_of_row(row)];

	return what & WHAT_COPY ? ordering->parts->part[block->part].copy[what & ~WHAT_COPY].bytes : -1;
}

/* What decides between rows that start together, so that the same rows give the same report whatever their order in the
 * file. */
static int row_order(const void *left, const void *right, void *user)
{
	uint32_t a = (uint32_t)((const struct interval *)left)->end,
		 b = (uint32_t)((const struct interval *)right)->end;
	const struct ordering *ordering = user;
	const struct work_block *in_a = block_of(ordering, a), *in_b = block_of(ordering, b);
	const struct work_lane *lane_a = &ordering->trace->lanes[lane_of_row(ordering, a)];
	const struct work_lane *lane_b = &ordering->trace->lanes[lane_of_row(ordering, b)];
	int order = int64_order(in_a->end[place_of_row(a)], in_b->end[place_of_row(b)]);

	if (!order)
		order = int64_order(lane_a->device, lane_b->device);
	if (!order)
		order = int64_order(lane_a->process, lane_b->process);
	if (!order)
		order = int64_order(lane_a->stream, lane_b->stream);
	if (!order)
		order = int64_order(lane_a->cls, lane_b->cls);
	if (!order)
		order = int64_order(in_a->correlation[place_of_row(a)], in_b->correlation[place_of_row(b)]);
	if (!order)
		order = int64_order(bytes_of_row(ordering, a), bytes_of_row(ordering, b));
	return order ? order : int64_order(a, b);
}

static void order_ties(struct ordering *ordering, struct interval *rows, size_t n)
{
	for (size_t first = 0, next; first < n; first = next) {
		for (next = first + 1; next < n && rows[next].start == rows[first].start; next++)
			continue;
		if (next - first > 1)
			qsort_r(rows + first, next - first, sizeof(*rows), row_order, ordering);
	}
}

/* ---- slices ---- */

/* The number of rows that come before those of the i-th of `n` shares. */
static size_t share_begin(size_t all, size_t n, size_t i)
{
	return all / n * i + (i < all % n ? i : all % n);
}

static size_t slice_at(const struct ordering *ordering, int64_t start)
{
	/* Unsigned arithmetic: the difference of two int64_t may need 64 bits without a sign. */
	return (size_t)(((uint64_t)start - (uint64_t)ordering->low) >> ordering->shift);
}

/* At most SLICES_MOST slices, of some SLICE_ROWS rows each if the rows are evenly spread. */
static void find_slices(struct ordering *ordering)
{
	enum { SLICE_ROWS = 4096, SLICES_MOST = 1 << 16 };
	int64_t low = INT64_MAX, high = INT64_MIN;
	size_t rows = 0, most;

	for (size_t b = 0; b < ordering->nblocks; b++) {
		low = ordering->block[b]->low < low ? ordering->block[b]->low : low;
		high = ordering->block[b]->high > high ? ordering->block[b]->high : high;
		rows += ordering->block[b]->n;
	}
	most = rows / SLICE_ROWS < SLICES_MOST ? rows / SLICE_ROWS + 1 : SLICES_MOST;
	ordering->low = low;
	for (ordering->nslices = 1; rows && (ordering->nslices = slice_at(ordering, high) + 1) > most;)
		ordering->shift++;
	ordering->workers = trace_workers(ordering->trace, rows);
	ordering->nchunks = ordering->workers > 1 ? 4 * ordering->workers : 1;
}

/* Calls `take` for each row of a chunk that stays. */
static void each_row_of_chunk(
	struct ordering *ordering, size_t chunk, void (*take)(struct ordering *ordering, uint32_t *next, uint32_t row))
{
	size_t end = share_begin(ordering->nblocks, ordering->nchunks, chunk + 1);

	for (size_t b = share_begin(ordering->nblocks, ordering->nchunks, chunk); b < end; b++) {
		for (size_t i = 0; i < ordering->block[b]->n; i++) {
			uint32_t row = (uint32_t)(b << BLOCK_BITS | i);

			if (lane_of_row(ordering, row) != LANE_BEYOND)
				take(ordering,
					&ordering->next[chunk * ordering->nslices +
							slice_at(ordering, ordering->block[b]->start[i])],
					row);
		}
	}
}

static void count_row(struct ordering *ordering, uint32_t *next, uint32_t row)
{
	(void)ordering;
	(void)row;
	++*next;
}

static void count_rows(void *user, size_t chunk)
{
	each_row_of_chunk(user, chunk, count_row);
}

static void put_original_row(struct ordering *ordering, uint32_t *next, uint32_t row)
{
	ordering->row[(*next)++] = row;
}

static void put_rows(void *user, size_t chunk)
{
	each_row_of_chunk(user, chunk, put_original_row);
}

/* Puts the numbers of all rows by slice; within a slice they keep the order of the file. */
static void slice_rows(struct ordering *ordering)
{
	uint32_t n = 0;
	size_t all = 0;

	ordering->next = xcalloc(ordering->nchunks * ordering->nslices, sizeof(*ordering->next));
	ordering->first = xcalloc(ordering->nslices + 1, sizeof(*ordering->first));
	parallel_run(ordering->workers, ordering->nchunks, count_rows, ordering);
	for (size_t s = 0; s < ordering->nslices; s++) {
		ordering->first[s] = n;
		for (size_t c = 0; c < ordering->nchunks; c++) {
			uint32_t count = ordering->next[c * ordering->nslices + s];

			ordering->next[c * ordering->nslices + s] = n;
			n += count;
		}
	}
	ordering->first[ordering->nslices] = n;
	for (size_t b = 0; b < ordering->nblocks; b++)
		all += ordering->block[b]->n;
	ordering->trace->nwork = n;
	ordering->trace->beyond = all - n;
	ordering->row = xreallocarray(NULL, (size_t)n + 1, sizeof(*ordering->row));
	parallel_run(ordering->workers, ordering->nchunks, put_rows, ordering);
	free(ordering->next);
}

static void order_slice(void *user, size_t s)
{
	struct ordering *ordering = user;
	uint32_t *row = ordering->row + ordering->first[s];
	int64_t *start = ordering->trace->start + ordering->first[s];
	size_t n = ordering->first[s + 1] - ordering->first[s];
	struct interval *rows;

	if (n == 0)
		return;
	rows = xreallocarray(NULL, n, sizeof(*rows));
	for (size_t i = 0; i < n; i++)
		rows[i] = (struct interval){block_of(ordering, row[i])->start[place_of_row(row[i])], row[i]};
	intervals_sort(rows, n);
	order_ties(ordering, rows, n);
	for (size_t i = 0; i < n; i++) {
		start[i] = rows[i].start;
		row[i] = (uint32_t)rows[i].end;
	}
	free(rows);
}

static void order_starts(struct ordering *ordering)
{
	struct trace *trace = ordering->trace;

	find_slices(ordering);
	slice_rows(ordering);
	trace->start = xreallocarray(NULL, trace->nwork + 1, sizeof(*trace->start));
	parallel_run(ordering->workers, ordering->nslices, order_slice, ordering);
	free(ordering->first);
	for (size_t b = 0; b < ordering->nblocks; b++)
		free(ordering->block[b]->start);
}

/* ---- the other columns ---- */

/* The pieces of work of one of several shares: first to end - 1. */
struct share_of_work {
	size_t first, end;
};

enum { COLUMN_SHARES = 64 };

static struct share_of_work share_of_work(const struct ordering *ordering, size_t share)
{
	size_t n = ordering->trace->nwork;

	return (struct share_of_work){share_begin(n, COLUMN_SHARES, share), share_begin(n, COLUMN_SHARES, share + 1)};
}

static void fill_ends(void *user, size_t share)
{
	const struct ordering *ordering = user;
	const struct share_of_work work = share_of_work(ordering, share);

	for (size_t i = work.first; i < work.end; i++)
		ordering->trace->end[i] = block_of(ordering, ordering->row[i])->end[place_of_row(ordering->row[i])];
}

static void fill_correlations(void *user, size_t share)
{
	const struct ordering *ordering = user;
	const struct share_of_work work = share_of_work(ordering, share);

	for (size_t i = work.first; i < work.end; i++)
		ordering->trace->correlation[i] =
			block_of(ordering, ordering->row[i])->correlation[place_of_row(ordering->row[i])];
}

static void fill_lanes(void *user, size_t share)
{
	const struct ordering *ordering = user;
	const struct share_of_work work = share_of_work(ordering, share);

	for (size_t i = work.first; i < work.end; i++)
		ordering->trace->lane[i] = lane_of_row(ordering, ordering->row[i]);
}

static void fill_whats(void *user, size_t share)
{
	const struct ordering *ordering = user;
	const struct share_of_work work = share_of_work(ordering, share);

	for (size_t i = work.first; i < work.end; i++)
		ordering->trace->what[i] = what_of_row(ordering, ordering->row[i]);
}

/* Room for a column, filled in threads. */
static void fill_column(struct ordering *ordering, void *column, size_t size, void (*fill)(void *user, size_t share))
{
	void *values = xreallocarray(NULL, ordering->trace->nwork + 1, size);

	memcpy(column, &values, sizeof(values)); /* a pointer of any type */
	parallel_run(ordering->workers, COLUMN_SHARES, fill, ordering);
}

/* Each column of the blocks is freed before the next one is filled. */
static void order_columns(struct ordering *ordering)
{
	struct trace *trace = ordering->trace;

	fill_column(ordering, &trace->end, sizeof(*trace->end), fill_ends);
	for (size_t b = 0; b < ordering->nblocks; b++)
		free(ordering->block[b]->end);
	fill_column(ordering, &trace->correlation, sizeof(*trace->correlation), fill_correlations);
	for (size_t b = 0; b < ordering->nblocks; b++)
		free(ordering->block[b]->correlation);
	fill_column(ordering, &trace->lane, sizeof(*trace->lane), fill_lanes);
	for (size_t b = 0; b < ordering->nblocks; b++)
		free(ordering->block[b]->lane);
	fill_column(ordering, &trace->what, sizeof(*trace->what), fill_whats);
	for (size_t b = 0; b < ordering->nblocks; b++)
		free(ordering->block[b]->what);
}

/* Copies keep the order of the file. */
static void join_copies(struct trace *trace, struct table_parts *parts)
{
	size_t n = 0;

	for (size_t p = 0; p < parts->n; p++)
		n += parts->part[p].ncopies;
	trace->copies = xreallocarray(NULL, n + 1, sizeof(*trace->copies));
	for (size_t p = 0; p < parts->n; p++) {
		struct table_part *part = &parts->part[p];

		for (size_t i = 0; i < part->ncopies; i++)
			trace->copies[trace->ncopies++] = part->copy[i];
		free(part->copy);
		part->copy = NULL;
	}
}

static void find_blocks(struct ordering *ordering, const struct table_parts *parts)
{
	size_t copies = 0;

	for (size_t p = 0; p < parts->n; p++)
		ordering->nblocks += parts->part[p].nblocks;
	ordering->block = xcalloc(ordering->nblocks + 1, sizeof(struct work_block *));
	ordering->first_copy = xcalloc(parts->n + 1, sizeof(*ordering->first_copy));
	ordering->nblocks = 0;
	for (size_t p = 0; p < parts->n; p++) {
		const struct table_part *part = &parts->part[p];

		ordering->first_copy[p] = (uint32_t)copies;
		copies += part->ncopies;
		for (size_t b = 0; b < part->nblocks; b++)
			ordering->block[ordering->nblocks++] = &part->block[b];
	}
}

int work_order(struct trace *trace, struct table_parts *parts, struct error *err)
{
	struct ordering ordering = {.trace = trace, .parts = parts};

	find_blocks(&ordering, parts);
	if (ordering.nblocks < (size_t)1 << (31 - BLOCK_BITS)) {
		order_starts(&ordering);
		order_columns(&ordering);
		join_copies(trace, parts);
	}
	free(ordering.block);
	free(ordering.first_copy);
	free(ordering.row);
	return trace->start ? 0
			    : error_set(err, "more than %zu pieces of device work are more than can be read",
				      (size_t)1 << 31);
}
