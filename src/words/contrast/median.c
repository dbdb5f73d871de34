/* median.c: see median.h. */
#include "words/contrast/median.h"

#include <math.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { MEDIAN_TEXT_SIZE = 700 };

/* A step that is nearer to the median takes as long, for a reader. */
static const double no_distance = 1e-4;

/* "Step 3 of 5", or the whole run. */
static void add_which_step(const json_t *step, char *text, size_t size)
{
	bool run = tree_has(step, "block");

	if (tree_has(step, "step"))
		clip_append(text, size, "step %.0f of %.0f%s", tree_real(step, "step"), tree_real(step, "steps"),
			run ? " of a traced run" : "");
	else
		clip_append(text, size, "%s", run ? "a whole traced run" : "the whole run");
	/* People count from 1. */
	if (run)
		clip_append(text, size, " (block %.0f, turn %.0f)", tree_real(step, "block") + 1,
			tree_real(step, "position") + 1);
	clip_append(text, size, ".");
}

/* How far its kernels' time is from the median. */
static void add_distance(const json_t *step, char *text, size_t size)
{
	double steady = tree_real(step, "steady"), median = tree_real(step, "median_ns");
	double change = tree_real(step, "kernels_ns") / median - 1;
	const char *steps = tree_has(step, "step") ? "steady steps" : "runs";
	char share[FORMAT_SIZE];

	if (steady < 2)
		return;
	format_percent(share, sizeof(share), fabs(change));
	if (!isfinite(change) || fabs(change) < no_distance)
		clip_append(text, size, " Its kernels take the median of %.0f %s.", steady, steps);
	else
		clip_append(text, size, " Its kernels take %s %s than the median of %.0f %s.", share,
			change > 0 ? "longer" : "less", steady, steps);
}

/* What the picture shows of it, where that is not just its range, or the run. */
static void add_window(const json_t *step, char *text, size_t size)
{
	const char *window = tree_text(step, "window");
	double pieces = tree_real(step, "pieces"), outside = pieces - tree_real(step, "inside");

	if (!tree_true(step, "kept"))
		return;
	if (strcmp(window, "period") == 0)
		clip_append(text, size, " The picture ends where the next step begins.");
	else if (strcmp(window, "kernels") == 0)
		clip_append(text, size,
			" The GPU lags behind the host: the picture begins with the step's first kernel, and is as "
			"long as it takes from the begin of the step to that of the next one.");
	else if (strcmp(window, "work") == 0)
		clip_append(text, size,
			" The GPU works on behind the step's end: the picture goes from its first work to the end of "
			"its last.");
	if (outside > 0)
		clip_append(text, size, " %.0f of its %.0f pieces of work lie%s outside of the picture.", outside,
			pieces, outside == 1 ? "s" : "");
}

/* Of a step without a picture. */
static void add_too_large(const json_t *step, char *text, size_t size)
{
	if (!tree_true(step, "kept"))
		clip_append(text, size, " It has %.0f pieces of work%s, too many for a picture.",
			tree_real(step, "pieces"), tree_has(step, "window") ? " and more beside them" : "");
}

void median_step_words(json_t *family)
{
	json_t *side;
	size_t i;

	json_array_foreach(json_object_get(family, "sides"), i, side)
	{
		json_t *step = json_object_get(side, "median_step");
		char text[MEDIAN_TEXT_SIZE];

		if (!json_is_object(step))
			continue;
		clip_print(text, sizeof(text), "%.60s: ", tree_text(side, "name"));
		add_which_step(step, text, sizeof(text));
		add_distance(step, text, sizeof(text));
		add_window(step, text, sizeof(text));
		add_too_large(step, text, sizeof(text));
		put_json(step, "text", text_json(text));
	}
}
