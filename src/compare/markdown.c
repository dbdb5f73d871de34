/* markdown.c: the comparison as Markdown, for a pull request: what changed, in a table that is short. */
#include <string.h>

#include "compare/compare.h"
#include "compare/sweeps.h"
#include "tree/sizes.h"
#include "tree/tree.h"
#include "util/format.h"
#include "util/markdown.h"
#include "util/strbuf.h"
#include "words/compare.h"

enum { ROWS_MOST = 30 };

/* Where the table goes, and what of it is there. */
struct change_table {
	struct strbuf *out;
	double band;
	size_t rows, left_out;
};

/* As compare_variant_words(). */
static void put_variant_names(struct strbuf *out, const json_t *comparison)
{
	markdown_name(out, tree_text(comparison, "variant"));
	if (!tree_has(comparison, "variant_in_new"))
		return;
	strbuf_puts(out, ", ");
	markdown_name(out, tree_text(comparison, "variant_in_new"));
	strbuf_puts(out, " in new");
}

static void put_variant_cell(struct strbuf *out, const json_t *comparison, const json_t *comparisons, double band)
{
	char launches[LAUNCHES_SIZE];

	put_variant_names(out, comparison);
	strbuf_puts(out, compare_launches_words(comparison, comparisons, band, launches, sizeof(launches)));
}

static void put_sided_row(struct change_table *table, const json_t *family, const json_t *comparison)
{
	const json_t *ratio = json_object_get(comparison, "ratio");
	char base[SIDE_TIME_SIZE], fresh[SIDE_TIME_SIZE], value[RATIO_SIZE], interval[INTERVAL_SIZE];
	struct strbuf *out = table->out;

	if (table->rows++ == 0)
		strbuf_puts(out, "\n| | variant | case | base | new | base / new (95 % interval) "
				 "|\n|---|---|---|---|---|---|\n");
	strbuf_printf(out, "| %s | ", size_of(comparison)->sign);
	markdown_name(out, tree_text(family, "name"));
	strbuf_puts(out, " ");
	put_variant_cell(out, comparison, json_object_get(family, "comparisons"), table->band);
	strbuf_puts(out, " | ");
	markdown_name(out, tree_text(comparison, "case"));
	compare_interval_words(ratio, table->band, interval, sizeof(interval));
	strbuf_printf(out, " | %s | %s | %s (%s) |\n",
		compare_time_words(json_object_get(comparison, "base"), table->band, base, sizeof(base)),
		compare_time_words(json_object_get(comparison, "new"), table->band, fresh, sizeof(fresh)),
		compare_ratio_words(ratio, table->band, value, sizeof(value)), interval);
}

/* The comparisons with this verdict, but for points of sweeps. */
static void put_rows_with(struct change_table *table, const json_t *tree, const char *verdict)
{
	const json_t *family, *comparison;
	size_t i, k;

	json_array_foreach(json_object_get(tree, "families"), i, family)
	{
		json_array_foreach(json_object_get(family, "comparisons"), k, comparison)
		{
			if (strcmp(tree_text(comparison, "verdict"), verdict) != 0 || tree_has(comparison, "sweep"))
				continue;
			if (table->rows < ROWS_MOST)
				put_sided_row(table, family, comparison);
			else
				table->left_out++;
		}
	}
}

/* A line for each sweep in which something is slower or faster. */
static void put_sweep_lines(struct strbuf *out, const json_t *tree)
{
	const json_t *family, *sweep;
	bool any = false;
	size_t i, k;

	json_array_foreach(json_object_get(tree, "families"), i, family)
	{
		json_t *sweeps = compare_sweeps(family);

		json_array_foreach(sweeps, k, sweep)
		{
			char words[SENTENCE_SIZE];

			if (tree_real(sweep, "slower") + tree_real(sweep, "faster") == 0)
				continue;
			strbuf_puts(out, any ? "- " : "\n- ");
			any = true;
			markdown_text(out, tree_text(family, "name"));
			strbuf_puts(out, ", ");
			compare_sweep_words(sweep, tree_real(tree, "threshold"), words, sizeof(words));
			markdown_text(out, words);
			strbuf_putc(out, '\n');
		}
		json_decref(sweeps);
	}
}

