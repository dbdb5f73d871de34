/* markdown.c: the part of Markdown that docs/ uses, as HTML. */
#include "page/view/view.h"
#include "util/memory-stream.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is open at the moment. */
enum block { BLOCK_NONE, BLOCK_PARAGRAPH, BLOCK_ITEM, BLOCK_TABLE };

struct page {
	FILE *out;
	int level;
	enum block block;
};

static void put_escaped(FILE *out, char c)
{
	switch (c) {
	case '&':
		fputs("&amp;", out);
		break;
	case '<':
		fputs("&lt;", out);
		break;
	case '>':
		fputs("&gt;", out);
		break;
	default:
		fputc(c, out);
	}
}

/* Text with `code`, **strong** and *emphasis*. A mark that is never closed stays what it is. */
static void put_inline(FILE *out, const char *text, size_t size)
{
	static const struct {
		const char *mark, *tag;
	} spans[] = {{"`", "code"}, {"**", "strong"}, {"*", "em"}};

	for (size_t i = 0; i < size;) {
		size_t taken = 0;

		for (size_t s = 0; s < sizeof(spans) / sizeof(spans[0]) && taken == 0; s++) {
			size_t mark = strlen(spans[s].mark);
			const char *end;

			if (size - i <= 2 * mark || strncmp(text + i, spans[s].mark, mark) != 0 ||
				text[i + mark] == ' ')
				continue;
			end = memmem(text + i + mark, size - i - mark, spans[s].mark, mark);
			if (!end)
				continue;
			fprintf(out, "<%s>", spans[s].tag);
			if (mark == 1 && *spans[s].mark == '`') {
				for (const char *c = text + i + 1; c < end; c++)
					put_escaped(out, *c);
			} else {
				put_inline(out, text + i + mark, (size_t)(end - text) - i - mark);
			}
			fprintf(out, "</%s>", spans[s].tag);
			taken = (size_t)(end - text) + mark - i;
		}
		if (taken == 0)
			put_escaped(out, text[i]);
		i += taken ? taken : 1;
	}
}

static void close_block(struct page *page)
{
	static const char *const ends[] = {"", "</p>\n", "</li></ul>\n", "</tbody></table></div>\n"};

	fputs(ends[page->block], page->out);
	page->block = BLOCK_NONE;
}

/* An id from the heading's words, so that the rest of the page can refer to it. */
static void heading(struct page *page, const char *text, size_t size)
{
	int level = page->level;

	close_block(page);
	while (size > 0 && *text == '#') {
		level++;
		text++;
		size--;
	}
	while (size > 0 && *text == ' ') {
		text++;
		size--;
	}
	level = level < 6 ? level : 6;
	fprintf(page->out, "<h%d id=\"def-", level);
	for (size_t i = 0; i < size; i++)
		fputc(isalnum((unsigned char)text[i]) ? tolower((unsigned char)text[i]) : '-', page->out);
	fputs("\">", page->out);
	put_inline(page->out, text, size);
	fprintf(page->out, "</h%d>\n", level);
}

/* A row such as "| a | b |"; the line of dashes under a table's head is left out. */
static void table_row(struct page *page, const char *text, size_t size)
{
	bool first = page->block != BLOCK_TABLE;
	const char *end = text + size;

	if (first) {
		close_block(page);
		fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"table\"><table><tbody>\n",
			page->out);
		page->block = BLOCK_TABLE;
	}
	if (strspn(text, "|-: ") >= size)
		return;
	fputs("<tr>", page->out);
	for (const char *cell = text + 1; cell < end;) {
		const char *bar = memchr(cell, '|', (size_t)(end - cell));
		size_t width = bar ? (size_t)(bar - cell) : (size_t)(end - cell);

		fputs(first ? "<th>" : "<td>", page->out);
		put_inline(page->out, cell, width);
		fputs(first ? "</th>" : "</td>", page->out);
		cell += width + 1;
	}
	fputs("</tr>\n", page->out);
}

static void markdown_item(struct page *page, const char *text, size_t size)
{
	if (page->block == BLOCK_ITEM) {
		fputs("</li>\n<li>", page->out);
	} else {
		close_block(page);
		fputs("<ul><li>", page->out);
		page->block = BLOCK_ITEM;
	}
	put_inline(page->out, text + 2, size - 2);
}

/* A line of running text; one that begins with "Source:" says where a number comes from and gets a line of its own. */
static void running_text(struct page *page, const char *text, size_t size)
{
	bool source = size > 7 && strncmp(text, "Source:", 7) == 0;

	if (page->block == BLOCK_NONE || page->block == BLOCK_TABLE) {
		close_block(page);
		fputs("<p>", page->out);
		page->block = BLOCK_PARAGRAPH;
	} else {
		fputs(source ? "<br>" : " ", page->out);
	}
	if (source)
		fputs("<small>", page->out);
	put_inline(page->out, text, size);
	if (source)
		fputs("</small>", page->out);
}

static void line(struct page *page, const char *text, size_t size)
{
	while (size > 0 && *text == ' ') {
		text++;
		size--;
	}
	if (size == 0)
		close_block(page);
	else if (*text == '#')
		heading(page, text, size);
	else if (*text == '|')
		table_row(page, text, size);
	else if (size > 2 && strncmp(text, "- ", 2) == 0)
		markdown_item(page, text, size);
	else
		running_text(page, text, size);
}

char *view_markdown(const char *text, int level, struct error *err)
{
	char *html = NULL;
	size_t size;
	struct page page = {.out = memory_stream(&html, &size), .level = level};

	if (!page.out) {
		error_set(err, "not enough memory for the report");
		return NULL;
	}
	while (*text) {
		size_t length = strcspn(text, "\n");

		line(&page, text, length);
		text += length + (text[length] == '\n');
	}
	close_block(&page);
	bool bad = ferror(page.out);
	if (fclose(page.out) != 0 || bad) {
		free(html);
		error_set(err, "not enough memory for the report");
		return NULL;
	}
	return html;
}
