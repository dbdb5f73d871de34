/* cursor.c: reads the rows of one table, whatever columns and forms of names the file has. */
#include "store/store-private.h"

#include <stdlib.h>
#include <string.h>

#include "store/path.h"
#include "util/utf8.h"

struct cursor {
	const struct store *store;
	const struct table *table;
	sqlite3_stmt *stmt;                /* NULL: the file has no such table */
	char *repaired[TABLE_MAX_COLUMNS]; /* texts of the current row that were no UTF-8 */
};

/* Selects the columns of the schema in its order, NULL for those that the file lacks. NULL without memory. */
static char *select_statement(struct store *store, const struct table *t, int order)
{
	sqlite3_str *sql = sqlite3_str_new(store->db);

	sqlite3_str_appendall(sql, "SELECT ");
	for (int i = 0; i < t->ncolumns; i++) {
		const char *name = t->columns[i].name;

		if (store_has_column(store, t->name, name))
			sqlite3_str_appendf(sql, "%s\"%w\"", i == 0 ? "" : ", ", name);
		else
			sqlite3_str_appendall(sql, i == 0 ? "NULL" : ", NULL");
	}
	sqlite3_str_appendf(sql, " FROM main.\"%w\"", t->name);
	if (order >= 0 && store_has_column(store, t->name, t->columns[order].name))
		sqlite3_str_appendf(sql, " ORDER BY \"%w\"", t->columns[order].name);
	return sqlite3_str_finish(sql);
}

static bool has_names(const struct table *t)
{
	for (int i = 0; i < t->ncolumns; i++)
		if (t->columns[i].type == COLUMN_NAME)
			return true;
	return false;
}

static int prepare(struct store *store, struct cursor *cursor, int order, struct error *err)
{
	char *sql;
	int rc;

	if (has_names(cursor->table) && store_load_names(store, err) != 0)
		return -1;
	store_allow_work(store);
	sql = select_statement(store, cursor->table, order);
	if (sql == NULL)
		return path_memory_error(err, "read", store->path);
	rc = sqlite3_prepare_v2(store->db, sql, -1, &cursor->stmt, NULL);
	sqlite3_free(sql);
	return rc == SQLITE_OK ? 0 : store_error(store, err);
}

struct cursor *store_rows(struct store *store, enum table_id table, int order, struct error *err)
{
	struct cursor *cursor = calloc(1, sizeof *cursor);

	if (cursor == NULL) {
		path_memory_error(err, "read", store->path);
		return NULL;
	}
	cursor->store = store;
	cursor->table = schema_table(table);
	if (store_has(store, table) && prepare(store, cursor, order, err) != 0) {
		cursor_close(cursor);
		return NULL;
	}
	return cursor;
}

static void drop_repaired(struct cursor *cursor)
{
	for (int i = 0; i < TABLE_MAX_COLUMNS; i++) {
		free(cursor->repaired[i]);
		cursor->repaired[i] = NULL;
	}
}

/* Replaces texts that are no UTF-8 now, so that cursor_text() cannot fail for want of memory. */
static int repair_texts(struct cursor *cursor, struct error *err)
{
	for (int i = 0; i < cursor->table->ncolumns; i++) {
		const char *text;

		if (sqlite3_column_type(cursor->stmt, i) != SQLITE_TEXT)
			continue;
		text = (const char *)sqlite3_column_text(cursor->stmt, i);
		if (text != NULL && utf8_valid(text))
			continue;
		cursor->repaired[i] = text == NULL ? NULL : utf8_clean(text, strlen(text), NULL);
		if (cursor->repaired[i] == NULL)
			return path_memory_error(err, "read", cursor->store->path);
	}
	return 0;
}

int cursor_next(struct cursor *cursor, struct error *err)
{
	if (cursor->stmt == NULL)
		return 0;
	drop_repaired(cursor);
	switch (sqlite3_step(cursor->stmt)) {
	case SQLITE_ROW:
		return repair_texts(cursor, err) == 0 ? 1 : -1;
	case SQLITE_DONE:
		return 0;
	}
	return store_error(cursor->store, err);
}

void cursor_close(struct cursor *cursor)
{
	if (cursor == NULL)
		return;
	drop_repaired(cursor);
	sqlite3_finalize(cursor->stmt);
	free(cursor);
}

bool cursor_null(const struct cursor *cursor, int column)
{
	return sqlite3_column_type(cursor->stmt, column) == SQLITE_NULL;
}

int64_t cursor_int(const struct cursor *cursor, int column)
{
	return sqlite3_column_int64(cursor->stmt, column);
}

double cursor_real(const struct cursor *cursor, int column)
{
	return sqlite3_column_double(cursor->stmt, column);
}

const char *cursor_text(const struct cursor *cursor, int column)
{
	int type = sqlite3_column_type(cursor->stmt, column);

	if (cursor->repaired[column] != NULL)
		return cursor->repaired[column];
	if (cursor->table->columns[column].type == COLUMN_NAME && type == SQLITE_INTEGER)
		return store_name(cursor->store, sqlite3_column_int64(cursor->stmt, column));
	return type == SQLITE_BLOB ? NULL : (const char *)sqlite3_column_text(cursor->stmt, column);
}
