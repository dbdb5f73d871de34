/* cost.c: see cost.h. */
#include "words/cost.h"

#include <math.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

/* Room for a number in a phrase. */
enum { PHRASE_SIZE = FORMAT_SIZE + 128 };

/* What the footprint alone does. */
static void footprint_words(const json_t *control, char *text, size_t size)
{
	const char *verdict = tree_text(control, "verdict");
	char percent[FORMAT_SIZE];

	format_percent(percent, sizeof(percent), fabs(tree_real(control, "extra_share")));
	if (strcmp(verdict, "same") == 0)
		clip_print(text, size, "the footprint alone costs no time");
	else if (strcmp(verdict, "slower") == 0)
		clip_print(text, size, "the footprint alone costs %s more time", percent);
	else if (strcmp(verdict, "faster") == 0)
		clip_print(text, size, "the footprint alone takes %s off the time", percent);
	else
		clip_print(text, size, "whether the footprint alone costs time, this run cannot tell");
}

/* What that means for a double that is slower. */
static void loss_words(const json_t *contrast, const json_t *control, char *text, size_t size)
{
	const char *verdict = tree_text(control, "verdict");
	double loss = tree_real(control, "loss_share");
	char percent[FORMAT_SIZE];

	*text = '\0';
	if (strcmp(tree_text(contrast, "verdict"), "slower") != 0 || strcmp(verdict, "unclear") == 0)
		return;
	if (strcmp(verdict, "slower") != 0)
		clip_print(text, size, ", so the loss has other causes");
	else if (loss <= 1)
		clip_print(text, size, ", which is %s of the loss", format_percent(percent, sizeof(percent), loss));
	else
		clip_print(text, size, ", more than the whole loss: all else that changes wins some of it back");
}

static double control_ns(const json_t *family, const json_t *contrast, const char *name)
{
	const json_t *variant = tree_find(json_object_get(family, "variants"), "name", name);

	return tree_real(json_object_get(tree_case(variant, tree_text(contrast, "case")), "time"), "median_ns");
}

void control_words(const json_t *family, const json_t *contrast, char *text, size_t size)
{
	const json_t *control = json_object_get(json_object_get(contrast, "cost"), "control");
	const json_t *rest = json_object_get(control, "rest");
	const char *name = tree_text(control, "variant"), *dbl = tree_text(family, "double");
	char with[FORMAT_SIZE], without[FORMAT_SIZE], ratio[FORMAT_SIZE];
	char footprint[PHRASE_SIZE], loss[PHRASE_SIZE];

	footprint_words(control, footprint, sizeof(footprint));
	loss_words(contrast, control, loss, sizeof(loss));
	format_time_ns(with, sizeof(with), control_ns(family, contrast, name));
	format_time_ns(without, sizeof(without), tree_real(contrast, "single_ns"));
	format_ratio_within(
		ratio, sizeof(ratio), tree_real(rest, "value"), tree_real(rest, "low"), tree_real(rest, "high"));
	clip_print(text, size,
		"control %s is %s with the shared memory of %s. It takes %s instead of %s: %s%s. All else together "
		"makes %s %s as fast as the control",
		name, tree_text(family, "single"), dbl, with, without, footprint, loss, dbl, ratio);
}
