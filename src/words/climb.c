/* climb.c: see climb.h. */
#include "words/climb.h"

#include <math.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/cause.h"
#include "words/evidence.h"

enum { CLIMB_TEXT = 1024 };

/* "sgemm|f32f32" as "sgemm or f32f32" */
static void asked_words(const char *asked, char *text, size_t size)
{
	*text = '\0';
	while (*asked) {
		const size_t length = strcspn(asked, "|");

		clip_append(text, size, "%s%.*s", *text ? " or " : "", (int)length, asked);
		asked += length + (asked[length] == '|');
	}
}

/* Of a kernel's name what a reader tells it by: without return type and parameters. */
static void climb_kernel_words(const char *kernel, char *text, size_t size)
{
	static const char type[] = "void ";
	const char *start = strncmp(kernel, type, strlen(type)) == 0 ? kernel + strlen(type) : kernel;

	clip_print(text, size, "%.*s", (int)strcspn(start, "("), start);
}

/* Whether all times of one of the rungs or references are set apart. */
static bool any_throttled(const json_t *list)
{
	const json_t *item;
	size_t i;

	json_array_foreach(list, i, item)
	{
		if (tree_true(item, "throttled"))
			return true;
	}
	return false;
}

static void put_throttled_reference(json_t *reference)
{
	char text[CLIMB_TEXT];

	clip_print(text, sizeof(text), "%.80s draws no line: the GPU was throttled, so its times are set apart.",
		tree_text(reference, "variant"));
	put_json(reference, "text", tree_true(reference, "throttled") ? text_json(text) : json_null());
}

static void put_reference(json_t *reference)
{
	char asked[CLIMB_TEXT], kernel[CLIMB_TEXT], text[CLIMB_TEXT];

	if (!json_is_false(json_object_get(reference, "as_asked"))) {
		put_throttled_reference(reference);
		return;
	}
	asked_words(tree_text(reference, "asked"), asked, sizeof(asked));
	climb_kernel_words(tree_text(reference, "kernel"), kernel, sizeof(kernel));
	if (!*asked)
		clip_print(text, sizeof(text), "%.80s ran another kernel than it was asked to: it draws no line.",
			tree_text(reference, "variant"));
	else if (*kernel)
		clip_print(text, sizeof(text),
			"%.80s ran %.160s, not a kernel with %.160s in its name: it draws no line.",
			tree_text(reference, "variant"), kernel, asked);
	else
		clip_print(text, sizeof(text), "%.80s ran another kernel in another case: it draws no line.",
			tree_text(reference, "variant"));
	put_json(reference, "text", text_json(text));
}

/* Why a rung or a reference has no time. */
static void put_climb_missing(json_t *step)
{
	const char *unsupported = tree_text(step, "unsupported");
	char text[CLIMB_TEXT];

	if (*unsupported)
		clip_print(text, sizeof(text), "not supported here: %.800s", unsupported);
	else if (tree_true(step, "withheld"))
		clip_print(text, sizeof(text), "its result is wrong, so its time is not reported");
	else if (tree_true(step, "throttled"))
		clip_print(text, sizeof(text), "the GPU was throttled, so its times are set apart");
	else
		clip_print(text, sizeof(text), "not timed");
	put_json(step, "missing", tree_has(step, "speed") ? json_null() : json_string(text));
}

/* What a rung is held against has no part in the family's pair. */
static void put_steps(const json_t *steps)
{
	json_t *step, *check;
	size_t i, k;

	json_array_foreach(steps, i, step)
	{
		json_t *contrast = json_object_get(step, "contrast");

		put_climb_missing(step);
		if (!json_is_object(contrast))
			continue;
		cause_words(NULL, contrast);
		json_array_foreach(json_object_get(contrast, "evidence"), k, check) evidence_words(check);
	}
}

/* "46.6 TFLOP/s" */
static void climb_speed_words(const json_t *family, const json_t *rung, char *text, size_t size)
{
	const char *unit = tree_text(family, "throughput_unit");

	format_rate(text, size, tree_real(rung, "speed"), unit + (*unit == 'G'));
}

