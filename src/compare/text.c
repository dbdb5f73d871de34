/* text.c: the comparison for a terminal: a table per family, notes under it, one line to sum up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/columns.h"
#include "compare/compare.h"
#include "compare/sweeps.h"
#include "tree/sizes.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/format.h"
#include "util/strbuf.h"
#include "words/compare.h"

enum {
	VARIANT_COLUMNS = 23,
	LONG_NAMES_COLUMNS = 40,
	CASE_COLUMNS = 13,
	RATIO_COLUMNS = 7,
	INTERVAL_COLUMNS = 18,
	MOST_NOTES = 64
};
/* What a row has beside its four columns of variable width: two times, a verdict and what lies between. */
enum { TIME_COLUMNS = 9, BETWEEN_COLUMNS = 7, VERDICT_COLUMNS = 9 };

/* Where the text goes, and how wide the columns of the family's table are. */
struct text {
	struct strbuf *out;
	bool color;
	double band;
	int variant, label, ratio, interval;
	bool long_names;        /* a variant of the table has another name in new, or tells which launches are meant */
	char *note[MOST_NOTES]; /* what is told of the family's rows, each once; owned */
	int nnotes;
};

/* ---- verdicts ---- */

/* In the order of the sum. */
static const struct {
	const char *id, *color;
} verdicts[] = {
	{"same", ""},
	{"faster", "\033[32m"},
	{"slower", "\033[31m"},
	{"unclear", "\033[33m"},
};
enum { VERDICTS = sizeof(verdicts) / sizeof(verdicts[0]) };

/* The sign of a verdict and words behind it, in its colour. */
static void put_signed(const struct text *text, const char *verdict, const char *words)
{
	const char *color = "";

	for (size_t i = 0; i < VERDICTS && text->color; i++)
		if (strcmp(verdicts[i].id, verdict) == 0)
			color = verdicts[i].color;
	strbuf_printf(text->out, "%s%s %s%s", color, size_called(verdict)->sign, words, *color ? "\033[0m" : "");
}

static void put_verdict(const struct text *text, const char *verdict)
{
	put_signed(text, verdict, size_called(verdict)->word);
}

/* ---- notes: the checks that are told, under the table ---- */

/* The number of a note, which is added if it is new; 0 if there is no room for more. */
static int text_note_number(struct text *text, const json_t *check)
{
	char *note = xasprintf("%s: %s", tree_text(check, "name"), tree_text(check, "text"));

	for (int i = 0; i < text->nnotes; i++) {
		if (strcmp(text->note[i], note) == 0) {
			free(note);
			return i + 1;
		}
	}
	if (text->nnotes == MOST_NOTES) {
		free(note);
		return 0;
	}
	text->note[text->nnotes++] = note;
	return text->nnotes;
}

/* " [1,3]": the notes that speak of a row; "+" for what has no room there. On a line of its own if this one is full. */
static void put_references(struct text *text, const json_t *evidence, int at)
{
	char numbers[64] = "";
	const json_t *check;
	size_t i;

	json_array_foreach(evidence, i, check)
	{
		size_t used = strlen(numbers);
		int number;

		if (!compare_check_is_told(check))
			continue;
		number = text_note_number(text, check);
		snprintf(numbers + used, sizeof(numbers) - used, number ? "%s%d" : "%s+", used ? "," : "", number);
	}
	if (numbers[0])
		strbuf_printf(
			text->out, "%s[%s]", at + 3 + columns_of(numbers) > COLUMNS_MOST ? "\n      " : " ", numbers);
}

static void put_notes(struct text *text)
{
	for (int i = 0; i < text->nnotes; i++) {
		char first[16];

		snprintf(first, sizeof(first), "  [%d] ", i + 1);
		columns_wrap(text->out, first, text->note[i]);
		free(text->note[i]);
	}
	text->nnotes = 0;
}

/* ---- a family ---- */

/* Where the verdicts of a table begin. */
static int verdict_at(const struct text *text)
{
	return text->variant + text->label + 2 * TIME_COLUMNS + text->ratio + text->interval + BETWEEN_COLUMNS;
}

