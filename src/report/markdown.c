/* markdown.c: see markdown.h. */
#include "report/markdown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/view/view.h"
#include "report/markdown-programs.h"
#include "tree/sizes.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/format.h"
#include "util/markdown.h"
#include "util/strbuf.h"
#include "words/contrast/contrast.h"

enum { PLACES_MOST = 5, DATES_MOST = 10 };

/* ---- families ---- */

static void put_speedup_cell(struct strbuf *out, const json_t *family)
{
	const json_t *speedup = json_object_get(view_headline(family), "speedup");
	double value = tree_real(speedup, "value"), low = tree_real(speedup, "low"), high = tree_real(speedup, "high");
	double band = tree_real(view_headline(family), "band");
	char ratio[FORMAT_SIZE], interval[FORMAT_SIZE];

	if (isnan(value)) {
		strbuf_printf(
			out, " %s |", view_only_sweeps(family) ? "only its sweeps were measured" : "not measured");
		return;
	}
	strbuf_printf(out, " %s", format_judged_ratio(ratio, sizeof(ratio), value, low, high, band));
	if (!isnan(low))
		strbuf_printf(out, " (%s)", format_judged_ratios(interval, sizeof(interval), low, high, band));
	strbuf_puts(out, " |");
}

static void put_prose_cell(struct strbuf *out, const char *text)
{
	strbuf_putc(out, ' ');
	markdown_text(out, text);
	strbuf_puts(out, " |");
}

/* The reason, and the checks that failed. */
static void put_reason_cell(struct strbuf *out, const json_t *family)
{
	json_t *failures = view_failures(view_headline(family));
	char *text = xasprintf("%s%s%s", view_because(family), json_is_string(failures) ? ": " : "",
		json_is_string(failures) ? json_string_value(failures) : "");

	put_prose_cell(out, text);
	free(text);
	json_decref(failures);
}

static void put_family_row(struct strbuf *out, const json_t *family)
{
	const json_t *contrast = view_headline(family);

	strbuf_printf(out, "| %s | ", size_of(contrast)->sign);
	markdown_name(out, tree_text(family, "name"));
	strbuf_puts(out, " |");
	put_speedup_cell(out, family);
	put_reason_cell(out, family);
	put_prose_cell(out, tree_text(json_object_get(family, "holds"), "text"));
	strbuf_putc(out, '\n');
}

/* Those about buffering, or the others, with the largest gain first. */
static void put_family_table(struct strbuf *out, const json_t *families, bool buffering)
{
	json_t *sorted = tree_by_gain(families);
	const json_t *family;
	bool any = false;
	size_t i;

	json_array_foreach(sorted, i, family)
	{
		if (tree_true(family, "buffering") != buffering)
			continue;
		if (!any && !buffering)
			strbuf_puts(out, "\nNot about buffering:\n");
		if (!any)
			strbuf_puts(out, "\n| | family | single / double (95 % interval) | because | holds |\n"
					 "|---|---|---|---|---|\n");
		any = true;
		put_family_row(out, family);
	}
	json_decref(sorted);
}

/* ---- a program ---- */

static void put_place_row(struct strbuf *out, const json_t *place)
{
	const json_t *copies = json_array_get(json_object_get(place, "copies"), 0);
	bool more = tree_true(place, "needs_more");
	char gain[FORMAT_SIZE], loop[FORMAT_SIZE], share[FORMAT_SIZE], round[FORMAT_SIZE];

	strbuf_puts(out, "| ");
	/* The name of a range can be empty. */
	if (tree_has(place, "range"))
		markdown_name(out, tree_text(place, "range"));
	else
		strbuf_printf(
			out, "a loop of %s rounds", format_count(gain, sizeof(gain), tree_real(place, "iterations")));
	strbuf_printf(out, " | %s | %s | %s | %s | %.0f |",
		format_time_ns(gain, sizeof(gain), tree_real(place, more ? "advised_gain_ns" : "gain_ns")),
		format_time_ns(loop, sizeof(loop), tree_real(place, "loop_ns")),
		format_percent(share, sizeof(share), tree_real(place, more ? "advised_share" : "share")),
		format_time_ns(round, sizeof(round), tree_real(place, "round_ns")),
		tree_real(place, "advised_buffers"));
	put_prose_cell(out, tree_text(copies, "reason"));
	strbuf_putc(out, '\n');
}

