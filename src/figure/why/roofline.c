/* roofline.c: what variants do per second against what they do per byte, under the roofs that the machine was measured
 * to have. Each variant stands at the memory that it is nearest to the roof of. */
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/why/column.h"
#include "tree/tree.h"
#include "util/format.h"

enum {
	LEFT = 48,
	RIGHT = 336,
	ROW = 18,
	TOP = 8,
	PLOT = 240,
	FOOT = 48,
	LABEL = 17,
	MAX_LABELS = 6,
	SINGLE_SHAPE = 0,
	DOUBLE_SHAPE = 1,
	REFERENCE_SHAPE = 3,
	OTHER_SHAPE = 4
};

static const struct canvas_look grid = {0.75, COLOR_GRID, false}, thin = {0.75, COLOR_INK_2, false},
				line = {2, COLOR_INK_2, false};

struct roof {
	struct canvas canvas;
	const json_t *family, *roofline;
	double from_x, to_x, from_y, to_y; /* decimal logarithms of the ends */
	double top, bottom;                /* px */
};

/* A variant that has a name beside its point. */
struct named {
	double x, y;
	char text[48];
};

static double roof_x(const struct roof *roof, double intensity)
{
	return LEFT + (log10(intensity) - roof->from_x) / (roof->to_x - roof->from_x) * (RIGHT - LEFT);
}

static double roof_y(const struct roof *roof, double per_s)
{
	return roof->bottom - (log10(per_s) - roof->from_y) / (roof->to_y - roof->from_y) * (roof->bottom - roof->top);
}

static double ceiling_of(const struct roof *roof)
{
	return tree_real(roof->roofline, "ceiling_per_s");
}

static const char *role_of(const struct roof *roof, const json_t *point)
{
	return column_role(roof->family, tree_text(point, "variant"));
}

/* The place with the largest share of what the machine reaches, or NULL. */
static const json_t *tightest(const json_t *point)
{
	const json_t *places = json_object_get(point, "places"), *best = NULL;

	for (size_t i = 0; i < json_array_size(places); i++) {
		const json_t *place = json_array_get(places, i);

		if (tree_real(place, "intensity") > 0 &&
			(!best || tree_real(place, "share") > tree_real(best, "share")))
			best = place;
	}
	return best;
}

/* ---- the axes ---- */

static void roof_widen(struct roof *roof, double intensity, double per_s)
{
	if (!(intensity > 0 && per_s > 0 && isfinite(intensity) && isfinite(per_s)))
		return;
	roof->from_x = fmin(roof->from_x, log10(intensity));
	roof->to_x = fmax(roof->to_x, log10(intensity));
	roof->from_y = fmin(roof->from_y, log10(per_s));
}

static bool roof_has_side(const json_t *family, const json_t *point)
{
	const char *variant = tree_text(point, "variant");

	return strcmp(variant, tree_text(family, "single")) == 0 || strcmp(variant, tree_text(family, "double")) == 0;
}

/* How many of the pair have a place: others alone are no contrast. */
static size_t roof_scale(struct roof *roof)
{
	const json_t *points = json_object_get(roof->roofline, "points");
	const json_t *levels = json_object_get(roof->roofline, "levels");
	size_t n = 0;

	roof->from_x = roof->from_y = INFINITY;
	roof->to_x = -INFINITY;
	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *point = json_array_get(points, i);

		roof_widen(roof, tree_real(tightest(point), "intensity"), tree_real(point, "per_s"));
		n += tightest(point) && tree_real(point, "per_s") > 0 && roof_has_side(roof->family, point);
	}
	for (size_t i = 0; i < json_array_size(levels); i++)
		roof_widen(roof, ceiling_of(roof) / tree_real(json_array_get(levels, i), "bytes_s"), ceiling_of(roof));
	roof->from_x -= 0.25;
	roof->to_x += 0.25;
	roof->from_y -= 0.35;
	roof->to_y = log10(ceiling_of(roof)) + 0.06;
	return n;
}

static void tick_x(struct roof *roof, double value)
{
	char text[FORMAT_SIZE];
	double x = roof_x(roof, value);

	canvas_line(&roof->canvas, grid, x, roof->top, x, roof->bottom + 4);
	canvas_text(&roof->canvas, CANVAS_CENTER, CANVAS_ALL, x, roof->bottom + 15, COLOR_INK_2,
		column_number(text, value));
}

static void tick_y(struct roof *roof, double value)
{
	char text[FORMAT_SIZE];
	double y = roof_y(roof, value);

	canvas_line(&roof->canvas, grid, LEFT, y, RIGHT, y);
	canvas_text(&roof->canvas, CANVAS_RIGHT, CANVAS_ALL, LEFT - 5, y, COLOR_INK_2, column_number(text, value));
}