/* What was compared: a name is cut, but not what tells it from another of its name. */
static void put_what(const struct text *text, const json_t *comparison, const json_t *comparisons)
{
	char variant[VARIANT_SIZE], launches[LAUNCHES_SIZE];
	int width, room;

	compare_variant_words(comparison, variant, sizeof(variant));
	compare_launches_words(comparison, comparisons, text->band, launches, sizeof(launches));
	room = text->variant - columns_of(launches);
	width = columns_of(variant) < room ? columns_of(variant) : room;
	columns_left(text->out, variant, width);
	columns_left(text->out, launches, text->variant - width);
}

static void put_row(struct text *text, const json_t *comparison, const json_t *comparisons)
{
	const json_t *ratio = json_object_get(comparison, "ratio");
	const char *verdict = tree_text(comparison, "verdict");
	char buf[FORMAT_SIZE], interval[INTERVAL_SIZE];
	struct strbuf *out = text->out;

	strbuf_puts(out, "  ");
	put_what(text, comparison, comparisons);
	strbuf_putc(out, ' ');
	columns_left(out, tree_text(comparison, "case"), text->label);
	format_time_ns(buf, sizeof(buf), compare_side_ns(json_object_get(comparison, "base")));
	columns_right(out, buf, TIME_COLUMNS);
	format_time_ns(buf, sizeof(buf), compare_side_ns(json_object_get(comparison, "new")));
	columns_right(out, buf, TIME_COLUMNS);
	strbuf_putc(out, ' ');
	columns_right(out, compare_ratio_words(ratio, text->band, buf, sizeof(buf)), text->ratio);
	compare_interval_words(ratio, text->band, interval, sizeof(interval));
	strbuf_puts(out, "  ");
	columns_left(out, interval, text->interval);
	strbuf_putc(out, ' ');
	put_verdict(text, verdict);
	put_references(text, json_object_get(comparison, "evidence"), verdict_at(text) + columns_of(verdict) + 2);
	strbuf_putc(out, '\n');
}

static void put_heads(const struct text *text)
{
	strbuf_puts(text->out, "  ");
	columns_left(text->out, "variant", text->variant);
	strbuf_putc(text->out, ' ');
	columns_left(text->out, "case", text->label);
	strbuf_printf(text->out, "%*s%*s %*s  %-*s %s\n", TIME_COLUMNS, "base", TIME_COLUMNS, "new", text->ratio,
		"ratio", text->interval, "95 % interval", "verdict");
}

static bool in_sweep(const json_t *comparison)
{
	return tree_has(comparison, "sweep");
}

static int wider_of(int columns, const char *text)
{
	int wanted = columns_of(text);

	return wanted > columns ? wanted : columns;
}

/* Ratios far from 1 have more digits. */
static void fit_numbers(struct text *text, const json_t *comparison)
{
	const json_t *ratio = json_object_get(comparison, "ratio");
	char value[RATIO_SIZE], interval[INTERVAL_SIZE];

	text->ratio = wider_of(text->ratio, compare_ratio_words(ratio, text->band, value, sizeof(value)));
	compare_interval_words(ratio, text->band, interval, sizeof(interval));
	text->interval = wider_of(text->interval, interval);
}

static void fit_what(struct text *text, const json_t *comparison, const json_t *comparisons)
{
	char variant[VARIANT_SIZE], launches[LAUNCHES_SIZE];

	compare_variant_words(comparison, variant, sizeof(variant));
	compare_launches_words(comparison, comparisons, text->band, launches, sizeof(launches));
	text->long_names = text->long_names || tree_has(comparison, "variant_in_new") || *launches;
	clip_append(variant, sizeof(variant), "%s", launches);
	text->variant = wider_of(text->variant, variant);
}

