/* all-parts.c: see all-parts.h. */
#include "words/contrast/all-parts.h"

#include <stdbool.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { TEXT_SIZE = 240 };

static void all_parts_check_words(json_t *check)
{
	const json_t *facts = json_object_get(check, "facts");
	bool decided = strcmp(tree_text(facts, "by_counted"), "unclear") != 0;
	char all[FORMAT_SIZE], counted[FORMAT_SIZE], single[FORMAT_SIZE], other[FORMAT_SIZE];
	char text[TEXT_SIZE], failure[TEXT_SIZE];

	format_ratio(all, sizeof(all), tree_real(check, "figure"));
	format_ratio(counted, sizeof(counted), tree_real(facts, "counted"));
	format_time_ns(single, sizeof(single), tree_real(facts, "single_ns"));
	format_time_ns(other, sizeof(other), tree_real(facts, "other_ns"));
	clip_print(text, sizeof(text),
		"with all parts of a run the ratio of means is %s (%s, %s), without the slowest and the fastest ones "
		"%s",
		all, single, other, counted);
	clip_print(failure, sizeof(failure),
		"%s: with all parts of a run the ratio is %s, without the slowest and the fastest ones %s",
		decided ? "a stall decides" : "stalls make it another ratio", all, counted);
	put_json(check, "text", text_json(text));
	put_json(check, "failure", text_json(json_is_false(json_object_get(check, "ok")) ? failure : NULL));
}

void all_parts_words(json_t *evidence)
{
	json_t *check;
	size_t i;

	json_array_foreach(evidence, i, check)
	{
		if (strcmp(tree_text(check, "name"), "all-parts") == 0)
			all_parts_check_words(check);
	}
}
