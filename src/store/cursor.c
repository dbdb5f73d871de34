/* cursor.c: reads the rows of one table. The file may lack columns, or have names in another form. */
#include "store/store-private.h"

#include <stdlib.h>
#include <string.h>

#include "store/event.h"
#include "store/redact/redact.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/utf8.h"

struct cursor {
	struct store *store;
	enum table_id id;
	const struct table *table;
	sqlite3_stmt *stmt;                /* at the row, if there is one */
	struct sorted *sorted;             /* NULL: `stmt` gives the rows in the file's order, and is the cursor's */
	int column[TABLE_MAX_COLUMNS];     /* those that are read, as the statement has them */
	int ncolumns;                      /* how many */
	int at[TABLE_MAX_COLUMNS];         /* where in the statement a column is */
	int type[TABLE_MAX_COLUMNS];       /* of the current row; SQLITE_NULL for columns that are not read */
	bool is_repaired;                  /* the current row has such texts: */
	char *repaired[TABLE_MAX_COLUMNS]; /* texts of the current row that were no UTF-8 */
};

/* What is wanted of a table. */
struct selection {
	enum table_id table;
	int order;          /* column to sort by, or -1 */
	const int *columns; /* NULL: all */
	size_t ncolumns;
	bool numbered; /* rows by their numbers, which come behind the columns */
};

static bool cursor_wanted(const struct selection *selection, int column)
{
	for (size_t i = 0; i < selection->ncolumns; i++)
		if (selection->columns[i] == column)
			return true;
	return !selection->columns;
}

const char *store_name_in_file(struct store *store, enum table_id table, int column)
{
	const char *name = schema_table(table)->columns[column].name, *old = old_column_name(table, column);

	if (store_has_column(store, store->name[table], name))
		return name;
	return old && store_has_column(store, store->name[table], old) ? old : NULL;
}

/* Exports that were made of old reports have the new column for the kind of a synchronisation, but 0 (unknown) in it:
 * the old column is read then. */
bool store_is_composed(struct store *store, enum table_id table, int column)
{
	const char *old = old_column_name(table, column);

	return table == TABLE_SYNCHRONIZATION && old && store_name_in_file(store, table, column) != old &&
	       store_has_column(store, store->name[table], old);
}

/* One column of the SELECT. */
static void append_column(sqlite3_str *sql, struct store *store, enum table_id table, int column)
{
	const char *name = store_name_in_file(store, table, column), *old = old_column_name(table, column);

	if (!name)
		sqlite3_str_appendall(sql, "NULL");
	else if (store_is_composed(store, table, column))
		sqlite3_str_appendf(sql, "coalesce(nullif(\"%w\", 0), \"%w\", \"%w\")", name, old, name);
	else
		sqlite3_str_appendf(sql, "\"%w\"", name);
}

/* The wanted columns in the schema's order. NULL stands for one that the file lacks. */
static char *selected_columns(struct store *store, struct cursor *cursor, const struct selection *selection)
{
	sqlite3_str *sql = sqlite3_str_new(store->db);

	for (int i = 0; i < cursor->table->ncolumns; i++) {
		cursor->type[i] = SQLITE_NULL;
		if (!cursor_wanted(selection, i))
			continue;
		if (cursor->ncolumns > 0)
			sqlite3_str_appendall(sql, ", ");
		append_column(sql, store, selection->table, i);
		cursor->at[i] = cursor->ncolumns;
		cursor->column[cursor->ncolumns++] = i;
	}
	return sqlite3_str_finish(sql);
}

static bool has_names(const struct table *t)
{
	for (int i = 0; i < t->ncolumns; i++)
		if (t->columns[i].type == COLUMN_NAME)
			return true;
	return false;
}

/* In the file's order. */
static int select_as_it_is(struct cursor *cursor, const char *table, const char *columns, struct error *err)
{
	struct store *store = cursor->store;
	char *sql = sqlite3_mprintf("SELECT %s FROM main.\"%w\" NOT INDEXED", columns, table);
	int rc;

	store_allow_work(store);
	rc = sqlite3_prepare_v2(store->db, sql, -1, &cursor->stmt, NULL);
	sqlite3_free(sql);
	return rc == SQLITE_OK ? 0 : store_error(store, err);
}

/* By their numbers, which cursor_between() gives. */
static int select_numbered(struct cursor *cursor, const char *table, const char *columns, struct error *err)
{
	struct store *store = cursor->store;
	const char *number = store_number_name(store, table);
	char *sql;
	int rc;

	if (!number)
		return error_set(
			err, "%s is damaged: the rows of %s have no numbers: record again", store->path, table);
	sql = sqlite3_mprintf("SELECT %s, %s FROM main.\"%w\" NOT INDEXED WHERE %s BETWEEN ? AND ? ORDER BY %s",
		columns, number, table, number, number);
	store_allow_work(store);
	rc = sqlite3_prepare_v2(store->db, sql, -1, &cursor->stmt, NULL);
	sqlite3_free(sql);
	return rc == SQLITE_OK ? 0 : store_error(store, err);
}

