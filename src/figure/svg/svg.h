/* svg.h: turns what gnuplot's svg terminal writes into figures for a page: small, unique ids, light and dark. */
#ifndef DBPROF_FIGURE_SVG_SVG_H
#define DBPROF_FIGURE_SVG_SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "util/error.h"

/* A place with a value, in the plot's coordinates. Its text is a title, which a pointer shows. Where the picture says
 * it in words, too, a page has it only for scripts: as a line of an attribute (data-marks), which takes less room. */
struct svg_mark {
	double left, top, right, bottom;
	char *text; /* plain */
	bool in_words;
};

/* A part of the picture that a script can show alone: the shapes that lie inside these edges (px) become
 * <g class="frame" data-frame="N">, numbered from 0. */
struct svg_still {
	double left, top, right, bottom;
};

/* The length of a dot: a level line by itself, which gets round ends. No other line is as short. */
#define SVG_DOT 0.04

/* Room for names beside a plot that stretches, in px: on wide pages and on narrow ones. */
struct svg_frame {
	int left, narrow_left, right, narrow_right;
};

struct svg_options {
	const char *prefix;            /* put before every id: a letter, then [A-Za-z0-9_-]; unique in the page */
	const char *title;             /* the figure's name for people who cannot see it; plain text */
	const char *desc;              /* a sentence that says what the figure shows; plain text; NULL or "" for none */
	bool standalone;               /* a file of its own with its colours in it, not part of a page */
	const struct svg_frame *frame; /* the plot stretches; NULL: it keeps its shape */
	const struct svg_mark *marks;
	size_t nmarks;
	const struct svg_still *stills; /* of a plot that keeps its shape */
	size_t nstills;
};

/*
 * Rewrites one figure. The ink of a plot comes in marker colours, so that one file can be read in light and in dark:
 *
 *     #010101, black   var(--ink)     text and lines
 *     #020202          var(--ink-2)   secondary text, axes
 *     #030303          var(--grid)    grid lines, hatching
 *     #040404          var(--paper)   the background
 *
 * A page that inlines figures defines these four; a standalone file brings a style sheet that does. Fonts are the
 * page's. Wide strokes and areas in the colour of a wait, of copies to the host and of idle time get a texture. The
 * background, scripts, comments, unused definitions, ids that nothing refers to, references to other files and
 * attributes that repeat what is inherited are dropped; numbers lose trailing zeros.
 *
 * With a frame, the shapes become a nested picture that stretches to the width of the page, while strokes keep their
 * width (the page gives paths vector-effect: non-scaling-stroke) and texts their size: a text stands at its share of
 * the width. The picture has the class "e", and its frame as classes that templates/style/figures.css turns into
 * margins. There each text begins with two characters, which are dropped. The first says where it stands:
 *
 *     %  at its place      p  so many px from the left edge of the plot      h  the same, of the whole figure
 *     l  left of the plot  r  right of it
 *
 * and the second, on which pages: a (all), w (wide), n (narrow; not in a standalone file).
 *
 * `text` (of `size` bytes) need not be well-formed. Returns a string for free(), or NULL with `err` if it is no SVG.
 */
char *svg_rewrite(const char *text, size_t size, const struct svg_options *options, struct error *err);

#endif
