/* figure.c: the list of a report's figures, and what the kinds of figures share. */
#include "figure/figure.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tree/anchor.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/axis.h"

static void figure_free(struct figure *figure)
{
	strbuf_free(&figure->data);
	for (size_t i = 0; i < figure->nmarks; i++)
		free(figure->mark[i].text);
	free(figure->mark);
	free(figure->still);
}

void figures_free(struct figures *figures)
{
	for (size_t i = 0; i < figures->n; i++)
		figure_free(&figures->list[i]);
	free(figures->list);
	*figures = (struct figures){0};
}

struct figure *figure_add(struct figures *figures, const char *name, enum figure_form form)
{
	static const char *const suffix[FIGURE_FORMS + 1] = {"-wide", "-narrow", ""};
	struct figure *figure;

	xgrow(&figures->list, figures->n, &figures->room, sizeof(*figures->list));
	figure = &figures->list[figures->n++];
	*figure = (struct figure){0};
	snprintf(figure->name, sizeof(figure->name), "%s%s", name, suffix[form]);
	figure->width = form == FIGURE_NARROW ? FIGURE_NARROW_PX : FIGURE_WIDE_PX;
	return figure;
}

void figure_arg(struct figure *figure, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(figure->arg[figure->nargs], sizeof(figure->arg[0]), format, args);
	va_end(args);
	figure->nargs++;
}

void figure_block(struct strbuf *data, int columns)
{
	if (data->length > 0)
		strbuf_puts(data, "\n\n");
	for (int i = 0; i < columns; i++)
		strbuf_puts(data, "-1e9 ");
	strbuf_putc(data, '\n');
}

void figure_quote(struct strbuf *data, const char *text)
{
	strbuf_putc(data, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
			strbuf_putc(data, '\'');
		else
			strbuf_putc(data, *text);
	}
	strbuf_putc(data, '"');
}

void figure_label(struct strbuf *data, double x, double y, const char *text)
{
	strbuf_printf(data, "%.7g %.6g ", x, y);
	figure_quote(data, text);
	strbuf_putc(data, '\n');
}

void figure_name(char *name, size_t size, size_t r, const char *family, const char *what)
{
	char first[16] = "", of[ANCHOR_SIZE], is[ANCHOR_SIZE];

	if (r > 0)
		snprintf(first, sizeof(first), "r%zu-", r + 1);
	snprintf(name, size, "%s%s-%s", first, family ? anchor_of(family, of) : "program", anchor_of(what, is));
	/* The name of a file. */
	for (char *c = name; *c; c++)
		if (*c == '/')
			*c = '-';
}

double figure_text_width(const char *text, double px)
{
	size_t characters = 0;

	for (; *text; text++)
		characters += (*text & 0xC0) != 0x80;
	return 0.62 * px * (double)characters;
}

unsigned figure_variant_color(const json_t *variant)
{
	double buffers = tree_real(variant, "buffers");

	if (strcmp(tree_text(variant, "kind"), "candidate") != 0)
		return COLOR_INK_2;
	return buffers >= 2 ? COLOR_DOUBLE : buffers == 1 ? COLOR_SINGLE : COLOR_INK_2;
}

const char *figure_time_unit(double ns, double *scale)
{
	static const struct {
		double limit, scale;
		const char *unit;
	} units[] = {{2e3, 1, "ns"}, {2e6, 1e3, "µs"}, {2e9, 1e6, "ms"}, {INFINITY, 1e9, "s"}};
	size_t i = 0;

	while (i < 3 && ns >= units[i].limit)
		i++;
	*scale = units[i].scale;
	return units[i].unit;
}

double figure_time_axis(struct figure *figure, double from, double to, enum figure_form form)
{
	double scale;
	const char *unit = figure_time_unit(to, &scale);

	figure_arg(figure, "%.6f", from / scale);
	figure_arg(figure, "%.6f", to / scale);
	figure_arg(figure, "%s", unit);
	figure_arg(figure, "%.6f", axis_step(to / scale, form == FIGURE_NARROW ? 4 : 9));
	return scale;
}
