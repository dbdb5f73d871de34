/* wait.c: the share of the warps' cycles spent at a barrier, step by step, of single and double. */
#include "figure/inside-data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/tree.h"

enum { HEIGHT_PX = 240, TOP_PX = 10, LEFT_PX = 64, RIGHT_PX = 72, GROUPS = 300, LINE_PX = 16 };

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

static void curves_read(struct curves *curves, const json_t *family)
{
	size_t group = wait_group(family, GROUPS);

	*curves = (struct curves){.first = INFINITY, .last = -INFINITY};
	for (int r = 0; r < ROLES; r++) {
		curves->n[r] = wait_steps(inside_phases(family, roles[r]), group, &curves->step[r]);
		if (curves->n[r] == 0)
			continue;
		curves->first = fmin(curves->first, curves->step[r][0].first);
		curves->last = fmax(curves->last, curves->step[r][curves->n[r] - 1].last);
	}
}

static double step_x(const struct curves *curves, double step)
{
	return CANVAS_WIDTH * (step - curves->first + 0.5) / (curves->last - curves->first + 1);
}

static double share_y(double share)
{
	return TOP_PX + (HEIGHT_PX - TOP_PX - CANVAS_AXIS_PX) * (1 - share);
}

/* A level line over the width of each step; a step in which no cycle was counted is a gap. */
static void draw_steps(struct canvas *canvas, const struct curves *curves, int r)
{
	static const unsigned colors[] = {COLOR_SINGLE, COLOR_DOUBLE};
	const struct canvas_look look = {2.5, colors[r], false};

	for (size_t i = 0; i < curves->n[r]; i++) {
		const struct wait_step *step = &curves->step[r][i];
		double share = wait_share(step);

		if (isfinite(share)) {
			canvas_at(canvas, look, step_x(curves, step->first - 0.5), share_y(share));
			canvas_at(canvas, look, step_x(curves, step->last + 0.5), share_y(share));
		} else {
			canvas_gap(canvas, look);
		}
	}
	canvas_gap(canvas, look);
}

/* The last step with a share, or NULL. */
static const struct wait_step *last_step(const struct wait_step *step, size_t n)
{
	while (n > 0 && !isfinite(wait_share(&step[n - 1])))
		n--;
	return n > 0 ? &step[n - 1] : NULL;
}

/* The names of the curves stand behind their ends, but not on each other. */
static void wait_write_names(struct canvas *canvas, const struct curves *curves)
{
	const struct wait_step *last[ROLES];
	double y[ROLES];

	for (int r = 0; r < ROLES; r++) {
		last[r] = last_step(curves->step[r], curves->n[r]);
		y[r] = last[r] ? share_y(wait_share(last[r])) : NAN;
	}
	if (last[0] && last[1] && fabs(y[0] - y[1]) < LINE_PX) {
		double middle = fmin(share_y(0) - LINE_PX / 2.0, fmax(TOP_PX + LINE_PX / 2.0, (y[0] + y[1]) / 2));
		int lower = y[1] > y[0];

		y[lower] = middle + LINE_PX / 2.0;
		y[!lower] = middle - LINE_PX / 2.0;
	}
	for (int r = 0; r < ROLES; r++) {
		if (last[r])
			canvas_text(canvas, CANVAS_BEHIND, CANVAS_ALL, 0, y[r], COLOR_INK, roles[r]);
	}
}

static void wait_axes(struct canvas *canvas, const struct curves *curves)
{
	char text[32];

	canvas_axis(canvas, &(struct canvas_axis){curves->first - 0.5, curves->last + 0.5, TOP_PX, share_y(0),
				    "step of the kernel's loop", "step of the kernel's loop", true});
	for (int percent = 0; percent <= 100; percent += 25) {
		double y = share_y(percent / 100.0);

		canvas_line(canvas, (struct canvas_look){0.75, COLOR_GRID, false}, 0, y, CANVAS_WIDTH, y);
		snprintf(text, sizeof(text), "%d %%", percent);
		canvas_text(canvas, CANVAS_NAME, CANVAS_ALL, 0, y, COLOR_INK_2, text);
	}
}

/* What each step of both is, for the pointer; where there are few. */
static void wait_marks(struct canvas *canvas, const struct curves *curves)
{
	for (int r = 0; r < ROLES; r++) {
		for (size_t i = 0; i < curves->n[r] && curves->n[r] <= 40; i++) {
			const struct wait_step *step = &curves->step[r][i];
			double y = share_y(wait_share(step));

			if (isfinite(y))
				canvas_mark(canvas, step_x(curves, step->first - 0.5), y - 6,
					step_x(curves, step->last + 0.5), y + 6, true,
					"%s, step %g: %.3g %% of cycles at a barrier", roles[r], step->first,
					100 * wait_share(step));
		}
	}
}

void figure_wait(const struct figure_family *in)
{
	struct canvas canvas;
	struct curves curves;
	char name[FIGURE_NAME_SIZE];

	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "wait");
	curves_read(&curves, in->family);
	if (curves.last > curves.first) {
		canvas_open(&canvas, in->figures, name, (struct svg_frame){LEFT_PX, LEFT_PX, RIGHT_PX, RIGHT_PX});
		canvas.figure->height = HEIGHT_PX;
		snprintf(canvas.figure->title, sizeof(canvas.figure->title),
			"Share of the warps' cycles at a barrier, by step");
		snprintf(canvas.figure->desc, sizeof(canvas.figure->desc),
			"The table below the figure has the same values.");
		wait_axes(&canvas, &curves);
		for (int r = 0; r < ROLES; r++)
			draw_steps(&canvas, &curves, r);
		wait_write_names(&canvas, &curves);
		wait_marks(&canvas, &curves);
		canvas_close(&canvas);
	}
	curves_free(&curves);
}
