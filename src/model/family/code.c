/* code.c: a variant's code, and the codes of single and double side by side. */
#include "model/family/code.h"

#include <stdlib.h>
#include <string.h>

#include "model/family/source.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"

/* Source text of a family, or NULL. */
static const char *code_source_text(const struct model *model, const char *file)
{
	const char *const key[] = {file};
	struct rows rows = rows_find(&model->table[TABLE_SOURCE], 1, key);

	return rows.count ? row_text(&rows, 0, SOURCE_text) : NULL;
}

/* 1 found, 0 not there; code that cannot be cut out is told once in the diagnostics, and is not there. -1: memory. */
static int code_find_code(const struct model *model, const char *file, const char *variant, struct source_code *code)
{
	const char *text = code_source_text(model, file);
	struct error err = {0};
	int found;

	*code = (struct source_code){0};
	if (!text)
		return 0;
	found = source_variant(text, strlen(text), variant, code, &err);
	if (found >= 0 || error_is_of_system(&err))
		return found;
	error_prefix(&err, "%s", file);
	return model_note(model, err.text);
}

static json_t *code_lines_json(const struct source_code *code)
{
	json_t *list = json_array();
	int bad = 0;

	for (int i = 0; i < code->nlines; i++)
		bad |= append_json(list, json_integer(code->line[i]));
	return built_json(list, bad);
}

json_t *code_json(const struct model *model, const char *file, const char *variant)
{
	struct source_code code;
	int found = code_find_code(model, file, variant, &code);
	json_t *object;
	int bad = 0;

	if (found <= 0)
		return found < 0 ? NULL : json_null();
	object = json_object();
	bad |= put_json(object, "first_line", json_integer(code.first_line));
	bad |= put_json(object, "lines", code_lines_json(&code));
	bad |= put_json(object, "text", text_json(code.text));
	source_code_free(&code);
	return built_json(object, bad);
}

/* One side of the pair, cut into lines; the ellipsis between two regions is no line of it. */
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

static int side_cut(struct side *side)
{
	char *at = side->code.text;

	side->line = calloc((size_t)side->code.nlines + 1, sizeof(*side->line));
	side->number = calloc((size_t)side->code.nlines + 1, sizeof(*side->number));
	if (!side->line || !side->number)
		return -1;
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
	return 0;
}

/* Equal but for white space at both ends, as lines_align() sees it. */
static bool same_line(const char *a, const char *b)
{
	static const char blank[] = " \t\r\f\v";
	size_t na, nb;

	a += strspn(a, blank);
	b += strspn(b, blank);
	na = strlen(a);
	nb = strlen(b);
	while (na && strchr(blank, a[na - 1]))
		na--;
	while (nb && strchr(blank, b[nb - 1]))
		nb--;
	return na == nb && memcmp(a, b, na) == 0;
}

static const char *code_kind_of(const struct side *a, const struct side *b, const struct line_pair *pair)
{
	if (pair->b < 0)
		return "single";
	if (pair->a < 0)
		return "double";
	return same_line(a->line[pair->a], b->line[pair->b]) ? "same" : "changed";
}

/* Number and text of one side of a row; null where that side has no line. */
static int code_put_side(json_t *row, const char *number_key, const char *text_key, const struct side *side, int line)
{
	return put_json(row, number_key, line < 0 ? json_null() : json_integer(side->number[line])) |
	       put_json(row, text_key, text_json(line < 0 ? NULL : side->line[line]));
}

static json_t *family_code_pair_json(const struct side *a, const struct side *b)
{
	struct line_pair *pairs = calloc((size_t)a->nlines + (size_t)b->nlines + 1, sizeof(*pairs));
	json_t *object = json_object(), *rows = json_array();
	int n = 0, bad = !pairs;

	if (!bad)
		bad = lines_align(a->line, a->nlines, b->line, b->nlines, pairs, &n);
	for (int i = 0; i < n && !bad; i++) {
		json_t *row = json_object();
		int wrong = code_put_side(row, "a_line", "a", a, pairs[i].a) |
			    code_put_side(row, "b_line", "b", b, pairs[i].b);

		wrong |= put_json(row, "kind", json_string(code_kind_of(a, b, &pairs[i])));
		bad |= append_json(rows, built_json(row, wrong));
	}
	free(pairs);
	bad |= put_json(object, "rows", rows);
	return built_json(object, bad);
}

json_t *code_pair_json(const struct model *model, const char *file, const char *single, const char *dbl)
{
	struct side a = {0}, b = {0};
	int found_a = code_find_code(model, file, single, &a.code);
	int found_b = code_find_code(model, file, dbl, &b.code);
	json_t *pair = NULL;

	if (found_a == 0 || found_b == 0)
		pair = json_null();
	else if (found_a > 0 && found_b > 0 && side_cut(&a) == 0 && side_cut(&b) == 0)
		pair = family_code_pair_json(&a, &b);
	code_side_free(&a);
	code_side_free(&b);
	return pair;
}