static int select_sorted(
	struct cursor *cursor, const char *table, const char *order, const char *columns, struct error *err)
{
	cursor->sorted = sorted_open(cursor->store, table, order, columns, err);
	return !cursor->sorted ? -1 : 0;
}

static int select_rows(struct cursor *cursor, const struct selection *selection, struct error *err)
{
	struct store *store = cursor->store;
	const char *order = selection->order < 0 ? NULL : store_name_in_file(store, selection->table, selection->order);
	const char *table = store->name[selection->table];
	char *columns;
	int rc;

	if (has_names(cursor->table) && store_load_names(store, err) != 0)
		return -1;
	columns = selected_columns(store, cursor, selection);
	if (selection->numbered)
		rc = select_numbered(cursor, table, columns, err);
	else if (order)
		rc = select_sorted(cursor, table, order, columns, err);
	else
		rc = select_as_it_is(cursor, table, columns, err);
	sqlite3_free(columns);
	return rc;
}

static struct cursor *open_cursor(struct store *store, const struct selection *selection, struct error *err)
{
	struct cursor *cursor = xcalloc(1, sizeof(*cursor));

	cursor->store = store;
	cursor->id = selection->table;
	cursor->table = schema_table(selection->table);
	if (store_has(store, selection->table) && select_rows(cursor, selection, err) != 0) {
		cursor_close(cursor);
		return NULL;
	}
	return cursor;
}

struct cursor *store_rows(struct store *store, enum table_id table, int order, struct error *err)
{
	return open_cursor(store, &(struct selection){.table = table, .order = order}, err);
}

struct cursor *store_columns(struct store *store, enum table_id table, const int *columns, size_t n, struct error *err)
{
	return open_cursor(store, &(struct selection){table, -1, columns, n, false}, err);
}

struct cursor *store_numbered(struct store *store, enum table_id table, const int *columns, size_t n, struct error *err)
{
	return open_cursor(store, &(struct selection){table, -1, columns, n, true}, err);
}

int cursor_between(struct cursor *cursor, int64_t first, int64_t last, struct error *err)
{
	sqlite3_reset(cursor->stmt);
	store_allow_search(cursor->store);
	if (sqlite3_bind_int64(cursor->stmt, 1, first) != SQLITE_OK ||
		sqlite3_bind_int64(cursor->stmt, 2, last) != SQLITE_OK)
		return store_error(cursor->store, err);
	return 0;
}

int64_t cursor_number(const struct cursor *cursor)
{
	return sqlite3_column_int64(cursor->stmt, cursor->ncolumns);
}

static void drop_repaired(struct cursor *cursor)
{
	for (int i = 0; i < TABLE_MAX_COLUMNS && cursor->is_repaired; i++) {
		free(cursor->repaired[i]);
		cursor->repaired[i] = NULL;
	}
	cursor->is_repaired = false;
}

enum { MOST_BYTES = 4096 };

bool store_is_long(const char *text)
{
	return strnlen(text, MOST_BYTES + 1) > MOST_BYTES;
}

char *store_cut(const char *text)
{
	char cut[MOST_BYTES + sizeof "..."];

	clip_print(cut, MOST_BYTES + 1, "%s", text);
	clip_append(cut, sizeof(cut), "...");
	return utf8_clean(cut, strlen(cut), NULL);
}

char *store_mended(enum table_id table, const char *text)
{
	bool whole = table == TABLE_SOURCE || table == TABLE_PTX;

	if (text && !whole && store_is_long(text))
		return store_cut(text);
	return !text || utf8_valid(text) ? NULL : utf8_clean(text, strlen(text), NULL);
}

/* Counts the row, and replaces texts that are long or no UTF-8. */
static int repair_texts(struct cursor *cursor, struct error *err)
{
	int64_t bytes = 0;

	for (int k = 0; k < cursor->ncolumns; k++) {
		int i = cursor->column[k], type = sqlite3_column_type(cursor->stmt, k);

		cursor->type[i] = type;
		if (type == SQLITE_BLOB)
			bytes += sqlite3_column_bytes(cursor->stmt, k);
		if (type != SQLITE_TEXT)
			continue;
		cursor->repaired[i] = store_mended(cursor->id, (const char *)sqlite3_column_text(cursor->stmt, k));
		cursor->is_repaired = cursor->is_repaired || cursor->repaired[i];
		bytes += sqlite3_column_bytes(cursor->stmt, k);
	}
	return store_count_row(cursor->store, bytes, err);
}

static int next_as_it_is(struct cursor *cursor, struct error *err)
{
	switch (sqlite3_step(cursor->stmt)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	}
	return store_error(cursor->store, err);
}

