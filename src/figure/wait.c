/* wait.c: the share of the warps' cycles spent at a barrier, step by step, of single and double. */
#include "figure/inside-data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree.h"
#include "util/axis.h"

enum {
	HEIGHT_WIDE_PX = 240,
	HEIGHT_NARROW_PX = 210,
	TOP_PX = 10,
	BOTTOM_PX = 48,
	GROUPS_WIDE = 400,
	GROUPS_NARROW = 130
};

static const char *const roles[] = {"single", "double"};

enum { ROLES = sizeof(roles) / sizeof(roles[0]) };

struct curves {
	struct wait_step *step[ROLES];
	size_t n[ROLES];
	double first, last; /* of all steps */
};

static void curves_free(struct curves *curves)
{
	for (int r = 0; r < ROLES; r++)
		free(curves->step[r]);
}

static void curves_read(struct curves *curves, const json_t *family, enum figure_form form)
{
	size_t group = wait_group(family, form == FIGURE_NARROW ? GROUPS_NARROW : GROUPS_WIDE);

	*curves = (struct curves){.first = INFINITY, .last = -INFINITY};
	for (int r = 0; r < ROLES; r++) {
		curves->n[r] = wait_steps(inside_phases(family, roles[r]), group, &curves->step[r]);
		if (curves->n[r] == 0)
			continue;
		curves->first = fmin(curves->first, curves->step[r][0].first);
		curves->last = fmax(curves->last, curves->step[r][curves->n[r] - 1].last);
	}
}

/* A level line over the width of each step; a step in which no cycle was counted is a gap. */
static void write_curve(struct strbuf *data, const struct wait_step *step, size_t n)
{
	figure_block(data, 2);
	strbuf_putc(data, '\n');
	for (size_t i = 0; i < n; i++) {
		double share = 100 * wait_share(&step[i]);

		if (isfinite(share))
			strbuf_printf(
				data, "%.6g %.5g\n%.6g %.5g\n", step[i].first - 0.5, share, step[i].last + 0.5, share);
		else
			strbuf_putc(data, '\n');
	}
}

/* The last step with a share, or NULL. */
static const struct wait_step *last_step(const struct wait_step *step, size_t n)
{
	while (n > 0 && !isfinite(wait_share(&step[n - 1])))
		n--;
	return n > 0 ? &step[n - 1] : NULL;
}

/* The names of the curves stand at their ends, but not on each other. */
static void wait_write_names(struct strbuf *data, const struct curves *curves, int height)
{
	double line = 100 * 18.0 / (height - TOP_PX - BOTTOM_PX), y[ROLES];
	const struct wait_step *last[ROLES];

	for (int r = 0; r < ROLES; r++) {
		last[r] = last_step(curves->step[r], curves->n[r]);
		y[r] = last[r] ? 100 * wait_share(last[r]) : NAN;
	}
	if (last[0] && last[1] && last[0]->last == last[1]->last && fabs(y[0] - y[1]) < line) {
		double middle = fmin(100 - line / 2, fmax(line / 2, (y[0] + y[1]) / 2));
		int upper = y[1] > y[0];

		y[upper] = middle + line / 2;
		y[!upper] = middle - line / 2;
	}
	for (int r = 0; r < ROLES; r++) {
		if (last[r])
			figure_label(data, last[r]->last + 0.5, y[r], roles[r]);
	}
}

static void wait_figure(const struct figure_family *in, const char *name, enum figure_form form, struct curves *curves)
{
	struct figure *figure = figure_add(in->figures, name, form);
	struct strbuf *data = &figure->data;

	figure->script = "wait-steps.gp";
	figure->height = form == FIGURE_NARROW ? HEIGHT_NARROW_PX : HEIGHT_WIDE_PX;
	figure_arg(figure, "%d", form == FIGURE_NARROW ? 62 : 80);
	figure_arg(figure, "%.0f", curves->first);
	figure_arg(figure, "%.0f", curves->last);
	figure_arg(figure, "%.0f", fmax(1, ceil(axis_step(curves->last - curves->first, 8))));
	snprintf(figure->title, sizeof(figure->title), "Share of the warps' cycles at a barrier, by step");
	snprintf(figure->desc, sizeof(figure->desc), "The table below the figure has the same values.");
	for (int r = 0; r < ROLES; r++)
		write_curve(data, curves->step[r], curves->n[r]);
	figure_block(data, 3);
	wait_write_names(data, curves, figure->height);
}

void figure_wait(const struct figure_family *in)
{
	struct curves curves;
	char name[FIGURE_NAME_SIZE];

	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "wait");
	for (enum figure_form form = FIGURE_WIDE; form < FIGURE_FORMS; form++) {
		curves_read(&curves, in->family, form);
		if (curves.last > curves.first)
			wait_figure(in, name, form, &curves);
		curves_free(&curves);
	}
}
