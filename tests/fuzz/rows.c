/* rows.c: see rows.h. */
#include "rows.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "fuzz.h"
#include "rows-private.h"
#include "store/schema.h"

enum { MAX_TABLES = 96, MAX_COPIES = 5000, MAX_ROWS = 20000 };

static const char *const short_names[TABLES_NUMBER] = {
#define TABLE(id, sql, columns) #id,
	TABLES(TABLE)
#undef TABLE
};

struct making {
	sqlite3 *db;
	struct made_table *tables;
	int ntables;
	int rows; /* so far */
};

const char *rows_table_name(int table)
{
	return short_names[table];
}

int rows_table(const char *name, size_t length)
{
	for (int i = 0; i < TABLES_NUMBER; i++)
		if (rows_same(short_names[i], name, length) ||
			rows_same(schema_table((enum table_id)i)->name, name, length))
			return i;
	return -1;
}

/* ---- tables and columns ---- */

static struct made_table *find_table(struct making *making, const char *word, size_t length)
{
	int id = rows_table(word, length);
	struct made_table *t;

	if (id >= 0) {
		word = schema_table((enum table_id)id)->name;
		length = strlen(word);
	}
	for (int i = 0; i < making->ntables; i++)
		if (rows_same(making->tables[i].name, word, length))
			return &making->tables[i];
	if (making->ntables == MAX_TABLES || length == 0)
		return NULL;
	t = &making->tables[making->ntables++];
	memcpy(t->name, word, length);
	for (int i = 0; id >= 0 && i < schema_table((enum table_id)id)->ncolumns; i++) {
		const struct column *column = &schema_table((enum table_id)id)->columns[i];

		(void)rows_column(t, column->name, strlen(column->name));
		strcpy(t->types[i], column->type == COLUMN_REAL   ? "REAL"
				    : column->type == COLUMN_TEXT ? "TEXT"
								  : "INT");
	}
	return t;
}

static void take_lacking(struct making *making, const char *at)
{
	size_t n = rows_name_length(at);
	struct made_table *t = find_table(making, at, n);

	for (at += n; t != NULL && *at == ' '; at += n) {
		int column;

		n = rows_name_length(++at);
		column = rows_column(t, at, n);
		if (column >= 0)
			t->lacks[column] = true;
	}
}

static void take_type(struct making *making, const char *at)
{
	size_t n = rows_name_length(at);
	struct made_table *t = find_table(making, at, n);

	for (at += n; t != NULL && *at == ' '; at += n) {
		int column;

		n = rows_name_length(++at);
		column = rows_column(t, at, n);
		if (column < 0 || at[n] != '=')
			return;
		at += n + 1;
		n = rows_name_length(at);
		memcpy(t->types[column], at, n);
		t->types[column][n] = '\0';
	}
}

/* ---- SQL ---- */

/* Nothing outside of the file, and no end to the file's own means. */
static int authorize(void *user, int action, const char *a, const char *b, const char *c, const char *d)
{
	static const char *const harmless[] = {
		"encoding", "page_size", "auto_vacuum", "user_version", "application_id"};

	(void)user, (void)b, (void)c, (void)d;
	if (action == SQLITE_ATTACH || action == SQLITE_DETACH || action == SQLITE_CREATE_VTABLE)
		return SQLITE_DENY;
	for (size_t i = 0; action == SQLITE_PRAGMA && i < sizeof harmless / sizeof *harmless; i++)
		if (a != NULL && strcasecmp(a, harmless[i]) == 0)
			return SQLITE_OK;
	return action == SQLITE_PRAGMA ? SQLITE_DENY : SQLITE_OK;
}

static int too_long(void *user)
{
	int *left = user;

	return (*left)-- <= 0;
}

/* Errors are the input's, and none of ours. */
static void run_hostile(struct making *making, const char *sql)
{
	int left = 10;

	sqlite3_set_authorizer(making->db, authorize, NULL);
	sqlite3_progress_handler(making->db, 10000, too_long, &left);
	(void)sqlite3_exec(making->db, sql, NULL, NULL, NULL);
	sqlite3_progress_handler(making->db, 0, NULL, NULL);
	sqlite3_set_authorizer(making->db, NULL, NULL);
}

/* A table of that name may be there already, made by the input's SQL. */
static void create_table(struct making *making, const struct made_table *t)
{
	sqlite3_str *sql = sqlite3_str_new(making->db);
	char *text;
	int n = 0;

	sqlite3_str_appendf(sql, "CREATE TABLE \"%w\" (", t->name);
	for (int i = 0; i < t->ncolumns; i++)
		if (!t->lacks[i])
			sqlite3_str_appendf(sql, "%s\"%w\" %s", n++ == 0 ? "" : ", ", t->columns[i], t->types[i]);
	sqlite3_str_appendall(sql, n == 0 ? "nothing)" : ")");
	text = sqlite3_str_finish(sql);
	(void)sqlite3_exec(making->db, text, NULL, NULL, NULL);
	sqlite3_free(text);
}