/* Where no rung has a time. */
static void put_no_reach(json_t *climb)
{
	const bool throttled = any_throttled(json_object_get(climb, "rungs"));

	put_json(climb, "text", text_json(throttled ? "No rung has a time: the GPU was throttled." : NULL));
	put_json(climb, "brief", text_json(throttled ? "no rung has a time: the GPU was throttled" : NULL));
}

/* The rungs that are told: the fastest, and the top where that is another. */
static void put_reach(const json_t *family, json_t *climb)
{
	const json_t *rungs = json_object_get(climb, "rungs");
	const char *variant = tree_text(climb, "fastest"), *top = tree_text(climb, "top");
	const bool is_top = strcmp(variant, top) == 0;
	const char *place = is_top ? "top" : "fastest", *reference = tree_text(climb, "reference");
	const json_t *rung = tree_find(rungs, "variant", variant);
	const double share = tree_real(json_object_get(rung, "share"), "value");
	char speed[FORMAT_SIZE], of_top[FORMAT_SIZE], percent[FORMAT_SIZE], brief[CLIMB_TEXT], text[CLIMB_TEXT];

	if (!rung) {
		put_no_reach(climb);
		return;
	}
	climb_speed_words(family, rung, speed, sizeof(speed));
	climb_speed_words(family, tree_find(rungs, "variant", top), of_top, sizeof(of_top));
	format_percent(percent, sizeof(percent), share);
	clip_print(brief, sizeof(brief), "%s rung %.80s: %s", place, variant, speed);
	clip_print(text, sizeof(text), "The %s rung, %.80s, does %s", place, variant, speed);
	if (isfinite(share)) {
		clip_append(brief, sizeof(brief), ", %s of %.80s", percent, reference);
		clip_append(text, sizeof(text), ", which is %s of %.80s", percent, reference);
	}
	if (!is_top) {
		clip_append(brief, sizeof(brief), "; the top, %.80s: %s", top, of_top);
		clip_append(text, sizeof(text), "; the top, %.80s, does %s", top, of_top);
	}
	if (!isfinite(share))
		clip_append(text, sizeof(text), "; %s",
			any_throttled(json_object_get(climb, "references"))
				? "no reference has a time, since the GPU was throttled"
				: "there is no reference");
	clip_append(text, sizeof(text), ".");
	put_json(climb, "brief", text_json(brief));
	put_json(climb, "text", text_json(text));
}

/* "16-byte loads"; "without top-scalar" where only the variant without it has a name: a redacted recording has no more.
 */
static void technique_words(const json_t *step, char *text, size_t size)
{
	const char *change = tree_text(step, "change");

	if (*change)
		clip_print(text, size, "%.200s", change);
	else
		clip_print(text, size, "without %.80s", tree_text(step, "variant"));
}

/* Of the techniques without which the top is surely slower, the one that it loses most without. What a lower rung loses
 * says nothing of the top. */
static void put_worth(json_t *climb)
{
	const char *top = tree_text(climb, "top");
	const json_t *without = json_object_get(climb, "without"), *most = NULL, *speedup;
	double largest = 0;
	char gain[FORMAT_SIZE], technique[CLIMB_TEXT], text[CLIMB_TEXT];

	for (size_t i = 0; i < json_array_size(without); i++) {
		const json_t *step = json_array_get(without, i), *contrast = json_object_get(step, "contrast");
		const double value = tree_real(json_object_get(contrast, "speedup"), "value");

		if (strcmp(tree_text(step, "over"), top) != 0 ||
			strcmp(tree_text(contrast, "verdict"), "faster") != 0 || !(value > largest))
			continue;
		most = step;
		largest = value;
	}
	speedup = json_object_get(json_object_get(most, "contrast"), "speedup");
	format_ratio_within(gain, sizeof(gain), largest, tree_real(speedup, "low"), tree_real(speedup, "high"));
	technique_words(most, technique, sizeof(technique));
	clip_print(text, sizeof(text), "worth most: %s, %s", technique, gain);
	put_json(climb, "worth", text_json(most ? text : NULL));
}

/* ---- rungs without counters ---- */

/* Whether a rung's difference is there, and counters would explain it. */
static bool is_uncounted(const json_t *contrast)
{
	const char *verdict = tree_text(contrast, "verdict");

	return tree_true(contrast, "kernel_bound") && !tree_has(contrast, "time") &&
	       (strcmp(verdict, "faster") == 0 || strcmp(verdict, "slower") == 0);
}

