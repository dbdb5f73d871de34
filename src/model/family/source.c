/* source.c: a variant's code; see source.h. PTX is in source-ptx.c. */
#include "model/family/source.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/strbuf.h"
#include "util/utf8.h"

static const char ellipsis[] = "…";

/* One pass over a text. */
struct scan {
	const char *name;
	struct source_code *out;
	struct strbuf text;
	int number;   /* of the line being looked at */
	int opened;   /* the line that opened the region we are in; 0: none */
	bool skipped; /* code was left out since the last region */
	struct error *err;
};

static bool source_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool source_is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

static const char *skip_blanks(const char *c, const char *end)
{
	while (c < end && source_is_blank(*c))
		c++;
	return c;
}

/* Behind "// WORD " at the start of the line; NULL if it does not start so. */
static const char *behind_marker(const char *line, const char *end, const char *word)
{
	size_t length = strlen(word);

	line = skip_blanks(line, end);
	if (end - line < 2 || line[0] != '/' || line[1] != '/')
		return NULL;
	line = skip_blanks(line + 2, end);
	if ((size_t)(end - line) <= length || strncmp(line, word, length) != 0 || !source_is_blank(line[length]))
		return NULL;
	return line + length + 1;
}

/* Whether the rest of the line is "NAME[, NAME...]" and nothing else: "// begin with the first tile" is prose. */
static bool are_names(const char *c, const char *end)
{
	for (bool more = true; more; c++) {
		const char *start = skip_blanks(c, end);

		for (c = start; c < end && source_is_name(*c); c++)
			;
		if (c == start)
			return false;
		c = skip_blanks(c, end);
		more = c < end && *c == ',';
		if (!more && c < end)
			return false;
	}
	return true;
}

/* The names of a marker line "// begin NAME[, NAME...]", or NULL if it is none. `word` is "begin" or "end". */
static const char *marker_names(const char *line, const char *end, const char *word)
{
	const char *names = behind_marker(line, end, word);

	return names && are_names(names, end) ? names : NULL;
}

static bool lists(const char *names, const char *end, const char *name)
{
	size_t size = strlen(name);

	while (names < end) {
		const char *start;

		while (names < end && !source_is_name(*names))
			names++;
		for (start = names; names < end && source_is_name(*names); names++)
			;
		if ((size_t)(names - start) == size && memcmp(start, name, size) == 0)
			return true;
	}
	return false;
}

static void add_line(struct scan *scan, const char *line, size_t size, int number)
{
	strbuf_add(&scan->text, line, size);
	strbuf_putc(&scan->text, '\n');
	scan->out->line[scan->out->nlines++] = number;
}

static int open_region(struct scan *scan)
{
	if (scan->opened)
		return error_set(scan->err, "line %d opens %s, which is open since line %d", scan->number, scan->name,
			scan->opened);
	scan->opened = scan->number;
	if (scan->skipped && scan->out->nlines > 0)
		add_line(scan, ellipsis, strlen(ellipsis), 0);
	scan->skipped = false;
	return 0;
}

static int close_region(struct scan *scan)
{
	if (!scan->opened)
		return error_set(scan->err, "line %d closes %s, which is not open", scan->number, scan->name);
	scan->opened = 0;
	return 0;
}

static int source_take_line(struct scan *scan, const char *line, const char *end)
{
	const char *begins = marker_names(line, end, "begin"), *ends = marker_names(line, end, "end");

	if (begins)
		return lists(begins, end, scan->name) ? open_region(scan) : 0;
	if (ends)
		return lists(ends, end, scan->name) ? close_region(scan) : 0;
	if (scan->opened)
		add_line(scan, line, (size_t)(end - line), scan->number);
	else
		scan->skipped |= line != end;
	return 0;
}

static int take_lines(struct scan *scan, const char *text)
{
	while (*text != '\0') {
		const char *newline = text + strcspn(text, "\n"), *end = newline;

		while (end > text && (source_is_blank(end[-1]) || end[-1] == '\r'))
			end--;
		scan->number++;
		if (source_take_line(scan, text, end))
			return -1;
		text = *newline == '\n' ? newline + 1 : newline;
	}
	if (scan->opened)
		return error_set(scan->err, "%s, opened in line %d, is never closed", scan->name, scan->opened);
	return 0;
}

static size_t source_count_lines(const char *text)
{
	size_t n = 1;

	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n;
}

static int source_cut_out(struct scan *scan, const char *text)
{
	struct source_code *out = scan->out;
	int rc;

	/* No more lines than the text has: each ellipsis stands for one at least. */
	out->line = xcalloc(source_count_lines(text), sizeof(*out->line));
	rc = take_lines(scan, text);
	out->text = strbuf_take(&scan->text);
	return rc;
}

int source_variant(const char *text, size_t size, const char *name, struct source_code *out, struct error *err)
{
	struct scan scan = {.name = name, .out = out, .err = err};
	char *clean = utf8_clean(text, size, NULL);
	int rc;

	*out = (struct source_code){0};
	rc = source_cut_out(&scan, clean);
	free(clean);
	if (rc == 0 && out->nlines > 0) {
		out->first_line = out->line[0];
		return 1;
	}
	source_code_free(out);
	return rc;
}

void source_code_free(struct source_code *code)
{
	free(code->text);
	free(code->line);
	*code = (struct source_code){0};
}
