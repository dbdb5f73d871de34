/* why.c: why: causes, what moved, what the counters say of single and double, and barrier stall by three ways. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree.h"
#include "util/alloc.h"
#include "util/format.h"

/* Both sides in a case. */
struct pair {
	struct view *view;
	const json_t *family;
	const json_t *single, *dbl;
	const char *called[2]; /* in the heads of tables */
};

static double value_of(const json_t *side, const char *key)
{
	return tree_real(json_object_get(json_object_get(side, "counters"), "values"), key);
}

/* ---- numbers ---- */

/* "%" or "% of peak". */
static bool is_percent(const char *unit)
{
	return unit[0] == '%';
}

/* Shares below this are next to nothing, and so are differences of shares. */
static const double tiny_percent = 0.01;

static char *why_value_text(char *buf, size_t size, double value, const char *unit)
{
	if (is_percent(unit) && value > 0 && value < tiny_percent) {
		snprintf(buf, size, "< %g %%", tiny_percent);
		return buf;
	}
	if (is_percent(unit))
		return format_percent(buf, size, value / 100);
	if (strcmp(unit, "bytes") == 0)
		return format_bytes(buf, size, value);
	if (strcmp(unit, "ns") == 0)
		return format_time_ns(buf, size, value);
	return format_quantity(buf, size, value);
}

static json_t *signed_text(double value, const char *unit)
{
	char text[FORMAT_SIZE];

	if (!isfinite(value))
		return view_text("n/a");
	format_quantity(text, sizeof(text), fabs(value));
	return view_text("%s%s %s", strcmp(text, "0") == 0 ? "" : value < 0 ? "−" : "+", text, unit);
}

/* Beside numbers that look alike there is no difference; the difference from a share that is next to nothing is one. */
static json_t *points_between(double a, double b, const char *unit)
{
	char single[FORMAT_SIZE], dbl[FORMAT_SIZE];

	if (!(fabs(b - a) < tiny_percent))
		return signed_text(b - a, "points");
	why_value_text(single, sizeof(single), a, unit);
	why_value_text(dbl, sizeof(dbl), b, unit);
	if (strcmp(single, dbl) == 0)
		return view_text("0 points");
	if (fmin(a, b) < tiny_percent)
		return view_text("< %g points", tiny_percent);
	return signed_text(b - a, "points");
}

/* Percentages differ by points, all else by its share of single's, or by a factor where that share is hard to read. */
static json_t *difference(double a, double b, const char *unit)
{
	enum { FACTOR_LEAST = 10 };
	char text[FORMAT_SIZE];

	if (is_percent(unit))
		return points_between(a, b, unit);
	if (a != 0 && b / a >= FACTOR_LEAST)
		return view_text("%s", format_gain(text, sizeof(text), b / a));
	return signed_text(a != 0 ? 100 * (b / a - 1) : NAN, "%");
}

static void why_put_numbers(json_t *row, double a, double b, const char *unit)
{
	char text[FORMAT_SIZE];

	put_json(row, "single", view_text("%s", why_value_text(text, sizeof(text), a, unit)));
	put_json(row, "double", view_text("%s", why_value_text(text, sizeof(text), b, unit)));
	put_json(row, "difference", difference(a, b, unit));
}

/* ---- counters by set ---- */

/* A metric that has a value on one side at least. */
struct shown {
	const json_t *metric;
	double a, b;
};

/* A counter that reads the same on both sides says nothing of their difference. */
static bool says_something(const struct shown *shown)
{
	const char *unit = tree_text(shown->metric, "unit");
	char a[FORMAT_SIZE], b[FORMAT_SIZE];

	if (!isfinite(shown->a) && !isfinite(shown->b))
		return false;
	return strcmp(why_value_text(a, sizeof(a), shown->a, unit), why_value_text(b, sizeof(b), shown->b, unit)) != 0;
}

/* What of a unit neither the number nor the title shows: "of peak" of "% of peak". */
static const char *open_unit(const json_t *metric)
{
	const char *unit = tree_text(metric, "unit");

	if (is_percent(unit))
		return unit + strspn(unit, "% ");
	if (strcmp(unit, "bytes") == 0 || strcmp(unit, "ns") == 0 || strstr(tree_text(metric, "title"), unit))
		return "";
	return unit;
}

