/* place.c: see place.h. */
#include "words/contrast/place.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "words/contrast/kernel-name.h"

enum { PLACE_TEXT_SIZE = 960, PLACES_TOLD = 3 };

static const json_t *kernel_by_place(const json_t *matched)
{
	const json_t *kernels = json_object_get(matched, "kernels");

	for (size_t i = 0; i < json_array_size(kernels); i++)
		if (strcmp(tree_text(json_array_get(kernels, i), "how"), "place") == 0)
			return json_array_get(kernels, i);
	return NULL;
}

const char *name_by_place(const json_t *family, const char *label)
{
	const json_t *matched = tree_find(json_object_get(family, "matched"), "case", label);
	const json_t *kernel = tree_find(json_object_get(matched, "kernels"), "side", tree_text(family, "double"));

	return strcmp(tree_text(kernel, "how"), "place") == 0 ? tree_text(kernel, "short_name") : NULL;
}

/* With several other sides the first that has it so. */
static void add_pair_by_place(const json_t *family, const json_t *matched, char *text, size_t size)
{
	const json_t *kernel = kernel_by_place(matched);
	const json_t *first = tree_find(json_object_get(matched, "kernels"), "side", tree_text(family, "single"));
	char name[KERNEL_NAME_SIZE], other[KERNEL_NAME_SIZE];

	clip_append(text, size, "%s (%.60s) is held against %s (%.60s)",
		kernel_name_words(tree_text(first, "short_name"), name), tree_text(first, "side"),
		kernel_name_words(tree_text(kernel, "short_name"), other), tree_text(kernel, "side"));
}

static bool is_of_runs(const json_t *family)
{
	return strcmp(tree_text(family, "origin"), "traces") == 0 && !tree_has(family, "step_time");
}

void contrast_place_words(json_t *family)
{
	const json_t *all = json_object_get(family, "matched"), *matched;
	/* Two traces without a range are of one run each. */
	const char *first = is_of_runs(family) ? "Different names, same place in the run: "
					       : "Different names, same place in the step: ";
	char text[PLACE_TEXT_SIZE] = "";
	size_t i, n = 0;

	json_array_foreach(all, i, matched)
	{
		if (!kernel_by_place(matched))
			continue;
		if (n < PLACES_TOLD) {
			clip_append(text, sizeof(text), "%s", n ? "; " : first);
			add_pair_by_place(family, matched, text, sizeof(text));
		}
		n++;
	}
	if (n > PLACES_TOLD)
		clip_append(text, sizeof(text), "; and %zu more", n - PLACES_TOLD);
	if (n)
		clip_append(text, sizeof(text), ".");
	put_json(family, "place_text", text_json(n ? text : NULL));
}
