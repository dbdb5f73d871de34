/* extent.c: see extent.h. model/family/programs/extent/extent.c has the numbers. */
#include "words/contrast/extent.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/contrast/side-words.h"

enum { BESIDE_SIZE = 800 };

static void one_sentence(const json_t *beside, const char *single, const char *other, char *text, size_t size)
{
	const char *what = tree_text(beside, "what");
	double a = tree_real(beside, "single"), b = tree_real(beside, "other");
	char ns[2][FORMAT_SIZE];

	if (strcmp(what, "steps") == 0)
		clip_append(text, size, " A run has %.0f step%s with `%s` and %.0f with `%s`; times are of one.", a,
			a > 1 ? "s" : "", single, b, other);
	else if (strcmp(what, "processes") == 0)
		clip_append(text, size,
			" A run has steps in %.0f process%s with `%s` and in %.0f with `%s`, perhaps at once.", a,
			a > 1 ? "es" : "", single, b, other);
	else if (strcmp(what, "kernels") == 0)
		clip_append(text, size,
			" From the first step that counts to the last, %.0f %% of kernel time with `%s` and %.0f %% "
			"with `%s` is in other steps or outside of steps.",
			100 * a, single, 100 * b, other);
	else if (strcmp(what, "kernels-around") == 0)
		clip_append(text, size,
			" Of kernel time, %.0f %% with `%s` and %.0f %% with `%s` is not in the steps that count.",
			100 * a, single, 100 * b, other);
	else if (strcmp(what, "chosen") == 0)
		clip_append(text, size,
			" Of the chosen kernels' time, %.2g %% with `%s` and %.2g %% with `%s` is of kernels without a "
			"match.",
			100 * a, single, 100 * b, other);
	else if (strcmp(what, "length") == 0)
		clip_append(text, size,
			" The runs may differ in length: of the kernels without a match the longest is launched %.0f "
			"time%s with `%s` and %.0f with `%s`.",
			a, a > 1 ? "s" : "", single, b, other);
	else if (strcmp(what, "between") == 0)
		clip_append(text, size,
			" From a step's end to the next one's begin it takes %s with `%s`, %s with `%s`.",
			format_time_ns(ns[0], FORMAT_SIZE, a), single, format_time_ns(ns[1], FORMAT_SIZE, b), other);
	else
		clip_append(text, size, " Copies outside of the steps take %s for each step with `%s`, %s with `%s`.",
			format_time_ns(ns[0], FORMAT_SIZE, a), single, format_time_ns(ns[1], FORMAT_SIZE, b), other);
}

/* Whether the program's verdict tells it already: that time moved there. */
static bool is_told_as_moved(const json_t *beside, const json_t *side)
{
	const json_t *program = json_object_get(json_object_get(side, "verdicts"), "program");
	const json_t *check = tree_find(json_object_get(program, "evidence"), "name", "between");

	return strcmp(tree_text(beside, "what"), "between") == 0 && tree_true(json_object_get(check, "facts"), "moved");
}

void beside_words(const json_t *family, json_t *side)
{
	const json_t *single = side_named(family, tree_text(family, "single")), *list = json_object_get(side, "beside");
	char text[BESIDE_SIZE] = "";

	for (size_t i = 0; i < json_array_size(list); i++)
		if (!is_told_as_moved(json_array_get(list, i), side))
			one_sentence(
				json_array_get(list, i), side_called(single), side_called(side), text, sizeof(text));
	put_json(side, "beside_text", *text ? text_json(text + 1) : json_null());
}

/* Of many values the best one is the answer. */
static const json_t *side_with_beside(const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides");
	const json_t *best = side_named(family, tree_text(json_object_get(family, "curve"), "best"));

	if (tree_has(best, "beside_text"))
		return best;
	for (size_t i = 0; i < json_array_size(sides); i++)
		if (tree_has(json_array_get(sides, i), "beside_text"))
			return json_array_get(sides, i);
	return NULL;
}

void add_beside_words(const json_t *family, char *text, size_t size)
{
	const json_t *side = side_with_beside(family);

	if (side)
		clip_append(text, size, "%s%s", *text ? " " : "", tree_text(side, "beside_text"));
}
