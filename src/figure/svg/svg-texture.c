/* svg-texture.c: colour is never the only sign: waits, copies to the host and idle time have a texture; see
 * svg-tree.h.
 */
#include <stdlib.h>
#include <string.h>

#include "figure/svg/svg-tree.h"
#include "util/palette.h"

enum { THIN_PX = 3 }; /* a line is no thicker, and keeps its colour */

/* A colour's texture: its ground, what is drawn on it, and how. Slanted lines for a wait and, without a ground, for
 * idle time; level ones for copies to the host; dots for a queue. Printed, idle time has level lines (media.css). */
static const struct texture {
	unsigned color;
	const char *id, *height, *d, *opacity;
} textures[] = {
	{COLOR_WAIT, "wait", "6", "M-3 7.5 3 4.5M0 6 12 0M9 1.5 15-1.5", ".4"},
	{COLOR_D2H, "d2h", "4", "M0 2H12", ".4"},
	{COLOR_QUEUE, "queue", "4", "M1 1h1m3 0h1m3 0h1M3 3h1m3 0h1m3 0h1", ".6"},
	{COLOR_IDLE, "idle", "8", "M-3-2 3 2M0 0 12 8M9 6 15 10", NULL},
};

/* As svg-style.c has written it: "#cc79a7", "var(--idle)", or in a standalone file the light colour of an ink. */
static bool is_color(const struct texture *texture, const char *value)
{
	if (texture->color == COLOR_IDLE)
		return strcmp(value, "var(--idle)") == 0 || strcmp(value, PALETTE_IDLE_LIGHT) == 0;
	return *value == '#' && strtoul(value + 1, NULL, 16) == texture->color;
}

static bool is_thick(const struct node *node)
{
	for (; node; node = node->parent) {
		const char *width = attribute_get(node, "stroke-width");

		if (width)
			return strtod(width, NULL) > THIN_PX;
	}
	return false;
}

/* Puts a texture in place of its colour. */
static void texture_node(struct tree *tree, struct node *node)
{
	static const char *const names[] = {"stroke", "fill"};

	for (size_t i = 0; i < sizeof(textures) / sizeof(*textures); i++) {
		for (int n = 0; n < 2; n++) {
			const char *value = attribute_get(node, names[n]);

			if (value && is_color(&textures[i], value) && (n == 1 || is_thick(node)))
				attribute_set(tree, node, names[n], tree_print(tree, "url(#%s)", textures[i].id));
		}
	}
}

static void define_texture(struct tree *tree, struct node *defs, const struct texture *texture, const char *ink)
{
	struct node *pattern = node_add(tree, defs, "pattern"), *lines;

	attribute_set(tree, pattern, "id", texture->id);
	attribute_set(tree, pattern, "patternUnits", "userSpaceOnUse");
	attribute_set(tree, pattern, "width", "12");
	attribute_set(tree, pattern, "height", texture->height);
	if (texture->opacity) {
		struct node *ground = node_add(tree, pattern, "rect");

		attribute_set(tree, ground, "width", "12");
		attribute_set(tree, ground, "height", texture->height);
		attribute_set(tree, ground, "fill", tree_print(tree, "#%06x", texture->color));
	}
	lines = node_add(tree, pattern, "path");
	attribute_set(tree, lines, "d", texture->d);
	attribute_set(tree, lines, "stroke", texture->opacity ? "#000" : ink);
	if (texture->opacity)
		attribute_set(tree, lines, "stroke-opacity", texture->opacity);
}

void svg_textures(struct tree *tree, bool standalone)
{
	struct node *defs;

	for (struct node *node = tree->root; node; node = node_after(node, tree->root)) {
		if (node_is(node, "path") || node_is(node, "polygon") || node_is(node, "rect"))
			texture_node(tree, node);
	}
	defs = node_add(tree, tree->root, "defs");
	for (size_t i = 0; i < sizeof(textures) / sizeof(*textures); i++)
		define_texture(tree, defs, &textures[i], standalone ? PALETTE_IDLE_LIGHT : "var(--idle)");
}
