/* curve.c: see curve.h. */
#include "words/contrast/curve.h"

#include <math.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/contrast/side-words.h"

/* What a sentence calls the side of a point. */
static const char *point_called(const json_t *family, const char *variant)
{
	return side_called(side_named(family, variant));
}

static bool is_by_step(const json_t *curve)
{
	return strcmp(tree_text(curve, "basis"), "range") == 0;
}

/* "`stages=3` is the smallest within 2 % of it": of words, which have no size, the first. */
static void add_smallest(const json_t *family, const json_t *curve, char *text, size_t size)
{
	const char *smallest = tree_text(curve, "smallest_within");
	bool numeric = tree_true(curve, "numeric");
	double percent = 100 * tree_real(curve, "within");

	if (*smallest == '\0')
		return;
	if (strcmp(smallest, tree_text(json_array_get(json_object_get(curve, "points"), 0), "variant")) == 0 &&
		strcmp(smallest, tree_text(curve, "best")) == 0)
		clip_append(text, size, ", the %s value", numeric ? "smallest" : "first");
	else if (strcmp(smallest, tree_text(curve, "best")) == 0)
		clip_append(text, size, "; no %s value is shown to be within %g %% of it",
			numeric ? "smaller" : "earlier", percent);
	else
		clip_append(text, size, "; %s`%s` is the %s within %g %% of it",
			tree_true(curve, "smallest_clear") ? "" : "by median, ", point_called(family, smallest),
			numeric ? "smallest" : "first", percent);
}

static void add_best(const json_t *family, const json_t *curve, char *text, size_t size)
{
	const char *best = tree_text(curve, "best"), *single = tree_text(family, "single");
	const json_t *point = tree_find(json_object_get(curve, "points"), "variant", best);
	char gain[FORMAT_SIZE];

	clip_append(text, size, "%s `%s` (%s over `%s`%s)",
		tree_true(curve, "best_apart") ? "Best is" : "By median, the best is", point_called(family, best),
		format_gain(gain, sizeof(gain), tree_real(json_object_get(point, "ratio"), "value")),
		point_called(family, single), is_by_step(curve) ? ", by the program's step" : "");
	add_smallest(family, curve, text, size);
	clip_append(text, size, ".");
}

/* Whether any value but the first has a time. */
static bool any_is_timed(const json_t *curve)
{
	const json_t *points = json_object_get(curve, "points");

	for (size_t i = 0; i < json_array_size(points); i++)
		if (tree_has(json_array_get(points, i), "verdict"))
			return true;
	return false;
}

/* A value that looks better than the best, and is not shown to be. */
static void add_doubtful(const json_t *family, const json_t *curve, char *text, size_t size)
{
	const char *doubtful = tree_text(curve, "doubtful");
	const json_t *verdicts = json_object_get(side_named(family, doubtful), "verdicts");

	if (*doubtful)
		clip_append(text, size, " `%s` needs less by median, but that is unclear: %s.",
			point_called(family, doubtful),
			verdict_doubt(json_object_get(verdicts, is_by_step(curve) ? "program" : "kernel")));
}

/* Where steps decide although there are kernel times, these are the same. */
static bool kernels_are_the_same(const json_t *curve)
{
	const json_t *points = json_object_get(curve, "points");

	for (size_t i = 0; i < json_array_size(points) && is_by_step(curve); i++)
		if (tree_has(json_array_get(points, i), "kernels_ns"))
			return true;
	return false;
}

/* The step's ratio of a side, if its verdict is clear; else 1. */
static double clear_step_ratio(const json_t *side)
{
	const json_t *program = json_object_get(json_object_get(side, "verdicts"), "program");
	bool clear = verdict_is(program, "faster") || verdict_is(program, "slower");

	return clear && strcmp(tree_text(program, "basis"), "range") == 0
		       ? tree_real(json_object_get(program, "ratio"), "value")
		       : 1;
}

/* Where kernels decide, steps may have a clear verdict, too: that of the best value is told. Where none is better, the
 * step is told that gets shorter by the most: one that gets longer says nothing more. */
static void add_step_of_value(const json_t *family, const json_t *curve, char *text, size_t size)
{
	const json_t *sides = json_object_get(family, "sides");
	const json_t *best = side_named(family, tree_text(curve, "best")), *told = best;
	double ratio = clear_step_ratio(best);

	for (size_t i = 0; i < json_array_size(sides) && !best; i++) {
		const json_t *side = json_array_get(sides, i);
		double of_side = clear_step_ratio(side);

		if (of_side > ratio) {
			told = side;
			ratio = of_side;
		}
	}
	if (told && ratio > 0 && (ratio < 1 || ratio > 1))
		clip_append(text, size, " The program's step takes %.1f %% %s time with `%s` than with `%s`.",
			100 * fabs(1 / ratio - 1), ratio > 1 ? "less" : "more", side_called(told),
			point_called(family, tree_text(family, "single")));
}

bool curve_words(json_t *family, char *text, size_t size)
{
	json_t *curve = json_object_get(family, "curve");

	*text = '\0';
	if (!any_is_timed(curve)) {
		if (json_is_object(curve))
			put_json(curve, "text", json_null());
		return false;
	}
	if (tree_has(curve, "best"))
		add_best(family, curve, text, size);
	else
		clip_append(text, size, "No value is clearly better than `%s`%s.",
			point_called(family, tree_text(family, "single")),
			is_by_step(curve) ? " by the program's step" : "");
	add_doubtful(family, curve, text, size);
	/* Of two values the verdict, which stands before this, has said it. */
	if (json_array_size(json_object_get(family, "sides")) > 2 && kernels_are_the_same(curve))
		clip_append(text, size, " Kernels need the same time with all values.");
	if (!is_by_step(curve))
		add_step_of_value(family, curve, text, size);
	put_json(curve, "text", text_json(text));
	return true;
}
