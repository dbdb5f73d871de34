/* svg-shrink.c: the same picture with fewer groups and attributes; see svg-tree.h. */
#include <stdio.h>
#include <string.h>

#include "figure/svg/svg-tree.h"

/* Attributes that children inherit, with the value where nothing is set; NULL where the page decides. */
static const struct property {
	const char *name, *initial;
	bool text_only; /* shapes do not care */
} properties[] = {
	{"fill", NULL, false},
	{"stroke", NULL, false},
	{"color", NULL, false},
	{"stroke-width", "1", false},
	{"stroke-linecap", "butt", false},
	{"stroke-linejoin", "miter", false},
	{"stroke-dasharray", "none", false},
	{"stroke-opacity", "1", false},
	{"fill-opacity", "1", false},
	{"text-anchor", "start", true},
	{"font-size", NULL, true},
	{"font-weight", NULL, true},
	{"font-style", NULL, true},
	{"shape-rendering", NULL, false},
};

enum { PROPERTIES = sizeof(properties) / sizeof(*properties) };

static bool is_inherited(const char *name)
{
	for (int i = 0; i < PROPERTIES; i++)
		if (strcmp(properties[i].name, name) == 0)
			return true;
	return false;
}

/* What describes the picture and draws nothing. */
static bool is_words(const struct node *node)
{
	return node_is(node, "title") || node_is(node, "desc");
}

/* Definitions inherit from elsewhere or are seen from elsewhere: nothing in them is touched. */
static bool is_definition(const struct node *node)
{
	return node_is(node, "defs") || node_is(node, "pattern") || node_is(node, "filter") ||
	       node_is(node, "clipPath");
}

/* ---- groups that draw nothing ---- */

static void svg_shrink_drop_empty(struct node *node)
{
	for (struct node *child = node->first, *next; child; child = next) {
		bool draws = false;

		next = child->next;
		if (is_definition(child))
			continue;
		svg_shrink_drop_empty(child);
		for (const struct node *c = child->first; c; c = c->next)
			draws |= !is_words(c);
		if (!draws && (node_is(child, "g") || node_is(child, "text")) && !attribute_get(child, "id") &&
			!attribute_get(child, "data-marks"))
			node_unlink(child);
	}
}

/* ---- attributes that all children set: set once, around them ---- */

static bool has_text(const struct node *top)
{
	for (const struct node *node = top; node; node = node_after(node, top))
		if (node_is(node, "text"))
			return true;
	return false;
}

/* The value that most of the children have, as far as one vote can tell; NULL if one that cares has none. */
static const char *common_value(const struct node *group, const struct property *property)
{
	const char *winner = NULL;
	int votes = 0;

	for (const struct node *child = group->first; child; child = child->next) {
		const char *value;

		if (is_words(child))
			continue;
		value = child->name ? attribute_get(child, property->name) : NULL;
		if (!value && property->text_only && !has_text(child))
			continue;
		if (!value)
			return NULL;
		if (votes == 0)
			winner = value;
		votes += strcmp(value, winner) == 0 ? 1 : -1;
	}
	return winner;
}

/* Where every child sets an attribute, what the group says about it is never seen: it may say what most say. */
static void hoist(struct tree *tree, struct node *node)
{
	for (struct node *child = node->first; child; child = child->next) {
		if (!child->name || is_definition(child))
			continue;
		hoist(tree, child);
		if (!node_is(child, "g"))
			continue;
		for (int i = 0; i < PROPERTIES; i++) {
			const char *value = common_value(child, &properties[i]);

			if (value)
				attribute_set(tree, child, properties[i].name, value);
		}
	}
}

/* `color` is seen only through currentColor and by the points that <use> draws. */
static bool sees_color(const struct node *top)
{
	for (const struct node *node = top; node; node = node_after(node, top)) {
		if (node_is(node, "use"))
			return true;
		for (const struct attribute *a = node->attributes; a; a = a->next)
			if (strcmp(a->value, "currentColor") == 0)
				return true;
	}
	return false;
}

static void drop_color(struct node *node)
{
	for (struct node *child = node->first; child; child = child->next) {
		if (!child->name || is_definition(child))
			continue;
		if (!sees_color(child))
			attribute_drop(child, "color");
		drop_color(child);
	}
}

/* ---- attributes that repeat what is inherited ---- */

static void drop_repeated(struct node *node, const char *const *around)
{
	const char *here[PROPERTIES];

	for (int i = 0; i < PROPERTIES; i++) {
		const char *value = attribute_get(node, properties[i].name);

		if (value && around[i] && strcmp(value, around[i]) == 0)
			attribute_drop(node, properties[i].name);
		here[i] = value ? value : around[i];
	}
	for (struct node *child = node->first; child; child = child->next)
		if (child->name && !is_definition(child))
			drop_repeated(child, here);
}

/* ---- groups that group nothing ---- */

