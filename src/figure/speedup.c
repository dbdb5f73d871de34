/* speedup.c: speed-ups with their intervals: one row for the overview, and one row per case of a family. */
#include "figure/figure.h"

#include <math.h>
#include <string.h>

#include "tree/tree.h"
#include "util/axis.h"
#include "util/format.h"

enum { WHISKER_WIDTH = 260, WHISKER_HEIGHT = 50, PITCH_PX = 30, NARROW_PITCH_PX = 46, TOP_PX = 6, BOTTOM_PX = 48 };
enum { LEFT_WIDE_PX = 216, LEFT_NARROW_PX = 14, RIGHT_PX = 14 };

/* The winner's colour; ink where there is none. */
static unsigned contrast_color(const json_t *contrast)
{
	const char *verdict = tree_text(contrast, "verdict");

	return strcmp(verdict, "faster") == 0   ? COLOR_DOUBLE
	       : strcmp(verdict, "slower") == 0 ? COLOR_SINGLE
						: COLOR_INK_2;
}

/* A row: low, high, value, y, colour. Without an interval, the value alone. */
static void write_whisker(struct strbuf *data, const json_t *contrast, double y)
{
	const json_t *speedup = json_object_get(contrast, "speedup");
	double value = tree_real(speedup, "value");

	strbuf_printf(data, "%.6g %.6g %.6g %g %u\n", fmin(value, tree_real(speedup, "low")),
		fmax(value, tree_real(speedup, "high")), value, y, contrast_color(contrast));
}

void figure_whisker(const struct figure_family *in)
{
	const json_t *contrast = tree_find_true(json_object_get(in->family, "contrasts"), "headline");
	char name[FIGURE_NAME_SIZE];

	if (isnan(tree_real(json_object_get(contrast, "speedup"), "value")))
		return;
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "speedup");
	struct figure *figure = figure_add(in->figures, name, FIGURE_FORMS);
	struct strbuf *data = &figure->data;
	figure_block(data, 5);
	write_whisker(data, contrast, 0.5);
	figure->script = "speedup.gp";
	figure->width = WHISKER_WIDTH;
	figure->height = WHISKER_HEIGHT;
	figure_arg(figure, "%.6g", in->low);
	figure_arg(figure, "%.6g", in->high);
	figure_arg(figure, "%.6g", axis_step(in->high - in->low, 4));
	figure_arg(figure, "%.6g", tree_real(contrast, "band"));
	snprintf(figure->title, sizeof(figure->title), "Speed-up of %s", tree_text(in->family, "title"));
	snprintf(figure->desc, sizeof(figure->desc),
		"Time of single over time of double with its 95 %% interval; the same axis in every row.");
}

/* Names at the left and values at the right edge (wide), or both above the whisker (narrow). */
static void write_texts(struct strbuf *data, const json_t *contrasts, enum figure_form form, double low, double high)
{
	char ratio[FORMAT_SIZE], text[FORMAT_SIZE + 100];

	figure_block(data, 3); /* 1: names in the wide form */
	for (size_t i = 0; i < json_array_size(contrasts) && form == FIGURE_WIDE; i++)
		figure_label(data, 1, PITCH_PX * ((double)i + 0.5), tree_text(json_array_get(contrasts, i), "case"));
	figure_block(data, 3); /* 2: values */
	for (size_t i = 0; i < json_array_size(contrasts); i++) {
		const json_t *contrast = json_array_get(contrasts, i), *speedup = json_object_get(contrast, "speedup");

		format_ratio_within(ratio, sizeof(ratio), tree_real(speedup, "value"), tree_real(speedup, "low"),
			tree_real(speedup, "high"));
		snprintf(text, sizeof(text), "%s: %s", tree_text(contrast, "case"), ratio);
		if (form == FIGURE_WIDE)
			figure_label(data, high, PITCH_PX * ((double)i + 0.5), ratio);
		else
			figure_label(data, low, NARROW_PITCH_PX * (double)i + 12, text);
	}
}

static void cases_figure(const struct figure_family *in, const json_t *contrasts, enum figure_form form)
{
	bool wide = form == FIGURE_WIDE;
	double low = 1, high = 1;
	char name[FIGURE_NAME_SIZE];

	for (size_t i = 0; i < json_array_size(contrasts); i++) {
		const json_t *speedup = json_object_get(json_array_get(contrasts, i), "speedup");

		low = fmin(low, fmin(tree_real(speedup, "value"), tree_real(speedup, "low")));
		high = fmax(high, fmax(tree_real(speedup, "value"), tree_real(speedup, "high")));
	}
	double margin = fmax(0.02, 0.05 * (high - low));
	low -= margin;
	high += margin;
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "cases");
	struct figure *figure = figure_add(in->figures, name, form);
	struct strbuf *data = &figure->data;
	figure_block(data, 5); /* 0: whiskers */
	for (size_t i = 0; i < json_array_size(contrasts); i++)
		write_whisker(data, json_array_get(contrasts, i),
			wide ? PITCH_PX * ((double)i + 0.5) : NARROW_PITCH_PX * (double)i + 32);
	/* Inside the axis by a hair: a text whose place is outside is not drawn. */
	write_texts(data, contrasts, form, low + 1e-4 * (high - low), high - 1e-4 * (high - low));
	figure->script = "cases.gp";
	figure->height = TOP_PX + BOTTOM_PX + (int)json_array_size(contrasts) * (wide ? PITCH_PX : NARROW_PITCH_PX);
	figure_arg(figure, "%d", wide ? LEFT_WIDE_PX : LEFT_NARROW_PX);
	figure_arg(figure, "%.6g", low);
	figure_arg(figure, "%.6g", high);
	figure_arg(figure, "%.6g", axis_step(high - low, wide ? 8 : 4));
	figure_arg(figure, "%.6g", tree_real(json_array_get(contrasts, 0), "band"));
	snprintf(figure->title, sizeof(figure->title), "Speed-up in every case of %s", tree_text(in->family, "title"));
	snprintf(figure->desc, sizeof(figure->desc), "The table of cases has the same numbers.");
}

void figure_cases(const struct figure_family *in)
{
	const json_t *contrasts = json_object_get(in->family, "contrasts");

	if (json_array_size(contrasts) < 2)
		return;
	for (enum figure_form form = FIGURE_WIDE; form < FIGURE_FORMS; form++)
		cases_figure(in, contrasts, form);
}