static json_t *metric_row(const struct shown *shown)
{
	static const char *const texts[] = {"title", "meaning", "formula"};
	const char *unit = tree_text(shown->metric, "unit");
	json_t *row = json_object();

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		view_put_text(row, texts[i], tree_text(shown->metric, texts[i]));
	view_put_text(row, "unit", open_unit(shown->metric));
	why_put_numbers(row, shown->a, shown->b, unit);
	return row;
}

/* The metrics of one set that the pair has; `shown` has room for all. */
static size_t take_set(const struct pair *pair, const char *set, struct shown *shown)
{
	const json_t *metrics = json_object_get(pair->family, "metrics");
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(metrics); i++) {
		const json_t *metric = json_array_get(metrics, i);
		const char *key = tree_text(metric, "key");
		struct shown one = {metric, value_of(pair->single, key), value_of(pair->dbl, key)};

		if (strcmp(tree_text(metric, "set"), set) != 0 || strcmp(tree_text(metric, "pass"), "counters") != 0)
			continue;
		if (says_something(&one))
			shown[n++] = one;
	}
	return n;
}

static void add_set(const struct pair *pair, json_t *sets, const json_t *first, struct shown *shown)
{
	size_t n = take_set(pair, tree_text(first, "set"), shown);
	json_t *set, *rows;

	if (n == 0)
		return;
	set = json_object();
	rows = json_array();
	for (size_t i = 0; i < n; i++)
		append_json(rows, metric_row(&shown[i]));
	view_put_text(set, "set_title", tree_text(first, "set_title"));
	put_json(set, "rows", rows);
	append_json(sets, set);
}

static bool is_first_of_set(const json_t *metrics, size_t i)
{
	return tree_find(metrics, "set", tree_text(json_array_get(metrics, i), "set")) == json_array_get(metrics, i);
}

static json_t *sets_view(const struct pair *pair)
{
	const json_t *metrics = json_object_get(pair->family, "metrics");
	struct shown *shown = xcalloc(json_array_size(metrics), sizeof(*shown));
	json_t *sets = json_array();

	for (size_t i = 0; i < json_array_size(metrics); i++) {
		if (is_first_of_set(metrics, i))
			add_set(pair, sets, json_array_get(metrics, i), shown);
	}
	free(shown);
	return sets;
}

/* All sets as one text with columns. */
static json_t *counters_text(const struct pair *pair, const json_t *sets)
{
	const struct view_column columns[] = {{"counter", "title"}, {"of", "unit"}, {pair->called[0], "single"},
		{pair->called[1], "double"}, {"double against single", "difference"}};
	json_t *all = json_array(), *text;

	for (size_t i = 0; i < json_array_size(sets); i++)
		json_array_extend(all, json_object_get(json_array_get(sets, i), "rows"));
	text = view_columns_of(all, columns, sizeof(columns) / sizeof(columns[0]));
	json_decref(all);
	return text;
}

/* ---- what moved, and what explains the difference ---- */

/* A counter or fact with both its numbers, in its unit. */
static json_t *moved_row(const json_t *of)
{
	const char *unit = tree_text(of, "unit");
	json_t *row = json_object();

	view_put_text(row, "title", tree_text(of, tree_has(of, "text") ? "text" : "title"));
	put_json(row, "unit",
		is_percent(unit) || strcmp(unit, "ns") == 0 || strcmp(unit, "bytes") == 0 ? json_null()
											  : view_text("%s", unit));
	why_put_numbers(row, tree_real(of, "single"), tree_real(of, "double"), unit);
	return row;
}

static json_t *moved_view(const json_t *list)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(list); i++)
		append_json(rows, moved_row(json_array_get(list, i)));
	return rows;
}

/* The causes that something can be done about: what each says, and what to do. The waterfall has all of them. */
static json_t *causes_view(const json_t *causes)
{
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(causes); i++) {
		const json_t *cause = json_array_get(causes, i);
		json_t *item;

		if (!*tree_text(cause, "text") || !*tree_text(cause, "advice"))
			continue;
		item = json_object();
		view_put_sentence(item, "text", tree_text(cause, "text"));
		view_put_sentence(item, "advice", tree_text(cause, "advice"));
		append_json(list, item);
	}
	return list;
}

static void put_causes(struct view *view, json_t *page, const json_t *family)
{
	const json_t *contrast = view_headline(family);
	const char *name = tree_text(family, "name");

	view_put_sentence(page, "cause", tree_text(contrast, "cause"));
	view_put_figure(view, page, "waterfall", name, "waterfall");
	view_put_causes(page, contrast);
}

