/* summary.c: see summary.h. */
#include "config.h"

#include "cmd/summary.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/message.h"
#include "tree/sizes.h"
#include "tree/tree.h"
#include "util/columns.h"
#include "util/format.h"
#include "util/strbuf.h"
#include "words/contrast/contrast.h"

enum { MAX_PLACES = 5, NAME_MOST = 32 }; /* places of a program; a longer name moves the rest of its line */

/* ---- families ---- */

/* The sign of the size of a contrast; a blank without one. */
static const char *summary_sign(const json_t *contrast)
{
	return tree_has(contrast, "size") ? size_of(contrast)->sign : " ";
}

/* "      top rung swizzle: 46.6 TFLOP/s, 94.6 % of cublas" of the headline case; nothing without a ladder. */
static void print_climb(const json_t *family)
{
	const json_t *climb = json_array_get(json_object_get(family, "climbs"), 0), *reference;
	size_t i;

	if (tree_has(climb, "brief"))
		printf("      %s\n", tree_text(climb, "brief"));
	json_array_foreach(json_object_get(climb, "references"), i, reference)
	{
		if (tree_has(reference, "text"))
			printf("      %s\n", tree_text(reference, "text"));
	}
}

/* A line of each family that is about buffering, or of each that is not; `title` before the first one. */
static void print_families(const json_t *families, bool buffering, const char *title)
{
	const json_t *family;
	size_t i;

	json_array_foreach(families, i, family)
	{
		if (tree_true(family, "buffering") != buffering || tree_has(family, "sides"))
			continue;
		fputs(title, stdout);
		printf("  %s %s\n", summary_sign(tree_headline_contrast(family)), tree_text(family, "line"));
		print_climb(family);
		title = "";
	}
}

/* A line of each side of a contrast of programs that is held against the first. One that failed is named by the reason
 * why the runs ended, if that is known. */
static void print_sides(const json_t *families)
{
	const json_t *family, *side;
	size_t i, k;

	json_array_foreach(families, i, family)
	{
		json_array_foreach(json_object_get(family, "sides"), k, side)
		{
			const struct size *size = size_of_verdicts(family, json_object_get(side, "verdicts"));

			if (tree_has(side, "line") && !(tree_true(side, "failed") && tree_has(family, "failure")))
				printf("  %s %s\n", size ? size->sign : " ", tree_text(side, "line"));
		}
	}
}

/* ---- sweeps ---- */

/* How wide the names of families and of sweeps are. */
struct sweep_widths {
	int family, sweep;
};

static int wider(int width, const char *text)
{
	int columns = columns_of(text);

	if (columns > NAME_MOST)
		columns = NAME_MOST;
	return columns > width ? columns : width;
}

static struct sweep_widths sweep_widths_of(const json_t *families)
{
	struct sweep_widths widths = {0};
	const json_t *family, *sweep;
	size_t i, k;

	json_array_foreach(families, i, family)
	{
		json_array_foreach(json_object_get(family, "sweeps"), k, sweep)
		{
			widths.family = wider(widths.family, tree_text(family, "name"));
			widths.sweep = wider(widths.sweep, tree_text(sweep, "name"));
		}
	}
	return widths;
}

static void put_padded(struct strbuf *out, const char *name, int width)
{
	int columns = columns_of(name);

	strbuf_printf(out, "  %s%*s", name, columns < width ? width - columns : 0, "");
}

/* "  stream  n-chunk  pays at all 17 points with four chunks or more" */
static void add_sweep(struct strbuf *out, const struct sweep_widths *widths, const char *family, const json_t *sweep)
{
	put_padded(out, family, widths->family);
	put_padded(out, tree_text(sweep, "name"), widths->sweep);
	strbuf_printf(out, "  %s\n", tree_text(sweep, "when"));
}

static void print_sweeps(const json_t *families)
{
	const struct sweep_widths widths = sweep_widths_of(families);
	struct strbuf out = {0};
	const json_t *family, *sweep;
	size_t i, k;

	json_array_foreach(families, i, family)
	{
		json_array_foreach(json_object_get(family, "sweeps"), k, sweep)
			add_sweep(&out, &widths, k == 0 ? tree_text(family, "name") : "", sweep);
	}
	if (out.length > 0)
		printf("When it pays:\n%s", out.text);
	strbuf_free(&out);
}

/* ---- programs ---- */

static void print_where(const json_t *place)
{
	char rounds[FORMAT_SIZE];

	/* The name of a range can be empty. */
	if (tree_has(place, "range"))
		printf("%s (", tree_text(place, "range"));
	else
		printf("a loop of %s rounds (", format_count(rounds, sizeof(rounds), tree_real(place, "iterations")));
	if (tree_has(place, "within"))
		printf("in %s, ", tree_text(place, "within"));
	if (tree_real(place, "process") > 0)
		printf("process %.0f, ", tree_real(place, "process"));
	printf("GPU %.0f)", tree_real(place, "device"));
}

/* ": 10.6 ms of 25.6 ms (41.4 %), 166 us of 400 us a round, 2 buffers", or what more buffers save, "12.1 ms with 3
 * buffers"; where two buffers gain nothing, what more do, without the round. */
