/* rows-cells.c: the cells of a line of rows.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rows-private.h"

bool rows_same(const char *name, const char *word, size_t length)
{
	return strlen(name) == length && strncasecmp(name, word, length) == 0;
}

size_t rows_name_length(const char *at)
{
	size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n < MAX_NAME ? n : 0;
}

int rows_column(struct made_table *t, const char *name, size_t length)
{
	for (int i = 0; i < t->ncolumns; i++)
		if (rows_same(t->columns[i], name, length))
			return i;
	if (t->ncolumns == MAX_COLUMNS || length == 0)
		return -1;
	memcpy(t->columns[t->ncolumns], name, length);
	return t->ncolumns++;
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c == '\0' ? NULL : strchr(digits, c | 0x20);

	return at == NULL ? -1 : (int)(at - digits);
}

/* "\x41" and the like; moves *at behind it. */
static char unescape(char **at)
{
	char c = *(*at)++;

	if (c == 'n')
		return '\n';
	if (c == 'x' && hex_digit((*at)[0]) >= 0 && hex_digit((*at)[1]) >= 0) {
		c = (char)(hex_digit((*at)[0]) << 4 | hex_digit((*at)[1]));
		*at += 2;
	}
	return c;
}

/* The text in quotes at *at, which is moved behind it; it is unescaped in place. */
static void take_quoted(char **at, struct cell *cell)
{
	char *out = ++*at;

	*cell = (struct cell){.column = cell->column, .kind = CELL_TEXT, .text = out};
	while (**at != '"' && **at != '\0') {
		char c = *(*at)++;

		*out++ = c == '\\' && **at != '\0' ? unescape(at) : c;
	}
	cell->size = (size_t)(out - cell->text);
	*at += **at == '"';
}

static void take_blob(char **at, struct cell *cell)
{
	char *out = *at += 2;

	*cell = (struct cell){.column = cell->column, .kind = CELL_BLOB, .text = out};
	for (; hex_digit((*at)[0]) >= 0 && hex_digit((*at)[1]) >= 0; *at += 2)
		*out++ = (char)(hex_digit((*at)[0]) << 4 | hex_digit((*at)[1]));
	cell->size = (size_t)(out - cell->text);
	*at += strcspn(*at, " ");
}

/* A number if it reads as one, else a text, up to the next space. */
static void take_word(char **at, struct cell *cell)
{
	size_t n = strcspn(*at, " ");
	char *end;

	*cell = (struct cell){.column = cell->column, .kind = CELL_TEXT, .text = *at, .size = n};
	errno = 0;
	cell->integer = strtoll(*at, &end, 0);
	if (end == *at + n && n > 0 && errno == 0) {
		cell->kind = CELL_INT;
	} else {
		cell->real = strtod(*at, &end);
		if (end == *at + n && n > 0)
			cell->kind = CELL_REAL;
	}
	*at += n;
}

int rows_cells(struct made_table *t, char *at, struct cell *cells)
{
	int n = 0;

	while (n < MAX_COLUMNS && *(at += strspn(at, " ")) != '\0') {
		size_t length = rows_name_length(at);

		if (length == 0 || at[length] != '=') {
			at += strcspn(at, " ");
			continue;
		}
		cells[n].column = rows_column(t, at, length);
		at += length + 1;
		if (*at == '"')
			take_quoted(&at, &cells[n]);
		else if (at[0] == 'x' && at[1] == '\'')
			take_blob(&at, &cells[n]);
		else
			take_word(&at, &cells[n]);
		n += cells[n].column >= 0 && !t->lacks[cells[n].column];
	}
	return n;
}