/* At powers of ten; of an axis that has fewer than two of them, also between. */
static void ticks(struct roof *roof, double from, double to, void (*tick)(struct roof *roof, double value))
{
	static const double fine[] = {1, 3};
	size_t n = floor(to) - ceil(from) >= 1 ? 1 : 2, stride = (size_t)fmax(1, ceil((to - from) / 7));

	for (int decade = (int)floor(from), count = 0; decade <= to; decade++, count++) {
		for (size_t i = 0; i < n; i++) {
			double value = fine[i] * pow(10, decade);

			if (log10(value) >= from && log10(value) <= to && count % (int)stride == 0)
				tick(roof, value);
		}
	}
}

static void roof_ground(struct roof *roof)
{
	const char *unit = tree_text(roof->roofline, "unit");
	char text[FORMAT_SIZE];

	ticks(roof, roof->from_x, roof->to_x, tick_x);
	ticks(roof, roof->from_y, roof->to_y, tick_y);
	snprintf(text, sizeof(text), "%.40s per byte", unit);
	canvas_text(
		&roof->canvas, CANVAS_CENTER, CANVAS_ALL, (LEFT + RIGHT) / 2.0, roof->bottom + 36, COLOR_INK_2, text);
	snprintf(text, sizeof(text), "%.40s/s, %% of the nearest roof", unit);
	canvas_text(&roof->canvas, CANVAS_LEFT, CANVAS_ALL, 0, roof->top - 9, COLOR_INK_2, text);
}

/* ---- the roofs ---- */

/* "66.1 TFLOP/s", "1.03 T/s": instructions are what the axis counts, and have no unit of their own. */
static char *rate_words(const struct roof *roof, char *text, double per_s)
{
	bool flops = strcmp(tree_text(roof->roofline, "operation"), "flop") == 0;

	return format_rate(text, FORMAT_SIZE, per_s, flops ? "FLOP/s" : "/s");
}

/* The name of a roof in a row above the picture, left of `right`, and a line down to the roof at x. */
static void draw_roof_name(struct roof *roof, size_t row, double x, double right, const char *text)
{
	double y = TOP + ROW * (double)row, width = column_text_px(text);

	canvas_line(&roof->canvas, thin, x, y + 8, x, roof_y(roof, ceiling_of(roof)));
	if (x + width < right)
		canvas_text(&roof->canvas, CANVAS_LEFT, CANVAS_ALL, x - 2, y, COLOR_INK, text);
	else
		canvas_text(&roof->canvas, CANVAS_RIGHT, CANVAS_ALL, right, y, COLOR_INK, text);
}

/* The slope of a memory, up to the ceiling. Its name ends left of the line down from the name above. */
static void draw_slope(struct roof *roof, const json_t *level, size_t row, double *right)
{
	double bytes_s = tree_real(level, "bytes_s"), low = pow(10, roof->from_y), ceiling = ceiling_of(roof);
	double from = fmax(low / bytes_s, pow(10, roof->from_x)), x = roof_x(roof, ceiling / bytes_s);
	char rate[FORMAT_SIZE], text[FORMAT_SIZE];

	canvas_at(&roof->canvas, line, roof_x(roof, from), roof_y(roof, from * bytes_s));
	canvas_at(&roof->canvas, line, x, roof_y(roof, ceiling));
	canvas_gap(&roof->canvas, line);
	format_rate(rate, sizeof(rate), bytes_s, "B/s");
	snprintf(text, sizeof(text), "%.40s %.100s", tree_text(level, "title"), rate);
	draw_roof_name(roof, row, x, *right, text);
	*right = fmin(*right, x - 5);
}

/* The slowest memory has the uppermost name: lines down from names go right of those below. */
static void draw_roofs(struct roof *roof)
{
	const json_t *levels = json_object_get(roof->roofline, "levels");
	double ceiling = ceiling_of(roof), first = INFINITY, y = roof_y(roof, ceiling), right = RIGHT - 6;
	char rate[FORMAT_SIZE], text[FORMAT_SIZE];
	size_t row = 1;

	for (size_t i = json_array_size(levels); i-- > 0;) {
		const json_t *level = json_array_get(levels, i);

		if (!(tree_real(level, "bytes_s") > 0))
			continue;
		draw_slope(roof, level, row++, &right);
		first = fmin(first, ceiling / tree_real(level, "bytes_s"));
	}
	canvas_at(&roof->canvas, line, isfinite(first) ? roof_x(roof, first) : LEFT, y);
	canvas_at(&roof->canvas, line, RIGHT, y);
	snprintf(text, sizeof(text), "%.20s %.100s", tree_text(roof->roofline, "ceiling"),
		rate_words(roof, rate, ceiling));
	draw_roof_name(roof, 0, RIGHT - 1, RIGHT, text);
}

/* ---- the variants ---- */

static size_t shape_of(const char *role, const char *kind)
{
	return strcmp(role, "single") == 0      ? SINGLE_SHAPE
	       : strcmp(role, "double") == 0    ? DOUBLE_SHAPE
	       : strcmp(kind, "reference") == 0 ? REFERENCE_SHAPE
						: OTHER_SHAPE;
}

