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

static void write_escaped(const char *text, FILE *out)
{
	for (; *text != '\0'; text++) {
		if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '"')
			fputs("&quot;", out);
		else if (*text == '&' && !is_entity(text))
			fputs("&amp;", out);
		else
			putc(*text, out);
	}
}

void svg_write(const struct node *node, FILE *out)
{
	if (!node->name) {
		write_escaped(node->text, out);
		return;
	}
	fprintf(out, "<%s", node->name);
	for (const struct attribute *a = node->attributes; a; a = a->next) {
		fprintf(out, " %s=\"", a->name);
		write_escaped(a->value, out);
		putc('"', out);
	}
	if (!node->first) {
		fputs("/>", out);
		return;
	}
	putc('>', out);
	for (const struct node *child = node->first; child; child = child->next)
		svg_write(child, out);
	fprintf(out, "</%s>", node->name);
}