/* Names give way to numbers, so that a row with its verdict fits. */
static void limit_names(struct text *text)
{
	int most = text->long_names ? LONG_NAMES_COLUMNS : VARIANT_COLUMNS, over;

	text->label = text->label < CASE_COLUMNS ? text->label : CASE_COLUMNS;
	text->variant = text->variant < most ? text->variant : most;
	over = verdict_at(text) + VERDICT_COLUMNS - COLUMNS_MOST;
	if (over > 0)
		text->variant -= over;
}

/* Makes the columns as wide as their longest text, within limits. Whether there are rows for a table. */
static bool fit_columns(struct text *text, const json_t *comparisons)
{
	const json_t *comparison;
	bool any = false;
	size_t i;

	text->variant = columns_of("variant");
	text->label = columns_of("case");
	text->ratio = RATIO_COLUMNS;
	text->interval = INTERVAL_COLUMNS;
	text->long_names = false;
	json_array_foreach(comparisons, i, comparison)
	{
		if (in_sweep(comparison))
			continue;
		any = true;
		fit_what(text, comparison, comparisons);
		text->label = wider_of(text->label, tree_text(comparison, "case"));
		fit_numbers(text, comparison);
	}
	limit_names(text);
	return any;
}

static void put_table(struct text *text, const json_t *comparisons)
{
	const json_t *comparison;
	size_t i;

	if (!fit_columns(text, comparisons))
		return;
	put_heads(text);
	json_array_foreach(comparisons, i, comparison)
	{
		if (!in_sweep(comparison))
			put_row(text, comparison, comparisons);
	}
}

static void text_put_sweeps(struct text *text, const json_t *family)
{
	json_t *sweeps = compare_sweeps(family);
	const json_t *sweep;
	size_t i;

	json_array_foreach(sweeps, i, sweep)
	{
		char words[SENTENCE_SIZE];

		compare_sweep_words(sweep, text->band, words, sizeof(words));
		columns_wrap(text->out, "  ", words);
	}
	json_decref(sweeps);
}

static void put_gain(const struct text *text, const json_t *family)
{
	const json_t *gain = json_object_get(family, "gain");
	char words[SENTENCE_SIZE];

	if (!json_is_object(gain))
		return;
	compare_gain_words(family, words, sizeof(words));
	columns_wrap(text->out, "  ", words);
}

static void put_family(struct text *text, const json_t *family)
{
	const json_t *comparisons = json_object_get(family, "comparisons");

	if (json_array_size(comparisons) == 0)
		return;
	strbuf_putc(text->out, '\n');
	columns_line(text->out, "", "%s: %s", tree_text(family, "name"), tree_text(family, "title"));
	put_table(text, comparisons);
	put_notes(text);
	text_put_sweeps(text, family);
	put_gain(text, family);
}

/* ---- the rest ---- */

static void put_recording(struct text *text, const char *side, const json_t *recording)
{
	char words[1024], first[16];

	compare_recording_words(recording, words, sizeof(words));
	snprintf(first, sizeof(first), "%-6s", side);
	columns_line(text->out, first, "%s: %s", tree_text(recording, "file"), words);
}

static void put_shared(struct text *text, const json_t *tree)
{
	const json_t *check;
	size_t i;

	json_array_foreach(json_object_get(tree, "evidence"), i, check)
	{
		if (json_is_false(json_object_get(check, "ok")))
			columns_line(text->out, "", "Not comparable, so every verdict is unclear: %s: %s",
				tree_text(check, "name"), tree_text(check, "text"));
	}
}

static void text_put_missing(struct text *text, const json_t *tree)
{
	json_t *lines = compare_missing_lines(tree);
	const json_t *line;
	size_t i;

	if (json_array_size(lines))
		strbuf_puts(text->out, "\nNot in both, so not compared:\n");
	json_array_foreach(lines, i, line) columns_wrap(text->out, "  ", json_string_value(line));
	json_decref(lines);
}

bool compare_is_comparable(const json_t *tree)
{
	const json_t *evidence = json_object_get(tree, "evidence");

	for (size_t i = 0; i < json_array_size(evidence); i++)
		if (json_is_false(json_object_get(json_array_get(evidence, i), "ok")))
			return false;
	return true;
}

