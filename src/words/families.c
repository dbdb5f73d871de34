/* families.c: see families.h. */
#include "words/families.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "words/answer.h"
#include "words/cause.h"
#include "words/climb.h"
#include "words/contrast/contrast.h"
#include "words/cost.h"
#include "words/evidence.h"
#include "words/items.h"
#include "words/line.h"
#include "words/roles.h"
#include "words/sweep/rule.h"
#include "words/sweep/sweep.h"

enum { CONTROL_SIZE = 2048 };

static void put_contrast(const json_t *family, json_t *contrast)
{
	json_t *control = json_object_get(json_object_get(contrast, "cost"), "control"), *check;
	char text[CONTROL_SIZE];
	size_t i;

	cause_words(family, contrast);
	if (json_is_object(control)) {
		control_words(family, contrast, text, sizeof(text));
		put_json(control, "text", text_json(text));
	}
	json_array_foreach(json_object_get(contrast, "evidence"), i, check) evidence_words(check);
}

/* The first rule of the family's sweeps that says by one variable where it always pays, or NULL. */
static const json_t *paying_rule(const json_t *family)
{
	const json_t *sweeps = json_object_get(family, "sweeps");

	for (size_t i = 0; i < json_array_size(sweeps); i++) {
		const json_t *rule = json_object_get(json_array_get(sweeps, i), "rule");

		const json_t *inside = json_object_get(rule, "inside");

		if (tree_has(rule, "variable") && strcmp(tree_text(rule, "verdict"), "faster") == 0 &&
			tree_real(inside, "pays") == tree_real(inside, "points"))
			return rule;
	}
	return NULL;
}

/* "24 of 25": points where the pair pays; and where that is. */
static void put_holds(const json_t *family)
{
	json_t *holds = json_object_get(family, "holds");
	const json_t *rule = paying_rule(family);
	char text[CONTROL_SIZE];

	if (!json_is_object(holds))
		return;
	clip_print(text, sizeof(text), "%.0f of %.0f", tree_real(holds, "pays"), tree_real(holds, "of"));
	put_json(holds, "text", text_json(text));
	if (rule)
		rule_condition_words(rule, text, sizeof(text));
	put_json(holds, "condition", rule ? text_json(text) : json_null());
}

/* Which pair stands in for the family's own, and why. */
static void put_stands_in(json_t *family)
{
	const json_t *missing = json_object_get(family, "stands_in");
	char text[CONTROL_SIZE];

	clip_print(text, sizeof(text),
		"%.80s does not run here: %.800s. In its place two rungs of the ladder are held against each other, "
		"%.80s against %.80s.",
		tree_text(missing, "missing"), tree_text(missing, "reason"), tree_text(family, "double"),
		tree_text(family, "single"));
	put_json(family, "stands_in_text", json_is_object(missing) ? text_json(text) : json_null());
}

void words_families(json_t *recording)
{
	json_t *family, *entry;
	size_t i, k;

	json_array_foreach(json_object_get(recording, "families"), i, family)
	{
		if (is_contrast_of_programs(family))
			contrast_of_programs_words(family);
		else
			json_array_foreach(json_object_get(family, "contrasts"), k, entry) put_contrast(family, entry);
		json_array_foreach(json_object_get(family, "sweeps"), k, entry) sweep_words(entry);
		put_holds(family);
		put_stands_in(family);
		climb_words(family, json_object_get(recording, "passes"));
		items_words(family);
		roles_words(family);
	}
	line_words(json_object_get(recording, "families"));
	answer_words(recording);
}
