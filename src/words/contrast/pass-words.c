/* pass-words.c: see pass-words.h. */
#include "words/contrast/pass-words.h"

#include <stdbool.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "words/contrast/contrast.h"
#include "words/contrast/side-words.h"

enum { PASS_WORDS_SIZE = 1200 };

/* Whether kernels of a side have a clear difference, which counters would explain. */
static bool expects_cause(const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides");

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *verdicts = json_object_get(json_array_get(sides, i), "verdicts");
		const json_t *kernel = json_object_get(verdicts, "kernel");

		if (verdict_is(kernel, "faster") || verdict_is(kernel, "slower"))
			return true;
	}
	return false;
}

/* How the timed runs failed is the answer. */
static bool is_missed(const json_t *recording, const json_t *pass)
{
	const json_t *families = json_object_get(recording, "families");
	const char *name = tree_text(pass, "pass"), *status = tree_text(pass, "status");

	if (strcmp(status, "failed") == 0)
		return strcmp(name, "time") != 0;
	return strcmp(status, "skipped") == 0 && strcmp(name, "counters") == 0 &&
	       expects_cause(tree_find(families, "name", tree_text(pass, "family")));
}

json_t *pass_words_of_programs(const json_t *recording)
{
	const json_t *first = json_array_get(json_object_get(recording, "families"), 0);
	bool of_programs = is_contrast_of_programs(first) || tree_has(recording, "advised");
	const json_t *passes = json_object_get(recording, "passes"), *pass;
	json_t *list = json_array();
	char text[PASS_WORDS_SIZE];
	size_t i;

	json_array_foreach(passes, i, pass)
	{
		if (!of_programs || !is_missed(recording, pass))
			continue;
		clip_print(text, sizeof(text), "the %s pass %s%s%s", tree_text(pass, "pass"),
			strcmp(tree_text(pass, "status"), "failed") == 0 ? "failed" : "was skipped",
			tree_has(pass, "reason") ? ": " : "", tree_text(pass, "reason"));
		append_json(list, text_json(text));
	}
	return list;
}