void view_put_causes(json_t *page, const json_t *contrast)
{
	view_put_list(page, "causes", causes_view(json_object_get(contrast, "causes")));
	view_put_list(page, "moved", moved_view(json_object_get(contrast, "moved")));
}

json_t *view_counters_text(const json_t *family, const char *label)
{
	const struct pair pair = {
		.family = family,
		.single = tree_case(tree_role(family, "single"), label),
		.dbl = tree_case(tree_role(family, "double"), label),
		.called = {tree_text(family, "single"), tree_text(family, "double")},
	};
	json_t *sets = sets_view(&pair), *text = counters_text(&pair, sets);

	json_decref(sets);
	return text;
}

/* ---- barrier stall ---- */

/* A way to measure barrier stall. */
struct way {
	const char *key, *name, *of;
	const char *whole, *unit; /* what the share is of, in numbers: a key of "barrier" and its unit; or NULL */
};

/* "of 12,345 samples", beneath a share; nothing where the way was not taken. */
static void put_whole(json_t *row, const char *key, const struct way *way, const json_t *barrier)
{
	char whole[FORMAT_SIZE];
	bool known = way->whole && tree_has(barrier, way->key) && tree_has(barrier, way->whole);

	if (known)
		format_count(whole, sizeof(whole), tree_real(barrier, way->whole));
	put_json(row, key, known ? view_text("of %s %s", whole, way->unit) : json_null());
}

static void add_way(const struct pair *pair, json_t *rows, const struct way *way)
{
	const json_t *a = json_object_get(pair->single, "barrier"), *b = json_object_get(pair->dbl, "barrier");
	bool issue = strcmp(way->key, "per_issue") == 0;
	double scale = issue ? 1 : 100, x = scale * tree_real(a, way->key), y = scale * tree_real(b, way->key);
	json_t *row;

	if (!isfinite(x) && !isfinite(y))
		return;
	row = json_object();
	view_put_text(row, "name", way->name);
	view_put_text(row, "of", way->of);
	why_put_numbers(row, x, y, issue ? "" : "%");
	put_whole(row, "single_whole", way, a);
	put_whole(row, "double_whole", way, b);
	append_json(rows, row);
}

/* "3.20 points", and in the note "counters most, phases least". */
static json_t *disagreement(const json_t *side)
{
	const json_t *found = json_object_get(json_object_get(side, "barrier"), "disagreement");
	json_t *cell = json_object();
	char points[FORMAT_SIZE];

	if (!tree_has(found, "share")) {
		view_put_text(cell, "points", "n/a");
		return cell;
	}
	format_quantity(points, sizeof(points), 100 * tree_real(found, "share"));
	put_json(cell, "points", view_text("%s points", points));
	put_json(cell, "note", view_text("%s most, %s least", tree_text(found, "most"), tree_text(found, "least")));
	return cell;
}

static bool ever_waits(const json_t *side)
{
	static const char *const ways[] = {"counters", "samples", "phases"};
	const json_t *barrier = json_object_get(side, "barrier");

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (tree_real(barrier, ways[i]) > 0)
			return true;
	}
	return false;
}

static json_t *barrier_rows(const struct pair *pair)
{
	static const struct way ways[] = {
		{"counters", "counters", "of all cycles in which a warp was on an SM, counted in hardware", NULL, NULL},
		{"samples", "samples",
			"of all samples of the program counter: what a warp was at when looked at, at a fixed interval",
			"all_samples", "samples"},
		{"phases", "phases",
			"of all cycles of the warps of the stamped blocks: from the stamp before the barrier to that "
			"after, or until it opens",
			"all_cycles", "cycles"},
		{"per_issue", "counters, per issue", "warps that wait at a barrier per instruction issued: no share",
			NULL, NULL},
	};
	json_t *rows = json_array();

	if (!ever_waits(pair->single) && !ever_waits(pair->dbl))
		return rows;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		add_way(pair, rows, &ways[i]);
	return rows;
}

static void put_disagreement(const struct pair *pair, json_t *page)
{
	const json_t *a = json_object_get(pair->single, "barrier"), *b = json_object_get(pair->dbl, "barrier");
	json_t *row = NULL;

	if (tree_has(a, "disagreement") || tree_has(b, "disagreement")) {
		row = json_object();
		put_json(row, "single", disagreement(pair->single));
		put_json(row, "double", disagreement(pair->dbl));
	}
	put_json(page, "disagreement", row ? row : json_null());
}

