/*
 * docs-tables.c: prints docs/recording.md with its tables of columns as src/store/schema.h has them: the table below
 * each heading "### TABLE". All else on the page stays as it is. `make docs-tables` puts the result in its place.
 *
 * usage: docs-tables PAGE >NEW
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/schema.h"
#include "util/file/file.h"

static const char first_line[] = "| column | type | meaning |\n";

static _Noreturn void __attribute__((format(printf, 1, 2))) give_up(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("docs-tables: ", stderr);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

/* The table of a heading, or NULL. */
static const struct table *table_of(const char *heading, size_t length)
{
	for (enum table_id id = 0; id < TABLES_NUMBER; id++) {
		const struct table *table = schema_table(id);

		if (strlen(table->name) == length && memcmp(table->name, heading, length) == 0)
			return table;
	}
	return NULL;
}

static void print_table(const struct table *table)
{
	static const char *const types[] = {
		[COLUMN_INT] = "INTEGER", [COLUMN_REAL] = "REAL", [COLUMN_TEXT] = "TEXT", [COLUMN_NAME] = "*name*"};

	printf("%s|---|---|---|\n", first_line);
	for (int i = 0; i < table->ncolumns; i++)
		printf("| `%s` | %s | %s |\n", table->columns[i].name, types[table->columns[i].type],
			table->columns[i].meaning);
}

static size_t line_length(const char *line)
{
	size_t length = strcspn(line, "\n");

	return line[length] == '\n' ? length + 1 : length;
}

/* Behind the lines of a table. */
static const char *after_table(const char *line)
{
	while (*line == '|')
		line += line_length(line);
	return line;
}

/* Returns how many tables were printed. */
static int print_page(const char *page)
{
	const struct table *table = NULL; /* of the heading, until it was printed */
	int printed = 0;

	for (const char *line = page; *line != '\0';) {
		size_t length = line_length(line);

		if (strncmp(line, "## ", 3) == 0 || strncmp(line, "### ", 4) == 0) {
			if (table != NULL)
				give_up("%s has no table of columns", table->name);
			table = strncmp(line, "### ", 4) == 0 ? table_of(line + 4, strcspn(line + 4, "\n")) : NULL;
		}
		if (table != NULL && strncmp(line, first_line, sizeof first_line - 1) == 0) {
			print_table(table);
			line = after_table(line);
			table = NULL;
			printed++;
			continue;
		}
		fwrite(line, 1, length, stdout);
		line += length;
	}
	return printed;
}

int main(int argc, char **argv)
{
	struct error err = {0};
	char *page = argc == 2 ? file_read(argv[1], NULL, &err) : NULL;
	int printed;

	if (page == NULL)
		give_up("%s", argc == 2 ? err.text : "usage: docs-tables PAGE >NEW");
	printed = print_page(page);
	free(page);
	if (printed != TABLES_NUMBER)
		give_up("%d tables of %d have a heading and a table", printed, (int)TABLES_NUMBER);
	return fflush(stdout) == 0 ? 0 : 1;
}
