/* stalls.c: PC samples at the lines of the code: a bar with words at each line, the barriers of single and double
 * beside each other, what lies elsewhere, and the instructions that were met most often. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/alloc.h"
#include "util/format.h"

/* Rows of instructions for each side; percent of the samples from which on a bar has words, and from which on its line
 * stays in sight in a long listing. */
enum { MAX_OFFSETS = 12, LEAST_IN_WORDS = 1, LEAST_IN_SIGHT = 5 };

/* A bar that is shorter, in % of the longest, would have no width. */
#define LEAST_TO_SEE 0.5

/* A state with less than this share of the samples of a line's first one is not named. */
#define SLIVER 0.02

/* A state of warps, as pictures of the time show it, and the class that gives a bar its colour. */
static const struct state {
	const char *id, *cls;
} states[] = {
	{"barrier", "barrier"},
	{"memory", "memory"},
	{"queue", "queue"},
	{"issue", "execution"},
	{"other", "other"},
};

enum { STATES = sizeof(states) / sizeof(states[0]) };

json_t *view_reason_words(const char *name)
{
	char words[64];

	snprintf(words, sizeof(words), "%s", name);
	for (char *c = words; *c; c++) {
		if (*c == '_')
			*c = ' ';
	}
	return view_text("%s", words);
}

const json_t *view_stalls(const json_t *family, const char *role)
{
	const json_t *stalls = json_object_get(tree_headline_case(family, tree_role(family, role)), "stalls");

	return tree_real(stalls, "samples") > 0 ? stalls : NULL;
}

const char *view_side_file(const json_t *family, const char *role)
{
	const char *key = strcmp(role, "double") == 0 ? "double_file" : "single_file";
	const char *file = tree_text(json_object_get(family, "code_pair"), key);

	return *file ? file : tree_text(family, "file");
}

/* The entry of a line of a file, or NULL. */
static const json_t *find_line(const json_t *stalls, const char *file, double number)
{
	const json_t *lines = json_object_get(stalls, "lines");

	for (size_t i = 0; i < json_array_size(lines); i++) {
		const json_t *line = json_array_get(lines, i);

		if (tree_real(line, "line") == number && strcmp(tree_text(line, "file"), file) == 0)
			return line;
	}
	return NULL;
}

/* ---- a bar at a line ---- */

/* Samples of a line in one state, and its most frequent reason there. */
struct sampled {
	const struct state *state;
	const char *reason;
	double samples;
};

static struct sampled *sampled_as(struct sampled *sampled, const json_t *stalls, const char *reason)
{
	const json_t *known = tree_find(json_object_get(stalls, "reasons"), "reason", reason);

	for (int s = 0; s < STATES - 1; s++)
		if (strcmp(states[s].id, tree_text(known, "state")) == 0)
			return &sampled[s];
	return &sampled[STATES - 1];
}

static int most_sampled_first(const void *left, const void *right)
{
	const struct sampled *a = left, *b = right;

	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return (a->state > b->state) - (a->state < b->state);
}

static void take_reason(struct sampled *sampled, const json_t *stalls, const json_t *of)
{
	struct sampled *into = sampled_as(sampled, stalls, tree_text(of, "reason"));

	if (into->samples == 0)
		into->reason = tree_text(of, "reason");
	into->samples += tree_real(of, "samples");
}

/* The states of a line, those with most samples first. The reasons come so, too; a line without them has one. */
static void take_states(const json_t *stalls, const json_t *line, struct sampled *sampled)
{
	const json_t *list = json_object_get(line, "reasons");

	for (int s = 0; s < STATES; s++)
		sampled[s] = (struct sampled){&states[s], "", 0};
	for (size_t i = 0; i < json_array_size(list); i++)
		take_reason(sampled, stalls, json_array_get(list, i));
	if (json_array_size(list) == 0)
		take_reason(sampled, stalls, line);
	qsort(sampled, STATES, sizeof(*sampled), most_sampled_first);
}