static void draw_place(struct roof *roof, const json_t *point, const json_t *place)
{
	const char *role = role_of(roof, point);
	const json_t *level = tree_find(json_object_get(roof->roofline, "levels"), "id", tree_text(place, "level"));
	double x = roof_x(roof, tree_real(place, "intensity")), y = roof_y(roof, tree_real(point, "per_s"));
	char rate[FORMAT_SIZE], share[FORMAT_SIZE];

	column_point(&roof->canvas, x, y, shape_of(role, tree_text(point, "kind")), column_role_color(role));
	canvas_mark(&roof->canvas, x - 6, y - 6, x + 6, y + 6, false,
		"%.60s: %.40s, %.3g %.20s per byte of %.40s, %.40s of the roof", tree_text(point, "variant"),
		rate_words(roof, rate, tree_real(point, "per_s")), tree_real(place, "intensity"),
		tree_text(roof->roofline, "unit"), tree_text(level, "title"),
		format_percent(share, sizeof(share), tree_real(place, "share")));
}

/* Whether it bears a name: the pair, and what is no variant of the family's own. */
static bool point_named(struct roof *roof, const json_t *point, struct named *named)
{
	const char *role = role_of(roof, point);
	char share[FORMAT_SIZE];

	if (!*role && strcmp(tree_text(point, "kind"), "reference") != 0)
		return false;
	named->x = roof_x(roof, tree_real(tightest(point), "intensity"));
	named->y = roof_y(roof, tree_real(point, "per_s"));
	format_percent(share, sizeof(share), tree_real(tightest(point), "share"));
	snprintf(named->text, sizeof(named->text), "%.16s %.20s", *role ? role : tree_text(point, "variant"), share);
	return true;
}

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return (x->y > y->y) - (x->y < y->y);
}

static void name_points(struct roof *roof, struct named *named, size_t n)
{
	struct column_label labels[MAX_LABELS];

	qsort(named, n, sizeof(*named), compare_named);
	for (size_t i = 0; i < n; i++)
		labels[i] = (struct column_label){named[i].y + LABEL, LABEL, 1};
	column_spread(labels, n, roof->top + 2 * ROW, roof->bottom);
	for (size_t i = 0; i < n; i++) {
		double width = column_text_px(named[i].text);
		double x = fmin(named[i].x + 16, COLUMN_PX - width);

		canvas_line(&roof->canvas, thin, named[i].x, named[i].y, x - 2, labels[i].y);
		column_bar(&roof->canvas, (struct edges_px){x - 2, labels[i].y - 8, x + 0.86 * width, labels[i].y + 8},
			COLOR_PAPER, false);
		canvas_text(&roof->canvas, CANVAS_LEFT, CANVAS_ALL, x, labels[i].y, COLOR_INK, named[i].text);
	}
}

static void draw_variants(struct roof *roof)
{
	const json_t *points = json_object_get(roof->roofline, "points");
	struct named named[MAX_LABELS] = {{0}};
	size_t n = 0;

	for (int pair = 0; pair <= 1; pair++) {
		for (size_t i = 0; i < json_array_size(points); i++) {
			const json_t *point = json_array_get(points, i);

			if (!tightest(point) || (bool)*role_of(roof, point) != (bool)pair)
				continue;
			draw_place(roof, point, tightest(point));
			if (n < MAX_LABELS)
				n += point_named(roof, point, &named[n]);
		}
	}
	name_points(roof, named, n);
}

void figure_roofline(const struct figure_family *in)
{
	const json_t *roofline = json_object_get(in->family, "roofline");
	struct roof roof = {.family = in->family, .roofline = roofline};
	size_t rows = json_array_size(json_object_get(roofline, "levels"));

	if (!(ceiling_of(&roof) > 0) || rows == 0 || roof_scale(&roof) == 0 || !isfinite(roof.to_x - roof.from_y))
		return;
	column_open(&roof.canvas, in, "roofline", COLUMN_PX);
	roof.top = TOP + ROW * (double)(rows + 1) + 12;
	roof.bottom = roof.top + PLOT;
	roof.canvas.figure->height = (int)roof.bottom + FOOT;
	snprintf(roof.canvas.figure->title, sizeof(roof.canvas.figure->title), "Roofs over %.160s",
		tree_text(in->family, "title"));
	snprintf(roof.canvas.figure->desc, sizeof(roof.canvas.figure->desc),
		"%.40s per second against %.40s per byte, both axes logarithmic. Lines are what this machine was "
		"measured "
		"to reach. Each variant stands at the memory whose roof it is nearest to.",
		tree_text(roofline, "unit"), tree_text(roofline, "unit"));
	roof_ground(&roof);
	draw_roofs(&roof);
	draw_variants(&roof);
	canvas_close(&roof.canvas);
}
