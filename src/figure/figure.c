/* figure.c: the list of a report's figures, and what the kinds of figures share. */
#include "figure/figure.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tree/anchor.h"
#include "tree/tree.h"
#include "util/alloc.h"

static void figure_free(struct figure *figure)
{
	for (int i = 0; i < figure->nargs; i++)
		strbuf_free(&figure->arg[i]);
	for (size_t i = 0; i < figure->nmarks; i++)
		free(figure->mark[i].text);
	free(figure->mark);
	free(figure->still);
	strbuf_free(&figure->data);
}

void figures_free(struct figures *figures)
{
	for (size_t i = 0; i < figures->n; i++)
		figure_free(&figures->list[i]);
	free(figures->list);
	*figures = (struct figures){0};
}

struct figure *figure_add(struct figures *figures, const char *name)
{
	struct figure *figure;

	xgrow(&figures->list, figures->n, &figures->room, sizeof(*figures->list));
	figure = &figures->list[figures->n++];
	*figure = (struct figure){.script = "canvas.gp"};
	snprintf(figure->name, sizeof(figure->name), "%s", name);
	return figure;
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
	bool is_candidate = strcmp(tree_text(variant, "kind"), "candidate") == 0;

	return palette_of_variant(is_candidate, tree_real(variant, "buffers"), COLOR_INK_2);
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