static void put_change_table(struct strbuf *out, const json_t *tree)
{
	struct change_table table = {.out = out, .band = tree_real(tree, "threshold")};

	put_rows_with(&table, tree, "slower");
	put_rows_with(&table, tree, "faster");
	put_rows_with(&table, tree, "unclear");
	if (table.left_out)
		strbuf_printf(
			out, "\n%zu more row%s left out.\n", table.left_out, table.left_out == 1 ? " is" : "s are");
	put_sweep_lines(out, tree);
	strbuf_printf(out, "\n%lld same, %lld faster, %lld slower, %lld unclear.\n",
		(long long)compare_count(tree, "same"), (long long)compare_count(tree, "faster"),
		(long long)compare_count(tree, "slower"), (long long)compare_count(tree, "unclear"));
}

static void put_gain_cell(struct strbuf *out, const json_t *ratio, double band)
{
	char value[RATIO_SIZE], interval[INTERVAL_SIZE];

	compare_interval_words(ratio, band, interval, sizeof(interval));
	strbuf_printf(out, " %s (%s) |", compare_ratio_words(ratio, band, value, sizeof(value)), interval);
}

static void put_gain_table(struct strbuf *out, const json_t *tree)
{
	const json_t *family;
	size_t i;

	strbuf_puts(out, "\n| | family | gain in base | gain in new | new / base |\n|---|---|---|---|---|\n");
	json_array_foreach(json_object_get(tree, "families"), i, family)
	{
		const json_t *gain = json_object_get(family, "gain");

		if (!json_is_object(gain))
			continue;
		strbuf_printf(out, "| %s | ", size_of(gain)->sign);
		markdown_name(out, tree_text(family, "name"));
		strbuf_puts(out, " |");
		put_gain_cell(out, json_object_get(gain, "base"), 0);
		put_gain_cell(out, json_object_get(gain, "new"), 0);
		put_gain_cell(out, json_object_get(gain, "ratio"), tree_real(tree, "threshold"));
		strbuf_putc(out, '\n');
	}
}

static void put_side_line(struct strbuf *out, const char *side, const json_t *recording)
{
	char words[1024];

	compare_recording_words(recording, words, sizeof(words));
	strbuf_printf(out, "- %s: ", side);
	markdown_text(out, tree_text(recording, "file"));
	strbuf_puts(out, ", ");
	markdown_text(out, words);
	strbuf_putc(out, '\n');
}

static void put_markdown_causes(struct strbuf *out, const json_t *tree)
{
	json_t *told = compare_causes_words(tree);

	for (size_t i = 0; i < json_array_size(told); i++) {
		strbuf_putc(out, ' ');
		markdown_text(out, json_string_value(json_array_get(told, i)));
	}
	json_decref(told);
}

char *compare_markdown(const json_t *tree)
{
	const char *mode = tree_text(tree, "mode");
	struct strbuf out = {0};

	strbuf_puts(&out, "### What became faster or slower?\n\n");
	markdown_text(&out, tree_text(tree, "answer"));
	put_markdown_causes(&out, tree);
	strbuf_puts(&out, "\n");
	if (strcmp(mode, "gains") == 0)
		put_gain_table(&out, tree);
	else if (strcmp(mode, "times") == 0 || strcmp(mode, "programs") == 0)
		put_change_table(&out, tree);
	strbuf_putc(&out, '\n');
	put_side_line(&out, "base", json_object_get(tree, "base"));
	put_side_line(&out, "new", json_object_get(tree, "new"));
	return strbuf_take(&out);
}
