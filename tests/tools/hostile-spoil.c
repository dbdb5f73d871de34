/*
 * hostile-spoil.c: puts hostile texts into every place of a recording or an export that holds text, in place.
 * usage: hostile-spoil FILE SHIFT PHASE PLACES.json
 *
 * A place is a distinct text, wherever it stands: the name of a family is one in all tables. Place p gets text
 * p + SHIFT of the list, so that as many shifts as there are texts bring each text to each place. Texts that dbprof
 * acts on (the name of a pass, of an enumeration) are places by column, of which every fourth is spoiled, beginning at
 * PHASE, so that others keep their meaning; without them there is little to report. PHASE 4 spoils none of these.
 *
 * SHIFT -1 puts harmless texts there, "harmless0" and so on: what dbprof writes of these shows where a place ends up.
 *
 * PLACES.json gets {"places": [{"is", "text"} ...]} for the places of names ("is" as a reader must see it), in the
 * order of their numbers, and standard output the number of all places that were spoiled.
 */
#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/hostile-texts.h"

enum { MEGABYTE = 1000000, PHASES = 4, MAX_COLUMNS = 2000, MARKED_LINES = 3 };

/* Columns of text that dbprof acts on; NULL: in every table whose name begins so. */
static const struct {
	const char *table, *column;
} acted_on[] = {
	{"DBPROF_META", "key"},
	{"DBPROF_PASS", "pass"},
	{"DBPROF_PASS", "status"},
	{"DBPROF_VARIANT", "kind"},
	{"DBPROF_FAMILY", "origin"},
	{"DBPROF_CASE", "measures"},
	{"DBPROF_SIDE", "outputCheck"},
	{"DBPROF_BLOCK", "kind"},
	{"DBPROF_MATCH", "how"},
	{"DBPROF_SWEEP", "x"},
	{"DBPROF_SWEEP", "y"},
	{"DBPROF_MACHINE", "key"},
	{"DBPROF_COUNT", "what"},
	{"DBPROF_METRIC", "setName"},
	{"DBPROF_METRIC", "pass"},
	{"DBPROF_METRIC", "key"},
	{"DBPROF_METRIC", "unit"},
	{"DBPROF_METRIC", "formula"},
	{"DBPROF_COUNTER", "scope"},
	{"DBPROF_PM_RUN", "setName"},
	{"DBPROF_PM_RUN", "metrics"},
	{"DBPROF_PM_WORK", "class"},
	{"META_DATA_", NULL},
	{"ENUM_", NULL},
};

/* Columns of ids in StringIds whose texts dbprof acts on. */
static const struct {
	const char *table, *column;
} acted_on_ids[] = {
	{"DBPROF_COUNTER", "metric"},
	{"DBPROF_STALL", "reason"},
	{"DBPROF_PHASE", "phase"},
	{"DBPROF_PHASE_SUM", "phase"},
	{"CUPTI_ACTIVITY_KIND_RUNTIME", "nameId"},
};

/* A column that holds text. */
struct column {
	char *table, *name;
	bool by_id;    /* its texts are rows of StringIds */
	bool acted_on; /* a place by itself */
	bool program;  /* whole files: the text goes to the ends of some lines */
};

static const struct hostile_text harmless = HOSTILE("harmless", "harmless~");
static sqlite3 *db;
static struct column columns[MAX_COLUMNS];
static int ncolumns;
static int number; /* of the last use of a text */

static void fail(const char *what)
{
	fprintf(stderr, "hostile-spoil: %s: %s\n", what, db ? sqlite3_errmsg(db) : "");
	exit(2);
}

