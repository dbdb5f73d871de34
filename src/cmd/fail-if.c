/* fail-if.c: see fail-if.h. */
#include "cmd/fail-if.h"

#include <string.h>

#include "cmd/values.h"
#include "tree/tree.h"

const struct cmd_word fail_if_words[] = {
	{"slower", "slower than the single-buffered variant"},
	{"different", "slower or faster"},
	{0},
};

enum exit_status take_fail_if(const char *value, enum fail_if *out)
{
	int word;

	if (!cmd_word("fail-if", value, fail_if_words, &word))
		return STATUS_USAGE;
	*out = word == 0 ? FAIL_IF_SLOWER : FAIL_IF_DIFFERENT;
	return STATUS_DONE;
}

/* What was not judged is as little known as what is unclear. */
static enum exit_status status_of_verdict(const char *verdict, enum fail_if what)
{
	if (strcmp(verdict, "slower") == 0 || (what == FAIL_IF_DIFFERENT && strcmp(verdict, "faster") == 0))
		return STATUS_SLOWER;
	return strcmp(verdict, "same") == 0 || strcmp(verdict, "faster") == 0 ? STATUS_DONE : STATUS_UNCLEAR;
}

static enum exit_status worse_status(enum exit_status a, enum exit_status b)
{
	if (a == STATUS_SLOWER || b == STATUS_SLOWER)
		return STATUS_SLOWER;
	return a == STATUS_UNCLEAR ? a : b;
}

/* The worst of all sides. */
static enum exit_status status_of_sides(const json_t *family, enum fail_if what)
{
	const json_t *sides = json_object_get(family, "sides");
	enum exit_status status = STATUS_DONE;

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *verdicts = json_object_get(json_array_get(sides, i), "verdicts");

		if (json_is_object(verdicts))
			status = worse_status(status, status_of_verdict(tree_deciding_word(family, verdicts), what));
	}
	return status;
}

static enum exit_status status_of_family(const json_t *family, enum fail_if what)
{
	const json_t *contrast = tree_find_true(json_object_get(family, "contrasts"), "headline");

	if (tree_has(family, "sides"))
		return status_of_sides(family, what);
	if (!tree_true(family, "buffering"))
		return STATUS_DONE;
	return status_of_verdict(tree_text(contrast, "verdict"), what);
}

enum exit_status fail_if_status(const json_t *tree, enum fail_if what)
{
	const json_t *recording, *family;
	enum exit_status status = STATUS_DONE;
	size_t i, k;

	if (what == FAIL_IF_NOTHING)
		return status;
	json_array_foreach(json_object_get(tree, "recordings"), i, recording)
	{
		const json_t *families = json_object_get(recording, "families");

		/* Of a program there is nothing to judge: a pipeline must not pass on that. */
		if (json_array_size(families) == 0)
			status = worse_status(status, STATUS_UNCLEAR);
		json_array_foreach(families, k, family) status = worse_status(status, status_of_family(family, what));
	}
	return status;
}
