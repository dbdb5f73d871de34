/* others.c: the work that threads ask for while a range is open on another thread of their process. It belongs to no
 * range of the part, so it is not read; but the GPU did it, so that what is read is not all that ran. */
#include <stdlib.h>

#include "model/part/filter.h"
#include "store/copies.h"
#include "store/event.h"
#include "util/alloc.h"
#include "util/number.h"

/* Where the tables of work have what is added up. */
static const struct counted {
	enum table_id table;
	int start, end, process, correlation, kind; /* columns; kind: -1, not a copy */
} counted[] = {
	{TABLE_KERNEL, KERNEL_start, KERNEL_end, KERNEL_globalPid, KERNEL_correlationId, -1},
	{TABLE_MEMCPY, MEMCPY_start, MEMCPY_end, MEMCPY_globalPid, MEMCPY_correlationId, MEMCPY_copyKind},
	{TABLE_MEMSET, MEMSET_start, MEMSET_end, MEMSET_globalPid, MEMSET_correlationId, -1},
	{TABLE_GRAPHTRACE, GRAPHTRACE_start, GRAPHTRACE_end, GRAPHTRACE_globalPid, GRAPHTRACE_correlationId, -1},
};

/* A column of a batch; NULL where the scan does not read it. */
static const int64_t *column_of(const struct scan *scan, const struct scan_rows *rows, int column)
{
	for (size_t c = 0; c < scan->ncolumns; c++) {
		if (scan->columns[c] == column)
			return rows->value[c];
	}
	return NULL;
}

/* ---- before work is read ---- */

void part_others_begin(struct part_filter *filter, struct store *store)
{
	struct part_seeing *seeing = &filter->seeing;
	const struct part_instances *instances = &filter->instances;

	for (int i = 0; i < (int)sizeof(seeing->host_copy); i++) {
		enum copy_way way = copy_way((int)store_enum_number(store, "ENUM_CUDA_MEMCPY_OPER", i));

		seeing->host_copy[i] = way == COPY_IN || way == COPY_OUT;
	}
	seeing->open.n = seeing->open.room = instances->n;
	seeing->open.item = xreallocarray(NULL, instances->n + 1, sizeof(*instances->item));
	for (size_t i = 0; i < instances->n; i++) {
		seeing->open.item[i] = instances->item[i];
		seeing->open.item[i].thread = process_of(instances->item[i].thread);
	}
	part_sort_instances(&seeing->open);
	part_reach_instances(&seeing->open);
	filter->part->earliest = INT64_MAX;
	filter->part->latest = INT64_MIN;
}

void part_others_call(struct part_filter *filter, int64_t thread, int64_t start, int64_t correlation)
{
	struct part_seeing *seeing = &filter->seeing;

	if (!part_in_instance(&seeing->open, process_of(thread), start))
		return;
	part_add_call(&seeing->calls, process_of(thread), correlation);
	part_add_call(&seeing->calls, 0, correlation);
}

/* ---- work, then calls ---- */

/* What a batch adds to the sums of a part. */
struct batch_sums {
	struct part_others others;
	int64_t ns, host_copies, copies_outside, earliest, latest;
};

static void count_piece(struct part_others *others, enum table_id table, int64_t ns)
{
	others->kernels += table == TABLE_KERNEL;
	others->copies += table == TABLE_MEMCPY;
	others->rest += table != TABLE_KERNEL && table != TABLE_MEMCPY;
	others->ns = int64_sum(others->ns, ns);
}

static bool is_host_copy(const struct part_seeing *seeing, int64_t kind)
{
	return kind >= 0 && kind < (int64_t)sizeof(seeing->host_copy) && seeing->host_copy[kind];
}

