/* variation.c: see variation.h. */
#include "words/contrast/variation.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "words/contrast/side-words.h"

enum { VARIATION_SIZE = 480 };

/* Kernels of the same names and resources may have other code in them. Where their times differ, something does. */
static const char *conclusion(const json_t *family, const json_t *side)
{
	const json_t *verdicts = json_object_get(side, "verdicts");
	const json_t *kernel = json_object_get(verdicts, "kernel"), *program = json_object_get(verdicts, "program");

	if (verdict_is(kernel, "faster") || verdict_is(kernel, "slower"))
		return "only their code or their data can differ";
	if (tree_true(family, "kernels_chosen"))
		return "the variation may have changed none of them; other kernels are not looked at";
	if (verdict_is(program, "faster") || verdict_is(program, "slower"))
		return "the variation may have changed no kernel, but the program's time differs";
	if (json_is_false(json_object_get(side, "same_rest")))
		return "the variation may have changed none of them, but what does not count differs or varies";
	return verdict_is(program, "same") ? "the variation may have changed nothing"
					   : "the variation may have changed no kernel";
}

void variation_words(const json_t *family, json_t *side)
{
	const json_t *single = side_named(family, tree_text(family, "single"));
	char text[VARIATION_SIZE];

	/* Where the machine code is known, it says more. */
	if (strcmp(tree_text(side, "variation"), "alike") != 0 || tree_has(side, "same_code")) {
		put_json(side, "variation_text", json_null());
		return;
	}
	if (json_array_size(json_object_get(family, "sides")) == 2)
		clip_print(text, sizeof(text), "Both sides run");
	else
		clip_print(text, sizeof(text), "`%s` and `%s` run", side_called(side), side_called(single));
	clip_append(text, sizeof(text), " the same%s kernels with the same resources: %s.",
		tree_true(family, "kernels_chosen") ? " chosen" : "", conclusion(family, side));
	put_json(side, "variation_text", text_json(text));
}

void not_counted_words(json_t *side)
{
	static const char *const words[][2] = {
		{"first-step", "first step of a process"},
		{"other-step", "steps with other kernels than most"},
		{"empty-step", "steps without a kernel"},
		{"first-launch", "first launch of each kernel in a process"},
		{"outside", "outside of the steps"},
		{"other-thread", "in a step, by another thread"},
		{"no-call", "nobody knows who launched them"},
		{"not-chosen", "not chosen by --kernel"},
	};
	json_t *reason;
	size_t i;

	json_array_foreach(json_object_get(json_object_get(side, "not_counted"), "reasons"), i, reason)
	{
		for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
			if (strcmp(words[k][0], tree_text(reason, "reason")) == 0)
				put_json(reason, "text", json_string(words[k][1]));
	}
}
