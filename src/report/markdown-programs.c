/* markdown-programs.c: see markdown-programs.h. */
#include "report/markdown-programs.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tree/sizes.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/format.h"
#include "util/markdown.h"
#include "words/contrast/side-words.h"

enum { KERNELS_MOST = 10 };

/* ---- names ---- */

/* Names that sentences of a contrast have in backquotes; ends with NULL. */
struct told_names {
	const char **name;
	size_t n;
};

static void add_told_name(struct told_names *names, const char *name)
{
	names->name = xreallocarray(names->name, names->n + 2, sizeof(*names->name));
	names->name[names->n++] = name;
	names->name[names->n] = NULL;
}

static void add_kernel_names(struct told_names *names, const json_t *kernels)
{
	for (size_t i = 0; i < json_array_size(kernels); i++)
		add_told_name(names, tree_text(json_array_get(kernels, i), "short_name"));
}

static struct told_names told_names_of(const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides"), *matched = json_object_get(family, "matched");
	struct told_names names = {0};

	add_told_name(&names, "");
	for (size_t i = 0; i < json_array_size(sides); i++) {
		add_told_name(&names, side_called(json_array_get(sides, i)));
		add_told_name(&names, tree_text(json_array_get(sides, i), "name"));
	}
	for (size_t i = 0; i < json_array_size(matched); i++)
		add_kernel_names(&names, json_object_get(json_array_get(matched, i), "kernels"));
	add_kernel_names(&names, json_object_get(family, "unmatched"));
	return names;
}

/* ---- a contrast ---- */

/* A value of --vary may stand in the environment alone, so its name comes first. */
static void put_side_cell(struct strbuf *out, const json_t *side)
{
	const char *name = tree_text(side, "name"), *command = tree_text(side, "command");
	bool has_name = *command == '\0' || strchr(name, '=');

	if (has_name)
		markdown_name(out, name);
	if (has_name && *command)
		strbuf_puts(out, " ");
	if (*command)
		markdown_command(out, command);
}

/* "1.250× (1.249× to 1.251×)" of the one or the other verdict. */
static void put_verdict_ratio(struct strbuf *out, const json_t *verdict)
{
	const json_t *ratio = json_object_get(verdict, "ratio");
	double value = tree_real(ratio, "value"), low = tree_real(ratio, "low"), high = tree_real(ratio, "high");
	char text[FORMAT_SIZE], interval[FORMAT_SIZE];

	if (!isfinite(value)) {
		strbuf_puts(out, "–");
		return;
	}
	strbuf_puts(out, format_ratio_within(text, sizeof(text), value, low, high));
	if (isfinite(low) && isfinite(high))
		strbuf_printf(out, " (%s)", format_ratios(interval, sizeof(interval), low, high));
	if (verdict_is(verdict, "unclear"))
		strbuf_puts(out, ", unclear");
}

/* The verdict, what it is of where that is not the kernels, and why it is unclear. */
static void put_verdict_cell(
	struct strbuf *out, const json_t *family, const json_t *side, const struct told_names *names)
{
	const json_t *verdicts = json_object_get(side, "verdicts");
	const json_t *decides = tree_deciding_verdict(family, verdicts);
	const struct size *size = size_of_verdicts(family, verdicts);

	if (tree_true(side, "failed"))
		markdown_sentence(out, tree_text(side, "line"), names->name, true);
	else if (strcmp(tree_text(side, "name"), tree_text(family, "single")) == 0)
		strbuf_puts(out, "the others are held against it");
	else if (!size)
		strbuf_puts(out, "no verdict");
	else if (tree_process_doubts(family, verdicts))
		strbuf_printf(out, "%s: the whole process takes another time", size->word);
	else if (verdict_is(decides, "unclear")) {
		strbuf_printf(out, "%s: ", size->word);
		markdown_sentence(out, verdict_doubt(decides), names->name, true);
	} else
		strbuf_printf(out, "%s%s", size->word,
			decides == json_object_get(verdicts, "program") ? ", by its step" : "");
}

static void put_sided_line(struct strbuf *out, const json_t *family, const json_t *side, const struct told_names *names)
{
	const json_t *verdicts = json_object_get(side, "verdicts");
	const struct size *size = size_of_verdicts(family, verdicts);

	strbuf_printf(out, "| %s | ", size ? size->sign : "");
	put_side_cell(out, side);
	strbuf_puts(out, " | ");
	put_verdict_ratio(out, json_object_get(verdicts, "kernel"));
	strbuf_puts(out, " | ");
	put_verdict_ratio(out, json_object_get(verdicts, "program"));
	strbuf_puts(out, " | ");
	put_verdict_cell(out, family, side, names);
	strbuf_puts(out, " |\n");
}

