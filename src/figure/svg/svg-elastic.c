/* svg-elastic.c: a picture that stretches to the width of its page, while its texts and strokes keep their size; see
 * svg.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/svg/svg-tree.h"
#include "figure/svg/svg.h"

enum {
	MARGIN_PX = 24, /* margins are multiples of this: see templates/style/figures.css */
	GAP_PX = 5,     /* between a text and the place at which it begins or ends */
	NAME_GAP_PX = 8,
	FILE_WIDTH_PX = 960 /* of a file of its own */
};

static int svg_elastic_steps(int px)
{
	return (px + MARGIN_PX - 1) / MARGIN_PX;
}

static const char *share_of(struct tree *tree, const struct box *box, double x)
{
	return tree_print(tree, "%.2f%%", 100 * (x - box->x) / box->width);
}

/* ---- texts ---- */

/* "translate(12.50,20.00)" */
static bool read_translate(const struct node *node, double *x, double *y)
{
	const char *value = attribute_get(node, "transform");

	return value && sscanf(value, " translate(%lf%*[ ,]%lf)", x, y) == 2;
}

/* The left edge of the figure, seen from the plot's. */
static double left_edge(const struct svg_options *options, char pages)
{
	int margin = pages == 'n' ? options->frame->narrow_left : options->frame->left;

	return options->standalone ? -margin : -MARGIN_PX * svg_elastic_steps(margin);
}

static void set_text(struct tree *tree, struct node *text, const char *x, int dx, const char *anchor)
{
	attribute_set(tree, text, "x", x);
	if (dx != 0)
		attribute_set(tree, text, "dx", tree_print(tree, "%d", dx));
	if (anchor)
		attribute_set(tree, text, "text-anchor", anchor);
}

/* Where a text stands, by the two characters before it. */
static void svg_elastic_place_text(struct tree *tree, const struct box *box, const struct svg_options *options,
	struct node *text, const char *marks, double x)
{
	const char *anchor = attribute_get(text, "text-anchor");
	int gap = anchor && strcmp(anchor, "middle") == 0 ? 0 : anchor && strcmp(anchor, "end") == 0 ? -GAP_PX : GAP_PX;

	if (marks[0] == 'l')
		set_text(tree, text, tree_print(tree, "%d", -NAME_GAP_PX), 0, "end");
	else if (marks[0] == 'r')
		set_text(tree, text, "100%", NAME_GAP_PX, "start");
	else if (marks[0] == 'p')
		set_text(tree, text, tree_print(tree, "%.1f", x), 0, NULL);
	else if (marks[0] == 'h')
		set_text(tree, text, tree_print(tree, "%.1f", x + left_edge(options, marks[1])), 0, "start");
	else
		set_text(tree, text, share_of(tree, box, x), gap, NULL);
	if (marks[1] != 'a' && !options->standalone)
		attribute_set(tree, text, "class", marks[1] == 'w' ? "w" : "n");
}

/* Takes a text out of the group that gnuplot puts around it. */
static void lift_text(struct tree *tree, const struct box *box, struct node *group, struct node *texts,
	const struct svg_options *options)
{
	static const char *const kept[] = {"fill", "text-anchor"};
	struct node *text = group->first, *words = text->first;
	const char *marks = words && words->text && strlen(words->text) >= 2 ? words->text : "%a";
	double x = 0, y = 0;

	read_translate(group, &x, &y);
	if (words && words->text == marks)
		words->text += 2;
	node_unlink(text);
	if (options->standalone && marks[1] == 'n')
		return;
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
		const char *value = attribute_get(group, kept[i]);

		if (value)
			attribute_set(tree, text, kept[i], value);
	}
	svg_elastic_place_text(tree, box, options, text, marks, x);
	attribute_set(tree, text, "y", tree_print(tree, "%.1f", y));
	node_link(texts, NULL, text);
}

static struct node *lift_texts(
	struct tree *tree, const struct box *box, struct node *shapes, const struct svg_options *options)
{
	struct node *texts = node_add(tree, NULL, "g"), *node = shapes;

	while (node) {
		struct node *group = node;

		node = node_after(node, shapes);
		if (!node_is(group, "g") || !group->first || !node_is(group->first, "text"))
			continue;
		while (group->first && node_is(group->first, "text"))
			lift_text(tree, box, group, texts, options);
		node = node_after(group, shapes);
	}
	return texts;
}

/* ---- the picture ---- */

/* What stretches: everything that the picture holds. */
static struct node *nest_shapes(struct tree *tree, const struct box *box, struct node *parent)
{
	struct node *shapes = node_add(tree, NULL, "svg");

	while (tree->root->first) {
		struct node *child = tree->root->first;

		node_unlink(child);
		node_link(shapes, NULL, child);
	}
	node_link(parent, NULL, shapes);
	attribute_set(tree, shapes, "viewBox",
		tree_print(tree, "%.6g %.6g %.6g %.6g", box->x, box->y, box->width, box->height));
	attribute_set(tree, shapes, "height", tree_print(tree, "%.6g", box->height));
	attribute_set(tree, shapes, "preserveAspectRatio", "none");
	attribute_set(tree, shapes, "overflow", "visible");
	return shapes;
}

/* A file of its own has the wide frame. */
static void frame_file(struct tree *tree, const struct box *box, const struct svg_frame *frame, struct node *plot)
{
	attribute_set(tree, tree->root, "viewBox", tree_print(tree, "0 0 %d %.6g", FILE_WIDTH_PX, box->height));
	attribute_set(tree, plot, "x", tree_print(tree, "%d", frame->left));
	attribute_set(tree, plot, "width", tree_print(tree, "%d", FILE_WIDTH_PX - frame->left - frame->right));
	attribute_set(tree, plot, "height", tree_print(tree, "%.6g", box->height));
	attribute_set(tree, plot, "overflow", "visible");
	attribute_set(tree, plot, "font-size", "13");
}

static void frame_page(struct tree *tree, const struct box *box, const struct svg_frame *frame)
{
	tree->root->attributes = NULL;
	attribute_set(tree, tree->root, "class",
		tree_print(tree, "e l%d m%d r%d s%d", svg_elastic_steps(frame->left),
			svg_elastic_steps(frame->narrow_left), svg_elastic_steps(frame->right),
			svg_elastic_steps(frame->narrow_right)));
	attribute_set(tree, tree->root, "height", tree_print(tree, "%.6g", box->height));
}

void svg_elastic(struct tree *tree, const struct box *box, const struct svg_options *options)
{
	struct node *plot, *shapes;

	if (!options->frame)
		return;
	plot = options->standalone ? node_add(tree, NULL, "svg") : tree->root;
	shapes = nest_shapes(tree, box, plot);
	node_link(plot, NULL, lift_texts(tree, box, shapes, options));
	if (options->standalone) {
		frame_file(tree, box, options->frame, plot);
		node_link(tree->root, NULL, plot);
	} else {
		frame_page(tree, box, options->frame);
	}
}
