/* durations.c: time of every variant: a bar from zero to the median, the box of the quartiles, samples as
 * points, those that were throttled in a colour of their own; and the floor of a pipeline as a line. */
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree.h"
#include "util/alloc.h"
#include "util/axis.h"
#include "util/format.h"

enum { MAX_POINTS = 60, BAR_PX = 24, WIDE_PITCH_PX = 36, NARROW_PITCH_PX = 52, NARROW_NAME_PX = 22 };
enum { LEFT_WIDE_PX = 216, LEFT_NARROW_PX = 10, RIGHT_PX = 14, TOP_PX = 6, BOTTOM_PX = 48, VALUE_PX = 86 };

/* What the line of the floor says takes a row above the bars. */
enum { FLOOR_PX = 22 };

/* One variant that was timed. */
struct bar {
	const json_t *variant, *time, *apart;
	double y; /* px, top of the bar */
};

struct bars {
	enum figure_form form;
	struct bar *bar;
	size_t n;
	double to, scale; /* ns at the right edge; ns per unit */
	double floor;     /* ns; NaN if there is none */
};

static double rows_from(const struct bars *bars)
{
	return isnan(bars->floor) ? 0 : FLOOR_PX;
}

static int plot_width(enum figure_form form)
{
	return form == FIGURE_WIDE ? FIGURE_WIDE_PX - LEFT_WIDE_PX - RIGHT_PX
				   : FIGURE_NARROW_PX - LEFT_NARROW_PX - RIGHT_PX;
}

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Samples as dots, spread a little in height so that equal ones can be told apart; of many, evenly spaced ranks. */
static void write_points(struct strbuf *data, const struct bars *bars, const struct bar *bar, const json_t *samples)
{
	size_t n = json_array_size(samples), shown = n < MAX_POINTS ? n : MAX_POINTS;
	double *sorted = xcalloc(n, sizeof(*sorted));

	for (size_t i = 0; i < n; i++)
		sorted[i] = json_number_value(json_array_get(samples, i));
	qsort(sorted, n, sizeof(*sorted), compare_numbers);
	for (size_t i = 0; i < shown; i++) {
		double x = sorted[shown > 1 ? i * (n - 1) / (shown - 1) : 0] / bars->scale;
		double y = bar->y + BAR_PX / 2.0 + (double)((int)(i * 7 % 11) - 5) * 1.6;

		strbuf_printf(data, "%.6g %.5g\n%.6g %.5g\n\n", x, y, x, y + 0.01);
	}
	free(sorted);
}

/* The points of all variants that have the colour. */
static void write_points_of(struct strbuf *data, const struct bars *bars, unsigned color)
{
	figure_block(data, 2);
	strbuf_putc(data, '\n');
	for (size_t i = 0; i < bars->n; i++) {
		if (figure_variant_color(bars->bar[i].variant) == color)
			write_points(data, bars, &bars->bar[i], json_object_get(bars->bar[i].time, "samples_ns"));
	}
}

/* Samples of blocks in which the GPU was throttled. */
static void write_apart(struct strbuf *data, const struct bars *bars)
{
	figure_block(data, 2);
	strbuf_putc(data, '\n');
	for (size_t i = 0; i < bars->n; i++)
		write_points(data, bars, &bars->bar[i], json_object_get(bars->bar[i].apart, "samples_ns"));
}

static double longest_apart(const struct bar *bar)
{
	const json_t *samples = json_object_get(bar->apart, "samples_ns");
	double longest = 0;

	for (size_t i = 0; i < json_array_size(samples); i++)
		longest = fmax(longest, json_number_value(json_array_get(samples, i)));
	return longest;
}

/* The right end of what is drawn of a variant. */
static double end_of(const struct bar *bar)
{
	return fmax(longest_apart(bar), fmax(tree_real(bar->time, "median_ns"), tree_real(bar->time, "max_ns")));
}

static double bottom_of(const struct bars *bars)
{
	return bars->bar[bars->n - 1].y + BAR_PX + 4;
}

static void write_upright(struct strbuf *data, double x, double from, double to)
{
	strbuf_printf(data, "%.6g %g\n%.6g %g\n\n", x, from, x, to);
}

/* The line; what it says is with the names. */
static void write_floor(struct strbuf *data, const struct bars *bars)
{
	double x = bars->floor / bars->scale;

	figure_block(data, 2);
	strbuf_putc(data, '\n');
	if (isnan(x))
		return;
	if (bars->form == FIGURE_WIDE)
		write_upright(data, x, 2, bottom_of(bars));
	else
		write_upright(data, x, 2, FLOOR_PX - 2);
	/* Names stand above the bars: the line leaves them readable. */
	for (size_t i = 0; i < bars->n && bars->form == FIGURE_NARROW; i++)
		write_upright(data, x, bars->bar[i].y - 2, bars->bar[i].y + BAR_PX + 2);
}

/* What the line is: beside it, on the side that has more room. */
static void write_floor_name(struct strbuf *data, const struct bars *bars)
{
	char time[FORMAT_SIZE], text[FORMAT_SIZE + 16];
	double px = bars->to / plot_width(bars->form), gap = 5 * px, x = bars->floor;

	if (isnan(x))
		return;
	format_time_ns(time, sizeof(time), x);
	snprintf(text, sizeof(text), "floor: %s", time);
	x = x < bars->to / 2 ? x + gap : x - gap - px * figure_text_width(text, bars->form == FIGURE_WIDE ? 14 : 12);
	figure_label(data, x / bars->scale, FLOOR_PX / 2.0, text);
}