json_int_t compare_count(const json_t *tree, const char *verdict)
{
	return json_integer_value(json_object_get(json_object_get(tree, "summary"), verdict));
}

static void put_summary(const struct text *text, const json_t *tree)
{
	const json_t *advice;
	char words[SENTENCE_SIZE];
	size_t i;

	strbuf_putc(text->out, '\n');
	compare_chance_words(tree, words, sizeof(words));
	if (words[0])
		columns_wrap(text->out, "", words);
	compare_alone_words(tree, words, sizeof(words));
	if (words[0])
		columns_wrap(text->out, "", words);
	json_array_foreach(json_object_get(tree, "advice"), i, advice)
		columns_wrap(text->out, "", json_string_value(advice));
	for (i = 0; i < VERDICTS; i++)
		strbuf_printf(text->out, "%s%lld %s", i ? ", " : "", (long long)compare_count(tree, verdicts[i].id),
			verdicts[i].id);
	strbuf_putc(text->out, '\n');
}

/* Two models of GPU: a line for each family. */
static void put_gains(const struct text *text, const json_t *tree)
{
	const json_t *family;
	size_t i;

	strbuf_putc(text->out, '\n');
	json_array_foreach(json_object_get(tree, "families"), i, family)
	{
		char words[SENTENCE_SIZE], *line;

		if (!tree_has(family, "gain"))
			continue;
		compare_gains_words(tree, family, words, sizeof(words));
		line = xasprintf("%s: %s", tree_text(family, "name"), words);
		put_signed(text, tree_text(json_object_get(family, "gain"), "verdict"), "");
		columns_wrap(text->out, "", line);
		free(line);
	}
}

static void put_text_causes(struct text *text, const json_t *tree)
{
	json_t *told = compare_causes_words(tree);

	for (size_t i = 0; i < json_array_size(told); i++)
		columns_wrap(text->out, "", json_string_value(json_array_get(told, i)));
	json_decref(told);
}

static void put_times(struct text *text, const json_t *tree)
{
	const json_t *family;
	size_t i;

	columns_line(text->out, "",
		"Ratio: %s in base over that in new; above 1, new is faster. Same: all of its interval lies in "
		"1 ± %g.",
		tree_has(tree, "programs") ? "mean time (without the slowest and the fastest of 12 parts of a run)"
					   : "median time",
		tree_real(tree, "threshold"));
	if (tree_has(tree, "programs")) {
		strbuf_putc(text->out, '\n');
		columns_wrap(text->out, "", tree_text(tree, "answer"));
		put_text_causes(text, tree);
	}
	put_shared(text, tree);
	json_array_foreach(json_object_get(tree, "families"), i, family) put_family(text, family);
	if (*tree_text(json_object_get(tree, "programs"), "place_text"))
		columns_wrap(text->out, "  ", tree_text(json_object_get(tree, "programs"), "place_text"));
}

static void put_all(struct text *text, const json_t *tree)
{
	const char *mode = tree_text(tree, "mode");

	put_recording(text, "base", json_object_get(tree, "base"));
	put_recording(text, "new", json_object_get(tree, "new"));
	if (strcmp(mode, "same-recording") == 0) {
		columns_wrap(text->out, "", tree_text(tree, "answer"));
		return;
	}
	if (strcmp(mode, "gains") == 0) {
		columns_line(text->out, "",
			"Two models of GPU: times are not compared, but what double buffering gains on each: time of "
			"single over time of double.");
		put_gains(text, tree);
	} else {
		put_times(text, tree);
	}
	text_put_missing(text, tree);
	if (strcmp(mode, "gains") == 0) {
		strbuf_putc(text->out, '\n');
		columns_wrap(text->out, "", tree_text(tree, "answer"));
	} else {
		put_summary(text, tree);
	}
}

char *compare_text(const json_t *tree, bool color)
{
	struct strbuf out = {0};
	struct text text = {.out = &out, .color = color, .band = tree_real(tree, "threshold")};
	json_t *safe = tree_for_terminal(tree);

	put_all(&text, safe);
	json_decref(safe);
	return strbuf_take(&out);
}
