/* recording-rows.c: makes the tables of the schema and writes their rows. */
#include "store/recording-private.h"

#include <stdlib.h>
#include <string.h>

#include "store/path.h"
#include "store/row.h"
#include "util/utf8.h"

static const char *sql_type(enum column_type type)
{
	switch (type) {
	case COLUMN_REAL:
		return "REAL";
	case COLUMN_TEXT:
		return "TEXT";
	case COLUMN_INT:
	case COLUMN_NAME:
		break;
	}
	return "INTEGER";
}

int recording_make_table(struct recording *rec, enum table_id id, struct error *err)
{
	const struct table *t = schema_table(id);
	sqlite3_str *sql = sqlite3_str_new(rec->db);
	char *text;
	int rc;

	sqlite3_str_appendf(sql, "CREATE TABLE IF NOT EXISTS \"%w\" (", t->name);
	for (int i = 0; i < t->ncolumns; i++) {
		const struct column *column = &t->columns[i];

		sqlite3_str_appendf(sql, "%s\"%w\" %s", i == 0 ? "" : ", ", column->name, sql_type(column->type));
	}
	sqlite3_str_appendall(sql, id == TABLE_META ? ", UNIQUE (\"key\"))" : ")");
	text = sqlite3_str_finish(sql);
	if (text == NULL)
		return path_memory_error(err, "write", rec->path);
	rc = recording_exec(rec, text, err);
	sqlite3_free(text);
	return rc;
}

static uint64_t time_columns(const struct table *t)
{
	static const char *const times[] = {"start", "end", "timestamp"};
	uint64_t bits = 0;

	for (int i = 0; i < t->ncolumns; i++)
		for (size_t k = 0; k < sizeof times / sizeof *times; k++)
			if (strcmp(t->columns[i].name, times[k]) == 0)
				bits |= UINT64_C(1) << i;
	return bits;
}

/* "OR REPLACE" matters to DBPROF_META only, the one table with a key. */
static int prepare_insert(struct recording *rec, enum table_id id, struct error *err)
{
	const struct table *t = schema_table(id);
	sqlite3_str *sql = sqlite3_str_new(rec->db);
	char *text;
	int rc;

	sqlite3_str_appendf(sql, "INSERT OR REPLACE INTO \"%w\" VALUES (", t->name);
	for (int i = 0; i < t->ncolumns; i++)
		sqlite3_str_appendall(sql, i == 0 ? "?" : ",?");
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	if (text == NULL)
		return path_memory_error(err, "write", rec->path);
	rc = sqlite3_prepare_v2(rec->db, text, -1, &rec->insert[id], NULL);
	sqlite3_free(text);
	rec->is_time[id] = time_columns(t);
	return rc == SQLITE_OK ? 0 : recording_error(rec, err);
}

/* Steps a statement that gives no rows and makes it ready for the next. */
static int run(struct recording *rec, sqlite3_stmt *stmt, struct error *err)
{
	int rc = sqlite3_step(stmt);

	if (rc == SQLITE_DONE) {
		sqlite3_reset(stmt);
		return 0;
	}
	recording_error(rec, err);
	sqlite3_reset(stmt);
	return -1;
}

/* Binds text, which must live until the statement has run; text of a traced program may be anything. */
static int bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
	char *repaired;

	if (utf8_valid(text))
		return sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
	repaired = utf8_clean(text, strlen(text), NULL);
	return repaired == NULL ? SQLITE_NOMEM : sqlite3_bind_text(stmt, at, repaired, -1, free);
}

/* The id of a name in StringIds, put there when new. 0 on error. */
static int64_t name_id(struct recording *rec, const char *name, struct error *err)
{
	bool is_new;
	int64_t id = intern_id(rec->names, name, &is_new);

	if (id == 0) {
		path_memory_error(err, "write", rec->path);
		return 0;
	}
	if (!is_new)
		return id;
	if (sqlite3_bind_int64(rec->insert_name, 1, id) != SQLITE_OK ||
		bind_text(rec->insert_name, 2, name) != SQLITE_OK) {
		recording_error(rec, err);
		return 0;
	}
	return run(rec, rec->insert_name, err) == 0 ? id : 0;
}

static int bind_value(struct recording *rec, enum table_id id, int column, const struct value *value, struct error *err)
{
	sqlite3_stmt *stmt = rec->insert[id];
	int at = column + 1;
	int64_t integer;
	int rc = SQLITE_OK;

	if (value_is_null(value)) {
		rc = sqlite3_bind_null(stmt, at);
	} else if (schema_table(id)->columns[column].type == COLUMN_NAME) {
		integer = name_id(rec, value->text, err);
		if (integer == 0)
			return -1;
		rc = sqlite3_bind_int64(stmt, at, integer);
	} else if (value->kind == VALUE_TEXT) {
		rc = bind_text(stmt, at, value->text);
	} else if (value->kind == VALUE_REAL) {
		rc = sqlite3_bind_double(stmt, at, value->real);
	} else {
		integer = value->integer;
		if ((rec->is_time[id] >> column & 1) != 0 && __builtin_sub_overflow(integer, rec->epoch_ns, &integer))
			return error_set(err, "cannot write %s: a time in %s is out of range: record again", rec->path,
				schema_table(id)->name);
		rc = sqlite3_bind_int64(stmt, at, integer);
	}
	return rc == SQLITE_OK ? 0 : recording_error(rec, err);
}

int recording_row(struct recording *rec, enum table_id table, const struct value *row, struct error *err)
{
	if (row_check(table, row, err) != 0)
		return -1;
	if (rec->insert[table] == NULL &&
		(recording_make_table(rec, table, err) != 0 || prepare_insert(rec, table, err) != 0))
		return -1;
	for (int i = 0; i < schema_table(table)->ncolumns; i++)
		if (bind_value(rec, table, i, &row[i], err) != 0)
			return -1;
	return run(rec, rec->insert[table], err);
}

int recording_meta(struct recording *rec, const char *key, const char *value, struct error *err)
{
	const struct value row[META_NUMBER] = {[META_key] = VALUE_OF_TEXT(key), [META_value] = VALUE_OF_TEXT(value)};

	return recording_row(rec, TABLE_META, row, err);
}