static void durations_write_names(struct strbuf *data, const struct bars *bars)
{
	char time[FORMAT_SIZE], text[FORMAT_SIZE + 100];

	figure_block(data, 3); /* 5: names in the wide form */
	for (size_t i = 0; i < bars->n && bars->form == FIGURE_WIDE; i++)
		figure_label(data, 0, bars->bar[i].y + BAR_PX / 2.0, tree_text(bars->bar[i].variant, "name"));
	figure_block(data, 3); /* 6: values; in the narrow form with the names, above the bars */
	for (size_t i = 0; i < bars->n; i++) {
		const struct bar *bar = &bars->bar[i];
		double x = end_of(bar) + 0.01 * bars->to;

		format_time_ns(time, sizeof(time), tree_real(bar->time, "median_ns"));
		if (bars->form == FIGURE_WIDE) {
			figure_label(data, x / bars->scale, bar->y + BAR_PX / 2.0, time);
			continue;
		}
		snprintf(text, sizeof(text), "%s: %s", tree_text(bar->variant, "name"), time);
		figure_label(data, 0, bar->y - NARROW_NAME_PX / 2.0, text);
	}
	write_floor_name(data, bars);
}

/* The blocks in the order of plots/durations.gp. */
static void durations_write_data(struct strbuf *data, const struct bars *bars)
{
	figure_block(data, 7); /* 0: bars */
	for (size_t i = 0; i < bars->n; i++)
		strbuf_printf(data, "0 0 0 %.6g %g %g %u\n", tree_real(bars->bar[i].time, "median_ns") / bars->scale,
			bars->bar[i].y, bars->bar[i].y + BAR_PX, figure_variant_color(bars->bar[i].variant));
	figure_block(data, 6); /* 1: boxes of the quartiles */
	for (size_t i = 0; i < bars->n; i++)
		strbuf_printf(data, "0 0 %.6g %.6g %g %g\n", tree_real(bars->bar[i].time, "q1_ns") / bars->scale,
			tree_real(bars->bar[i].time, "q3_ns") / bars->scale, bars->bar[i].y, bars->bar[i].y + BAR_PX);
	/* 2 to 4: samples by colour */
	write_points_of(data, bars, COLOR_SINGLE);
	write_points_of(data, bars, COLOR_DOUBLE);
	write_points_of(data, bars, COLOR_INK_2);
	durations_write_names(data, bars);
	write_apart(data, bars); /* 7 */
	write_floor(data, bars); /* 8 */
}

static void durations_place(struct bars *bars)
{
	double longest = isnan(bars->floor) ? 0 : bars->floor;
	int width = plot_width(bars->form);

	for (size_t i = 0; i < bars->n; i++) {
		longest = fmax(longest, end_of(&bars->bar[i]));
		bars->bar[i].y =
			rows_from(bars) + (bars->form == FIGURE_WIDE ? 6 + WIDE_PITCH_PX * (double)i
								     : NARROW_NAME_PX + NARROW_PITCH_PX * (double)i);
	}
	bars->to = longest * (bars->form == FIGURE_WIDE ? width / (double)(width - VALUE_PX) : 1.03);
}

static void durations_figure(const struct figure_family *in, struct bars *bars)
{
	char name[FIGURE_NAME_SIZE];

	durations_place(bars);
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "durations");
	struct figure *figure = figure_add(in->figures, name, bars->form);
	const char *unit = figure_time_unit(bars->to, &bars->scale);
	bool wide = bars->form == FIGURE_WIDE;
	figure->script = "durations.gp";
	figure->height =
		TOP_PX + BOTTOM_PX + (int)rows_from(bars) + (int)bars->n * (wide ? WIDE_PITCH_PX : NARROW_PITCH_PX);
	figure_arg(figure, "%d", wide ? LEFT_WIDE_PX : LEFT_NARROW_PX);
	figure_arg(figure, "%.9g", bars->to / bars->scale);
	figure_arg(figure, "%s", unit);
	figure_arg(figure, "%.9g", axis_step(bars->to / bars->scale, wide ? 9 : 4));
	snprintf(figure->title, sizeof(figure->title), "Durations of the variants of %s",
		tree_text(in->family, "title"));
	snprintf(figure->desc, sizeof(figure->desc),
		"The table of all variants has the same medians, with their spread.");
	durations_write_data(&figure->data, bars);
}

void figure_durations(const struct figure_family *in)
{
	const json_t *variants = json_object_get(in->family, "variants");
	const json_t *floor =
		json_object_get(tree_find_true(json_object_get(in->family, "floors"), "headline"), "floor");
	struct bars bars = {
		.bar = xcalloc(json_array_size(variants), sizeof(struct bar)), .floor = tree_real(floor, "median_ns")};

	for (size_t i = 0; i < json_array_size(variants); i++) {
		const json_t *variant = json_array_get(variants, i);
		const json_t *measured = tree_headline_case(in->family, variant);
		const json_t *time = json_object_get(measured, "time");

		if (tree_real(time, "median_ns") > 0 && !tree_true(variant, "part"))
			bars.bar[bars.n++] = (struct bar){variant, time, json_object_get(measured, "apart"), 0};
	}
	for (enum figure_form form = FIGURE_WIDE; form < FIGURE_FORMS && bars.n > 0; form++) {
		bars.form = form;
		durations_figure(in, &bars);
	}
	free(bars.bar);
}
