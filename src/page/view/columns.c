/* columns.c: a long table of numbers as one text with columns: a thousand cells cost a page a thousand elements. Blanks
 * before a tab stop are one tab, else they would be a third of the text. */
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

/* How a column stands: as wide as its longest text; words at the left, numbers at the right. */
struct stand {
	size_t width;
	bool words;
};

static bool is_number(const char *text)
{
	return strchr("0123456789", *text) || strncmp(text, "−", strlen("−")) == 0 || *text == '+' || *text == '<' ||
	       strcmp(text, "–") == 0 || strcmp(text, "n/a") == 0;
}

static void measure(const json_t *rows, struct stand *stands, size_t columns)
{
	for (size_t c = 0; c < columns; c++)
		stands[c].words = true;
	for (size_t r = 0; r < json_array_size(rows); r++) {
		for (size_t c = 0; c < columns; c++) {
			const char *text = cell_of(json_array_get(rows, r), c);
			size_t n = characters(text);

			stands[c].width = n > stands[c].width ? n : stands[c].width;
			if (r > 0 && is_number(text))
				stands[c].words = false;
		}
	}
}

enum { TAB_STOP = 8 /* of browsers, editors and terminals; templates/script/tables.js has it too */ };

/* Text being written, its end at character `at` of its line, with `blanks` that are not written yet before that. */
struct column_line {
	struct strbuf *out;
	size_t at, blanks;
};

static void pad(struct column_line *line, size_t n)
{
	for (; n > 0; n--) {
		line->at++;
		line->blanks++;
		if (line->at % TAB_STOP == 0) {
			strbuf_putc(line->out, line->blanks > 1 ? '\t' : ' ');
			line->blanks = 0;
		}
	}
}

static void put_column_cell(struct column_line *line, const char *text)
{
	for (; line->blanks > 0; line->blanks--)
		strbuf_putc(line->out, ' ');
	strbuf_puts(line->out, text);
	line->at += characters(text);
}

static void put_columns_row(struct strbuf *out, const json_t *row, const struct stand *stands, size_t columns)
{
	struct column_line line = {out, 0, 0};

	for (size_t c = 0; c < columns; c++) {
		const char *text = cell_of(row, c);
		size_t room = stands[c].width - characters(text);

		pad(&line, c > 0 ? 3 : 0);
		pad(&line, stands[c].words ? 0 : room);
		put_column_cell(&line, text);
		pad(&line, stands[c].words && c + 1 < columns ? room : 0);
	}
	strbuf_putc(out, '\n');
}

json_t *view_columns(const json_t *rows)
{
	size_t columns = json_array_size(json_array_get(rows, 0));
	struct stand *stands;
	struct strbuf out = {0};
	json_t *text;

	if (columns == 0)
		return json_null();
	stands = xcalloc(columns, sizeof(*stands));
	measure(rows, stands, columns);
	for (size_t r = 0; r < json_array_size(rows); r++)
		put_columns_row(&out, json_array_get(rows, r), stands, columns);
	text = view_text("%s", out.text);
	strbuf_free(&out);
	free(stands);
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
