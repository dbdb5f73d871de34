/* parts.c: see parts.h. */
#include "store/scan/parts.h"

#include <stdlib.h>

#include "store/scan/helper.h"
#include "util/alloc.h"
#include "util/machine/parallel.h"

enum { MANY_PARTS = 64 };

const struct scan_how scan_usually = {.fewest = 2 << 20, .smallest = 1 << 20, .largest = 16 << 20, .by_sqlite = false};

static void scan_worker_flush(struct scan_worker *worker)
{
	scan_give(worker->run->store, worker->run->scan, worker->part, worker->rows, worker->index == 0);
	worker->rows->n = 0;
}

void scan_worker_room(struct scan_worker *worker)
{
	if (worker->rows->n == SCAN_ROWS)
		scan_worker_flush(worker);
}

/* How many rows the leaf pages say they have. */
static bool count_cells(const struct btree *tree, size_t first, size_t end, uint64_t *nrows)
{
	enum { AT_CELLS = 3 };
	unsigned char header[PAGE_HEADER];

	*nrows = 0;
	for (size_t i = first; i < end; i++) {
		if (!btree_read(tree, tree->leaves[i].page, header, sizeof(header)) || header[0] != PAGE_LEAF)
			return false;
		*nrows += bytes_u16(header + AT_CELLS);
	}
	return true;
}

static bool scan_worker_read_part(struct scan_worker *worker)
{
	const struct btree *tree = &worker->run->tree;
	size_t first = worker->part * worker->run->leaves_per_part, end = first + worker->run->leaves_per_part;
	uint64_t nrows;

	if (end > tree->nleaves)
		end = tree->nleaves;
	if (!worker->run->by_sqlite)
		return scan_worker_read_leaves(worker, first, end);
	return count_cells(tree, first, end, &nrows) &&
	       scan_worker_read_range(worker, btree_first(tree, first), tree->leaves[end - 1].last, nrows);
}

static bool scan_has_texts(const struct scan *scan)
{
	for (size_t c = 0; c < scan->ncolumns; c++)
		if (scan_is_text(scan, c))
			return true;
	return false;
}

/* Nothing, if nobody wants the part. */
static bool scan_worker_read_wanted(struct scan_worker *worker)
{
	const struct scan *scan = worker->run->scan;

	return (scan->part_wanted && !scan->part_wanted(scan->user, worker->part)) || scan_worker_read_part(worker);
}

/* Takes parts until there are no more, or one cannot be read. */
static void scan_worker_run(void *user, size_t i)
{
	struct scan_worker *worker = (struct scan_worker *)user + i;
	struct scan_run *run = worker->run;

	/* Columns that the file lacks stay 0. */
	worker->rows = xcalloc(1, sizeof(*worker->rows));
	if (scan_has_texts(run->scan))
		worker->memo = memo_new(run->scan->texts);
	while (!run->is_void && (worker->part = run->next++) < run->nparts) {
		if (scan_worker_read_wanted(worker))
			scan_worker_flush(worker);
		else
			run->is_void = true;
	}
	cursor_close(worker->cursor);
	memo_free(worker->memo);
	free(worker->rows);
	free(worker->window);
}

static void run_scan_workers(struct scan_run *run, size_t n, struct error *err)
{
	struct scan_worker *workers = xcalloc(n, sizeof(*workers));

	for (size_t i = 0; i < n; i++)
		workers[i] = (struct scan_worker){.run = run, .index = i};
	parallel_run(n, n, scan_worker_run, workers);
	for (size_t i = 0; i < n; i++)
		if (error_is_of_system(&workers[i].err))
			*err = workers[i].err;
	free(workers);
}

static int64_t between(int64_t x, int64_t low, int64_t high)
{
	return x < low ? low : x > high ? high : x;
}

/* False if the table is too small. */
static bool scan_divide(struct scan_run *run, const struct scan_how *how)
{
	int64_t page = run->tree.page_size, bytes = (int64_t)run->tree.nleaves * page;
	int64_t part = between(bytes / MANY_PARTS, how->smallest, how->largest);

	run->leaves_per_part = part < page ? 1 : (size_t)(part / page);
	run->nparts = (run->tree.nleaves + run->leaves_per_part - 1) / run->leaves_per_part;
	return bytes >= how->fewest && run->nparts > 0;
}

static enum scan_result read_parts(struct scan_run *run, struct error *err)
{
	size_t threads = sqlite3_threadsafe() ? (size_t)store_threads(run->store) : 1;

	if (threads > run->nparts)
		threads = run->nparts;
	helpers_allow(run->store, threads);
	scan_begin(run->scan, run->nparts);
	store_allow_work(run->store);
	run_scan_workers(run, threads, err);
	return run->is_void ? SCAN_VOID : SCAN_DONE;
}

/* Finds out who can read parts. False if nobody can. */
static bool find_reader(struct scan_run *run, bool by_sqlite)
{
	struct store *store = run->store;

	run->by_sqlite = by_sqlite || !fields_find(&run->fields, store, run->scan);
	return !run->by_sqlite || store_number_name(store, store->name[run->scan->table]);
}

enum scan_result scan_parts(struct store *store, const struct scan *scan, const struct scan_how *how, struct error *err)
{
	struct scan_run run = {.store = store, .scan = scan};
	enum scan_result result = SCAN_REFUSED;
	struct error ignored = {0};

	if (store->redaction)
		return SCAN_REFUSED;
	store_allow_work(store);
	/* An error that is still to be told is told by rows one by one. */
	if (btree_find(&run.tree, store, store->name[scan->table]) && scan_divide(&run, how) &&
		find_reader(&run, how->by_sqlite) && store_load_names(store, &ignored) == 0 && !store->late.text[0])
		result = read_parts(&run, err);
	btree_free(&run.tree);
	return result;
}
