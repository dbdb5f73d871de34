/* all-parts.c: see all-parts.h. */
#include "words/contrast/all-parts.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { TEXT_SIZE = 240 };

static void all_parts_check_words(json_t *check)
{
	char all[FORMAT_SIZE], counted[FORMAT_SIZE], text[TEXT_SIZE], failure[TEXT_SIZE];

	format_ratio(all, sizeof(all), tree_real(check, "figure"));
	format_ratio(counted, sizeof(counted), tree_real(json_object_get(check, "facts"), "counted"));
	clip_print(text, sizeof(text),
		"with all parts of a run the ratio of means is %s, without the slowest and the fastest ones %s", all,
		counted);
	clip_print(failure, sizeof(failure),
		"a stall decides: with all parts of a run the ratio is %s, without the slowest and the fastest ones %s",
		all, counted);
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
