/* markdown.c: see markdown.h. */
#include "util/markdown.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/clip.h"
#include "util/utf8.h"

#define ZERO_WIDTH_SPACE "\xe2\x80\x8b"

enum { NAME_MOST = 80 };

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

void markdown_text(struct strbuf *out, const char *text)
{
	char *line = markdown_line(text);

	for (const char *c = line; *c; c++) {
		if (c > line && begins_link(c - 1, c))
			strbuf_puts(out, ZERO_WIDTH_SPACE);
		if (*c == '<')
			strbuf_puts(out, "&lt;");
		else if (*c == '>')
			strbuf_puts(out, "&gt;");
		else if (*c == '&')
			strbuf_puts(out, "&amp;");
		else if (strchr("\\`*_[]|~#$", *c) || (c == line && strchr("+-=", *c)))
			strbuf_printf(out, "\\%c", *c);
		else
			strbuf_putc(out, *c);
	}
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

void markdown_name(struct strbuf *out, const char *name)
{
	char cut[NAME_MOST + 8], *line = markdown_line(name);
	int fence = longest_fence(line) + 1;

	clip_print(cut, NAME_MOST, "%s", line);
	if (strlen(cut) < strlen(line))
		clip_append(cut, sizeof(cut), "…");
	free(line);
	if (cut[strspn(cut, " ")] == '\0') {
		strbuf_puts(out, "–");
		return;
	}
	put_fence(out, fence);
	if (fence > 1)
		strbuf_putc(out, ' ');
	/* A table ends its cell at a bar, in code too. */
	for (const char *c = cut; *c; c++) {
		if (*c == '|')
			strbuf_putc(out, '\\');
		strbuf_putc(out, *c);
	}
	if (fence > 1)
		strbuf_putc(out, ' ');
	put_fence(out, fence);
}