static void print_saving(const json_t *place)
{
	bool more = tree_true(place, "needs_more");
	double advised = tree_real(place, "advised_buffers");
	char gain[FORMAT_SIZE], loop[FORMAT_SIZE], share[FORMAT_SIZE], round_gain[FORMAT_SIZE], round[FORMAT_SIZE];

	printf(": %s of %s (%s)",
		format_time_ns(gain, sizeof(gain), tree_real(place, more ? "advised_gain_ns" : "gain_ns")),
		format_time_ns(loop, sizeof(loop), tree_real(place, "loop_ns")),
		format_percent(share, sizeof(share), tree_real(place, more ? "advised_share" : "share")));
	if (!more)
		printf(", %s of %s a round",
			format_time_ns(round_gain, sizeof(round_gain), tree_real(place, "round_gain_ns")),
			format_time_ns(round, sizeof(round), tree_real(place, "round_ns")));
	if (!more && advised > 2)
		printf(", %s with %.0f buffers",
			format_time_ns(gain, sizeof(gain), tree_real(place, "advised_gain_ns")), advised);
	else
		printf(", %.0f buffers", advised);
}

/* "      host late: 12.0 %, 3.20 ms a round, in range load"; nothing where the GPU hardly waits for the host. */
static void print_late(const json_t *loop)
{
	const json_t *late = json_object_get(loop, "host_late"), *during;
	char share[FORMAT_SIZE], round[FORMAT_SIZE];

	if (!tree_true(late, "matters"))
		return;
	printf("      host late: %s, %s a round", format_percent(share, sizeof(share), tree_real(late, "share")),
		format_time_ns(round, sizeof(round), tree_real(late, "round_ns")));
	during = json_array_get(json_object_get(late, "during"), 0);
	if (tree_has(during, "name"))
		printf(", in %s%s", strcmp(tree_text(during, "kind"), "range") == 0 ? "range " : "",
			tree_text(during, "name"));
	putchar('\n');
}

/* "  1. one stream (in train, process 5001, GPU 0): 10.6 ms of 25.6 ms (41.4 %), ..., same-stream" */
static void print_place(const json_t *place, size_t number)
{
	const char *reason = tree_text(json_array_get(json_object_get(place, "copies"), 0), "reason");

	printf("  %2zu. ", number);
	print_where(place);
	print_saving(place);
	if (*reason != '\0' && strcmp(reason, "none") != 0)
		printf(", %s", reason);
	putchar('\n');
	print_late(place);
}

/* The answer, and the first places where double buffering would pay. */
static void print_program(const json_t *program)
{
	const json_t *places = json_object_get(program, "pays");
	const char *answer = tree_text(program, "answer");
	size_t n = json_array_size(places);

	if (*answer != '\0')
		puts(answer);
	if (n > 0)
		puts("What could be saved, of how much:");
	for (size_t i = 0; i < n && i < MAX_PLACES; i++)
		print_place(json_array_get(places, i), i + 1);
	if (n > MAX_PLACES)
		printf("  %zu more %s in the report.\n", n - MAX_PLACES,
			cmd_plural((long long)(n - MAX_PLACES), "is", "are"));
}

/* ---- advice ---- */

/* The answer, and a line of each kernel. */
static void print_advice(const json_t *recording)
{
	const json_t *advice = json_object_get(recording, "advice"), *kernel;
	size_t i;

	if (tree_has(json_object_get(recording, "advised"), "answer"))
		puts(tree_text(json_object_get(recording, "advised"), "answer"));
	json_array_foreach(advice, i, kernel) printf("  %s %s\n", advice_sign(kernel), tree_text(kernel, "line"));
}

/* ---- all ---- */

static void print_answer(const json_t *recording, bool told)
{
	const json_t *first = json_array_get(json_object_get(recording, "families"), 0);
	const char *answer = tree_text(recording, "answer");
	char *rest = told ? contrast_words_told(first, answer) : NULL;

	if (*answer != '\0')
		puts(rest ? rest : answer);
	free(rest);
}

static void print_recording(const json_t *recording, bool told)
{
	json_t *families = tree_by_gain(json_object_get(recording, "families"));

	print_answer(recording, told);
	print_families(families, true, "");
	print_families(families, false, "Not about buffering:\n");
	print_sides(families);
	print_sweeps(families);
	json_decref(families);
	print_advice(recording);
	print_program(json_object_get(recording, "program"));
}

/* "h100.sqlite, NVIDIA H100 80GB HBM3:" above what is said of one of several recordings. */
static void print_heading(const json_t *recording, bool first)
{
	const char *gpu = tree_text(json_object_get(recording, "device"), "name");

	printf("%s%s%s%s:\n", first ? "" : "\n", tree_text(recording, "file"), *gpu ? ", " : "", gpu);
}

void cmd_print_summary(const json_t *root, bool told)
{
	json_t *tree = tree_for_terminal(root);
	const json_t *recordings = json_object_get(tree, "recordings"), *recording;
	size_t i;

	json_array_foreach(recordings, i, recording)
	{
		if (json_array_size(recordings) > 1)
			print_heading(recording, i == 0);
		print_recording(recording, told);
	}
	json_decref(tree);
}