/* Says so at each such rung in few words; how many there are. */
static size_t tell_uncounted(const json_t *steps)
{
	json_t *step;
	size_t i, n = 0;

	json_array_foreach(steps, i, step)
	{
		json_t *contrast = json_object_get(step, "contrast");

		if (!is_uncounted(contrast))
			continue;
		put_json(contrast, "because", json_string("not explained: no counters"));
		n++;
	}
	return n;
}

/* Whether a parameter has its name as a redacted recording has it: "parameter-5b6ff0a1". No command takes that. */
static bool is_hidden_name(const char *name)
{
	static const char prefix[] = "parameter-";

	return strncmp(name, prefix, sizeof(prefix) - 1) == 0;
}

/* " --set=n=1024": what makes a case the one that is counted; "" where its sizes are those of the headline, or where
 * the parameters' names are hidden. */
static void setting_words(const json_t *family, const char *label, char *text, size_t size)
{
	const json_t *params = json_object_get(tree_find(json_object_get(family, "cases"), "label", label), "params");
	const json_t *headline = json_object_get(tree_headline(family), "params");

	*text = '\0';
	for (size_t i = 0; i < json_array_size(params); i++) {
		const json_t *param = json_array_get(params, i);
		const char *name = tree_text(param, "name");
		const double value = tree_real(param, "value");

		if (is_hidden_name(name)) {
			*text = '\0';
			return;
		}
		if (value != tree_real(tree_find(headline, "name", name), "value"))
			clip_append(text, size, " --set=%.60s=%.0f", name, value);
	}
}

/* Why the counters pass gave nothing in the headline case. */
static void refusal_words(const json_t *passes, const char *family, char *text, size_t size)
{
	const json_t *pass, *found = NULL;
	size_t i;

	json_array_foreach(passes, i, pass)
	{
		if (strcmp(tree_text(pass, "family"), family) == 0 && strcmp(tree_text(pass, "pass"), "counters") == 0)
			found = pass;
	}
	if (!found)
		clip_print(text, size, "the counters pass, which was not run, takes them (--passes=counters)");
	else if (strcmp(tree_text(found, "status"), "done") == 0)
		clip_print(text, size, "the counters pass, which takes them, left some rungs out");
	else
		clip_print(text, size, "the counters pass, which takes them, %s%s%.400s",
			strcmp(tree_text(found, "status"), "skipped") == 0 ? "was skipped" : "failed",
			*tree_text(found, "reason") ? ": " : "", tree_text(found, "reason"));
}

/* Where rungs have no counters: which pass takes them, and for which case. */
static void put_climb_uncounted(const json_t *family, const json_t *passes, json_t *climb)
{
	char text[CLIMB_TEXT], why[CLIMB_TEXT];
	size_t n = tell_uncounted(json_object_get(climb, "rungs")) + tell_uncounted(json_object_get(climb, "without"));

	if (tree_true(climb, "headline")) {
		refusal_words(passes, tree_text(family, "name"), why, sizeof(why));
		clip_print(text, sizeof(text), "Not every rung has counters: %s.", why);
	} else {
		setting_words(family, tree_text(climb, "case"), why, sizeof(why));
		clip_print(text, sizeof(text), "No counters here: the counters pass takes them in case %.80s%s%s.",
			tree_text(tree_headline(family), "label"), *why ? ", or here with" : " alone", why);
	}
	put_json(climb, "uncounted", text_json(n > 0 ? text : NULL));
}

void climb_words(const json_t *family, const json_t *passes)
{
	json_t *climb, *reference;
	size_t i, k;

	json_array_foreach(json_object_get(family, "climbs"), i, climb)
	{
		put_steps(json_object_get(climb, "rungs"));
		put_steps(json_object_get(climb, "without"));
		json_array_foreach(json_object_get(climb, "references"), k, reference)
		{
			put_climb_missing(reference);
			put_reference(reference);
		}
		put_reach(family, climb);
		put_worth(climb);
		put_climb_uncounted(family, passes, climb);
	}
}
