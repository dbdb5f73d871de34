/* run.c: see scan.h. A table is read part by part if it can be, else row by row. */
#include "store/scan.h"

#include <stdlib.h>
#include <string.h>

#include "store/scan/parts.h"
#include "store/store-private.h"
#include "store/texts.h"
#include "util/alloc.h"

static int64_t scan_cell(const struct scan *scan, struct cursor *cursor, size_t c)
{
	if (scan_is_text(scan, c) && scan->as_in_file)
		return texts_column_in_file(scan->texts, cursor, scan->columns[c]);
	if (scan_is_text(scan, c))
		return texts_column_number(scan->texts, cursor, scan->columns[c]);
	return cursor_scanned(cursor, scan->columns[c]);
}

static void scan_one_row(const struct scan *scan, struct cursor *cursor, struct scan_rows *rows)
{
	rows->null[rows->n] = 0;
	for (size_t c = 0; c < scan->ncolumns; c++) {
		rows->value[c][rows->n] = scan_cell(scan, cursor, c);
		rows->null[rows->n] |= (uint16_t)(cursor_null(cursor, scan->columns[c]) << c);
	}
	rows->n++;
}

void scan_move(const struct scan *scan, struct scan_rows *rows, size_t from, size_t to)
{
	for (size_t c = 0; c < scan->ncolumns; c++)
		rows->value[c][to] = rows->value[c][from];
	rows->null[to] = rows->null[from];
}

void scan_begin(const struct scan *scan, size_t nparts)
{
	if (scan->begin)
		scan->begin(scan->user, nparts);
}

void scan_give(struct store *store, const struct scan *scan, size_t part, struct scan_rows *rows, bool main)
{
	int64_t read = atomic_fetch_add(&store->rows_read, (int64_t)rows->n) + (int64_t)rows->n;

	if (store->filter && rows->n > 0)
		store->filter->filter(store->filter->user, scan, rows);
	if (rows->n > 0)
		scan->take(scan->user, part, rows);
	if (main && store->told)
		store->told(store->told_user, read);
}

void store_use_filter(struct store *store, const struct scan_filter *filter)
{
	store->filter = filter;
}

void store_tell_rows(struct store *store, scan_told *told, void *user)
{
	store->told = told;
	store->told_user = user;
}

static int scan_serially(
	struct store *store, struct cursor *cursor, const struct scan *scan, struct scan_rows *rows, struct error *err)
{
	int got;

	while ((got = cursor_next(cursor, err)) == 1) {
		scan_one_row(scan, cursor, rows);
		if (rows->n < SCAN_ROWS)
			continue;
		scan_give(store, scan, 0, rows, true);
		rows->n = 0;
	}
	if (rows->n > 0 && got == 0)
		scan_give(store, scan, 0, rows, true);
	return got;
}

int scan_one_by_one(struct store *store, const struct scan *scan, struct error *err)
{
	struct cursor *cursor = store_columns(store, scan->table, scan->columns, scan->ncolumns, err);
	struct scan_rows *rows;
	int result;

	if (!cursor)
		return -1;
	scan_begin(scan, 1);
	rows = xcalloc(1, sizeof(*rows));
	result = scan_serially(store, cursor, scan, rows, err);
	free(rows);
	cursor_close(cursor);
	return result;
}

static void ignore_rows(void *user, size_t part, const struct scan_rows *rows)
{
	(void)user;
	(void)part;
	(void)rows;
}

/* What is wrong with the file: in SQLite's order of rows, if SQLite minds. Returns -1. */
static int tell_damage(struct store *store, const struct scan *scan, struct error *err)
{
	struct scan again = *scan;

	again.begin = NULL;
	again.take = ignore_rows;
	if (scan_one_by_one(store, &again, err) != 0)
		return -1;
	return error_set(err, "%s is damaged: copy it again, or record again", store->path);
}

/* The variable is for whoever doubts what is read without SQLite. */
static struct scan_how chosen_reader(void)
{
	const char *reader = getenv("DBPROF_READER");
	struct scan_how how = scan_usually;

	how.by_sqlite = reader && strcmp(reader, "sqlite") == 0;
	return how;
}

int store_scan(struct store *store, const struct scan *scan, struct error *err)
{
	const struct scan_how how = chosen_reader();
	struct error said = {0};

	if (!store_has(store, scan->table)) {
		scan_begin(scan, 0);
		return 0;
	}
	switch (scan_parts(store, scan, &how, &said)) {
	case SCAN_DONE:
		return 0;
	case SCAN_REFUSED:
		return scan_one_by_one(store, scan, err);
	case SCAN_VOID:
		break;
	}
	return said.text[0] ? error_system(err, "%s", said.text) : tell_damage(store, scan, err);
}

void store_use_threads(struct store *store, int threads)
{
	store->threads = threads;
}

int store_threads(const struct store *store)
{
	return store->threads > 0 ? store->threads : 1;
}
