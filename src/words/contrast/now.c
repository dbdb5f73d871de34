/* now.c: see now.h. docs/machine-code.md says what the statements mean. */
#include "words/contrast/now.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"

enum { NOW_TEXT_SIZE = 300 };

struct way_words {
	const char *way, *words;
};

static const struct way_words ways[] = {
	{"registers", "Tiles come to shared memory through registers"},
	{"ldgsts", "Tiles come by asynchronous copies (cp.async, LDGSTS)"},
	{"ublkcp", "Tiles come by bulk copies (TMA, UBLKCP)"},
	{"utmaldg", "Tiles come by tensor copies (TMA, UTMALDG)"},
};

static const char *words_of_way(const char *way)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(ways[i].way, way) == 0)
			return ways[i].words;
	return NULL;
}

/* What is not seen in an instruction is told as such. */
static const char *mark_of_fact(const json_t *fact)
{
	return strcmp(tree_text(fact, "how"), "inferred") == 0 ? " (inferred)" : "";
}

static void add_now_ahead(const json_t *now, char *text, size_t size)
{
	const json_t *ahead = json_object_get(now, "ahead");
	double tiles = tree_real(ahead, "value");

	if (!json_is_object(ahead))
		clip_append(text, size, "; how many are under way is not known.");
	else if (tiles == 0)
		clip_append(text, size, "; none is under way while a round computes%s.", mark_of_fact(ahead));
	else
		clip_append(text, size, "; %.0f %s under way while a round computes%s.", tiles,
			tiles == 1 ? "is" : "are", mark_of_fact(ahead));
}

static void add_now_barriers(const json_t *now, char *text, size_t size)
{
	const json_t *barriers = json_object_get(now, "barriers");
	double n = tree_real(barriers, "value");

	if (json_is_object(barriers) && n == 0)
		clip_append(text, size, " A round has no barrier%s.", mark_of_fact(barriers));
	else if (json_is_object(barriers))
		clip_append(text, size, " A round has %.0f barrier%s%s.", n, n == 1 ? "" : "s", mark_of_fact(barriers));
}

void machine_now_sentence(json_t *now)
{
	const char *shape = tree_text(now, "shape"), *way = words_of_way(tree_text(now, "way"));
	char text[NOW_TEXT_SIZE] = "";

	if (!json_is_object(now))
		return;
	if (strcmp(shape, "none") == 0) {
		clip_append(text, sizeof(text), "No loop over tiles was found.");
	} else if (strcmp(tree_text(now, "way"), "none") == 0) {
		clip_append(text, sizeof(text), "No tiles are loaded to shared memory.");
		add_now_barriers(now, text, sizeof(text));
	} else if (way) {
		clip_append(text, sizeof(text), "%s", way);
		add_now_ahead(now, text, sizeof(text));
		add_now_barriers(now, text, sizeof(text));
	} else {
		clip_append(text, sizeof(text), "How tiles come to shared memory is not known.");
	}
	put_json(now, "text", text_json(text));
}

void machine_now_words(json_t *family)
{
	json_t *pair;
	size_t i;

	json_array_foreach(json_object_get(family, "code_pairs"), i, pair)
	{
		machine_now_sentence(json_object_get(pair, "single_now"));
		machine_now_sentence(json_object_get(pair, "double_now"));
	}
}
