/* svg-write.c: writes a tree of SVG as text; see svg-tree.h. */
#include <string.h>

#include "figure/svg/svg-tree.h"

/* Whether an entity or character reference starts here. */
static bool is_entity(const char *text)
{
	size_t n = 1;

	if (text[n] == '#')
		n++;
	while ((text[n] >= '0' && text[n] <= '9') || (text[n] >= 'a' && text[n] <= 'z') ||
		(text[n] >= 'A' && text[n] <= 'Z'))
		n++;
	return n > 1 && text[n] == ';';
}

static void write_escaped(const char *text, struct strbuf *out)
{
	for (; *text != '\0'; text++) {
		if (*text == '<')
			strbuf_puts(out, "&lt;");
		else if (*text == '>')
			strbuf_puts(out, "&gt;");
		else if (*text == '"')
			strbuf_puts(out, "&quot;");
		else if (*text == '&' && !is_entity(text))
			strbuf_puts(out, "&amp;");
		else
			strbuf_putc(out, *text);
	}
}

void svg_write(const struct node *node, struct strbuf *out)
{
	if (!node->name) {
		write_escaped(node->text, out);
		return;
	}
	strbuf_printf(out, "<%s", node->name);
	for (const struct attribute *a = node->attributes; a; a = a->next) {
		strbuf_printf(out, " %s=\"", a->name);
		write_escaped(a->value, out);
		strbuf_putc(out, '"');
	}
	if (!node->first) {
		strbuf_puts(out, "/>");
		return;
	}
	strbuf_putc(out, '>');
	for (const struct node *child = node->first; child; child = child->next)
		svg_write(child, out);
	strbuf_printf(out, "</%s>", node->name);
}
