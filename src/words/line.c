/* line.c: see line.h. */
#include "words/line.h"

#include <stdbool.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/columns.h"
#include "util/format.h"
#include "words/contrast/contrast.h"

/* A longer name moves the rest of its line. */
enum { GAIN_SIZE = 24, LINE_SIZE = 1024, NAME_MOST = 32 };

static void gain_of(const json_t *family, char *text)
{
	const json_t *speedup = json_object_get(tree_deciding_contrast(family), "speedup");
	char gain[FORMAT_SIZE];

	clip_print(text, GAIN_SIZE, "%s", format_gain(gain, sizeof(gain), tree_real(speedup, "value")));
}

/* What the first check that failed says; "" if none did. */
static const char *line_failure(const json_t *contrast)
{
	const json_t *evidence = json_object_get(contrast, "evidence");

	for (size_t i = 0; i < json_array_size(evidence); i++) {
		const json_t *check = json_array_get(evidence, i);

		if (json_is_false(json_object_get(check, "ok")))
			return tree_text(check, "failure");
	}
	return "";
}

/* What stands behind the name; "" if nothing is known. What makes a difference unclear is more than that it is. */
static void line_reason(const json_t *family, char *text, size_t size)
{
	const json_t *contrast = tree_headline_contrast(family);
	const char *because = tree_text(contrast, "because"), *failure = line_failure(contrast);
	bool unclear = strcmp(tree_text(contrast, "verdict"), "unclear") == 0 && tree_has(contrast, "single_ns") &&
		       tree_has(contrast, "double_ns");

	*text = '\0';
	if (is_contrast_of_programs(family)) {
		clip_print(
			text, size, "%s", tree_has(family, "reason_text") ? tree_text(family, "reason_text") : because);
		return;
	}
	if (!tree_has(contrast, "verdict")) {
		clip_print(text, size, "%s", tree_was_swept(family) ? "only its sweeps were measured" : "not measured");
		return;
	}
	if (!tree_true(family, "buffering"))
		clip_print(text, size, "%.80s against %.80s%s", tree_text(family, "double"),
			tree_text(family, "single"), *because ? ": " : "");
	if (unclear && *failure)
		clip_append(text, size, "unclear: %s", failure);
	else
		clip_append(text, size, "%s", because);
}

/* How wide the columns of all lines are. */
struct line_widths {
	int gain, name;
};

static void widen(struct line_widths *widths, const json_t *family)
{
	int name = columns_of(tree_text(family, "name"));
	char gain[GAIN_SIZE];

	gain_of(family, gain);
	if (columns_of(gain) > widths->gain)
		widths->gain = columns_of(gain);
	if (name > widths->name)
		widths->name = name < NAME_MOST ? name : NAME_MOST;
}

/* "1.34×  stream  copies in and out overlap for 258 µs" */
static json_t *family_line_json(const json_t *family, const struct line_widths *widths)
{
	const char *name = tree_text(family, "name");
	char gain[GAIN_SIZE], reason[LINE_SIZE], line[LINE_SIZE];
	int pad = widths->name - columns_of(name);

	gain_of(family, gain);
	line_reason(family, reason, sizeof(reason));
	clip_print(line, sizeof(line), "%*s%s  %s", widths->gain - columns_of(gain), "", gain, name);
	if (*reason)
		clip_append(line, sizeof(line), "%*s  %s", pad > 0 ? pad : 0, "", reason);
	return text_json(line);
}

void line_words(json_t *families)
{
	struct line_widths widths = {0};
	json_t *family;
	size_t i;

	json_array_foreach(families, i, family) widen(&widths, family);
	json_array_foreach(families, i, family) put_json(family, "line", family_line_json(family, &widths));
}
