/* markdown.c: see markdown.h. */
#include "util/markdown.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/clip.h"
#include "util/utf8.h"

#define ZERO_WIDTH_SPACE "\xe2\x80\x8b"

enum { NAME_MOST = 80, COMMAND_MOST = 200 };

/* A copy on one line, for free(). */
static char *markdown_line(const char *text)
{
	char *line = utf8_visible(text, strlen(text));

	utf8_one_line(line);
	return line;
}

/* What Markdown takes for a link, a mention or a number of an issue is broken by a space that nobody sees. */
static bool begins_link(const char *before, const char *at)
{
	return *before == '@' || *before == '#' || (*before == ':' && at[0] == '/' && at[1] == '/') ||
	       (*at == '.' && (*before == 'w' || *before == 'W'));
}

/* `first`: whether the text begins a line, where "-" would begin a list. */
static void put_prose(struct strbuf *out, const char *text, size_t n, bool first)
{
	for (const char *c = text; c < text + n; c++) {
		if ((c > text || !first) && begins_link(c - 1, c))
			strbuf_puts(out, ZERO_WIDTH_SPACE);
		if (*c == '<')
			strbuf_puts(out, "&lt;");
		else if (*c == '>')
			strbuf_puts(out, "&gt;");
		else if (*c == '&')
			strbuf_puts(out, "&amp;");
		else if (strchr("\\`*_[]|~#$", *c) || (c == text && first && strchr("+-=", *c)))
			strbuf_printf(out, "\\%c", *c);
		else
			strbuf_putc(out, *c);
	}
}

void markdown_text(struct strbuf *out, const char *text)
{
	char *line = markdown_line(text);

	put_prose(out, line, strlen(line), true);
	free(line);
}

/* The longest row of backticks, which the fence around the text must be longer than. */
static int longest_fence(const char *text)
{
	int longest = 0, n = 0;

	for (; *text; text++) {
		n = *text == '`' ? n + 1 : 0;
		longest = n > longest ? n : longest;
	}
	return longest;
}

static void put_fence(struct strbuf *out, int n)
{
	for (int i = 0; i < n; i++)
		strbuf_putc(out, '`');
}

/* Of a blank at both ends Markdown takes one away. */
static bool wants_blanks(const char *code, int fence)
{
	size_t n = strlen(code);

	return fence > 1 || (n > 0 && code[0] == ' ' && code[n - 1] == ' ');
}

/* A text of one line as code. */
static void put_code_span(struct strbuf *out, const char *code, bool in_table)
{
	int fence = longest_fence(code) + 1;
	const char *blank = wants_blanks(code, fence) ? " " : "";

	if (code[strspn(code, " ")] == '\0') {
		strbuf_puts(out, "–");
		return;
	}
	put_fence(out, fence);
	strbuf_puts(out, blank);
	/* A table ends its cell at a bar, in code too. */
	for (const char *c = code; *c; c++) {
		if (*c == '|' && in_table)
			strbuf_putc(out, '\\');
		strbuf_putc(out, *c);
	}
	strbuf_puts(out, blank);
	put_fence(out, fence);
}

static void put_cut_name(struct strbuf *out, const char *name, size_t most)
{
	char cut[COMMAND_MOST + 8], *line = markdown_line(name);

	clip_print(cut, most, "%s", line);
	if (strlen(cut) < strlen(line))
		clip_append(cut, sizeof(cut), "…");
	free(line);
	put_code_span(out, cut, true);
}

void markdown_name(struct strbuf *out, const char *name)
{
	put_cut_name(out, name, NAME_MOST);
}

void markdown_command(struct strbuf *out, const char *command)
{
	put_cut_name(out, command, COMMAND_MOST);
}

/* ---- sentences ---- */

/* Where the name behind a backquote ends: the longest of `names` that stands there, or all before the next backquote.
 * NULL if none closes it. */
static const char *end_of_quoted(const char *at, const char *const *names)
{
	size_t longest = 0;

	for (; *names; names++) {
		char *name = markdown_line(*names);
		size_t n = strlen(name);

		if (n > longest && strncmp(at, name, n) == 0 && at[n] == '`')
			longest = n;
		free(name);
	}
	return longest > 0 ? at + longest : strchr(at, '`');
}

void markdown_sentence(struct strbuf *out, const char *text, const char *const *names, bool in_table)
{
	char *line = markdown_line(text);
	const char *rest = line, *open = line, *end;

	while ((open = strchr(open, '`')) && (end = end_of_quoted(open + 1, names))) {
		char *code = xstrndup(open + 1, (size_t)(end - open - 1));

		put_prose(out, rest, (size_t)(open - rest), rest == line);
		put_code_span(out, code, in_table);
		free(code);
		rest = open = end + 1;
	}
	put_prose(out, rest, strlen(rest), rest == line);
	free(line);
}
