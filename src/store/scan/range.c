/* range.c: rows by their numbers, from an SQLite connection of the thread's own. */
#include "store/scan/helper.h"
#include "store/scan/parts.h"

static bool scan_worker_open(struct scan_worker *worker)
{
	const struct scan *scan = worker->run->scan;
	struct store *helper = store_helper(worker->run->store, worker->index);

	if (!helper)
		error_system(&worker->err, "cannot open %s once more: close other programs", worker->run->store->path);
	else if (!worker->cursor)
		worker->cursor = store_numbered(helper, scan->table, scan->columns, scan->ncolumns, &worker->err);
	return worker->cursor;
}

static int64_t scan_worker_text(const struct scan_worker *worker, int column)
{
	const char *text;
	int64_t id;

	if (cursor_name_id(worker->cursor, column, &id))
		return memo_name(worker->memo, worker->run->store, id);
	text = cursor_text(worker->cursor, column);
	return text ? memo_text(worker->memo, text) : 0;
}

static void scan_worker_take_row(struct scan_worker *worker)
{
	const struct scan *scan = worker->run->scan;
	struct scan_rows *rows = worker->rows;
	unsigned null = 0;

	for (size_t c = 0; c < scan->ncolumns; c++) {
		int column = scan->columns[c];

		if (scan_is_text(scan, c))
			rows->value[c][rows->n] = scan_worker_text(worker, column);
		else
			rows->value[c][rows->n] = cursor_scanned(worker->cursor, column);
		null |= (unsigned)cursor_null(worker->cursor, column) << c;
	}
	rows->null[rows->n++] = (uint16_t)null;
}

bool scan_worker_read_range(struct scan_worker *worker, int64_t first, int64_t last, uint64_t nrows)
{
	uint64_t n = 0;
	int got;

	if (!scan_worker_open(worker) || cursor_between(worker->cursor, first, last, &worker->err) != 0)
		return false;
	for (int64_t before = first; (got = cursor_next(worker->cursor, &worker->err)) == 1; n++) {
		int64_t number = cursor_number(worker->cursor);

		if (n == nrows || number < before || (n > 0 && number == before))
			return false;
		before = number;
		scan_worker_room(worker);
		scan_worker_take_row(worker);
	}
	return got == 0 && n == nrows;
}
