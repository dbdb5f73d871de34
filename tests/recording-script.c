/* recording-script.c: see recording-script.h. */
#include "recording-script.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const short_names[TABLES_NUMBER] = {
#define TABLE(id, sql, columns) #id,
	TABLES(TABLE)
#undef TABLE
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool same(const char *name, const char *word, size_t length)
{
	return strlen(name) == length && memcmp(name, word, length) == 0;
}

static int find_table(const char *word, size_t length)
{
	for (int i = 0; i < TABLES_NUMBER; i++)
		if (same(short_names[i], word, length))
			return i;
	return -1;
}

static int find_column(const struct table *t, const char *word, size_t length)
{
	for (int i = 0; i < t->ncolumns; i++)
		if (same(t->columns[i].name, word, length))
			return i;
	return -1;
}

/* Copies a word or a quoted text to *out, NUL-terminated, and moves both behind it. */
static int read_value(const char **at, char **out, struct error *err)
{
	bool quoted = **at == '"';

	*at += quoted;
	while (quoted ? **at != '"' : **at != '\0' && !is_blank(**at)) {
		char c = *(*at)++;

		if (c == '\0')
			return error_set(err, "a quote is not closed");
		if (quoted && c == '\\' && **at != '\0') {
			c = *(*at)++;
			c = c == 'n' ? '\n' : c;
		}
		*(*out)++ = c;
	}
	*at += quoted;
	*(*out)++ = '\0';
	return 0;
}

static bool is_time(const char *column)
{
	return strcmp(column, "start") == 0 || strcmp(column, "end") == 0 || strcmp(column, "timestamp") == 0;
}

static int to_value(const struct column *column, const char *text, struct value *value, struct error *err)
{
	char *end = NULL;

	errno = 0;
	switch (column->type) {
	case COLUMN_INT:
		*value = VALUE_OF_INT(strtoll(text, &end, 0) + (is_time(column->name) ? SCRIPT_EPOCH_NS : 0));
		break;
	case COLUMN_REAL:
		*value = VALUE_OF_REAL(strtod(text, &end));
		break;
	case COLUMN_TEXT:
	case COLUMN_NAME:
		*value = VALUE_OF_TEXT(text);
		return 0;
	}
	return end != text && *end == '\0' && errno == 0 ? 0 : error_set(err, "%s=%s is no number", column->name, text);
}

/* column=value ... to the values of a row; texts are put into `room`. */
static int read_cells(const struct table *t, const char *at, struct value *row, char *room, struct error *err)
{
	for (;;) {
		const char *text = room;
		size_t length;
		int column;

		while (is_blank(*at))
			at++;
		if (*at == '\0')
			return 0;
		length = strcspn(at, "= \t\n\r");
		column = find_column(t, at, length);
		if (column < 0 || at[length] != '=')
			return error_set(err, "'%.*s' is no column=value of %s", (int)length, at, t->name);
		at += length + 1;
		if (read_value(&at, &room, err) != 0 || to_value(&t->columns[column], text, &row[column], err) != 0)
			return -1;
	}
}

int script_line(struct recording *rec, const char *line, struct error *err)
{
	struct value row[TABLE_MAX_COLUMNS] = {0};
	size_t length;
	char *room;
	int table, rc;

	while (is_blank(*line))
		line++;
	if (*line == '\0' || *line == '#')
		return 0;
	length = strcspn(line, " \t\n\r");
	table = find_table(line, length);
	if (table < 0)
		return error_set(err, "'%.*s' is no table", (int)length, line);
	room = malloc(2 * strlen(line) + 1);
	if (room == NULL)
		return error_set(err, "out of memory");
	rc = read_cells(schema_table((enum table_id)table), line + length, row, room, err);
	if (rc == 0)
		rc = recording_row(rec, (enum table_id)table, row, err);
	free(room);
	return rc;
}

int script_row(struct recording *rec, struct error *err, const char *format, ...)
{
	va_list args;
	char *line;
	int rc;

	va_start(args, format);
	rc = vasprintf(&line, format, args);
	va_end(args);
	if (rc < 0)
		return error_set(err, "out of memory");
	rc = script_line(rec, line, err);
	if (rc != 0)
		error_prefix(err, "%.200s", line);
	free(line);
	return rc;
}
