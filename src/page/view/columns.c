/* columns.c: a long table of numbers as one text with columns: a thousand cells cost a page a thousand elements. */
#include "page/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/strbuf.h"

static const char *cell_of(const json_t *row, size_t column)
{
	const char *text = json_string_value(json_array_get(row, column));

	return text ? text : "–";
}

/* Characters, not bytes. */
static size_t characters(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (*text & 0xC0) != 0x80;
	return n;
}

static void measure(const json_t *rows, size_t *width, size_t columns)
{
	for (size_t r = 0; r < json_array_size(rows); r++) {
		for (size_t c = 0; c < columns; c++) {
			size_t n = characters(cell_of(json_array_get(rows, r), c));

			width[c] = n > width[c] ? n : width[c];
		}
	}
}

static void pad(struct strbuf *out, size_t n)
{
	while (n-- > 0)
		strbuf_putc(out, ' ');
}

/* The last column is words: at the left of its place. All others are at the right. */
static void put_row(struct strbuf *out, const json_t *row, const size_t *width, size_t columns)
{
	for (size_t c = 0; c < columns; c++) {
		const char *text = cell_of(row, c);

		pad(out, c > 0 ? 3 : 0);
		if (c + 1 < columns)
			pad(out, width[c] - characters(text));
		strbuf_puts(out, text);
	}
	strbuf_putc(out, '\n');
}

json_t *view_columns(const json_t *rows)
{
	size_t columns = json_array_size(json_array_get(rows, 0));
	size_t *width;
	struct strbuf out = {0};
	json_t *text;

	if (columns == 0)
		return json_null();
	width = xcalloc(columns, sizeof(*width));
	measure(rows, width, columns);
	for (size_t r = 0; r < json_array_size(rows); r++)
		put_row(&out, json_array_get(rows, r), width, columns);
	text = view_text("%s", out.text);
	strbuf_free(&out);
	free(width);
	return text;
}

/* The text under "key", or under "key.member" of an object in the row. */
static const json_t *find_cell(const json_t *row, const char *path)
{
	char key[64];
	size_t length = strcspn(path, ".");

	snprintf(key, sizeof(key), "%.*s", (int)length, path);
	row = json_object_get(row, key);
	return path[length] ? json_object_get(row, path + length + 1) : row;
}

json_t *view_columns_of(const json_t *rows, const struct view_column *columns, size_t n)
{
	json_t *table = json_array(), *head = json_array(), *text;

	for (size_t c = 0; c < n; c++)
		append_json(head, view_text("%s", columns[c].head));
	append_json(table, head);
	for (size_t r = 0; r < json_array_size(rows); r++) {
		json_t *cells = json_array();

		for (size_t c = 0; c < n; c++) {
			const json_t *cell = find_cell(json_array_get(rows, r), columns[c].path);

			append_json(
				cells, json_is_string(cell) ? view_text("%s", json_string_value(cell)) : json_null());
		}
		append_json(table, cells);
	}
	text = json_array_size(rows) > 0 ? view_columns(table) : json_null();
	json_decref(table);
	return text;
}