/* The one child of a group, or NULL. */
static struct node *only_child(const struct node *group)
{
	struct node *child = group->first;

	if (!child || child->next || !child->name)
		return NULL;
	return is_words(child) || is_definition(child) ? NULL : child;
}

/* Whether all attributes of the group can go to its child: no two of a kind that do not simply replace each other, and
 * none that is measured in coordinates that the child changes. */
static bool svg_shrink_fits(const struct node *group, const struct node *child)
{
	for (const struct attribute *a = group->attributes; a; a = a->next) {
		if (is_inherited(a->name))
			continue;
		if (attribute_get(child, a->name) || attribute_get(child, "transform"))
			return false;
		if (strcmp(a->name, "transform") != 0 && strcmp(a->name, "filter") != 0 &&
			strcmp(a->name, "opacity") != 0)
			return false;
	}
	return true;
}

static void svg_shrink_merge(struct tree *tree, struct node *group, struct node *child)
{
	for (const struct attribute *a = group->attributes; a; a = a->next)
		if (!attribute_get(child, a->name))
			attribute_set(tree, child, a->name, a->value);
	node_unwrap(group);
}

static bool has_words(const struct node *node)
{
	for (const struct node *child = node->first; child; child = child->next)
		if (is_words(child))
			return true;
	return false;
}

static void flatten(struct tree *tree, struct node *node)
{
	for (struct node *child = node->first, *next; child; child = next) {
		struct node *only;

		next = child->next;
		if (!child->name || is_definition(child))
			continue;
		flatten(tree, child);
		only = only_child(child);
		if ((node_is(child, "g") || node_is(child, "tspan")) && !child->attributes && !has_words(child))
			node_unwrap(child);
		else if (node_is(child, "g") && only && svg_shrink_fits(child, only))
			svg_shrink_merge(tree, child, only);
	}
}

/* ---- paths that look alike ---- */

static bool same_looks(const struct node *a, const struct node *b)
{
	size_t n = 0, m = 0;

	for (const struct attribute *x = a->attributes; x; x = x->next, n++) {
		const char *y = attribute_get(b, x->name);

		if (strcmp(x->name, "d") != 0 && (!y || strcmp(y, x->value) != 0))
			return false;
	}
	for (const struct attribute *y = b->attributes; y; y = y->next)
		m++;
	return n == m;
}

/* Neighbours become one path. */
static void join_paths(struct tree *tree, struct node *node)
{
	for (struct node *child = node->first; child; child = child->next) {
		if (is_definition(child))
			continue;
		join_paths(tree, child);
		while (node_is(child, "path") && child->next && node_is(child->next, "path") && !child->next->first &&
			attribute_get(child, "d") && attribute_get(child->next, "d") &&
			same_looks(child, child->next)) {
			attribute_set(tree, child, "d",
				tree_print(tree, "%s%s", attribute_get(child, "d"), attribute_get(child->next, "d")));
			node_unlink(child->next);
		}
	}
}

/* ---- text ---- */

/* Viewers drop white space at the start of a text, which gnuplot's number formats are full of. */
static void svg_shrink_trim(struct tree *tree)
{
	for (struct node *node = tree->root; node; node = node_after(node, tree->root)) {
		struct node *text = node_is(node, "text") ? node->first : NULL;

		if (text && !text->name && !attribute_get(node, "xml:space"))
			text->text += strspn(text->text, " \t\r\n");
	}
}

/* A text that is moved and not turned stands at coordinates, which are shorter. */
static void place_svg_text(struct tree *tree, struct node *text)
{
	const char *move = attribute_get(text, "transform");
	char x[16], y[16];
	int end = 0;

	if (!move || sscanf(move, "translate(%15[-0-9.],%15[-0-9.])%n", x, y, &end) != 2 || end == 0 ||
		move[end] != '\0')
		return;
	if (attribute_get(text, "x") || attribute_get(text, "y") || !text->first || text->first->name ||
		text->first->next)
		return;
	attribute_drop(text, "transform");
	attribute_set(tree, text, "x", tree_copy(tree, x, strlen(x)));
	attribute_set(tree, text, "y", tree_copy(tree, y, strlen(y)));
}

static void place_svg_texts(struct tree *tree)
{
	for (struct node *node = tree->root; node; node = node_after(node, tree->root))
		if (node_is(node, "text"))
			place_svg_text(tree, node);
}

void svg_shrink(struct tree *tree)
{
	const char *around[PROPERTIES];

	for (int i = 0; i < PROPERTIES; i++)
		around[i] = properties[i].initial;
	svg_shrink_drop_empty(tree->root);
	hoist(tree, tree->root);
	drop_color(tree->root);
	drop_repeated(tree->root, around);
	flatten(tree, tree->root);
	join_paths(tree, tree->root);
	svg_shrink_trim(tree);
	place_svg_texts(tree);
}