/* Prepares a statement from a format of sqlite3_mprintf() with a table and a column, up to twice. */
static sqlite3_stmt *prepare(const char *format, const char *a, const char *b, const char *c, const char *d)
{
	sqlite3_stmt *stmt = NULL;
	char *sql = sqlite3_mprintf(format, a, b, c, d);

	if (!sql || sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail(sql);
	sqlite3_free(sql);
	return stmt;
}

static void finish(sqlite3_stmt *stmt)
{
	if (sqlite3_step(stmt) != SQLITE_DONE)
		fail("update");
	sqlite3_finalize(stmt);
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* ---- what there is ---- */

static bool is_acted_on(const char *table, const char *column)
{
	for (size_t i = 0; i < sizeof acted_on / sizeof *acted_on; i++) {
		if (acted_on[i].column == NULL
				? begins(table, acted_on[i].table)
				: strcmp(table, acted_on[i].table) == 0 && strcmp(column, acted_on[i].column) == 0)
			return true;
	}
	return false;
}

static void add_column(const char *table, const char *name, bool by_id, bool acts)
{
	if (ncolumns == MAX_COLUMNS)
		fail("too many columns");
	columns[ncolumns++] = (struct column){strdup(table), strdup(name), by_id, acts,
		strcmp(name, "text") == 0 && (strcmp(table, "DBPROF_SOURCE") == 0 || strcmp(table, "DBPROF_PTX") == 0)};
}

static void find_columns(void)
{
	sqlite3_stmt *all = prepare("SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE "
				    "m.type = 'table' ORDER BY m.name, c.cid",
		NULL, NULL, NULL, NULL);

	while (sqlite3_step(all) == SQLITE_ROW) {
		const char *table = (const char *)sqlite3_column_text(all, 0);
		const char *name = (const char *)sqlite3_column_text(all, 1);
		sqlite3_stmt *any =
			prepare("SELECT 1 FROM \"%w\" WHERE typeof(\"%w\") = 'text'", table, name, NULL, NULL);

		if (sqlite3_step(any) == SQLITE_ROW)
			add_column(table, name, false, is_acted_on(table, name));
		sqlite3_finalize(any);
		for (size_t i = 0; i < sizeof acted_on_ids / sizeof *acted_on_ids; i++)
			if (strcmp(table, acted_on_ids[i].table) == 0 && strcmp(name, acted_on_ids[i].column) == 0)
				add_column(table, name, true, true);
	}
	sqlite3_finalize(all);
}

/* The distinct texts of a column, in order, as an array of JSON. The version stays: a recording has to say it. */
static json_t *texts_of(const struct column *column)
{
	json_t *texts = json_array();
	sqlite3_stmt *all =
		column->by_id
			? prepare("SELECT DISTINCT value FROM StringIds WHERE id IN (SELECT \"%w\" FROM \"%w\") AND"
				  " typeof(value) = 'text' ORDER BY 1",
				  column->name, column->table, NULL, NULL)
			: prepare("SELECT DISTINCT \"%w\" FROM \"%w\" WHERE typeof(\"%w\") = 'text' ORDER BY 1",
				  column->name, column->table, column->name, NULL);

	while (sqlite3_step(all) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(all, 0);
		bool version = strcmp(column->table, "DBPROF_META") == 0 &&
			       (strcmp(text, "version") == 0 || strcmp(text, "2") == 0);

		if (!version)
			json_array_append_new(texts, json_string(text));
	}
	sqlite3_finalize(all);
	return texts;
}

/* ---- texts ---- */

/* The text with its number, allocated; *size without the NUL at its end. */
static char *hostile(const char *pattern, size_t pattern_size, bool lengthen, size_t *size)
{
	char *text = malloc(pattern_size * 12 + MEGABYTE + 1), *to = text;

	if (!text)
		fail("memory");
	for (size_t i = 0; i < pattern_size; i++) {
		if (pattern[i] == '~')
			to += sprintf(to, "%d", number);
		else
			*to++ = pattern[i];
	}
	if (lengthen) {
		memset(to, 'x', MEGABYTE);
		to += MEGABYTE;
	}
	*to = '\0';
	*size = (size_t)(to - text);
	return text;
}

/* `old` with the text at the end of its first lines that are neither a comment nor a directive. */
static char *mark_lines(const char *old, const char *text, size_t *size)
{
	size_t room = strlen(old) + MARKED_LINES * *size + 1;
	char *marked = malloc(room), *to = marked;
	int left = MARKED_LINES;

	if (!marked)
		fail("memory");
	while (*old != '\0') {
		size_t length = strcspn(old, "\n");
		bool plain = length > 0 && *old != '/' && *old != '.';

		memcpy(to, old, length);
		to += length;
		if (plain && left-- > 0) {
			memcpy(to, text, *size);
			to += *size;
		}
		old += length;
		if (*old == '\n')
			*to++ = *old++;
	}
	*size = (size_t)(to - marked);
	*to = '\0';
	return marked;
}

/* ---- spoiling ---- */

static void replace(const struct column *column, const char *old, const char *text, size_t size)
{
	sqlite3_stmt *update = column->by_id ? prepare("UPDATE StringIds SET value = ?1 WHERE value = ?2 AND id IN "
						       "(SELECT \"%w\" FROM \"%w\")",
						       column->name, column->table, NULL, NULL)
					     : prepare("UPDATE \"%w\" SET \"%w\" = ?1 WHERE \"%w\" = ?2", column->table,
						       column->name, column->name, NULL);

	sqlite3_bind_text(update, 1, text, (int)size, SQLITE_STATIC);
	sqlite3_bind_text(update, 2, old, -1, SQLITE_STATIC);
	finish(update);
}

static void spoil_column(const struct column *column, const char *old, const struct hostile_text *with)
{
	size_t size;
	char *text = hostile(with->text, with->size, strcmp(with->name, HOSTILE_LONG) == 0, &size);

	if (column->program) {
		char *marked = mark_lines(old, text, &size);

		free(text);
		text = marked;
	}
	replace(column, old, text, size);
	free(text);
}

/* Every fourth of the columns that dbprof acts on. Returns the number of columns that were spoiled. */
static int spoil_acted_on(int shift, int phase)
{
	int at = 0, spoiled = 0;

	for (int c = 0; c < ncolumns; c++) {
		json_t *texts;

		if (!columns[c].acted_on || phase >= PHASES || at++ % PHASES != phase)
			continue;
		texts = texts_of(&columns[c]);
		for (size_t i = 0; i < json_array_size(texts); i++, number++)
			spoil_column(&columns[c], json_string_value(json_array_get(texts, i)),
				&hostile_texts[(at + shift) % HOSTILE_TEXTS]);
		spoiled += json_array_size(texts) > 0;
		json_decref(texts);
	}
	return spoiled;
}

/* Texts that stand in a column that dbprof acts on, and those that name what was traced of a family. */
static bool is_reserved(const json_t *reserved, const char *text)
{
	return json_object_get(reserved, text) || strcmp(text, "dbprof") == 0 || begins(text, "trace ") ||
	       *text == '\0';
}

static json_t *names(void)
{
	json_t *reserved = json_object(), *found = json_object();

	for (int pass = 0; pass < 2; pass++) {
		for (int c = 0; c < ncolumns; c++) {
			json_t *texts = columns[c].acted_on == (pass == 0) ? texts_of(&columns[c]) : json_array();

			for (size_t i = 0; i < json_array_size(texts); i++) {
				const char *text = json_string_value(json_array_get(texts, i));

				if (pass == 0)
					json_object_set_new(reserved, text, json_true());
				else if (!is_reserved(reserved, text) && !json_object_get(found, text))
					json_object_set_new(
						found, text, json_integer((json_int_t)json_object_size(found)));
			}
			json_decref(texts);
		}
	}
	json_decref(reserved);
	return found;
}

static json_t *place(const struct hostile_text *with)
{
	const char *read = with->read ? with->read : with->text;
	size_t size;
	char *is = hostile(read, with->read ? strlen(read) : with->size, strcmp(with->name, HOSTILE_LONG) == 0, &size);
	json_t *entry = json_pack("{s:s#, s:s}", "is", is, (int)size, "text", with->name);

	if (!entry)
		fail(with->name);
	free(is);
	return entry;
}

static int spoil_names(int shift, json_t *places)
{
	json_t *all = names(), *index;
	const char *was;

	json_object_foreach(all, was, index)
	{
		const struct hostile_text *with =
			shift < 0 ? &harmless
				  : &hostile_texts[((int)json_integer_value(index) + shift) % HOSTILE_TEXTS];

		for (int c = 0; c < ncolumns; c++)
			if (!columns[c].acted_on)
				spoil_column(&columns[c], was, with);
		json_array_append_new(places, place(with));
		number++;
	}
	int n = (int)json_object_size(all);

	json_decref(all);
	return n;
}

int main(int argc, char **argv)
{
	json_t *places = json_array(), *root;
	int n;

	if (argc != 5) {
		fputs("usage: hostile-spoil FILE SHIFT PHASE PLACES.json\n", stderr);
		return 2;
	}
	if (sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
		sqlite3_exec(db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN", NULL, NULL, NULL) !=
			SQLITE_OK)
		fail(argv[1]);
	find_columns();
	n = spoil_names(atoi(argv[2]), places);
	n += spoil_acted_on(atoi(argv[2]), atoi(argv[3]));
	if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK || sqlite3_close(db) != SQLITE_OK)
		fail("commit");
	root = json_pack("{s:o}", "places", places);
	if (!root || json_dump_file(root, argv[4], JSON_ENSURE_ASCII) != 0)
		fail(argv[4]);
	json_decref(root);
	printf("%d\n", n);
	for (int c = 0; c < ncolumns; c++) {
		free(columns[c].table);
		free(columns[c].name);
	}
	return 0;
}
