/* families.c: see families.h. */
#include "words/families.h"

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/answer.h"
#include "words/cause.h"
#include "words/cost.h"
#include "words/evidence.h"
#include "words/line.h"
#include "words/sweep.h"

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

/* "17 of 17": points where the pair pays. */
static void put_holds(const json_t *family)
{
	json_t *holds = json_object_get(family, "holds");
	char text[FORMAT_SIZE];

	if (!json_is_object(holds))
		return;
	clip_print(text, sizeof(text), "%.0f of %.0f", tree_real(holds, "pays"), tree_real(holds, "of"));
	put_json(holds, "text", text_json(text));
}

void words_families(json_t *recording)
{
	json_t *family, *entry;
	size_t i, k;

	json_array_foreach(json_object_get(recording, "families"), i, family)
	{
		json_array_foreach(json_object_get(family, "contrasts"), k, entry) put_contrast(family, entry);
		json_array_foreach(json_object_get(family, "sweeps"), k, entry) sweep_words(entry);
		put_holds(family);
	}
	line_words(json_object_get(recording, "families"));
	answer_words(recording);
}
