/* frames.c: a pipeline in still frames: which chunk is in which buffer and stage, of single and of double at the same
 * moments. Each frame is a group of its own, so that a script can show them one by one. */
#include "figure/figure.h"

#include <math.h>
#include <string.h>

#include "figure/why/column.h"
#include "figure/why/frames-data.h"
#include "tree/tree.h"
#include "util/format.h"

enum {
	FRAMES_ACROSS = 2,
	FRAME_WIDTH = 166,
	FRAME_STEP = 174,
	TITLE = 20,
	HEADS = 18,
	ROW = 24,
	CELL = 34,
	NAMES = 64,
	GROUP_GAP = 5,
	FRAME_GAP = 18,
	FEWEST = 3
};

struct strip {
	struct canvas canvas;
	struct pipeline single, dbl;
	bool buffers; /* a stream is a buffer */
	double left, top;
};

static const unsigned stage_color[STAGES] = {COLOR_H2D, COLOR_KERNEL, COLOR_D2H};
static const char *const stage_name[STAGES] = {"in", "kernel", "out"};

static double cell_left(const struct strip *strip, int stage)
{
	return strip->left + NAMES + CELL * (double)stage;
}

static double frame_height(const struct strip *strip)
{
	return TITLE + HEADS + ROW * (double)(strip->single.streams + strip->dbl.streams) + GROUP_GAP;
}

/* A chunk where it is. */
static void draw_chunk(struct strip *strip, size_t number, int stage, double top)
{
	double left = cell_left(strip, stage);
	char text[24];

	snprintf(text, sizeof(text), "%zu", number + 1);
	const struct edges_px at = {left + 1, top + 1, left + CELL - 1, top + ROW - 3};
	column_bar(&strip->canvas, at, stage_color[stage], false);
	canvas_text(&strip->canvas, CANVAS_CENTER, CANVAS_ALL, left + CELL / 2.0, top + ROW / 2.0 - 1, COLOR_ON_COLOR,
		text);
}

/* One buffer: a track with a place for each stage. */
static void draw_buffer(
	struct strip *strip, const struct pipeline *p, const char *role, size_t stream, double ns, double top)
{
	char name[32], which[8];

	snprintf(which, sizeof(which), strip->buffers ? "%c" : "%d",
		strip->buffers ? (int)('A' + stream) : (int)stream + 1);
	snprintf(name, sizeof(name), "%s %s", stream == 0 ? role : "", which);
	canvas_text(&strip->canvas, CANVAS_RIGHT, CANVAS_ALL, strip->left + NAMES - 5, top + ROW / 2.0 - 1, COLOR_INK,
		stream == 0 ? name : which);
	column_bar(&strip->canvas, (struct edges_px){cell_left(strip, 0), top, cell_left(strip, STAGES), top + ROW - 2},
		COLOR_GRID, false);
	for (size_t i = 0; i < p->n; i++) {
		for (int stage = 0; stage < STAGES; stage++) {
			if (p->chunk[i].stream == stream && pipeline_busy(&p->chunk[i], (enum pipeline_stage)stage, ns))
				draw_chunk(strip, i, stage, top);
		}
	}
}

static void draw_moment(struct strip *strip, const struct pipeline_moment *moment)
{
	char time[FORMAT_SIZE], text[FORMAT_SIZE];
	double top = strip->top + TITLE + HEADS;

	canvas_still(&strip->canvas, strip->left - 2, strip->top - 2, strip->left + FRAME_WIDTH + 2,
		strip->top + frame_height(strip) + 2);
	format_time_ns(time, sizeof(time), moment->ns);
	snprintf(text, sizeof(text), "%.100s%s%s", time, *moment->name ? ": " : "", moment->name);
	canvas_text(&strip->canvas, CANVAS_LEFT, CANVAS_ALL, strip->left, strip->top + TITLE / 2.0, COLOR_INK, text);
	for (int stage = 0; stage < STAGES; stage++)
		canvas_text(&strip->canvas, CANVAS_CENTER, CANVAS_ALL, cell_left(strip, stage) + CELL / 2.0,
			strip->top + TITLE + HEADS / 2.0, COLOR_INK_2, stage_name[stage]);
	for (size_t i = 0; i < strip->single.streams; i++)
		draw_buffer(strip, &strip->single, "single", i, moment->ns, top + ROW * (double)i);
	top += ROW * (double)strip->single.streams + GROUP_GAP;
	for (size_t i = 0; i < strip->dbl.streams; i++)
		draw_buffer(strip, &strip->dbl, "double", i, moment->ns, top + ROW * (double)i);
}

static void draw_strip(struct strip *strip, const struct figure_family *in)
{
	struct pipeline_moment moments[PIPELINE_MOMENTS];
	size_t n = pipeline_moments(&strip->single, &strip->dbl, moments);
	double step = frame_height(strip) + FRAME_GAP;

	if (n < FEWEST)
		return;
	column_open(&strip->canvas, in, "frames", COLUMN_PX);
	strip->canvas.figure->height = (int)(step * ceil((double)n / FRAMES_ACROSS) - FRAME_GAP) + 4;
	snprintf(strip->canvas.figure->title, sizeof(strip->canvas.figure->title),
		"The pipeline of %.160s, moment by moment", tree_text(in->family, "title"));
	snprintf(strip->canvas.figure->desc, sizeof(strip->canvas.figure->desc),
		"At each moment of one traced launch: the number of the chunk in each %s, and what happens to it. An "
		"empty "
		"track waits.",
		strip->buffers ? "buffer" : "stream");
	for (size_t i = 0; i < n; i++) {
		size_t row = i / FRAMES_ACROSS;

		strip->left = FRAME_STEP * (double)(i % FRAMES_ACROSS);
		strip->top = 2 + step * (double)row;
		draw_moment(strip, &moments[i]);
	}
	canvas_close(&strip->canvas);
}

static const json_t *traced(const json_t *family, const char *role)
{
	const json_t *measured = tree_headline_case(family, tree_role(family, role));

	return json_object_get(json_object_get(measured, "trace"), "timeline");
}

void figure_frames(const struct figure_family *in)
{
	const json_t *single = tree_role(in->family, "single"), *dbl = tree_role(in->family, "double");
	struct strip strip = {0};
	/* Of a program nobody told which streams are buffers. */
	bool whole =
		*tree_text(in->family, "origin") == '\0' && pipeline_read(traced(in->family, "single"), &strip.single);

	whole = pipeline_read(traced(in->family, "double"), &strip.dbl) && whole;
	strip.buffers = tree_real(single, "buffers") == (double)strip.single.streams &&
			tree_real(dbl, "buffers") == (double)strip.dbl.streams;
	if (whole)
		draw_strip(&strip, in);
	pipeline_free(&strip.single);
	pipeline_free(&strip.dbl);
}
