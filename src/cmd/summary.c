/* summary.c: see summary.h. */
#include "config.h"

#include "cmd/summary.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/message.h"
#include "tree/tree.h"
#include "util/format.h"

enum { MAX_PLACES = 5 }; /* of a program */

/* ---- families ---- */

static const char *verdict_in_words(const char *verdict)
{
	if (strcmp(verdict, "same") == 0)
		return "makes no difference";
	if (strcmp(verdict, "unclear") == 0)
		return "gives no clear result";
	return strcmp(verdict, "faster") == 0 ? "is faster" : "is slower";
}

/* The contrast of the family's headline case, or NULL. */
static const json_t *headline_contrast(const json_t *family)
{
	return tree_find_true(json_object_get(family, "contrasts"), "headline");
}

static bool was_swept(const json_t *family)
{
	const json_t *sweep;
	size_t i;

	json_array_foreach(json_object_get(family, "sweeps"), i,
		sweep) if (json_integer_value(json_object_get(sweep, "measured")) > 0) return true;
	return false;
}

static void print_contrast(const json_t *family, const json_t *contrast)
{
	const json_t *speedup = json_object_get(contrast, "speedup");
	const char *dbl = tree_text(family, "double");
	double value = tree_real(speedup, "value"), low = tree_real(speedup, "low"), high = tree_real(speedup, "high");
	bool buffering = tree_true(family, "buffering") || *dbl == '\0';
	char ratio[FORMAT_SIZE], interval[FORMAT_SIZE];

	printf("  %-20s %s %s: %s (95 %% interval %s)\n", tree_text(family, "name"),
		buffering ? "double buffering" : dbl, verdict_in_words(tree_text(contrast, "verdict")),
		format_ratio_within(ratio, sizeof(ratio), value, low, high),
		format_ratios(interval, sizeof(interval), low, high));
}

static void print_family(const json_t *family)
{
	const json_t *contrast = headline_contrast(family);

	if (tree_has(contrast, "verdict"))
		print_contrast(family, contrast);
	else
		printf("  %-20s %s\n", tree_text(family, "name"),
			was_swept(family) ? "only its sweeps were measured" : "not measured");
}

static size_t count_verdicts(const json_t *points, const char *verdict)
{
	const json_t *point;
	size_t i, n = 0;

	json_array_foreach(points, i, point) n += strcmp(tree_text(point, "verdict"), verdict) == 0;
	return n;
}

/* How many of its points have which verdict. */
static void print_sweep(const json_t *sweep)
{
	const json_t *points = json_object_get(sweep, "points");
	size_t all = json_array_size(points);

	printf("    sweep %-14s faster at %zu of %zu %s, slower at %zu, the same at %zu, unclear at %zu\n",
		tree_text(sweep, "name"), count_verdicts(points, "faster"), all,
		cmd_plural((long long)all, "point", "points"), count_verdicts(points, "slower"),
		count_verdicts(points, "same"), count_verdicts(points, "unclear"));
}

static void print_family_sweeps(const json_t *family)
{
	const json_t *sweep;
	size_t i;

	if (!was_swept(family))
		return;
	json_array_foreach(json_object_get(family, "sweeps"), i, sweep) print_sweep(sweep);
}

/* ---- programs ---- */

static void print_where(const json_t *place)
{
	/* The name of a range can be empty. */
	printf("%s (", tree_has(place, "range") ? tree_text(place, "range") : "all work");
	if (tree_has(place, "within"))
		printf("in %s, ", tree_text(place, "within"));
	if (tree_real(place, "process") > 0)
		printf("process %.0f, ", tree_real(place, "process"));
	printf("GPU %.0f)", tree_real(place, "device"));
}

/* "  1. one stream (in train, process 5001, GPU 0): 10.6 ms of 25.6 ms (1.707x), same-stream" */
static void print_place(const json_t *place, size_t number)
{
	const char *reason = tree_text(json_array_get(json_object_get(place, "copies"), 0), "reason");
	char gain[FORMAT_SIZE], span[FORMAT_SIZE], ratio[FORMAT_SIZE];

	printf("  %2zu. ", number);
	print_where(place);
	printf(": %s of %s (%s)", format_time_ns(gain, sizeof(gain), tree_real(place, "gain_ns")),
		format_time_ns(span, sizeof(span), tree_real(place, "span_ns")),
		format_ratio(ratio, sizeof(ratio), tree_real(place, "speedup")));
	if (*reason != '\0' && strcmp(reason, "none") != 0)
		printf(", %s", reason);
	putchar('\n');
}

/* The answer, and the first places where double buffering would pay. One place is told by the answer. */
static void print_program(const json_t *program)
{
	const json_t *places = json_object_get(program, "pays");
	const char *answer = tree_text(program, "answer");
	size_t n = json_array_size(places);

	if (*answer != '\0')
		puts(answer);
	if (n > 1)
		puts("What could be saved, of how much:");
	for (size_t i = 0; i < n && i < MAX_PLACES && n > 1; i++)
		print_place(json_array_get(places, i), i + 1);
	if (n > MAX_PLACES)
		printf("  %zu more %s in the report.\n", n - MAX_PLACES,
			cmd_plural((long long)(n - MAX_PLACES), "is", "are"));
}

/* ---- all ---- */

static void print_recording(const json_t *recording)
{
	const json_t *family;
	size_t i;

	json_array_foreach(json_object_get(recording, "families"), i, family)
	{
		print_family(family);
		print_family_sweeps(family);
	}
	print_program(json_object_get(recording, "program"));
}

void cmd_print_summary(const json_t *root)
{
	json_t *tree = tree_for_terminal(root);
	const json_t *recording;
	size_t i;

	json_array_foreach(json_object_get(tree, "recordings"), i, recording) print_recording(recording);
	json_decref(tree);
}
