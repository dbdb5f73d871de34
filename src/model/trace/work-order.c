/* work-order.c: puts the rows of all tables of device work into one order, and fills the columns of the trace. */
#include <stdlib.h>

#include "model/trace/work-parts.h"
#include "util/alloc.h"
#include "util/number.h"

/* All blocks by number, and where the copies of each part begin among all copies. */
struct ordering {
	struct trace *trace;
	const struct table_parts *parts;
	struct work_block **block;
	size_t nblocks;
	uint32_t *first_copy;
	uint32_t *row; /* by piece of work: the number of its row */
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

/* The starts of all rows that stay; `end` holds the number of the row. */
static struct interval *starts_of_rows(struct ordering *ordering, size_t *count)
{
	struct interval *rows = xreallocarray(NULL, ordering->nblocks * BLOCK_ROWS + 1, sizeof(*rows));
	size_t n = 0;

	for (size_t b = 0; b < ordering->nblocks; b++) {
		const struct work_block *block = ordering->block[b];

		for (size_t i = 0; i < block->n; i++) {
			uint32_t row = (uint32_t)(b << BLOCK_BITS | i);

			if (lane_of_row(ordering, row) == LANE_BEYOND)
				ordering->trace->beyond++;
			else
				rows[n++] = (struct interval){block->start[i], row};
		}
		free(ordering->block[b]->start);
		ordering->block[b]->start = NULL;
	}
	*count = n;
	return rows;
}

static void order_starts(struct ordering *ordering)
{
	struct trace *trace = ordering->trace;
	struct interval *rows = starts_of_rows(ordering, &trace->nwork);

	intervals_sort(rows, trace->nwork);
	order_ties(ordering, rows, trace->nwork);
	trace->start = xreallocarray(NULL, trace->nwork + 1, sizeof(*trace->start));
	ordering->row = xreallocarray(NULL, trace->nwork + 1, sizeof(*ordering->row));
	for (size_t i = 0; i < trace->nwork; i++) {
		trace->start[i] = rows[i].start;
		ordering->row[i] = (uint32_t)rows[i].end;
	}
	free(rows);
}

/* ---- the other columns ---- */

static void order_ends(struct ordering *ordering)
{
	struct trace *trace = ordering->trace;

	trace->end = xreallocarray(NULL, trace->nwork + 1, sizeof(*trace->end));
	for (size_t i = 0; i < trace->nwork; i++)
		trace->end[i] = block_of(ordering, ordering->row[i])->end[place_of_row(ordering->row[i])];
	for (size_t b = 0; b < ordering->nblocks; b++)
		free(ordering->block[b]->end);
}

static void order_correlations(struct ordering *ordering)
{
	struct trace *trace = ordering->trace;

	trace->correlation = xreallocarray(NULL, trace->nwork + 1, sizeof(*trace->correlation));
	for (size_t i = 0; i < trace->nwork; i++)
		trace->correlation[i] =
			block_of(ordering, ordering->row[i])->correlation[place_of_row(ordering->row[i])];
	for (size_t b = 0; b < ordering->nblocks; b++)
		free(ordering->block[b]->correlation);
}

static void order_lanes(struct ordering *ordering)
{
	struct trace *trace = ordering->trace;

	trace->lane = xreallocarray(NULL, trace->nwork + 1, sizeof(*trace->lane));
	for (size_t i = 0; i < trace->nwork; i++)
		trace->lane[i] = lane_of_row(ordering, ordering->row[i]);
	for (size_t b = 0; b < ordering->nblocks; b++)
		free(ordering->block[b]->lane);
}

static void order_whats(struct ordering *ordering)
{
	struct trace *trace = ordering->trace;

	trace->what = xreallocarray(NULL, trace->nwork + 1, sizeof(*trace->what));
	for (size_t i = 0; i < trace->nwork; i++)
		trace->what[i] = what_of_row(ordering, ordering->row[i]);
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
		order_ends(&ordering);
		order_correlations(&ordering);
		order_lanes(&ordering);
		order_whats(&ordering);
		join_copies(trace, parts);
	}
	free(ordering.block);
	free(ordering.first_copy);
	free(ordering.row);
	return trace->start ? 0
			    : error_set(err, "more than %zu pieces of device work are more than can be read",
				      (size_t)1 << 31);
}
