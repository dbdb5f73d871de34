/* svg-tree.h: an SVG file as a tree; between the svg*.c files only. */
#ifndef DBPROF_FIGURE_SVG_SVG_TREE_H
#define DBPROF_FIGURE_SVG_SVG_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/error.h"
#include "util/strbuf.h"

/* Names and values are as they stand in the file: entities are not resolved. */
struct attribute {
	struct attribute *next;
	const char *name;
	char *value;
};

struct node {
	const char *name; /* of an element; NULL for text */
	const char *text; /* of text */
	struct attribute *attributes;
	struct node *parent, *first, *last, *prev, *next; /* first and last child, neighbours */
	const char *alias; /* an id: of an earlier definition that looks the same; or NULL */
	bool used;         /* something refers to its id */
};

struct svg_options; /* svg.h */

/* What a picture shows of its plane. */
struct box {
	double x, y, width, height;
};

/* Owns all nodes and strings. */
struct tree {
	struct node *root; /* the svg element */
	struct chunk *chunks;
};

/* ---- svg-tree.c ---- */

void *tree_alloc(struct tree *tree, size_t size); /* zeroed */
char *tree_copy(struct tree *tree, const char *from, size_t size);
char *tree_print(struct tree *tree, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tree_free(struct tree *tree);

struct node *node_add(struct tree *tree, struct node *parent, const char *name); /* as last child */
struct node *node_add_text(struct tree *tree, struct node *parent, const char *text);
void node_link(struct node *parent, struct node *before, struct node *node); /* before NULL: as last child */
void node_unlink(struct node *node);
void node_unwrap(struct node *node); /* its children take its place */
bool node_is(const struct node *node, const char *name);

const char *attribute_get(const struct node *node, const char *name); /* NULL if it is not there */
void attribute_set(struct tree *tree, struct node *node, const char *name, const char *value);
void attribute_drop(struct node *node, const char *name);

/* The node that follows in document order within `top`, or NULL at the end. */
struct node *node_after(const struct node *node, const struct node *top);

/* Plain text as markup; the tree owns it. */
char *svg_escaped(struct tree *tree, const char *text);

/* ---- the steps ---- */

struct svg_options;

/* svg-parse.c: builds the tree. Forgiving: what is no markup is text, what is not closed ends with its parent. */
int svg_parse(struct tree *tree, const char *text, struct error *err);

/* svg-style.c: fonts are left to the page, style attributes become attributes, colours and numbers get their shortest
 * form, marker colours become variables (or the light ink, if standalone). */
void svg_style(struct tree *tree, bool standalone);
/* The style sheet that a standalone file brings. */
const char *svg_style_sheet(struct tree *tree);

/* svg-elastic.c: with a frame, makes the picture stretch. After the root has its box. */
void svg_elastic(struct tree *tree, const struct box *box, const struct svg_options *options);

/* svg-path.c: paths of straight lines in few characters, to a tenth of a unit; polygons become paths. A path that is
 * all dots (SVG_DOT) gets round ends. After svg_stills(). */
void svg_paths(struct tree *tree);

/* svg-texture.c: strokes and areas in a colour that has a texture get it. After svg_style(), before svg_ids(). */
void svg_textures(struct tree *tree, bool standalone);

/* svg-ids.c: moves all definitions into one place at the front, drops what is unused or double, prefixes ids. */
void svg_ids(struct tree *tree, const char *prefix, bool standalone);

/* svg-marks.c: adds the marks behind all shapes; and, before that, makes groups of the stills. After svg_style(). */
void svg_marks(struct tree *tree, const struct box *box, const struct svg_options *options);
void svg_stills(struct tree *tree, const struct svg_options *options);

/* svg-shrink.c: drops groups and attributes that change nothing. */
void svg_shrink(struct tree *tree);

/* svg-write.c */
void svg_write(const struct node *node, struct strbuf *out);

#endif