int cursor_next(struct cursor *cursor, struct error *err)
{
	int got;

	if (cursor->store->late.text[0] != '\0')
		return error_system(err, "%s", cursor->store->late.text);
	if (!cursor->stmt && !cursor->sorted)
		return 0;
	drop_repaired(cursor);
	got = cursor->sorted ? sorted_next(cursor->sorted, &cursor->stmt, err) : next_as_it_is(cursor, err);
	return got == 1 && repair_texts(cursor, err) != 0 ? -1 : got;
}

void cursor_close(struct cursor *cursor)
{
	if (!cursor)
		return;
	drop_repaired(cursor);
	if (!cursor->sorted)
		sqlite3_finalize(cursor->stmt);
	sorted_close(cursor->sorted);
	free(cursor);
}

/* Bytes where the schema has a number, or a text that says none. */
static bool is_no_number(const struct cursor *cursor, int column)
{
	enum column_type type = cursor->table->columns[column].type;
	int found = cursor->type[column];
	const char *text;
	char *end;

	if ((type != COLUMN_INT && type != COLUMN_REAL) || (found != SQLITE_TEXT && found != SQLITE_BLOB))
		return false;
	if (found == SQLITE_BLOB)
		return true;
	text = (const char *)sqlite3_column_text(cursor->stmt, cursor->at[column]);
	if (!text || text[0] == '\0')
		return true;
	strtod(text, &end);
	return *end != '\0';
}

bool cursor_null(const struct cursor *cursor, int column)
{
	return cursor->type[column] == SQLITE_NULL || is_no_number(cursor, column);
}

int64_t cursor_time(const struct cursor *cursor, int column)
{
	return cursor_null(cursor, column) ? TIME_NONE : sqlite3_column_int64(cursor->stmt, cursor->at[column]);
}

int64_t cursor_int(const struct cursor *cursor, int column)
{
	return cursor_null(cursor, column) ? 0 : sqlite3_column_int64(cursor->stmt, cursor->at[column]);
}

int64_t cursor_scanned(const struct cursor *cursor, int column)
{
	return is_no_number(cursor, column) ? TIME_NONE : cursor_int(cursor, column);
}

double cursor_real(const struct cursor *cursor, int column)
{
	return cursor_null(cursor, column) ? 0 : sqlite3_column_double(cursor->stmt, cursor->at[column]);
}

const char *cursor_text_in_file(const struct cursor *cursor, int column)
{
	int type = cursor->type[column], at = cursor->at[column];

	if (cursor->repaired[column])
		return cursor->repaired[column];
	if (cursor->table->columns[column].type == COLUMN_NAME && type == SQLITE_INTEGER)
		return store_name(cursor->store, sqlite3_column_int64(cursor->stmt, at));
	return type == SQLITE_BLOB || type == SQLITE_NULL ? NULL : (const char *)sqlite3_column_text(cursor->stmt, at);
}

static int column_called(const struct table *table, const char *name)
{
	for (int i = 0; i < table->ncolumns; i++)
		if (strcmp(table->columns[i].name, name) == 0)
			return i;
	return -1;
}

/* The column that says what rows of the table belong to, and the one that says what they are called: of a family, of a
 * metric set, of what belongs to a family. */
static void columns_of_owner(const struct cursor *cursor, int *owner, int *name)
{
	*owner = column_called(cursor->table, "family");
	*name = column_called(cursor->table, "name");
	if (cursor->id == TABLE_FAMILY)
		*owner = *name;
	if (cursor->id == TABLE_METRIC) {
		*owner = METRIC_setName;
		*name = METRIC_key;
	}
}

/* A title may become what the row is called, which is redacted too. */
static const char *redacted_text(const struct cursor *cursor, int column, const char *text)
{
	struct redaction *redaction = cursor->store->redaction;
	struct redact_cell cell = {.table = cursor->id, .column = column, .text = text};
	int owner, name;

	if (!redact_looks_at_row(cursor->id, column))
		return redact_text(redaction, &cell);
	columns_of_owner(cursor, &owner, &name);
	cell.owner = owner < 0 ? NULL : cursor_text_in_file(cursor, owner);
	if (name >= 0 && cursor_text_in_file(cursor, name)) {
		const struct redact_cell called = {cursor->id, name, cursor_text_in_file(cursor, name), NULL, NULL};

		cell.name = redact_text(redaction, &called);
	}
	return redact_text(redaction, &cell);
}

const char *cursor_text(const struct cursor *cursor, int column)
{
	const char *text = cursor_text_in_file(cursor, column);

	return text && cursor->store->redaction ? redacted_text(cursor, column, text) : text;
}

/* The same text may be handed out as different names in different columns of a redacted recording. */
bool cursor_name_id(const struct cursor *cursor, int column, int64_t *id)
{
	if (cursor->store->redaction || cursor->table->columns[column].type != COLUMN_NAME ||
		cursor->type[column] != SQLITE_INTEGER)
		return false;
	*id = cursor_int(cursor, column);
	return true;
}
