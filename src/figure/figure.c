/* figure.c: the list of a report's figures, and what the kinds of figures share. */
#include "figure/figure.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tree/anchor.h"
#include "tree/tree.h"
#include "util/axis.h"
#include "util/memory-stream.h"

void figures_free(struct figures *figures)
{
	for (size_t i = 0; i < figures->n; i++)
		free(figures->list[i].data);
	free(figures->list);
	memset(figures, 0, sizeof(*figures));
}

static struct figure *figures_add(struct figures *figures)
{
	if (figures->n == figures->room) {
		size_t room = figures->room ? 2 * figures->room : 64;
		struct figure *list = realloc(figures->list, room * sizeof(*list));

		if (!list)
			return NULL;
		figures->list = list;
		figures->room = room;
	}
	struct figure *figure = &figures->list[figures->n++];
	memset(figure, 0, sizeof(*figure));
	return figure;
}

struct figure *figure_open(
	struct figures *figures, const char *name, enum figure_form form, FILE **data, struct error *err)
{
	static const char *const suffix[FIGURE_FORMS + 1] = {"-wide", "-narrow", ""};
	struct figure *figure = figures_add(figures);

	if (!figure) {
		error_set(err, "not enough memory for the figures");
		return NULL;
	}
	snprintf(figure->name, sizeof(figure->name), "%s%s", name, suffix[form]);
	figure->width = form == FIGURE_NARROW ? FIGURE_NARROW_PX : FIGURE_WIDE_PX;
	*data = memory_stream(&figure->data, &figure->size);
	if (!*data) {
		error_set(err, "not enough memory for the figures");
		return NULL;
	}
	return figure;
}

int figure_close(FILE *data, struct error *err)
{
	bool bad = ferror(data);

	if (fclose(data) != 0 || bad)
		return error_set(err, "not enough memory for the figures");
	return 0;
}

void figure_arg(struct figure *figure, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(figure->arg[figure->nargs], sizeof(figure->arg[0]), format, args);
	va_end(args);
	figure->nargs++;
}

void figure_block(FILE *data, int columns)
{
	if (ftell(data) > 0)
		fputs("\n\n", data);
	for (int i = 0; i < columns; i++)
		fputs("-1e9 ", data);
	fputc('\n', data);
}

void figure_label(FILE *data, double x, double y, const char *text)
{
	fprintf(data, "%.7g %.6g \"", x, y);
	for (; *text; text++)
		fputc(*text == '"' || *text == '\\' || (unsigned char)*text < ' ' ? '\'' : *text, data);
	fputs("\"\n", data);
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
