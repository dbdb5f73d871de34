/* source.c: a variant's code; see source.h. PTX is in source-ptx.c. */
#include "model/family/source.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/memory-stream.h"
#include "util/utf8.h"

static const char ellipsis[] = "…";

/* One pass over a text. */
struct scan {
	const char *name;
	struct source_code *out;
	FILE *text;
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

/* The names of a marker line, or NULL if it is none: "// begin NAME[, NAME...]", `word` being "begin" or "end". */
static const char *marker_names(const char *line, const char *end, const char *word)
{
	const char *names, *c;

	while (line < end && source_is_blank(*line))
		line++;
	if (end - line < 2 || line[0] != '/' || line[1] != '/')
		return NULL;
	line += 2;
	while (line < end && source_is_blank(*line))
		line++;
	if ((size_t)(end - line) <= strlen(word) || strncmp(line, word, strlen(word)) != 0 ||
		!source_is_blank(line[strlen(word)]))
		return NULL;
	names = c = line + strlen(word) + 1;
	for (bool more = true; more; c++) {
		const char *start;

		while (c < end && source_is_blank(*c))
			c++;
		for (start = c; c < end && source_is_name(*c); c++)
			;
		if (c == start)
			return NULL; /* prose: "// begin with the first tile" */
		while (c < end && source_is_blank(*c))
			c++;
		more = c < end && *c == ',';
		if (!more && c < end)
			return NULL;
	}
	return names;
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
	fwrite(line, 1, size, scan->text);
	putc('\n', scan->text);
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
	size_t size;
	int rc;

	/* No more lines than the text has: each ellipsis stands for one at least. */
	out->line = calloc(source_count_lines(text), sizeof(*out->line));
	scan->text = memory_stream(&out->text, &size);
	if (!scan->text)
		return error_system(scan->err, "out of memory: close other programs");
	rc = out->line ? take_lines(scan, text) : error_system(scan->err, "out of memory: close other programs");
	if (ferror(scan->text) && rc == 0)
		rc = error_system(scan->err, "out of memory: close other programs");
	if (fclose(scan->text) && rc == 0)
		rc = error_system(scan->err, "out of memory: close other programs");
	return rc;
}

int source_variant(const char *text, size_t size, const char *name, struct source_code *out, struct error *err)
{
	struct scan scan = {.name = name, .out = out, .err = err};
	char *clean = utf8_clean(text, size, NULL);
	int rc;

	*out = (struct source_code){0};
	if (!clean)
		return error_system(err, "out of memory: close other programs");
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
