/* advice-code.c: the code of one kernel, cut to what matters: the loop, and where samples were taken. */
#include "model/advice/advice-parts.h"

#include <stdlib.h>

#include "model/family/family-rows.h"
#include "model/family/programs/code-lines.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* Of longer code the lines without samples go first, but for those beside one that has some; then the last ones. */
enum { ADVICE_SOURCE_ROWS = 120, ADVICE_MACHINE_ROWS = 200, NEAR_SAMPLES = 3 };

static bool is_near_samples(const struct code_lines *lines, size_t at)
{
	size_t first = at > NEAR_SAMPLES ? at - NEAR_SAMPLES : 0;

	for (size_t i = first; i < lines->n && i <= at + NEAR_SAMPLES; i++)
		if (lines->line[i].is_hot)
			return true;
	return false;
}

/* A row as those of two sides are, but with one of them. */
static json_t *row_of_line(const struct code_line *line)
{
	json_t *row = json_object();

	put_json(row, "a_line", json_integer(line->number));
	put_json(row, "a", text_json(line->text));
	put_json(row, "kind", json_string("same"));
	return row;
}

/* Null without lines; ends them. */
static json_t *lines_json(struct code_lines *lines, size_t most)
{
	json_t *object = json_null(), *rows = json_array();

	for (size_t i = 0; i < lines->n && json_array_size(rows) < most; i++)
		if (lines->n <= most || is_near_samples(lines, i))
			append_json(rows, row_of_line(&lines->line[i]));
	if (lines->n > 0) {
		object = json_object();
		put_json(object, "rows", json_incref(rows));
		put_json(object, "left_out", json_integer((json_int_t)(lines->n - json_array_size(rows))));
		put_json(object, "is_cut", json_boolean(lines->is_cut));
		put_json(object, "file", text_json(lines->file));
	}
	json_decref(rows);
	code_lines_free(lines);
	return object;
}

json_t *advice_code_json(const struct family_rows *f, const char *label)
{
	struct rows rows = code_rows(f->model, f->name, f->single, label);
	struct code_lines source = {0}, machine = {0};
	json_t *object;

	if (rows.count == 0)
		return json_null();
	source_lines(f->model, &rows, &source);
	machine_lines(f->model, &rows, &machine);
	object = json_object();
	put_json(object, "source", lines_json(&source, ADVICE_SOURCE_ROWS));
	put_json(object, "machine", lines_json(&machine, ADVICE_MACHINE_ROWS));
	return object;
}
