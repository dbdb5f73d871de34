/* svg-parse.c: reads SVG text into a tree; see svg-tree.h. */
#include <string.h>

#include "figure/svg/svg-tree.h"

enum { MAX_DEPTH = 100 }; /* gnuplot needs 8; bounds the recursion of later steps */

struct parser {
	struct tree *tree;
	struct node *inside; /* the innermost open element; NULL outside the svg element */
	int depth;
	const char *at;
};

static bool svg_parse_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool svg_parse_is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
	       c == ':' || c == '.';
}

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* White space counts only where text does. */
static bool holds_text(const struct node *node)
{
	return node_is(node, "text") || node_is(node, "tspan") || node_is(node, "title") || node_is(node, "desc");
}

static void svg_parse_add_text(struct parser *p, const char *from, const char *to)
{
	if (p->inside && from != to && holds_text(p->inside))
		node_add_text(p->tree, p->inside, tree_copy(p->tree, from, (size_t)(to - from)));
}

/* After the next `end`, or the end of the text. */
static const char *svg_parse_after(const char *at, const char *end)
{
	const char *found = strstr(at, end);

	return found ? found + strlen(end) : at + strlen(at);
}

/* Comments, processing instructions, document types. */
static const char *skip_declaration(const char *at)
{
	const char *subset;

	if (starts(at, "<!--"))
		return svg_parse_after(at + 4, "-->");
	if (starts(at, "<![CDATA["))
		return svg_parse_after(at, "]]>");
	if (starts(at, "<?"))
		return svg_parse_after(at, "?>");
	subset = at + strcspn(at, "[>");
	return *subset == '[' ? svg_parse_after(subset, "]>") : svg_parse_after(at, ">");
}

static const char *close_tag(struct parser *p, const char *at)
{
	const char *name = at + 2;
	size_t size = 0;
	struct node *node;
	int depth = p->depth;

	while (svg_parse_is_name(name[size]))
		size++;
	for (node = p->inside; node; node = node->parent, depth--)
		if (strlen(node->name) == size && memcmp(node->name, name, size) == 0)
			break;
	if (node) {
		p->inside = node->parent;
		p->depth = depth - 1;
	}
	return svg_parse_after(name, ">");
}

/* Reads one attribute into `node` and returns what follows it. */
static const char *read_attribute(struct parser *p, struct node *node, const char *at)
{
	const char *name = at, *value, *end;
	char *name_copy;
	size_t size = 0;

	while (svg_parse_is_name(name[size]))
		size++;
	if (size == 0)
		return at + 1; /* stray: not ours to understand */
	at = name + size;
	while (svg_parse_is_space(*at))
		at++;
	if (*at != '=')
		return at;
	at++;
	while (svg_parse_is_space(*at))
		at++;
	if (*at == '"' || *at == '\'') {
		value = at + 1;
		end = strchr(value, *at);
		end = end ? end : value + strlen(value);
		at = *end != '\0' ? end + 1 : end;
	} else {
		value = at;
		at = end = at + strcspn(at, " \t\r\n>");
	}
	name_copy = tree_copy(p->tree, name, size);
	if (!attribute_get(node, name_copy))
		attribute_set(p->tree, node, name_copy, tree_copy(p->tree, value, (size_t)(end - value)));
	return at;
}

static const char *open_tag(struct parser *p, const char *at)
{
	const char *start = at + 1;
	size_t size = 0;
	struct node *node;
	char *name;
	bool closed = false;

	while (svg_parse_is_name(start[size]))
		size++;
	name = tree_copy(p->tree, start, size);
	node = node_add(p->tree, p->inside, name);
	for (at = start + size; *at != '\0' && *at != '>';) {
		closed = *at == '/';
		at = svg_parse_is_space(*at) || closed ? at + 1 : read_attribute(p, node, at);
	}
	if (!p->tree->root && strcmp(name, "svg") == 0)
		p->tree->root = node;
	if (!closed && p->tree->root) {
		p->inside = node;
		p->depth++;
	}
	return *at == '>' ? at + 1 : at;
}

static const char *markup(struct parser *p, const char *at)
{
	if (at[1] == '!' || at[1] == '?')
		return skip_declaration(at);
	if (at[1] == '/')
		return close_tag(p, at);
	if (svg_parse_is_name(at[1]) && (!p->tree->root || p->inside))
		return open_tag(p, at);
	svg_parse_add_text(p, at, at + 1);
	return at + 1;
}

int svg_parse(struct tree *tree, const char *text, struct error *err)
{
	struct parser p = {.tree = tree, .at = text};

	while (*p.at != '\0') {
		const char *tag = p.at + strcspn(p.at, "<");

		svg_parse_add_text(&p, p.at, tag);
		p.at = *tag == '<' ? markup(&p, tag) : tag;
		if (p.depth > MAX_DEPTH)
			return error_set(
				err, "it is nested more than %d deep, which gnuplot's SVG never is", MAX_DEPTH);
	}
	if (!tree->root)
		return error_set(err, "it is no SVG");
	return 0;
}
