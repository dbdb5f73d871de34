/* recording-rows.c: makes the tables of the schema and writes their rows. */
#include "store/recording-private.h"

#include <stdlib.h>
#include <string.h>

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
	rc = recording_exec(rec, text, err);
	sqlite3_free(text);
	return rc;
}

static uint64_t time_columns(const struct table *t)
{
	static const char *const times[] = {"start", "end", "timestamp"};
	uint64_t bits = 0;

	for (int i = 0; i < t->ncolumns; i++)
		for (size_t k = 0; k < sizeof(times) / sizeof(*times); k++)
			if (strcmp(t->columns[i].name, times[k]) == 0)
				bits |= UINT64_C(1) << i;
	return bits;
}

static uint64_t user_columns(enum table_id id)
{
	switch (id) {
	case TABLE_KERNEL:
		return UINT64_C(1) << KERNEL_deviceId | UINT64_C(1) << KERNEL_globalPid;
	case TABLE_MEMCPY:
		return UINT64_C(1) << MEMCPY_deviceId | UINT64_C(1) << MEMCPY_globalPid;
	case TABLE_MEMSET:
		return UINT64_C(1) << MEMSET_deviceId | UINT64_C(1) << MEMSET_globalPid;
	default:
		return 0;
	}
}

int recording_statement(struct recording *rec, enum table_id id, int rows, sqlite3_stmt **statement, struct error *err)
{
	const struct table *t = schema_table(id);
	sqlite3_str *sql = sqlite3_str_new(rec->db);
	char *text;
	int rc;

	/* The one table with a key: a fact that is told again replaces the old one. */
	sqlite3_str_appendf(sql, "INSERT %sINTO \"%w\" VALUES ", id == TABLE_META ? "OR REPLACE " : "", t->name);
	for (int i = 0; i < rows * t->ncolumns; i++)
		sqlite3_str_appendall(sql, i == 0 ? "(?" : i % t->ncolumns == 0 ? "),(?" : ",?");
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	rc = sqlite3_prepare_v2(rec->db, text, -1, statement, NULL);
	sqlite3_free(text);
	return rc == SQLITE_OK ? 0 : recording_error(rec, err);
}

int recording_prepare(struct recording *rec, enum table_id id, struct error *err)
{
	if (rec->insert[id])
		return 0;
	rec->is_time[id] = time_columns(schema_table(id));
	rec->is_user[id] = user_columns(id);
	if (recording_make_table(rec, id, err) != 0)
		return -1;
	return recording_statement(rec, id, 1, &rec->insert[id], err);
}

int recording_run(struct recording *rec, sqlite3_stmt *stmt, struct error *err)
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

int recording_step(struct recording *rec, enum table_id id, struct error *err)
{
	return recording_run(rec, rec->insert[id], err);
}

/* Binds text, which must live until the statement has run. The text of a traced program may be no UTF-8. */
static int bind_text(sqlite3_stmt *stmt, int at, const char *text, bool clean)
{
	if (clean)
		return sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
	return sqlite3_bind_text(stmt, at, utf8_clean(text, strlen(text), NULL), -1, free);
}

/* The id of a name in StringIds, put there when new. 0 on error. */
static int64_t name_id(struct recording *rec, const char *name, struct error *err)
{
	bool is_new;
	int64_t id = intern_id(rec->names, name, &is_new);

	if (id != 0 && !is_new)
		return id;
	if (id == 0)
		id = UINT32_MAX + ++rec->unshared_names;
	if (sqlite3_bind_int64(rec->insert_name, 1, id) != SQLITE_OK ||
		bind_text(rec->insert_name, 2, name, utf8_valid(name)) != SQLITE_OK) {
		recording_error(rec, err);
		return 0;
	}
	return recording_run(rec, rec->insert_name, err) == 0 ? id : 0;
}

static int resolve_name(
	struct recording *rec, const char *name, struct known_text *known, struct value *out, struct error *err)
{
	int64_t id = known && known->name != 0 ? known->name : name_id(rec, name, err);

	if (id == 0)
		return -1;
	if (known)
		known->name = id;
	*out = VALUE_OF_INT(id);
	return 0;
}

static bool is_clean(const char *text, struct known_text *known)
{
	bool clean = (known && known->valid) || utf8_valid(text);

	if (known)
		known->valid = clean;
	return clean;
}

int recording_resolve(struct recording *rec, enum table_id id, int column, const struct value *value,
	struct known_text *known, struct value *out, bool *clean, struct error *err)
{
	*clean = false;
	*out = *value;
	if (value_is_null(value))
		out->kind = VALUE_NULL;
	else if (schema_table(id)->columns[column].type == COLUMN_NAME)
		return resolve_name(rec, value->text, known, out, err);
	else if (value->kind == VALUE_TEXT)
		*clean = is_clean(value->text, known);
	else if (value->kind == VALUE_INT && (rec->is_time[id] >> column & 1) != 0 &&
		 __builtin_sub_overflow(value->integer, rec->epoch_ns, &out->integer))
		return error_set(err, "cannot write %s: a time in %s is out of range: record again", rec->path,
			schema_table(id)->name);
	return 0;
}

int recording_put(struct recording *rec, sqlite3_stmt *statement, int at, const struct value *value, bool clean,
	struct error *err)
{
	int rc = SQLITE_OK;

	switch (value->kind) {
	case VALUE_NULL:
		rc = sqlite3_bind_null(statement, at);
		break;
	case VALUE_INT:
		rc = sqlite3_bind_int64(statement, at, value->integer);
		break;
	case VALUE_REAL:
		rc = sqlite3_bind_double(statement, at, value->real);
		break;
	case VALUE_TEXT:
		rc = bind_text(statement, at, value->text, clean);
		break;
	}
	return rc == SQLITE_OK ? 0 : recording_error(rec, err);
}

static int bind_row(struct recording *rec, enum table_id table, const struct value *row, struct error *err)
{
	for (int i = 0; i < schema_table(table)->ncolumns; i++) {
		struct value cell;
		bool clean;

		if (recording_resolve(rec, table, i, &row[i], NULL, &cell, &clean, err) != 0 ||
			recording_put(rec, rec->insert[table], i + 1, &cell, clean, err) != 0)
			return -1;
	}
	return 0;
}

int recording_row(struct recording *rec, enum table_id table, const struct value *row, struct error *err)
{
	if (row_check(table, row, err) != 0 || recording_prepare(rec, table, err) != 0)
		return -1;
	if (bind_row(rec, table, row, err) != 0)
		return -1;
	if (rec->is_user[table] != 0)
		recording_note_user(rec, table, row);
	return recording_step(rec, table, err);
}

int recording_meta(struct recording *rec, const char *key, const char *value, struct error *err)
{
	const struct value row[META_NUMBER] = {[META_key] = VALUE_OF_TEXT(key), [META_value] = VALUE_OF_TEXT(value)};

	return recording_row(rec, TABLE_META, row, err);
}
