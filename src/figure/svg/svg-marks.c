/* svg-marks.c: what gnuplot's SVG does not say: places with a value, and which shapes belong to one still; see
 * svg-tree.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/svg/svg-tree.h"
#include "figure/svg/svg.h"
#include "util/strbuf.h"

struct edges {
	double left, top, right, bottom;
};

/* ---- marks ---- */

/* Where a mark is: numbers; in a plot that stretches, those from left to right are shares of its width. */
struct mark_place {
	char *x, *y, *width, *height;
};

static struct mark_place place_of_mark(struct tree *tree, const struct box *box, const struct svg_mark *mark)
{
	const char *unit = box ? "%" : "";
	double scale = box ? 100 / box->width : 1, from = box ? box->x : 0;

	return (struct mark_place){tree_print(tree, "%.4g%s", scale * (mark->left - from), unit),
		tree_print(tree, "%.4g", mark->top),
		tree_print(tree, "%.4g%s", scale * fmax(0, mark->right - mark->left), unit),
		tree_print(tree, "%.4g", fmax(0, mark->bottom - mark->top))};
}

static void add_mark(struct tree *tree, struct node *group, const struct box *box, const struct svg_mark *mark)
{
	struct node *rect = node_add(tree, group, "rect");
	struct mark_place at = place_of_mark(tree, box, mark);

	attribute_set(tree, rect, "x", at.x);
	attribute_set(tree, rect, "y", at.y);
	attribute_set(tree, rect, "width", at.width);
	attribute_set(tree, rect, "height", at.height);
	node_add_text(tree, node_add(tree, rect, "title"), svg_escaped(tree, mark->text));
}

/* A line for each mark that is for scripts: x, y, width, height, text. templates/script/figures.js makes shapes of it.
 */
static void list_marks(struct tree *tree, struct node *group, const struct box *box, const struct svg_options *options)
{
	struct strbuf lines = {0};

	for (size_t i = 0; i < options->nmarks; i++) {
		struct mark_place at;
		char *words;

		if (!options->marks[i].in_words)
			continue;
		at = place_of_mark(tree, box, &options->marks[i]);
		strbuf_printf(&lines, "%s%s %s %s %s ", lines.length > 0 ? "\n" : "", at.x, at.y, at.width, at.height);
		words = svg_escaped(tree, options->marks[i].text);
		for (char *c = strchr(words, '\n'); c; c = strchr(c, '\n'))
			*c = ' ';
		strbuf_puts(&lines, words);
	}
	if (lines.length > 0)
		attribute_set(tree, group, "data-marks", tree_copy(tree, lines.text, lines.length));
	strbuf_free(&lines);
}

void svg_marks(struct tree *tree, const struct box *box, const struct svg_options *options)
{
	/* In a file of its own, the plot that stretches is a picture in the picture. */
	struct node *plot = options->frame && options->standalone ? tree->root->last : tree->root, *group;
	const struct box *stretched = options->frame ? box : NULL;

	if (options->nmarks == 0)
		return;
	group = node_add(tree, plot, "g");
	attribute_set(tree, group, "fill", "none");
	attribute_set(tree, group, "pointer-events", "all");
	for (size_t i = 0; i < options->nmarks; i++)
		if (options->standalone || !options->marks[i].in_words)
			add_mark(tree, group, stretched, &options->marks[i]);
	if (!options->standalone)
		list_marks(tree, group, stretched, options);
}

/* ---- stills ---- */

/* Of all pairs of numbers in path data or points. False if there is none. */
static bool edges_of_numbers(const char *text, struct edges *edges)
{
	double x = NAN;

	*edges = (struct edges){INFINITY, INFINITY, -INFINITY, -INFINITY};
	while (*text != '\0') {
		char *end;
		double value = strtod(text, &end);

		if (end == text) {
			text++;
			continue;
		}
		text = end;
		if (isnan(x)) {
			x = value;
			continue;
		}
		edges->left = fmin(edges->left, x);
		edges->right = fmax(edges->right, x);
		edges->top = fmin(edges->top, value);
		edges->bottom = fmax(edges->bottom, value);
		x = NAN;
	}
	return edges->left <= edges->right;
}

/* Texts stand at a place that is set by a transformation. */
static bool edges_of(const struct node *node, struct edges *edges)
{
	const char *place = attribute_get(node, "transform");
	double x, y;

	if (place && sscanf(place, "translate(%lf,%lf)", &x, &y) == 2) {
		*edges = (struct edges){x, y, x, y};
		return true;
	}
	if (node_is(node, "polygon") && attribute_get(node, "points"))
		return edges_of_numbers(attribute_get(node, "points"), edges);
	return node_is(node, "path") && attribute_get(node, "d") && edges_of_numbers(attribute_get(node, "d"), edges);
}

static bool lies_in(const struct edges *edges, const struct svg_still *still)
{
	return edges->left >= still->left && edges->right <= still->right && edges->top >= still->top &&
	       edges->bottom <= still->bottom;
}

/* The node that follows behind all that is in this one. */
static struct node *behind(const struct node *node, const struct node *root)
{
	while (node != root && !node->next)
		node = node->parent;
	return node == root ? NULL : node->next;
}

/* The next node in document order. Definitions are drawn elsewhere. */
static struct node *svg_marks_next(const struct node *node, const struct node *root)
{
	struct node *next = node_after(node, root);

	return next && node_is(next, "defs") ? behind(next, root) : next;
}

/* What a shape takes from the groups around it must go with it. */
static void keep_around(struct tree *tree, struct node *node)
{
	for (const struct node *group = node->parent; group && group->parent; group = group->parent)
		for (const struct attribute *a = group->attributes; a; a = a->next)
			if (!attribute_get(node, a->name) && strcmp(a->name, "id") != 0)
				attribute_set(tree, node, a->name, a->value);
}

static void add_still(struct tree *tree, const struct svg_still *still, size_t number, bool standalone)
{
	struct node *group = node_add(tree, NULL, "g"), *next;
	struct edges edges;

	if (!standalone)
		attribute_set(tree, group, "class", "frame");
	attribute_set(tree, group, "data-frame", tree_print(tree, "%zu", number));
	for (struct node *node = svg_marks_next(tree->root, tree->root); node; node = next) {
		bool inside = edges_of(node, &edges) && lies_in(&edges, still);

		next = inside ? behind(node, tree->root) : svg_marks_next(node, tree->root);
		if (!inside)
			continue;
		keep_around(tree, node);
		node_unlink(node);
		node_link(group, NULL, node);
	}
	if (group->first)
		node_link(tree->root, NULL, group);
}

void svg_stills(struct tree *tree, const struct svg_options *options)
{
	for (size_t i = 0; i < options->nstills; i++)
		add_still(tree, &options->stills[i], i, options->standalone);
}
