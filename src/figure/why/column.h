/* column.h: what the figures of one column share: they keep their shape and are so narrow that their texts are never
 * too small, so they stand beside each other where a page is wide. */
#ifndef DBPROF_FIGURE_WHY_COLUMN_H
#define DBPROF_FIGURE_WHY_COLUMN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "figure/canvas.h"
#include "figure/figure.h"

enum { COLUMN_PX = CANVAS_FIXED_PX };

/* Starts "FAMILY-WHAT" for a recording's family. Ends with canvas_close(). */
void column_open(struct canvas *canvas, const struct figure_family *in, const char *what, int width);

/* ---- shapes ---- */

struct edges_px {
	double left, top, right, bottom;
};

/* A filled rectangle; bars of one thickness should all lie, or all be upright: then they are one path. */
void column_bar(struct canvas *canvas, struct edges_px at, unsigned color, bool upright);

/* Its frame alone. */
void column_box(struct canvas *canvas, struct canvas_look look, struct edges_px at);

/* One of several shapes, numbered from 0: filled ones, then the same empty. */
enum { COLUMN_SHAPES = 8 };
void column_point(struct canvas *canvas, double x, double y, size_t shape, unsigned color);

/* ---- texts ---- */

/* A conservative width in px. */
double column_text_px(const char *text);

/* Cuts a text where it is wider than `px`, with an ellipsis; `text` has room for that. */
void column_cut(char *text, double px);

/* "−251 µs", "+12.3 µs", "0 ns". `text` has FORMAT_SIZE bytes. */
char *column_change(char *text, double ns);

/* "−258 µs (95 % interval −270 µs to −240 µs)"; the value alone without an interval. */
char *column_change_within(char *text, double ns, double low, double high);

/* "67.1 % (95 % interval 66.0 % to 68.1 %)"; the value alone without an interval. */
char *column_share_within(char *text, const json_t *share);

/* A number at an axis: "0.1", "20", "10 k", "2.5 M". */
char *column_number(char *text, double value);

/* ---- reading the tree ---- */

/* The headline contrast, or NULL. */
const json_t *column_contrast(const json_t *family);

/* How many steps of a list have a share that counts; *most grows to the largest of them, intervals included. */
size_t column_measure_shares(const json_t *steps, double *most);

/* "single", "double" or "": the role of the variant of that name. */
const char *column_role(const json_t *family, const char *variant);

/* The contrast's colours for those who play in it, grey for the rest. */
unsigned column_role_color(const char *role);

/* ---- labels that must not lie on each other ---- */

struct column_label {
	double y;      /* px, the middle: where it should be, then where it is */
	double height; /* px; 0: it is not shown */
	double weight; /* of those that find no room, the lightest go: their height becomes 0 */
};

/* Moves labels, which are in order of y, apart between `top` and `bottom`. */
void column_spread(struct column_label *labels, size_t n, double top, double bottom);

#endif
