/*
 * figure.h: the figures of a report: which there are, the data that gnuplot draws, and the drawn SVG.
 *
 * Each figure is drawn once, on a canvas (canvas.h) by plots/canvas.gp. A script in plots/ takes: ARG1 the data file,
 * ARG2 the SVG to write, ARG3 and ARG4 width and height, then arguments of its own. What gnuplot draws is rewritten
 * (svg/svg.h): for the page, and for a file of its own.
 */
#ifndef DBPROF_FIGURE_FIGURE_H
#define DBPROF_FIGURE_FIGURE_H

#include <jansson.h>
#include <stdbool.h>

#include "figure/svg/svg.h"
#include "tree/anchor.h"
#include "util/error.h"
#include "util/file/outdir.h"
#include "util/palette.h"
#include "util/strbuf.h"

enum { FIGURE_OWN_ARGS = 5, FIGURE_ARGS = 4 + FIGURE_OWN_ARGS };

enum { FIGURE_NAME_SIZE = 2 * ANCHOR_SIZE + 16 };

struct figure {
	char name[FIGURE_NAME_SIZE + 16]; /* unique in the report; the file's name in plots/ without its ending */
	const char *script;               /* "canvas.gp" */
	int width, height;                /* px; of a figure that stretches, the width is what its plot measures in x */
	bool stretches;                   /* then it has a frame: see svg/svg.h */
	struct svg_frame frame;
	struct strbuf arg[FIGURE_OWN_ARGS]; /* owned */
	int nargs;
	char title[256], desc[512]; /* what it shows, for those who cannot see it */
	struct strbuf data;         /* text of the data file; owned */
	struct svg_mark *mark;      /* places with a value; owned, with their texts */
	size_t nmarks, marks_room;
	struct svg_still *still; /* parts that are shown one by one; owned */
	size_t nstills, stills_room;
};

struct figures {
	struct figure *list;
	size_t n, room;
};

/* Every figure that the model can fill. For figures_free(). */
struct figures figures_plan(const json_t *model);
void figures_free(struct figures *figures);

/* Draws all and writes each to plots/NAME.svg in the hidden folder of `out`. Returns an object, name to SVG text for
 * the page; NULL with `err`, also where `interrupted` (may be NULL) says so. */
json_t *figures_draw(const struct figures *figures, const struct outdir *out, bool (*interrupted)(void *user),
	void *user, struct error *err);

/* ---- for the files of this room ---- */

/* A new figure at the end of the list; it stays where it is until the next one is added. */
struct figure *figure_add(struct figures *figures, const char *name);

/* Writes a text in quotes, with what would end them or the line replaced. */
void figure_quote(struct strbuf *data, const char *text);

/* "r2-scan-kogge-stone-timeline": recording `r` from 0, family (NULL: the program), what, into FIGURE_NAME_SIZE bytes:
 * anchors, of which only the last may be anybody's text. */
void figure_name(char *name, size_t size, size_t r, const char *family, const char *what);

/* Width in px that a text takes at most in a font of `px`. */
double figure_text_width(const char *text, double px);

/* The colour of a variant, as that of its NVTX ranges: palette_of_variant(). */
unsigned figure_variant_color(const json_t *variant);

/* A unit of time fit for values up to `ns`; *scale is how many ns it has. */
const char *figure_time_unit(double ns, double *scale);

/* What takes more than so many times as long as the rest would squeeze it on one axis. */
enum { FIGURE_FAR = 3 };

/* ---- one function per kind of figure; each adds its figures, or none if the model has no data for it ---- */

struct figure_family {
	struct figures *figures;
	size_t recording;     /* index in the model */
	const json_t *family; /* F */
	double low, high;     /* of all families' speed-ups: the overview's common axis */
	double strongest;     /* |log| of the largest gain or loss in any sweep: the common scale of small maps */
};

void figure_timeline(const struct figure_family *in);
void figure_durations(const struct figure_family *in);
void figure_whisker(const struct figure_family *in);
void figure_steps(const struct figure_family *in);
void figure_stalls(const struct figure_family *in);
void figure_inside(const struct figure_family *in);
void figure_wait(const struct figure_family *in);
void figure_pm(const struct figure_family *in);
void figure_heat(const struct figure_family *in);
void figure_curve(const struct figure_family *in);
void figure_values(const struct figure_family *in);

/* Its axes of times, in words: "The axis of times does not begin at zero."; "" where all begin there. */
void figure_values_axes(const json_t *family, char *text, size_t size);

/* |log(ratio)| of a sweep's largest gain or loss; 0 without one. */
double heat_strongest(const json_t *sweep);

void figure_time(const struct figure_family *in);

/* "copy in": the name of a part of the time by its id; the id itself where it has none. */
const char *figure_time_name(const char *id);

/* Whether figure_time() has something to draw. */
bool figure_has_time(const json_t *family);

void figure_waterfall(const struct figure_family *in);
void figure_roofline(const struct figure_family *in);
void figure_ladder(const struct figure_family *in);
void figure_frames(const struct figure_family *in);
void figure_explains(const struct figure_family *in);
void figure_latency(const struct figure_family *in);
void figure_program(struct figures *figures, size_t recording, const json_t *program);
/* Of kernel `number`, from 1, of a program that was advised: "gains-1" ... */
void figure_gains(struct figures *figures, size_t recording, const json_t *kernel, size_t number);

#endif
