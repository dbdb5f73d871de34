/* code.c: a variant's code, and the codes of single and double side by side. */
#include "model/family/code.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/source.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* Whether the code is there. Code that cannot be cut out goes into the diagnostics, and is not there. */
static bool code_find_code(const struct model *model, const char *file, const char *variant, struct source_code *code)
{
	const char *text = model_source_text(model, file);
	struct error err = {0};
	int found;

	*code = (struct source_code){0};
	if (!text)
		return false;
	found = source_variant(text, strlen(text), variant, code, &err);
	if (found < 0) {
		error_prefix(&err, "%s", file);
		model_note_error(model, "code-unreadable", &err);
	}
	return found > 0;
}

static json_t *code_lines_json(const struct source_code *code)
{
	json_t *list = json_array();

	for (int i = 0; i < code->nlines; i++)
		append_json(list, json_integer(code->line[i]));
	return list;
}

json_t *code_json(const struct model *model, const char *file, const char *variant)
{
	struct source_code code;
	json_t *object;

	if (!code_find_code(model, file, variant, &code))
		return json_null();
	object = json_object();
	put_json(object, "first_line", json_integer(code.first_line));
	put_json(object, "lines", code_lines_json(&code));
	put_json(object, "text", text_json(code.text));
	source_code_free(&code);
	return object;
}

/* One side of the pair, cut into lines. The ellipsis between two regions is no line. */
struct side {
	struct source_code code;
	const char **line; /* into code.text, whose line ends become NULs; owned */
	int *number;       /* in the file; owned */
	int nlines;
};

static void code_side_free(struct side *side)
{
	source_code_free(&side->code);
	free(side->line);
	free(side->number);
}

static void side_cut(struct side *side)
{
	char *at = side->code.text;

	side->line = xcalloc((size_t)side->code.nlines, sizeof(*side->line));
	side->number = xcalloc((size_t)side->code.nlines, sizeof(*side->number));
	for (int i = 0; i < side->code.nlines; i++) {
		char *end = strchr(at, '\n');

		if (side->code.line[i]) {
			side->line[side->nlines] = at;
			side->number[side->nlines++] = side->code.line[i];
		}
		if (end)
			*end = '\0';
		at = end ? end + 1 : at + strlen(at);
	}
}

static const char *code_kind_of(const struct side *a, const struct side *b, const struct line_pair *pair)
{
	if (pair->b < 0)
		return "single";
	if (pair->a < 0)
		return "double";
	return lines_alike(a->line[pair->a], b->line[pair->b]) ? "same" : "changed";
}

/* Number and text of one side of a row; null where that side has no line. */
static void code_put_side(json_t *row, const char *number_key, const char *text_key, const struct side *side, int line)
{
	put_json(row, number_key, line < 0 ? json_null() : json_integer(side->number[line]));
	put_json(row, text_key, text_json(line < 0 ? NULL : side->line[line]));
}

static json_t *code_row_json(const struct side *a, const struct side *b, const struct line_pair *pair)
{
	json_t *row = json_object();

	code_put_side(row, "a_line", "a", a, pair->a);
	code_put_side(row, "b_line", "b", b, pair->b);
	put_json(row, "kind", json_string(code_kind_of(a, b, pair)));
	return row;
}

/* JSON null if the two are too long to be aligned. */
static json_t *code_sides_json(
	const struct side *a, const struct side *b, struct code_place single, struct code_place dbl)
{
	struct line_pair *pairs = xcalloc((size_t)a->nlines + (size_t)b->nlines, sizeof(*pairs));
	json_t *object, *rows;
	int n = 0;

	if (lines_align(a->line, a->nlines, b->line, b->nlines, pairs, &n) < 0) {
		free(pairs);
		return json_null();
	}
	rows = json_array();
	for (int i = 0; i < n; i++)
		append_json(rows, code_row_json(a, b, &pairs[i]));
	free(pairs);
	object = json_object();
	put_json(object, "single_file", text_json(single.file));
	put_json(object, "double_file", text_json(dbl.file));
	put_json(object, "rows", rows);
	return object;
}

/* A side that is too long to be aligned is told once per file. */
static void note_too_long(const struct model *model, struct code_place single, struct code_place dbl)
{
	model_note_facts(model, json_pack("{s:s, s:o}", "id", "code-too-long", "file", text_json(single.file)));
	if (strcmp(single.file, dbl.file) != 0)
		model_note_facts(model, json_pack("{s:s, s:o}", "id", "code-too-long", "file", text_json(dbl.file)));
}

json_t *code_pair_json(const struct model *model, struct code_place single, struct code_place dbl)
{
	struct side a = {0}, b = {0};
	bool found_a = code_find_code(model, single.file, single.variant, &a.code);
	bool found_b = code_find_code(model, dbl.file, dbl.variant, &b.code);
	json_t *pair = NULL;

	if (found_a && found_b) {
		side_cut(&a);
		side_cut(&b);
		pair = code_sides_json(&a, &b, single, dbl);
		if (json_is_null(pair))
			note_too_long(model, single, dbl);
	}
	code_side_free(&a);
	code_side_free(&b);
	return pair ? pair : json_null();
}

/* ---- single lines ---- */

static const char *line_start(const char *text, int64_t line)
{
	for (; text && line > 1; line--) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text;
}

json_t *code_line_json(const struct model *model, const char *file, int64_t line)
{
	static const char blank[] = " \t\r\f\v";
	const char *start = line > 0 ? line_start(model_source_text(model, file), line) : NULL;
	size_t length;
	char *text;
	json_t *json;

	if (!start)
		return json_null();
	start += strspn(start, blank);
	length = strcspn(start, "\n");
	while (length && strchr(blank, start[length - 1]))
		length--;
	text = xstrndup(start, length);
	json = text_json(text);
	free(text);
	return json;
}

int code_line_with(const struct model *model, const char *file, const char *variant, const char *text)
{
	struct side side = {0};
	int number = 0;

	if (code_find_code(model, file, variant, &side.code)) {
		side_cut(&side);
		for (int i = 0; i < side.nlines && !number; i++)
			number = strstr(side.line[i], text) ? side.number[i] : 0;
	}
	code_side_free(&side);
	return number;
}
