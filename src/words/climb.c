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

static void put_reference(json_t *reference)
{
	char asked[CLIMB_TEXT], kernel[CLIMB_TEXT], text[CLIMB_TEXT];

	if (!json_is_false(json_object_get(reference, "as_asked"))) {
		put_json(reference, "text", json_null());
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

/* What a rung is held against has no part in the family's pair. */
static void put_steps(const json_t *steps)
{
	json_t *step, *check;
	size_t i, k;

	json_array_foreach(steps, i, step)
	{
		json_t *contrast = json_object_get(step, "contrast");

		if (!json_is_object(contrast))
			continue;
		cause_words(NULL, contrast);
		json_array_foreach(json_object_get(contrast, "evidence"), k, check) evidence_words(check);
	}
}

static void put_top(const json_t *family, json_t *climb)
{
	const char *variant = tree_text(climb, "top"), *unit = tree_text(family, "throughput_unit");
	const json_t *top = tree_find(json_object_get(climb, "rungs"), "variant", variant);
	double share = tree_real(json_object_get(top, "share"), "value");
	char speed[FORMAT_SIZE], percent[FORMAT_SIZE], text[CLIMB_TEXT];

	put_json(climb, "text", json_null());
	put_json(climb, "brief", json_null());
	if (!top)
		return;
	format_rate(speed, sizeof(speed), tree_real(top, "speed"), unit + (*unit == 'G'));
	format_percent(percent, sizeof(percent), share);
	if (isfinite(share))
		clip_print(text, sizeof(text), "top rung %.80s: %s, %s of %.80s", variant, speed, percent,
			tree_text(climb, "reference"));
	else
		clip_print(text, sizeof(text), "top rung %.80s: %s", variant, speed);
	put_json(climb, "brief", text_json(text));
	if (isfinite(share))
		clip_print(text, sizeof(text), "The top rung, %.80s, does %s, which is %s of %.80s.", variant, speed,
			percent, tree_text(climb, "reference"));
	else
		clip_print(text, sizeof(text), "The top rung, %.80s, does %s; there is no reference.", variant, speed);
	put_json(climb, "text", text_json(text));
}

void climb_words(const json_t *family)
{
	json_t *climb, *reference;
	size_t i, k;

	json_array_foreach(json_object_get(family, "climbs"), i, climb)
	{
		put_steps(json_object_get(climb, "rungs"));
		put_steps(json_object_get(climb, "without"));
		json_array_foreach(json_object_get(climb, "references"), k, reference) put_reference(reference);
		put_top(family, climb);
	}
}