/* "queue wait 28.1 % (mio throttle), work 2 % (selected)": shares of the variant's samples; without slivers. */
static void all_states(const json_t *stalls, const struct sampled *sampled, char *text, size_t size)
{
	*text = '\0';
	for (int s = 0; s < STATES && sampled[s].samples > SLIVER * sampled[0].samples; s++) {
		const char *name = figure_time_name(sampled[s].state->id), *reason = sampled[s].reason;
		bool same = strncmp(name, reason, strlen(reason)) == 0;
		char share[FORMAT_SIZE];

		format_percent(share, sizeof(share), sampled[s].samples / tree_real(stalls, "samples"));
		clip_append(text, size, "%s%s %s%s%s%s", *text ? ", " : "", name, share, same ? "" : " (",
			same ? "" : reason, same ? "" : ")");
	}
	for (char *c = text; *c; c++) {
		if (*c == '_')
			*c = ' ';
	}
}

/* The bar of a line or an instruction, which has this share of the samples; null if it is too short to see. */
static json_t *bar_view(const json_t *stalls, const json_t *line, double share, double longest)
{
	struct sampled sampled[STATES];
	char all[1024], percent[FORMAT_SIZE];
	json_t *bar;

	if (!(longest > 0) || !(100 * share / longest >= LEAST_TO_SEE))
		return json_null();
	bar = json_object();
	take_states(stalls, line, sampled);
	all_states(stalls, sampled, all, sizeof(all));
	format_percent(percent, sizeof(percent), share);
	put_json(bar, "class", view_text("%s", sampled[0].state->cls));
	put_json(bar, "width", view_text("%.0f", 100 * fmin(1, share / longest)));
	put_json(bar, "share", 100 * share >= LEAST_IN_WORDS ? view_text("%.0f\u00a0%%", 100 * share) : json_null());
	put_json(bar, "hot", json_boolean(100 * share >= LEAST_IN_SIGHT));
	put_json(bar, "state", view_text("%s", figure_time_name(sampled[0].state->id)));
	put_json(bar, "all", view_text("%s of the samples: %s", percent, all));
	return bar;
}

double view_longest_share(const json_t *stalls, const char *file)
{
	const json_t *list = json_object_get(stalls, file ? "lines" : "offsets");
	double longest = 0;

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *place = json_array_get(list, i);

		if (!file || strcmp(tree_text(place, "file"), file) == 0)
			longest = fmax(longest, tree_real(place, "samples") / tree_real(stalls, "samples"));
	}
	return longest;
}

json_t *view_stall_bar(const json_t *stalls, const char *file, double number, double longest)
{
	const json_t *line = find_line(stalls, file, number);

	return bar_view(stalls, line, tree_real(line, "share"), longest);
}

/* The entry of an instruction, or NULL. */
static const json_t *find_offset(const json_t *stalls, double offset)
{
	const json_t *offsets = json_object_get(stalls, "offsets");

	for (size_t i = 0; i < json_array_size(offsets); i++)
		if (tree_real(json_array_get(offsets, i), "offset") == offset)
			return json_array_get(offsets, i);
	return NULL;
}

json_t *view_offset_bar(const json_t *stalls, double offset, double longest)
{
	const json_t *place = find_offset(stalls, offset);

	return bar_view(stalls, place, tree_real(place, "samples") / tree_real(stalls, "samples"), longest);
}

double view_longest_bar(const json_t *family)
{
	static const char *const roles[] = {"single", "double"};
	double longest = 0;

	for (int r = 0; r < 2; r++) {
		const json_t *lines = json_object_get(view_stalls(family, roles[r]), "lines");

		for (size_t i = 0; i < json_array_size(lines); i++) {
			const json_t *line = json_array_get(lines, i);

			if (strcmp(tree_text(line, "file"), view_side_file(family, roles[r])) == 0)
				longest = fmax(longest, tree_real(line, "share"));
		}
	}
	return longest;
}

/* ---- what the bars add up to ---- */

/* Share of the samples at lines that the code view shows. */
static double shown_share(const json_t *stalls, const json_t *rows, const char *number, const char *file)
{
	double shown = 0;

	for (size_t i = 0; i < json_array_size(rows); i++) {
		double share = tree_real(find_line(stalls, file, tree_real(json_array_get(rows, i), number)), "share");

		if (isfinite(share))
			shown += share;
	}
	return shown;
}

