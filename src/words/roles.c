/* roles.c: see roles.h. */
#include "words/roles.h"

#include <math.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { ROLES_TEXT = 1024 };

/* "the meter makes it 4.20 % slower". No meter makes a kernel faster: then it is the plain launches that were slow. */
static void roles_disturbed_words(const json_t *variant, const char *whose, char *text, size_t size)
{
	const double cost = tree_real(variant, "cost");
	char change[FORMAT_SIZE];

	format_percent(change, sizeof(change), fabs(cost));
	if (cost > 0)
		clip_print(text, size, "the meter makes %.80s %s slower", whose, change);
	else
		clip_print(text, size, "metered launches of %.80s took %s less than plain ones, so these were unsteady",
			whose, change);
}

/* Why a variant's hidden share is not told; nothing where it is. */
static void put_roles_reason(const json_t *variants, json_t *variant)
{
	const char *why = tree_text(variant, "why"), *exposed = tree_text(variant, "exposed");
	char text[ROLES_TEXT] = "";

	if (strcmp(why, "none") == 0)
		clip_print(text, sizeof(text), "no variant of its tile, clusters and warps loads nothing ahead");
	else if (strcmp(why, "itself") == 0)
		clip_print(text, sizeof(text), "it loads nothing ahead");
	else if (strcmp(why, "disturbed") == 0)
		roles_disturbed_words(variant, "it", text, sizeof(text));
	else if (strcmp(why, "other-disturbed") == 0)
		roles_disturbed_words(tree_find(variants, "variant", exposed), exposed, text, sizeof(text));
	else if (strcmp(why, "other-warps") == 0)
		clip_print(text, sizeof(text), "%.80s has another number of warps that compute", exposed);
	else if (*why)
		clip_print(text, sizeof(text), "the loads of %.80s are not measured", exposed);
	put_json(variant, "reason", text_json(*text ? text : NULL));
}

/* "With store, the fastest whose hidden share is told, consumers wait for full stages 4.0 % of their time, and the
 * producer for empty ones 80 %." */
static void roles_waits_words(const json_t *variant, char *text, size_t size)
{
	const json_t *consumer = json_object_get(variant, "consumer"), *producer = json_object_get(variant, "producer");
	char full[FORMAT_SIZE], empty[FORMAT_SIZE];

	if (!isfinite(tree_real(consumer, "wait_share")))
		return;
	format_percent(full, sizeof(full), tree_real(consumer, "wait_share"));
	clip_append(text, size, "With %.80s, the fastest %s, consumers wait for full stages %s of their time",
		tree_text(variant, "variant"),
		isfinite(tree_real(variant, "hidden_share")) ? "whose hidden share is told" : "that is metered", full);
	if (isfinite(tree_real(producer, "wait_share")))
		clip_append(text, size, ", and the producer for empty ones %s",
			format_percent(empty, sizeof(empty), tree_real(producer, "wait_share")));
	clip_append(text, size, ".");
}

/* "Of the time that a stage takes to load, 93 % is hidden, held against store-one-stage." */
static void roles_hidden_words(const json_t *variant, char *text, size_t size)
{
	const double share = tree_real(variant, "hidden_share");
	char hidden[FORMAT_SIZE];

	if (!isfinite(share))
		clip_append(
			text, size, " How much of its loads is hidden is not told: %s.", tree_text(variant, "reason"));
	else if (share <= 0)
		clip_append(text, size,
			" Nothing of its loads is hidden, held against %.80s, which loads nothing ahead.",
			tree_text(variant, "exposed"));
	else
		clip_append(text, size,
			" Of the time that a stage takes to load, %s is hidden, held against %.80s, which loads "
			"nothing ahead.",
			format_percent(hidden, sizeof(hidden), share), tree_text(variant, "exposed"));
}

void roles_words(json_t *family)
{
	json_t *one, *variant;
	size_t i, v;

	json_array_foreach(json_object_get(family, "roles"), i, one)
	{
		json_t *variants = json_object_get(one, "variants");
		const json_t *fastest;
		char text[ROLES_TEXT] = "";

		json_array_foreach(variants, v, variant) put_roles_reason(variants, variant);
		fastest = tree_find(variants, "variant", tree_text(one, "fastest"));
		if (fastest) {
			roles_waits_words(fastest, text, sizeof(text));
			roles_hidden_words(fastest, text, sizeof(text));
		}
		put_json(one, "text", text_json(*text ? text : NULL));
	}
}