static void add_sums(struct part *part, const struct batch_sums *sums)
{
	part->others.kernels += sums->others.kernels;
	part->others.copies += sums->others.copies;
	part->others.rest += sums->others.rest;
	part->others.ns = int64_sum(part->others.ns, sums->others.ns);
	part->ns = int64_sum(part->ns, sums->ns);
	part->host_copies += sums->host_copies;
	part->copies_outside += sums->copies_outside;
	part->earliest = sums->earliest < part->earliest ? sums->earliest : part->earliest;
	part->latest = sums->latest > part->latest ? sums->latest : part->latest;
}

static void see_work(struct part_filter *filter, const struct scan *scan, const struct counted *table,
	const struct scan_rows *rows, const bool *keeps)
{
	const int64_t *start = column_of(scan, rows, table->start), *end = column_of(scan, rows, table->end),
		      *process = column_of(scan, rows, table->process), *id = column_of(scan, rows, table->correlation),
		      *kind = column_of(scan, rows, table->kind);
	struct batch_sums sums = {.earliest = INT64_MAX, .latest = INT64_MIN};
	uint16_t others[SCAN_ROWS];
	size_t n = 0;

	if (!start || !end || !process || !id)
		return;
	for (size_t i = 0; i < rows->n; i++) {
		bool of_host = kind && is_host_copy(&filter->seeing, kind[i]), other;

		if (!times_usable(start[i], end[i]))
			continue;
		sums.host_copies += keeps[i] && of_host;
		sums.copies_outside += !keeps[i] && of_host;
		other = !keeps[i] && part_has_call(&filter->seeing.calls, process[i], id[i]);
		if (keeps[i])
			sums.ns = int64_sum(sums.ns, end[i] - start[i]);
		if (other) {
			count_piece(&sums.others, scan->table, end[i] - start[i]);
			others[n++] = (uint16_t)i;
		}
		if (keeps[i] || other) {
			sums.earliest = start[i] < sums.earliest ? start[i] : sums.earliest;
			sums.latest = start[i] > sums.latest ? start[i] : sums.latest;
		}
	}
	pthread_mutex_lock(&filter->lock);
	add_sums(filter->part, &sums);
	for (size_t i = 0; i < n; i++)
		part_add_call(&filter->seeing.left_out, process[others[i]], id[others[i]]);
	pthread_mutex_unlock(&filter->lock);
}

static void see_threads(
	struct part_filter *filter, const struct scan *scan, const struct scan_rows *rows, const bool *keeps)
{
	const int64_t *thread = column_of(scan, rows, RUNTIME_globalTid),
		      *id = column_of(scan, rows, RUNTIME_correlationId);
	struct part_seeing *seeing = &filter->seeing;

	if (!thread || !id || seeing->left_out.n == 0)
		return;
	pthread_mutex_lock(&filter->lock);
	for (size_t i = 0; i < rows->n; i++) {
		int64_t process = process_of(thread[i]);

		if (keeps[i] || !part_has_call(&seeing->calls, process, id[i]))
			continue;
		if (part_has_call(&seeing->left_out, process, id[i]) || part_has_call(&seeing->left_out, 0, id[i]))
			numbering_place(&seeing->threads, thread[i]);
	}
	pthread_mutex_unlock(&filter->lock);
}

void part_others_rows(
	struct part_filter *filter, const struct scan *scan, const struct scan_rows *rows, const bool *keeps)
{
	if (filter->seeing.is_over)
		return;
	if (scan->table == TABLE_RUNTIME)
		see_threads(filter, scan, rows, keeps);
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
		if (counted[i].table == scan->table)
			see_work(filter, scan, &counted[i], rows, keeps);
	}
}

void part_others_end(struct part_filter *filter)
{
	struct part_seeing *seeing = &filter->seeing;

	if (!seeing->is_over)
		filter->part->others.threads = (int64_t)seeing->threads.n;
	seeing->is_over = true;
	free(seeing->open.item);
	free(seeing->calls.slot);
	free(seeing->left_out.slot);
	numbering_free(&seeing->threads);
	seeing->open = (struct part_instances){0};
	seeing->calls = seeing->left_out = (struct part_calls){0};
}