static void put_program_table(struct strbuf *out, const json_t *program)
{
	const json_t *places = json_object_get(program, "pays");
	size_t n = json_array_size(places);

	if (n > 0)
		strbuf_puts(out,
			"\n| where | could save | of | share | a round takes | buffers | what is in the way |\n"
			"|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < n && i < PLACES_MOST; i++)
		put_place_row(out, json_array_get(places, i));
	if (n > PLACES_MOST)
		strbuf_printf(out, "\n%zu more are in the report.\n", n - PLACES_MOST);
}

/* ---- recordings beside each other ---- */

static void put_gain_markdown(struct strbuf *out, const json_t *family, size_t at)
{
	const json_t *gain = json_array_get(json_object_get(family, "gains"), at);
	char ratio[FORMAT_SIZE];

	if (json_is_object(gain))
		strbuf_printf(out, " | %s %s", size_of(gain)->sign,
			format_ratio_within(ratio, sizeof(ratio), tree_real(gain, "value"), tree_real(gain, "low"),
				tree_real(gain, "high")));
	else
		strbuf_puts(out, " | –");
}

static void put_rule(struct strbuf *out, size_t columns)
{
	for (size_t i = 0; i < columns; i++)
		strbuf_puts(out, "|---");
	strbuf_puts(out, "|\n");
}

/* A row for each family, a column for each GPU. */
static void put_across(struct strbuf *out, const json_t *across)
{
	const json_t *gpus = json_object_get(across, "gpus"), *entry;
	size_t i;

	strbuf_puts(out, "### What double buffering gains on each GPU\n\n| family");
	json_array_foreach(gpus, i, entry)
	{
		strbuf_puts(out, " | ");
		markdown_text(out, tree_text(entry, "name"));
	}
	strbuf_puts(out, " |\n");
	put_rule(out, json_array_size(gpus) + 1);
	json_array_foreach(json_object_get(across, "families"), i, entry)
	{
		strbuf_puts(out, "| ");
		markdown_name(out, tree_text(entry, "name"));
		for (size_t k = 0; k < json_array_size(gpus); k++)
			put_gain_markdown(out, entry, k);
		strbuf_puts(out, " |\n");
	}
	strbuf_putc(out, '\n');
	markdown_text(out, tree_text(across, "text"));
	strbuf_putc(out, '\n');
}

/* Without the time of day; it is a text of the recording, and may be anything. */
static void markdown_date(struct strbuf *out, const char *created)
{
	char date[16];

	snprintf(date, sizeof(date), "%.10s", created);
	markdown_text(out, date);
}

/* A row for each date, the latest first, and a column for each family. */
static void put_history(struct strbuf *out, const json_t *history)
{
	const json_t *families = json_object_get(history, "families"), *dates = json_object_get(history, "recordings");
	const json_t *family;
	size_t n = json_array_size(dates), i;

	strbuf_puts(out, "### Verdicts by date on ");
	markdown_text(out, tree_text(history, "gpu"));
	strbuf_puts(out, "\n\n| date");
	json_array_foreach(families, i, family)
	{
		strbuf_puts(out, " | ");
		markdown_name(out, tree_text(family, "name"));
	}
	strbuf_puts(out, " |\n");
	put_rule(out, json_array_size(families) + 1);
	for (size_t row = n; row-- > 0 && n - row <= DATES_MOST;) {
		const char *created = tree_text(json_array_get(dates, row), "created");

		strbuf_puts(out, "| ");
		markdown_date(out, *created ? created : "no date");
		json_array_foreach(families, i, family) put_gain_markdown(out, family, row);
		strbuf_puts(out, " |\n");
	}
	strbuf_putc(out, '\n');
	markdown_text(out, tree_text(history, "text"));
	strbuf_putc(out, '\n');
}

static void put_several(struct strbuf *out, const json_t *tree)
{
	const json_t *history, *across = json_object_get(tree, "across");
	size_t i;

	if (json_is_object(across))
		put_across(out, across);
	json_array_foreach(json_object_get(tree, "history"), i, history)
	{
		if (out->length)
			strbuf_putc(out, '\n');
		put_history(out, history);
	}
}

/* ---- all ---- */

/* "NVIDIA H100, CUDA 13.0, 2026-11-22", of what is known. */
static void put_made_on(struct strbuf *out, const json_t *recording)
{
	const json_t *device = json_object_get(recording, "device");
	const char *cuda = tree_text(json_object_get(recording, "versions"), "cuda_runtime");

	markdown_text(out, tree_text(recording, "file"));
	if (tree_has(device, "name")) {
		strbuf_puts(out, ", ");
		markdown_text(out, tree_text(device, "name"));
	}
	if (*cuda) {
		strbuf_puts(out, ", CUDA ");
		markdown_text(out, cuda);
	}
	if (tree_has(recording, "created")) {
		strbuf_puts(out, ", ");
		markdown_text(out, tree_text(recording, "created"));
	}
	strbuf_putc(out, '\n');
}

static void put_answer_paragraph(struct strbuf *out, const char *answer)
{
	if (!*answer)
		return;
	strbuf_putc(out, '\n');
	markdown_text(out, answer);
	strbuf_putc(out, '\n');
}

static void put_contrasts_markdown(struct strbuf *out, const json_t *recording)
{
	const json_t *families = json_object_get(recording, "families");

	strbuf_puts(out, "### Which of the programs is faster, and where?\n\n");
	put_made_on(out, recording);
	for (size_t i = 0; i < json_array_size(families); i++)
		markdown_contrast(out, json_array_get(families, i));
}

static void put_families_markdown(struct strbuf *out, const json_t *recording)
{
	const json_t *families = json_object_get(recording, "families");

	strbuf_puts(out, "### Does double buffering pay?\n\n");
	put_made_on(out, recording);
	put_answer_paragraph(out, tree_text(recording, "answer"));
	put_family_table(out, families, true);
	put_family_table(out, families, false);
}

static void put_program_markdown(struct strbuf *out, const json_t *recording)
{
	const json_t *program = json_object_get(recording, "program");

	strbuf_puts(out, "### Would double buffering pay in this program?\n\n");
	put_made_on(out, recording);
	markdown_advice(out, recording);
	put_answer_paragraph(out, tree_text(program, "answer"));
	put_program_table(out, program);
}

static void put_recording_markdown(struct strbuf *out, const json_t *recording)
{
	const json_t *families = json_object_get(recording, "families");

	if (is_contrast_of_programs(json_array_get(families, 0)))
		put_contrasts_markdown(out, recording);
	else if (json_array_size(families) > 0)
		put_families_markdown(out, recording);
	else
		put_program_markdown(out, recording);
}

char *report_markdown(const json_t *tree)
{
	const json_t *recording;
	struct strbuf out = {0};
	size_t i, left_out = 0;

	put_several(&out, tree);
	json_array_foreach(json_object_get(tree, "recordings"), i, recording)
	{
		if (!tree_is_detailed(recording)) {
			left_out++;
			continue;
		}
		if (out.length)
			strbuf_putc(&out, '\n');
		put_recording_markdown(&out, recording);
	}
	if (left_out)
		strbuf_printf(&out, "\n%zu older recordings are left out; `dbprof report FILE` shows one.\n", left_out);
	return strbuf_take(&out);
}
