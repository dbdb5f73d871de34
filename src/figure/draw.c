/* draw.c: has gnuplot draw the figures, and makes files and page parts of what it draws. */
#include "figure/figure.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "figure/gnuplot.h"
#include "figure/svg/svg.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/file/datafile.h"
#include "util/file/file.h"

#define WORK "work" /* the folder for what is left behind: data files and raw SVG */

/* One figure's job with the strings it refers to. */
struct drawing {
	char script[PATH_MAX];
	char data[FIGURE_NAME_SIZE + 32], output[FIGURE_NAME_SIZE + 32], width[16], height[16];
	char none[1]; /* an empty argument */
	char *args[FIGURE_ARGS];
};

static int drawing_prepare(struct drawing *drawing, struct gnuplot_job *job, const struct figure *figure,
	const struct outdir *out, struct error *err)
{
	char script[64];

	snprintf(script, sizeof(script), "plots/%s", figure->script);
	if (datafile_find(script, drawing->script, sizeof(drawing->script), err) < 0)
		return -1;
	snprintf(drawing->data, sizeof(drawing->data), WORK "/%s.dat", figure->name);
	snprintf(drawing->output, sizeof(drawing->output), WORK "/%s.svg", figure->name);
	snprintf(drawing->width, sizeof(drawing->width), "%d", figure->width);
	snprintf(drawing->height, sizeof(drawing->height), "%d", figure->height);
	drawing->args[0] = drawing->data;
	drawing->args[1] = drawing->output;
	drawing->args[2] = drawing->width;
	drawing->args[3] = drawing->height;
	for (int i = 0; i < figure->nargs; i++)
		drawing->args[4 + i] = figure->arg[i].text ? figure->arg[i].text : drawing->none;
	*job = (struct gnuplot_job){drawing->script, drawing->args, 4 + figure->nargs, drawing->output};
	return outdir_write(out, drawing->data, figure->data.text, figure->data.length, err);
}

static struct svg_options options_of(const struct figure *figure, bool standalone)
{
	return (struct svg_options){
		.prefix = figure->name,
		.title = figure->title,
		.desc = figure->desc,
		.standalone = standalone,
		.frame = figure->stretches ? &figure->frame : NULL,
		.marks = figure->mark,
		.nmarks = figure->nmarks,
		.stills = figure->still,
		.nstills = figure->nstills,
	};
}

/* What gnuplot wrote, as a file of its own. */
static int save_file(
	const struct figure *figure, const char *raw, size_t size, const struct outdir *out, struct error *err)
{
	struct svg_options options = options_of(figure, true);
	char path[FIGURE_NAME_SIZE + 32];
	char *svg = svg_rewrite(raw, size, &options, err);
	int rc;

	if (!svg)
		return -1;
	snprintf(path, sizeof(path), "plots/%s.svg", figure->name);
	rc = outdir_write(out, path, svg, strlen(svg), err);
	free(svg);
	return rc;
}

/* The same as part of the page, under the figure's name in `drawn`. */
static int save_inline(const struct figure *figure, const char *raw, size_t size, json_t *drawn, struct error *err)
{
	struct svg_options options = options_of(figure, false);
	char *svg = svg_rewrite(raw, size, &options, err);

	if (!svg)
		return -1;
	put_json(drawn, figure->name, json_string(svg));
	free(svg);
	return 0;
}

static int draw_collect(const struct figure *figure, const struct outdir *out, json_t *drawn, struct error *err)
{
	char path[PATH_MAX];
	size_t size;

	snprintf(path, sizeof(path), "%s/" WORK "/%s.svg", outdir_path(out), figure->name);
	char *raw = file_read(path, &size, err);
	if (!raw)
		return -1;
	int rc = save_file(figure, raw, size, out, err);
	if (rc == 0)
		rc = save_inline(figure, raw, size, drawn, err);
	free(raw);
	return rc;
}

static int draw_draw(const struct figures *figures, struct drawing *drawings, struct gnuplot_job *jobs,
	const struct outdir *out, bool (*interrupted)(void *user), void *user, json_t *drawn, struct error *err)
{
	if (outdir_mkdir(out, WORK, err) < 0 || outdir_mkdir(out, "plots", err) < 0)
		return -1;
	for (size_t i = 0; i < figures->n; i++) {
		if (drawing_prepare(&drawings[i], &jobs[i], &figures->list[i], out, err) < 0)
			return -1;
	}
	if (gnuplot_run(jobs, (int)figures->n, outdir_path(out), interrupted, user, err) < 0)
		return -1;
	for (size_t i = 0; i < figures->n; i++) {
		if (draw_collect(&figures->list[i], out, drawn, err) < 0)
			return -1;
	}
	return 0;
}

json_t *figures_draw(const struct figures *figures, const struct outdir *out, bool (*interrupted)(void *user),
	void *user, struct error *err)
{
	struct drawing *drawings = xcalloc(figures->n, sizeof(*drawings));
	struct gnuplot_job *jobs = xcalloc(figures->n, sizeof(*jobs));
	json_t *drawn = json_object();

	if (draw_draw(figures, drawings, jobs, out, interrupted, user, drawn, err) < 0) {
		json_decref(drawn);
		drawn = NULL;
	}
	free(drawings);
	free(jobs);
	return drawn;
}
