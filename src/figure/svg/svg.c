/* svg.c: see svg.h. */
#include "figure/svg/svg.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "figure/svg/svg-tree.h"
#include "util/utf8.h"

/* ---- what must not be in a page ---- */

static bool is_unwanted(const struct node *node, const struct node *root)
{
	static const char *const names[] = {
		"script", "style", "metadata", "foreignObject", "iframe", "object", "embed"};

	/* In a page of HTML, <SCRIPT> is one too. */
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (node->name && strcasecmp(node->name, names[i]) == 0)
			return true;
	return node->parent == root && (node_is(node, "title") || node_is(node, "desc"));
}

static bool measures(const struct node *node, const char *name, double expected)
{
	const char *value = attribute_get(node, name);

	return (value ? strtod(value, NULL) : 0) == expected;
}

/* A rectangle over the whole picture. */
static bool is_background(const struct node *node, const struct box *box)
{
	return node_is(node, "rect") && measures(node, "x", box->x) && measures(node, "y", box->y) &&
	       measures(node, "width", box->width) && measures(node, "height", box->height);
}

/* Handlers need scripts, classes would be the page's, and a page without network refers to nothing outside itself. */
static bool is_unsafe(const struct attribute *a)
{
	const char *url = strstr(a->value, "url(");

	if (strncasecmp(a->name, "on", 2) == 0 || strcmp(a->name, "class") == 0)
		return true;
	if (url && url[4 + strspn(url + 4, " '\"")] != '#')
		return true;
	if (strcasecmp(a->name, "href") != 0 && strcasecmp(a->name, "xlink:href") != 0)
		return false;
	return a->value[0] != '#' && strncmp(a->value, "data:image/", 11) != 0;
}

static void strip_attributes(struct node *node)
{
	for (struct attribute **a = &node->attributes; *a;) {
		if (is_unsafe(*a))
			*a = (*a)->next;
		else
			a = &(*a)->next;
	}
}

static void strip(struct node *root, const struct box *box)
{
	struct node *node = root;

	while (node) {
		struct node *drop = node;

		node = node_after(node, root);
		strip_attributes(drop);
		/* A title is a tooltip: gnuplot's are pieces of the plot command. */
		if (drop == root || !(is_unwanted(drop, root) || node_is(drop, "title") || is_background(drop, box)))
			continue;
		while (drop->first)
			node_unlink(drop->first);
		if (node)
			node = drop->next ? drop->next : node_after(drop, root);
		node_unlink(drop);
	}
}

/* ---- the svg element ---- */

static int read_box(const struct node *root, struct box *box)
{
	const char *view = attribute_get(root, "viewBox");
	const char *width = attribute_get(root, "width"), *height = attribute_get(root, "height");

	*box = (struct box){0, 0, width ? strtod(width, NULL) : 0, height ? strtod(height, NULL) : 0};
	if (view && sscanf(view, "%lf%*[ ,]%lf%*[ ,]%lf%*[ ,]%lf", &box->x, &box->y, &box->width, &box->height) != 4)
		return -1;
	return box->width > 0 && box->height > 0 && box->width < 1e6 && box->height < 1e6 ? 0 : -1;
}

/* The new root element's attributes. */
static void set_root(struct tree *tree, const struct box *box, bool standalone)
{
	char *view = tree_print(tree, "%.6g %.6g %.6g %.6g", box->x, box->y, box->width, box->height);

	tree->root->attributes = NULL;
	if (standalone) {
		attribute_set(tree, tree->root, "xmlns", "http://www.w3.org/2000/svg");
		attribute_set(tree, tree->root, "xmlns:xlink", "http://www.w3.org/1999/xlink");
	}
	attribute_set(tree, tree->root, "viewBox", view);
	attribute_set(tree, tree->root, "width", "100%");
}

char *svg_escaped(struct tree *tree, const char *text)
{
	char *clean = utf8_visible(text, strlen(text));
	char *copy = tree_alloc(tree, 5 * strlen(clean) + 1), *to = copy;

	for (const char *c = clean; *c != '\0'; c++)
		to = *c == '&' ? stpcpy(to, "&amp;") : (*to = *c, to + 1);
	free(clean);
	return copy;
}

/* Puts <title> or <desc> with its id in front of `before`. */
static void add_words(struct tree *tree, const char *name, const char *id, const char *words, struct node *before)
{
	struct node *node = node_add(tree, NULL, name);

	attribute_set(tree, node, "id", id);
	node_add_text(tree, node, svg_escaped(tree, words));
	node_link(tree->root, before, node);
}

static void name_figure(struct tree *tree, const struct svg_options *options)
{
	bool described = options->desc && *options->desc != '\0';
	struct node *first = tree->root->first;
	char *title = tree_print(tree, "%s-title", options->prefix);
	char *desc = tree_print(tree, "%s-desc", options->prefix);
	char *both = tree_print(tree, "%s-title %s-desc", options->prefix, options->prefix);

	attribute_set(tree, tree->root, "role", "img");
	attribute_set(tree, tree->root, "aria-labelledby", described ? both : title);
	add_words(tree, "title", title, options->title, first);
	if (described)
		add_words(tree, "desc", desc, options->desc, first);
}

static void add_style_sheet(struct tree *tree)
{
	struct node *style = node_add(tree, NULL, "style");

	node_link(tree->root, tree->root->first, style);
	node_add_text(tree, style, svg_style_sheet(tree));
}

/* ---- all of it ---- */

static int check_options(const struct svg_options *options, struct error *err)
{
	const char *c = options->prefix;

	if (!isalpha((unsigned char)*c))
		return error_set(err, "'%s' cannot begin an id: it must start with a letter", options->prefix);
	for (; *c != '\0'; c++)
		if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
			return error_set(
				err, "'%s' cannot begin an id: only letters, digits, - and _ can", options->prefix);
	return 0;
}

static int rewrite(struct tree *tree, const struct svg_options *options, struct error *err)
{
	struct box box;

	if (read_box(tree->root, &box))
		return error_set(err, "it is no SVG with a size");
	strip(tree->root, &box);
	set_root(tree, &box, options->standalone);
	svg_elastic(tree, &box, options);
	svg_style(tree, options->standalone);
	svg_textures(tree, options->standalone);
	svg_ids(tree, options->prefix, options->standalone);
	svg_stills(tree, options);
	svg_marks(tree, &box, options);
	svg_paths(tree);
	svg_shrink(tree);
	name_figure(tree, options);
	if (options->standalone)
		add_style_sheet(tree);
	return 0;
}

static char *written(const struct node *root, bool standalone)
{
	struct strbuf text = {0};

	svg_write(root, &text);
	if (standalone)
		strbuf_putc(&text, '\n');
	return strbuf_take(&text);
}

char *svg_rewrite(const char *text, size_t size, const struct svg_options *options, struct error *err)
{
	struct tree tree = {0};
	char *clean, *result = NULL;

	if (check_options(options, err))
		return NULL;
	clean = utf8_visible(text, size);
	if (svg_parse(&tree, clean, err) == 0 && rewrite(&tree, options, err) == 0)
		result = written(tree.root, options->standalone);
	free(clean);
	tree_free(&tree);
	return result;
}
