/* sorted.c: the rows of a table in the order of a column. SQLite would sort whole rows and write them to disk. In a
 * stranger's file rows of a few bytes can share texts of any length. So only two numbers of each row are sorted, and
 * each row is fetched when its turn comes. */
#include "store/store-private.h"

#include <stdlib.h>

#include "util/alloc.h"

/* A profiler writes the rows of each thread in order. So each statement reads on where it stands, in the rows of one
 * thread. */
enum { READERS = 8 };

struct reader {
	sqlite3_stmt *stmt; /* NULL: not made yet */
	sqlite3_int64 at;   /* number of the current row */
	bool is_at_row;
};

struct sorted {
	struct store *store;
	char *select;          /* SQL: rows from a number on; the last column is the row's number */
	sqlite3_stmt *numbers; /* at the number of the next row, unless `is_over` */
	bool is_over;
	struct reader reader[READERS];
	int replaced; /* index of the reader that was sent elsewhere last */
};

/* Takes `sql`. */
static int sorted_prepare(struct store *store, sqlite3_stmt **stmt, char *sql, struct error *err)
{
	int rc = sqlite3_prepare_v2(store->db, sql, -1, stmt, NULL);

	sqlite3_free(sql);
	return rc == SQLITE_OK ? 0 : store_error(store, err);
}

const char *store_number_name(struct store *store, const char *table)
{
	static const char *const names[] = {"rowid", "_rowid_", "oid"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (store_column(store, table, names[i]) == STORE_COLUMN_NONE)
			return names[i];
	return NULL;
}

/* Goes to the number of the next row. */
static int next_number(struct sorted *sorted, struct error *err)
{
	int rc = sqlite3_step(sorted->numbers);

	sorted->is_over = rc == SQLITE_DONE;
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : store_error(sorted->store, err);
}

/* Only numbers are sorted, other values of the column are not. The first step sorts them all. */
static int sorted_sort(
	struct sorted *sorted, const char *table, const char *column, const char *number, struct error *err)
{
	char *sql = sqlite3_mprintf("SELECT %s FROM main.\"%w\" NOT INDEXED ORDER BY CASE WHEN typeof(\"%w\") IN "
				    "('integer', 'real') THEN \"%w\" END, %s",
		number, table, column, column, number);

	store_allow_sorting(sorted->store);
	return sorted_prepare(sorted->store, &sorted->numbers, sql, err) != 0 ? -1 : next_number(sorted, err);
}

struct sorted *sorted_open(
	struct store *store, const char *table, const char *column, const char *columns, struct error *err)
{
	const char *number = store_number_name(store, table);
	struct sorted *sorted = xcalloc(1, sizeof(*sorted));

	sorted->store = store;
	if (!number) {
		error_set(err, "%s is damaged: the rows of %s have no numbers: record again", store->path, table);
	} else if (sorted_sort(sorted, table, column, number, err) == 0) {
		sorted->select = sqlite3_mprintf("SELECT %s, %s FROM main.\"%w\" NOT INDEXED WHERE %s >= ? ORDER BY %s",
			columns, number, table, number, number);
		store_allow_work(store);
		return sorted;
	}
	sorted_close(sorted);
	return NULL;
}

/* Goes to the next row of the reader's statement. */
static int step_reader(struct sorted *sorted, struct reader *reader, struct error *err)
{
	int rc = sqlite3_step(reader->stmt);

	reader->is_at_row = rc == SQLITE_ROW;
	if (reader->is_at_row)
		reader->at = sqlite3_column_int64(reader->stmt, sqlite3_column_count(reader->stmt) - 1);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : store_error(sorted->store, err);
}

/* Sends the reader whose turn it is to row `number`. NULL with err. */
static struct reader *send_reader(struct sorted *sorted, sqlite3_int64 number, struct error *err)
{
	struct reader *reader = &sorted->reader[sorted->replaced = (sorted->replaced + 1) % READERS];

	if (!reader->stmt &&
		sorted_prepare(sorted->store, &reader->stmt, sqlite3_mprintf("%s", sorted->select), err) != 0)
		return NULL;
	sqlite3_reset(reader->stmt);
	if (sqlite3_bind_int64(reader->stmt, 1, number) != SQLITE_OK) {
		store_error(sorted->store, err);
		return NULL;
	}
	store_allow_search(sorted->store);
	return step_reader(sorted, reader, err) == 0 ? reader : NULL;
}

/* A reader that stands at row `number`. NULL with err. */
static struct reader *reader_at(struct sorted *sorted, sqlite3_int64 number, struct error *err)
{
	struct reader *reader = NULL;

	for (int i = 0; i < READERS && !reader; i++)
		if (sorted->reader[i].is_at_row && sorted->reader[i].at == number - 1)
			reader = &sorted->reader[i];
	if (reader && step_reader(sorted, reader, err) != 0)
		return NULL;
	if (!reader)
		reader = send_reader(sorted, number, err);
	if (reader && (!reader->is_at_row || reader->at != number)) {
		error_set(err, "%s is damaged: copy it again, or record again", sorted->store->path);
		return NULL;
	}
	return reader;
}

int sorted_next(struct sorted *sorted, sqlite3_stmt **row, struct error *err)
{
	struct reader *reader;

	if (sorted->is_over)
		return 0;
	reader = reader_at(sorted, sqlite3_column_int64(sorted->numbers, 0), err);
	if (!reader || next_number(sorted, err) != 0)
		return -1;
	*row = reader->stmt;
	return 1;
}

void sorted_close(struct sorted *sorted)
{
	if (!sorted)
		return;
	for (int i = 0; i < READERS; i++)
		sqlite3_finalize(sorted->reader[i].stmt);
	sqlite3_finalize(sorted->numbers);
	sqlite3_free(sorted->select);
	free(sorted);
}