static sqlite3_stmt *prepare_insert(struct making *making, const struct made_table *t, const struct cell *cells, int n)
{
	sqlite3_str *sql = sqlite3_str_new(making->db);
	sqlite3_stmt *stmt = NULL;
	char *text;

	sqlite3_str_appendf(sql, "INSERT INTO \"%w\" (", t->name);
	for (int i = 0; i < n; i++)
		sqlite3_str_appendf(sql, "%s\"%w\"", i == 0 ? "" : ", ", t->columns[cells[i].column]);
	sqlite3_str_appendall(sql, ") VALUES (");
	for (int i = 0; i < n; i++)
		sqlite3_str_appendall(sql, i == 0 ? "?" : ", ?");
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	(void)sqlite3_prepare_v2(making->db, text, -1, &stmt, NULL);
	sqlite3_free(text);
	return stmt;
}

static bool moves(const char *column)
{
	return strcmp(column, "start") == 0 || strcmp(column, "end") == 0 || strcmp(column, "timestamp") == 0 ||
	       strcmp(column, "correlationId") == 0;
}

static void bind(sqlite3_stmt *stmt, int at, const struct cell *cell, uint64_t later)
{
	switch (cell->kind) {
	case CELL_TEXT:
		(void)sqlite3_bind_text(stmt, at, cell->text, (int)cell->size, SQLITE_STATIC);
		break;
	case CELL_BLOB:
		(void)sqlite3_bind_blob(stmt, at, cell->text, (int)cell->size, SQLITE_STATIC);
		break;
	case CELL_INT:
		(void)sqlite3_bind_int64(stmt, at, (int64_t)((uint64_t)cell->integer + later));
		break;
	case CELL_REAL:
		(void)sqlite3_bind_double(stmt, at, cell->real);
		break;
	}
}

static void insert(
	struct making *making, const struct made_table *t, const struct cell *cells, int n, int copies, int64_t step)
{
	sqlite3_stmt *stmt = n == 0 ? NULL : prepare_insert(making, t, cells, n);

	for (int k = 0; stmt != NULL && k < copies && making->rows < MAX_ROWS; k++, making->rows++) {
		for (int i = 0; i < n; i++)
			bind(stmt, i + 1, &cells[i],
				moves(t->columns[cells[i].column]) ? (uint64_t)k * (uint64_t)step : 0);
		(void)sqlite3_step(stmt);
		(void)sqlite3_reset(stmt);
	}
	(void)sqlite3_finalize(stmt);
}

/* ---- lines ---- */

/* "*100+5 " in front of a row. Returns where the row begins. */
static char *take_copies(char *line, int *copies, int64_t *step)
{
	*copies = 1;
	*step = 0;
	if (*line != '*')
		return line;
	*copies = (int)strtoul(line + 1, &line, 10) % (MAX_COPIES + 1);
	if (*line == '+' || *line == '-')
		*step = strtoll(line, &line, 10);
	return line + strspn(line, " ");
}

static void take_row(struct making *making, char *line, bool fill)
{
	struct cell cells[MAX_COLUMNS];
	struct made_table *t;
	int64_t step;
	int copies, n;

	line = take_copies(line, &copies, &step);
	t = find_table(making, line, rows_name_length(line));
	if (t == NULL)
		return;
	n = rows_cells(t, line + rows_name_length(line), cells);
	if (fill)
		insert(making, t, cells, n, copies, step);
}

/* The tables have to be known before the first row goes in, so that the lines are looked at twice. */
static void take_line(struct making *making, char *line, bool fill)
{
	if (*line == '-' && !fill)
		take_lacking(making, line + 1);
	else if (*line == '~' && !fill)
		take_type(making, line + 1);
	else if (*line == '!' && (strncasecmp(line + 1, "PRAGMA", 6) == 0) != fill)
		run_hostile(making, line + 1);
	else if (*line != '-' && *line != '~' && *line != '!')
		take_row(making, line, fill);
}

static void take_lines(struct making *making, const uint8_t *data, size_t size, bool fill)
{
	char *text = fuzz_text(data, size), *end = text + size;

	for (char *line = text, *next; line < end; line = next) {
		next = line + strcspn(line, "\n");
		*next++ = '\0';
		take_line(making, line, fill);
	}
	free(text);
}

static void fill_database(struct making *making, const uint8_t *text, size_t size)
{
	(void)sqlite3_exec(
		making->db, "PRAGMA page_size=512; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF", NULL, NULL, NULL);
	(void)sqlite3_limit(making->db, SQLITE_LIMIT_LENGTH, 1 << 20);
	(void)sqlite3_db_config(making->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	take_lines(making, text, size, false);
	(void)sqlite3_exec(making->db, "BEGIN", NULL, NULL, NULL);
	for (int i = 0; i < making->ntables; i++)
		create_table(making, &making->tables[i]);
	take_lines(making, text, size, true);
	(void)sqlite3_exec(making->db, "COMMIT", NULL, NULL, NULL);
}

bool rows_make(const char *path, const uint8_t *text, size_t size)
{
	struct making making = {.tables = calloc(MAX_TABLES, sizeof *making.tables)};

	fuzz_check(making.tables != NULL, "out of memory");
	unlink(path);
	fuzz_check(sqlite3_open(path, &making.db) == SQLITE_OK, "cannot make the database");
	fill_database(&making, text, size);
	free(making.tables);
	return sqlite3_close(making.db) == SQLITE_OK;
}