/* ", every 256 cycles of an SM in 2 launches" */
static void how_sampled(const json_t *stalls, char *text, size_t size)
{
	char period[FORMAT_SIZE];
	double launches = tree_real(stalls, "launches");

	*text = '\0';
	format_count(period, sizeof(period), tree_real(stalls, "period"));
	if (tree_real(stalls, "period") > 0 && launches > 0)
		snprintf(text, size, ", one every %s cycles of an SM, in %.0f launch%s", period, launches,
			launches == 1 ? "" : "es");
}

json_t *view_stall_sum(const json_t *family, const char *role, const char *number)
{
	const json_t *stalls = view_stalls(family, role);
	const json_t *rows = json_object_get(json_object_get(family, "code_pair"), "rows");
	double shown = shown_share(stalls, rows, number, view_side_file(family, role));
	char samples[FORMAT_SIZE], percent[FORMAT_SIZE], lost[FORMAT_SIZE];
	char how[2 * FORMAT_SIZE], elsewhere[2 * FORMAT_SIZE], dropped[2 * FORMAT_SIZE] = "";

	if (!stalls)
		return json_null();
	how_sampled(stalls, how, sizeof(how));
	format_count(samples, sizeof(samples), tree_real(stalls, "samples"));
	format_percent(percent, sizeof(percent), fmax(0, 1 - shown));
	snprintf(elsewhere, sizeof(elsewhere), "Elsewhere (headers, other lines): %s.", percent);
	if (shown <= 0)
		snprintf(elsewhere, sizeof(elsewhere),
			"None of them in the lines above: those run on the host, or their kernels stand elsewhere.");
	format_count(lost, sizeof(lost), tree_real(stalls, "dropped"));
	if (tree_real(stalls, "dropped") > 0)
		snprintf(dropped, sizeof(dropped), "; another %s were dropped by the hardware", lost);
	return view_text("%s samples%s%s. %s", samples, how, dropped, elsewhere);
}

/* ---- at the barriers ---- */

static bool is_barrier(const char *text)
{
	return strstr(text, "__syncthreads") != NULL;
}

/* The `index`th row of the code with a barrier on one side, or NULL. */
static const json_t *barrier_row(const json_t *rows, const char *text, size_t index)
{
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);

		if (is_barrier(tree_text(row, text)) && index-- == 0)
			return row;
	}
	return NULL;
}

/* Share of the variant's samples at a line for one reason. */
static double reason_share(const json_t *stalls, const json_t *line, const char *reason)
{
	const json_t *found = tree_find(json_object_get(line, "reasons"), "reason", reason);

	return found ? tree_real(found, "samples") / tree_real(stalls, "samples") : 0;
}

static json_t *barrier_cell(const json_t *stalls, const json_t *row, const char *number, const char *file)
{
	const json_t *line = find_line(stalls, file, tree_real(row, number));
	json_t *cell = json_object();

	put_json(cell, "line", row ? view_text("%.0f", tree_real(row, number)) : json_null());
	put_json(cell, "share", row && stalls ? view_percent(line ? tree_real(line, "share") : 0) : json_null());
	put_json(cell, "barrier", row && stalls ? view_percent(reason_share(stalls, line, "barrier")) : json_null());
	return cell;
}

/* All samples with the reason "barrier", wherever they are. */
static json_t *barrier_total(const json_t *stalls)
{
	const json_t *barrier = tree_find(json_object_get(stalls, "reasons"), "reason", "barrier");

	return stalls ? view_percent(barrier ? tree_real(barrier, "share") : 0) : json_null();
}

