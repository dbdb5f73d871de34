/* thumbnail.c: both timelines of a family as a small picture without words, one row for each class of work. */
#include "figure/figure.h"

#include <math.h>
#include <string.h>

#include "tree/tree.h"

enum { THUMB_WIDTH = 240, ROW_PX = 8, ROW_GAP_PX = 2, PANEL_GAP_PX = 10, SLICES = 240 };

struct thumb {
	struct strbuf *data;
	double to; /* ns at the right edge */
	double y;  /* px */
};

static void thumbnail_box(const struct thumb *thumb, double start, double end, double y, double h, unsigned color)
{
	strbuf_printf(thumb->data, "0 0 %.6g %.6g %.4g %.4g %u\n", start / thumb->to, end / thumb->to, y, y + h, color);
}

/* A lane with busy shares: as high as the share, at the bottom of the row. */
static void draw_share(const struct thumb *thumb, const json_t *share, double span, unsigned color)
{
	size_t n = json_array_size(share), group = (n + SLICES - 1) / SLICES;

	for (size_t i = 0; i < n; i += group) {
		size_t last = i + group < n ? i + group : n;
		double sum = 0;

		for (size_t k = i; k < last; k++)
			sum += json_number_value(json_array_get(share, k));
		double h = ROW_PX * sum / (double)(last - i);
		thumbnail_box(thumb, span * (double)i / (double)n, span * (double)last / (double)n,
			thumb->y + ROW_PX - h, h, color);
	}
}

/* One row: all lanes of one class, if there are any. */
static void draw_class(struct thumb *thumb, const json_t *timeline, const char *cls, unsigned color)
{
	const json_t *lanes = json_object_get(timeline, "lanes");
	bool drawn = false;

	for (size_t i = 0; i < json_array_size(lanes); i++) {
		const json_t *lane = json_array_get(lanes, i), *events = json_object_get(lane, "events");

		if (strcmp(tree_text(lane, "class"), cls) != 0)
			continue;
		drawn = true;
		draw_share(thumb, json_object_get(lane, "share"), tree_real(timeline, "span_ns"), color);
		for (size_t k = 0; k < json_array_size(events); k++)
			thumbnail_box(thumb, tree_real(json_array_get(events, k), "start_ns"),
				tree_real(json_array_get(events, k), "end_ns"), thumb->y, ROW_PX, color);
	}
	if (drawn)
		thumb->y += ROW_PX + ROW_GAP_PX;
}

static void thumbnail_draw_panel(struct thumb *thumb, const json_t *timeline, unsigned color)
{
	static const struct {
		const char *cls;
		unsigned color;
	} rows[] = {{"h2d", COLOR_H2D}, {"kernel", COLOR_KERNEL}, {"d2h", COLOR_D2H}, {"other", COLOR_INK_2}};
	double top = thumb->y;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		draw_class(thumb, timeline, rows[i].cls, rows[i].color);
	thumbnail_box(thumb, -0.04 * thumb->to, -0.02 * thumb->to, top, thumb->y - top - ROW_GAP_PX, color);
}

static const json_t *timeline_of(const json_t *family, const char *role)
{
	const json_t *measured = tree_headline_case(family, tree_role(family, role));

	return json_object_get(json_object_get(measured, "trace"), "timeline");
}

void figure_thumbnail(const struct figure_family *in)
{
	const json_t *single = timeline_of(in->family, "single"), *dbl = timeline_of(in->family, "double");
	struct thumb thumb = {.to = fmax(tree_real(single, "span_ns"), tree_real(dbl, "span_ns"))};
	char name[FIGURE_NAME_SIZE];

	if (!(tree_real(single, "span_ns") > 0 && tree_real(dbl, "span_ns") > 0))
		return;
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "thumbnail");
	struct figure *figure = figure_add(in->figures, name, FIGURE_FORMS);
	thumb.data = &figure->data;
	figure_block(thumb.data, 7);
	thumbnail_draw_panel(&thumb, single, COLOR_SINGLE);
	thumb.y += PANEL_GAP_PX - ROW_GAP_PX;
	thumbnail_draw_panel(&thumb, dbl, COLOR_DOUBLE);
	figure->script = "thumbnail.gp";
	figure->width = THUMB_WIDTH;
	figure->height = (int)thumb.y;
	snprintf(figure->title, sizeof(figure->title), "Both timelines of %s", tree_text(in->family, "title"));
	snprintf(figure->desc, sizeof(figure->desc), "single above, double below, on one time axis");
}
