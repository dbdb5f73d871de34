/* sustained.c: see sustained.h. */
#include "words/sweep/sustained.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { SUSTAINED_SIZE = 512, NOUN_SIZE = 40 };

/* "4,000 a second, not 6,000", "at least 24,000 a second", "fewer than 2,000 a second" */
static void sustained_rate_words(const json_t *side, char *text, size_t size)
{
	char rate[FORMAT_SIZE], next[FORMAT_SIZE];

	format_count(rate, sizeof(rate), tree_real(side, "rate"));
	format_count(next, sizeof(next), tree_real(side, "next"));
	if (!tree_has(side, "rate"))
		clip_append(text, size, "fewer than %s a second", next);
	else if (!tree_has(side, "next"))
		clip_append(text, size, "at least %s a second", rate);
	else
		clip_append(text, size, "%s a second, not %s", rate, next);
}

void sustained_words(json_t *sweep)
{
	json_t *sustained = json_object_get(sweep, "sustained");
	const char *unit = tree_text(json_object_get(sweep, "x"), "unit");
	const int noun = (int)strcspn(unit, "/");
	char text[SUSTAINED_SIZE];

	if (!json_is_object(sustained))
		return;
	clip_print(text, sizeof(text), "Without making %.*s wait for a buffer, %.80s sustains ",
		noun < NOUN_SIZE ? noun : NOUN_SIZE, unit, tree_text(sweep, "single"));
	sustained_rate_words(json_object_get(sustained, "single"), text, sizeof(text));
	clip_append(text, sizeof(text), ". With %.80s it is ", tree_text(sweep, "double"));
	sustained_rate_words(json_object_get(sustained, "double"), text, sizeof(text));
	clip_append(text, sizeof(text), ".");
	put_json(sustained, "text", text_json(text));
}