/* The rows and, below them, what the whole kernel waits, as one text with columns. */
static json_t *barriers_text(const json_t *rows, const json_t *totals)
{
	static const char *const heads[] = {
		"barrier", "single: line", "its share", "waiting", "double: line", "its share", "waiting"};
	static const char *const keys[] = {"line", "share", "barrier"};
	json_t *table = json_array(), *line = json_array(), *text;

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		append_json(line, json_string(heads[i]));
	append_json(table, line);
	for (size_t r = 0; r <= json_array_size(rows); r++) {
		const json_t *row = json_array_get(rows, r);

		line = json_array();
		append_json(line, row ? view_text("number %s", tree_text(row, "number")) : json_string("whole kernel"));
		for (size_t c = 0; c < 6; c++) {
			const json_t *cell = json_array_get(json_object_get(row, "cells"), c / 3);
			const json_t *value = row          ? json_object_get(cell, keys[c % 3])
					      : c % 3 == 2 ? json_array_get(totals, c / 3)
							   : NULL;

			append_json(
				line, json_is_string(value) ? view_text("%s", json_string_value(value)) : json_null());
		}
		append_json(table, line);
	}
	text = view_columns(table);
	json_decref(table);
	return text;
}

void view_barriers(json_t *page, const json_t *family)
{
	static const char *const side[][3] = {{"single", "a_line", "a"}, {"double", "b_line", "b"}};
	const json_t *rows = json_object_get(json_object_get(family, "code_pair"), "rows");
	json_t *list = json_array(), *totals = json_array();

	for (size_t i = 0; barrier_row(rows, "a", i) || barrier_row(rows, "b", i); i++) {
		json_t *row = json_object(), *cells = json_array();

		for (int s = 0; s < 2; s++)
			append_json(
				cells, barrier_cell(view_stalls(family, side[s][0]), barrier_row(rows, side[s][2], i),
					       side[s][1], view_side_file(family, side[s][0])));
		put_json(row, "number", view_text("%zu", i + 1));
		put_json(row, "cells", cells);
		append_json(list, row);
	}
	for (int s = 0; s < 2; s++)
		append_json(totals, barrier_total(view_stalls(family, side[s][0])));
	put_json(page, "barriers_text", barriers_text(list, totals));
	view_put_list(page, "barriers", list);
	put_json(page, "barrier_totals", totals);
}

/* ---- instructions ---- */

static int compare_offsets(const void *a, const void *b)
{
	double x = tree_real(*(json_t *const *)a, "samples"), y = tree_real(*(json_t *const *)b, "samples");

	return (x < y) - (x > y);
}

static json_t *offset_view(const json_t *stalls, const json_t *offset, const char *role)
{
	json_t *row = json_object();

	put_json(row, "role", view_text("%s", role));
	put_json(row, "symbol", view_text("%s", tree_text(offset, "symbol")));
	put_json(row, "offset", view_text("0x%04lx", (unsigned long)tree_real(offset, "offset")));
	put_json(row, "where",
		tree_has(offset, "line") ? view_text("%s:%.0f", tree_text(offset, "file"), tree_real(offset, "line"))
					 : json_null());
	put_json(row, "samples", view_count(tree_real(offset, "samples")));
	put_json(row, "share", view_percent(tree_real(offset, "samples") / tree_real(stalls, "samples")));
	put_json(row, "reason", view_reason_words(tree_text(offset, "reason")));
	return row;
}

void view_add_offsets(json_t *list, const json_t *stalls, const char *called)
{
	const json_t *offsets = json_object_get(stalls, "offsets");
	size_t n = json_array_size(offsets);
	const json_t **sorted = xcalloc(n, sizeof(*sorted));

	for (size_t i = 0; i < n; i++)
		sorted[i] = json_array_get(offsets, i);
	qsort(sorted, n, sizeof(*sorted), compare_offsets);
	for (size_t i = 0; i < n && i < MAX_OFFSETS; i++)
		append_json(list, offset_view(stalls, sorted[i], called));
	free(sorted);
}

void view_offsets(json_t *page, const json_t *family)
{
	static const struct view_column columns[] = {{"side", "role"}, {"offset", "offset"}, {"line", "where"},
		{"samples", "samples"}, {"share", "share"}, {"kernel", "symbol"}, {"reason", "reason"}};
	json_t *list = json_array();

	view_add_offsets(list, view_stalls(family, "single"), "single");
	view_add_offsets(list, view_stalls(family, "double"), "double");
	put_json(page, "offsets_text", view_columns_of(list, columns, sizeof(columns) / sizeof(columns[0])));
	view_put_list(page, "offsets", list);
}
