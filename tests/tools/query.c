/* query.c: one SQL query on a recording, read-only; a row per line, values with "|" between, NULL as nothing. For
 * machines without sqlite3, and for report.json, which SQLite can read too.
 *
 * usage: query FILE SQL [TEXT|@FILE]...: what follows is bound to ?1, ?2 ...: a text, or what is in a file. FILE may be
 * :memory:. Status 1 with a line on stderr if the query fails. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <sqlite3.h>

/* The whole file, allocated; NULL if it cannot be read. */
static char *contents(const char *path, long *size)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;

	if (file == NULL)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0 && (*size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0)
		text = malloc((size_t)*size + 1);
	if (text != NULL && fread(text, 1, (size_t)*size, file) != (size_t)*size) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

static bool bind(sqlite3_stmt *statement, int index, const char *argument)
{
	char *text;
	long size;

	if (argument[0] != '@')
		return sqlite3_bind_text(statement, index, argument, -1, SQLITE_STATIC) == SQLITE_OK;
	text = contents(argument + 1, &size);
	return text != NULL && sqlite3_bind_text(statement, index, text, (int)size, free) == SQLITE_OK;
}

static void print_row(sqlite3_stmt *statement)
{
	for (int i = 0; i < sqlite3_column_count(statement); i++) {
		const unsigned char *text = sqlite3_column_text(statement, i);

		printf("%s%s", i == 0 ? "" : "|", text == NULL ? "" : (const char *)text);
	}
	putchar('\n');
}

static int query(sqlite3 *db, const char *sql, int n, char **arguments)
{
	sqlite3_stmt *statement;
	int status;

	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
		return -1;
	for (int i = 0; i < n; i++)
		if (!bind(statement, i + 1, arguments[i])) {
			sqlite3_finalize(statement);
			return -1;
		}
	while ((status = sqlite3_step(statement)) == SQLITE_ROW)
		print_row(statement);
	sqlite3_finalize(statement);
	return status == SQLITE_DONE ? 0 : -1;
}

int main(int argc, char **argv)
{
	sqlite3 *db;
	int status = 0;

	if (argc < 3) {
		fputs("usage: query FILE SQL [TEXT|@FILE]...\n", stderr);
		return 2;
	}
	if (sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
		query(db, argv[2], argc - 3, argv + 3) < 0) {
		fprintf(stderr, "query: %s: %s\n", argv[1], sqlite3_errmsg(db));
		status = 1;
	}
	sqlite3_close(db);
	return status;
}
