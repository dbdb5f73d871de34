/*
 * column.h: figures of one column: drawn once, in px from the top left, so narrow that their texts are never too small,
 * so that they stand beside each other where a page is wide. plots/column.gp draws them.
 */
#ifndef DBPROF_FIGURE_WHY_COLUMN_H
#define DBPROF_FIGURE_WHY_COLUMN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "figure/figure.h"

/* In the 288 px that a page of 320 has for a figure, texts of 13 px are 11 px high. */
enum { COLUMN_PX = 340, COLUMN_FONT_PX = 13 };

/* What lines look like. Lines of one look are drawn together, as one path; looks in the order of their first use. */
struct column_look {
	double width; /* px */
	unsigned color;
	bool dashed;
};

struct edges_px {
	double left, top, right, bottom;
};

/* Where a text's place is in it. */
enum column_place { COLUMN_LEFT, COLUMN_CENTER, COLUMN_RIGHT };

struct column {
	struct figure *figure; /* its title, desc and height are the caller's; owned by the list of figures */
	struct column_layer *layer;
	size_t nlayers, room;
	struct strbuf text[3];
	int font; /* px */
};

/* Starts "FAMILY-WHAT" for a recording's family: of COLUMN_PX, or so wide and with texts so high. Ends with
 * column_close(). */
void column_open(struct column *column, const struct figure_family *in, const char *what);
void column_open_sized(struct column *column, const struct figure_family *in, const char *what, int width, int font);
void column_close(struct column *column);

/* ---- shapes ---- */

/* A filled rectangle; bars of one thickness should all lie, or all be upright. */
void column_bar(struct column *column, struct edges_px at, unsigned color, bool upright);

/* Its frame alone. */
void column_box(struct column *column, struct column_look look, struct edges_px at);

void column_line(struct column *column, struct column_look look, double x, double y, double to_x, double to_y);

/* The next corner of a path; column_gap() ends it. */
void column_at(struct column *column, struct column_look look, double x, double y);
void column_gap(struct column *column, struct column_look look);

/* One of several shapes, numbered from 0: filled ones, then the same empty. */
enum { COLUMN_SHAPES = 8 };
void column_point(struct column *column, double x, double y, size_t shape, unsigned color);

/* One line of text, its middle at y. */
void column_text(struct column *column, enum column_place place, double x, double y, unsigned color, const char *text);

/* A conservative width in px. */
double column_text_px(const struct column *column, const char *text);

/* ---- what shapes say: svg/svg.h ---- */

void column_mark(struct column *column, struct edges_px at, bool in_words, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* What is drawn until the next one belongs to a still of these edges. */
void column_still(struct column *column, struct edges_px at);

/* ---- texts ---- */

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