void markdown_contrast(struct strbuf *out, const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides");
	const json_t *program = json_object_get(json_object_get(family, "verdicts"), "program");
	bool is_wall = strcmp(tree_text(program, "basis"), "wall") == 0;
	struct told_names names = told_names_of(family);

	strbuf_printf(out,
		"\n| | command | kernels: first / this (95 %% interval) | %s: first / this (95 %% interval) | verdict "
		"|\n"
		"|---|---|---|---|---|\n",
		is_wall ? "whole process" : "program's step");
	for (size_t i = 0; i < json_array_size(sides); i++)
		put_sided_line(out, family, json_array_get(sides, i), &names);
	strbuf_putc(out, '\n');
	markdown_sentence(out, tree_text(family, "verdict_text"), names.name, false);
	strbuf_putc(out, '\n');
	free(names.name);
}

/* ---- advice ---- */

static const char *advice_word(const json_t *kernel)
{
	const char *verdict = tree_text(kernel, "verdict");

	if (strcmp(verdict, "pays") == 0)
		return "pays";
	if (strcmp(verdict, "does-not") == 0)
		return "does not pay";
	return strcmp(verdict, "too-close") == 0 ? "too close to tell" : "unknown";
}

static void put_stages_cell(struct strbuf *out, double stages)
{
	if (stages >= 1)
		strbuf_printf(out, " %.0f |", stages);
	else
		strbuf_puts(out, " – |");
}

static void put_advised_gain(struct strbuf *out, const json_t *gain)
{
	double low = 1 + tree_real(gain, "low"), mid = 1 + tree_real(gain, "mid"), high = 1 + tree_real(gain, "high");
	char text[FORMAT_SIZE], interval[FORMAT_SIZE];

	strbuf_printf(out, " %s", isfinite(mid) ? format_ratio_within(text, sizeof(text), mid, low, high) : "–");
	if (isfinite(mid) && isfinite(low) && isfinite(high))
		strbuf_printf(out, " (%s)", format_ratios(interval, sizeof(interval), low, high));
	strbuf_puts(out, " |");
}

static void put_advised_row(struct strbuf *out, const json_t *kernel)
{
	static const char *const no_names[] = {NULL};
	const json_t *now = json_object_get(json_object_get(kernel, "now"), "stages"),
		     *best = json_object_get(kernel, "best");
	bool pays = strcmp(tree_text(kernel, "verdict"), "pays") == 0;
	char share[FORMAT_SIZE];

	strbuf_printf(out, "| %s | ", advice_sign(kernel));
	markdown_name(out, tree_text(kernel, "label"));
	strbuf_printf(out, " | %s | %s%s |", format_percent(share, sizeof(share), tree_real(kernel, "share")),
		tree_true(kernel, "probable") ? "probably " : "", advice_word(kernel));
	put_advised_gain(out, best);
	put_stages_cell(out, tree_real(now, "value"));
	put_stages_cell(out, pays ? tree_real(best, "stages") : NAN);
	strbuf_putc(out, ' ');
	markdown_sentence(out, tree_text(kernel, "because"), no_names, true);
	strbuf_puts(out, " |\n");
}

void markdown_advice(struct strbuf *out, const json_t *recording)
{
	static const char *const no_names[] = {NULL};
	const json_t *kernels = json_object_get(recording, "advice");
	const char *answer = tree_text(json_object_get(recording, "advised"), "answer");
	size_t n = json_array_size(kernels);

	if (*answer) {
		strbuf_putc(out, '\n');
		markdown_sentence(out, answer, no_names, false);
		strbuf_putc(out, '\n');
	}
	if (n > 0)
		strbuf_puts(out, "\n| | kernel | of kernel time | more stages | gain (interval) | stages now | take | "
				 "because |\n"
				 "|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < n && i < KERNELS_MOST; i++)
		put_advised_row(out, json_array_get(kernels, i));
	if (n > KERNELS_MOST)
		strbuf_printf(out, "\n%zu more are in the report.\n", n - KERNELS_MOST);
}