/* ---- what is missing ---- */

/* Whether the recording says how this pass went; one that is older than the pass does not. */
static bool pass_known(const struct view *view, const char *family, const char *pass)
{
	const json_t *passes = json_object_get(view->recording, "passes");

	for (size_t i = 0; i < json_array_size(passes); i++) {
		const json_t *row = json_array_get(passes, i);

		if (strcmp(tree_text(row, "family"), family) == 0 && strcmp(tree_text(row, "pass"), pass) == 0)
			return true;
	}
	return false;
}

/* A refusal may be `told` where the pass has a section of its own. */
static void why_add_missing(const struct pair *pair, json_t *list, const char *pass, const char *part, bool told)
{
	const char *family = tree_text(pair->family, "name");
	json_t *line;
	char reason[512];

	if (!pass_known(pair->view, family, pass) || (tree_has(pair->single, part) && tree_has(pair->dbl, part)))
		return;
	view_pass_reason(pair->view, family, pass, reason, sizeof(reason));
	if (*reason && told)
		return;
	if (!*reason)
		snprintf(reason, sizeof(reason), "the %s pass gave nothing for %s", pass,
			tree_has(pair->single, part) ? tree_text(pair->family, "double")
			: tree_has(pair->dbl, part)  ? tree_text(pair->family, "single")
						     : "this pair");
	line = json_object();
	view_put_sentence(line, "text", reason);
	append_json(list, line);
}

static json_t *missing_list(const struct pair *pair)
{
	json_t *list = json_array();

	why_add_missing(pair, list, "counters", "counters", false);
	why_add_missing(pair, list, "stalls", "stalls", true);
	why_add_missing(pair, list, "phases", "phases", true);
	return list;
}

void view_why(struct view *view, json_t *page, const json_t *family)
{
	const struct pair pair = {
		.view = view,
		.family = family,
		.single = tree_headline_case(family, tree_role(family, "single")),
		.dbl = tree_headline_case(family, tree_role(family, "double")),
		.called = {"single", "double"},
	};

	put_causes(view, page, family);
	view_put_figure(view, page, "stall_figure", tree_text(family, "name"), "stalls");
	view_put_list(page, "why_all", sets_view(&pair));
	put_json(page, "counters_text", counters_text(&pair, json_object_get(page, "why_all")));
	view_put_list(page, "why_barrier", barrier_rows(&pair));
	view_put_list(page, "why_missing", missing_list(&pair));
	put_disagreement(&pair, page);
	put_json(page, "why",
		json_boolean(tree_has(page, "cause") || tree_has(page, "waterfall") || tree_true(page, "has_moved") ||
			     (tree_has(page, "time_figure") && !tree_true(page, "still"))));
	put_json(page, "counters",
		json_boolean(tree_true(page, "has_why_all") || tree_true(page, "has_why_barrier") ||
			     tree_true(page, "has_why_missing")));
	put_json(page, "of_range",
		json_boolean(strcmp(tree_text(json_object_get(pair.single, "counters"), "scope"), "range") == 0));
}

/* ---- what each counter is: once for the whole page ---- */

static void add_meaning(json_t *list, json_t *known, const json_t *metric)
{
	static const char *const texts[] = {"title", "set_title", "meaning", "formula"};
	json_t *row;

	if (json_object_get(known, tree_text(metric, "key")))
		return;
	put_json(known, tree_text(metric, "key"), json_true());
	row = json_object();
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		view_put_text(row, texts[i], tree_text(metric, texts[i]));
	append_json(list, row);
}

static void add_meanings(json_t *list, json_t *known, const json_t *recording)
{
	const json_t *families = json_object_get(recording, "families");

	for (size_t f = 0; f < json_array_size(families); f++) {
		const json_t *metrics = json_object_get(json_array_get(families, f), "metrics");

		for (size_t i = 0; i < json_array_size(metrics); i++)
			add_meaning(list, known, json_array_get(metrics, i));
	}
}

void view_counter_meanings(json_t *page, const json_t *recordings)
{
	json_t *list = json_array(), *known = json_object();

	for (size_t r = 0; r < json_array_size(recordings); r++)
		add_meanings(list, known, json_array_get(recordings, r));
	view_put_list(page, "meanings", list);
	json_decref(known);
}
