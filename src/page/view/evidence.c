/* evidence.c: why a reader may believe it: checks, verification, reconciled counts, the command to repeat it. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/format.h"

void view_put_passed(json_t *object, const json_t *contrast)
{
	const json_t *evidence = json_object_get(contrast, "evidence");
	size_t n = json_array_size(evidence), passed = 0, missing = 0;

	for (size_t i = 0; i < n; i++) {
		passed += tree_true(json_array_get(evidence, i), "ok");
		missing += !tree_has(json_array_get(evidence, i), "ok");
	}
	if (n == 0)
		put_json(object, "passed", json_null());
	else if (missing == 0)
		put_json(object, "passed", view_text("%zu of %zu checks passed", passed, n));
	else
		put_json(object, "passed",
			view_text("%zu of %zu checks passed, %zu not measured", passed, n - missing, missing));
}

static json_t *evidence_check_view(const json_t *ok, const char *name, const char *text)
{
	json_t *item = json_object();

	put_json(item, "sign", view_text("%s", json_is_true(ok) ? "✓" : json_is_false(ok) ? "✗" : "–"));
	put_json(item, "word",
		view_text("%s", json_is_true(ok)    ? "passed"
				: json_is_false(ok) ? "failed"
						    : "not measured"));
	put_json(item, "class", view_text("%s", json_is_true(ok) ? "good" : json_is_false(ok) ? "bad" : "none"));
	put_json(item, "name", view_text("%s", name));
	put_json(item, "text", view_text("%s", text));
	return item;
}

static void number_words(const json_t *check, const char *key, char *text, size_t size)
{
	const char *unit = tree_text(check, "unit");
	double x = tree_real(check, key);

	if (strcmp(unit, "share") == 0)
		snprintf(text, size, "%.3g %%", 100 * x);
	else if (strcmp(unit, "count") == 0)
		format_count(text, size, x);
	else
		snprintf(text, size, "%.3g", x);
}

/* "3.00 %, at most 2.00 %"; null where there is no figure. */
static json_t *figure_text(const json_t *check)
{
	const char *bound = tree_text(check, "bound");
	char figure[FORMAT_SIZE], limit[FORMAT_SIZE];

	if (!tree_has(check, "figure"))
		return json_null();
	number_words(check, "figure", figure, sizeof(figure));
	if (!tree_has(check, "limit"))
		return view_text("%s", figure);
	number_words(check, "limit", limit, sizeof(limit));
	return view_text("%s, %s %s", figure, bound, limit);
}

json_t *view_checks(const json_t *evidence)
{
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(evidence); i++) {
		const json_t *check = json_array_get(evidence, i);
		const char *text = tree_text(check, "text"), *prefix = "not measured: ";
		json_t *item;

		/* The word says it already. */
		if (strncmp(text, prefix, strlen(prefix)) == 0)
			text += strlen(prefix);
		item = evidence_check_view(json_object_get(check, "ok"), tree_text(check, "name"), text);
		put_json(item, "figure", figure_text(check));
		append_json(list, item);
	}
	return list;
}

/* Without a value that it should have: a gap, or a reference that is no number. */
static json_t *first_wrong_json(const json_t *verify)
{
	const double at = tree_real(verify, "first_wrong"), got = tree_real(verify, "got");

	if (!tree_has(verify, "want"))
		return view_text("first wrong: %.6g at element %.0f, where no value is known or none belongs", got, at);
	return view_text("first wrong: element %.0f is %.6g, should be %.6g", at, got, tree_real(verify, "want"));
}

/* One line of the table of verification. */
static void add_verification(json_t *rows, const json_t *variant, const json_t *measured)
{
	const json_t *verify = json_object_get(measured, "verify");
	char text[4 * FORMAT_SIZE];

	view_verify(verify, text, sizeof(text));
	if (*text == '\0')
		return;
	json_t *row = json_object();
	put_json(row, "variant", view_text("%s", tree_text(variant, "name")));
	put_json(row, "case", view_text("%s", tree_text(measured, "case")));
	put_json(row, "text", view_text("%s", text));
	put_json(row, "error",
		tree_has(verify, "max_error") ? view_text("%.2g", tree_real(verify, "max_error"))
					      : view_text("never written"));
	put_json(row, "first", tree_real(verify, "worst_wrong") > 0 ? first_wrong_json(verify) : json_null());
	append_json(rows, row);
}

/* Sums of the reconciled counts of one kind of work. */
struct counted {
	const char *what;
	double host, recorded;
	bool lower_bound, ok;
};

static void evidence_add_counts(struct counted *sums, size_t n, const json_t *trace)
{
	const json_t *counts = json_object_get(trace, "counts");

	for (size_t i = 0; i < json_array_size(counts); i++) {
		const json_t *count = json_array_get(counts, i);

		for (size_t k = 0; k < n; k++) {
			if (strcmp(sums[k].what, tree_text(count, "what")) != 0)
				continue;
			sums[k].host += tree_real(count, "host");
			sums[k].recorded += tree_real(count, "recorded");
			sums[k].lower_bound |= tree_true(count, "lower_bound");
			sums[k].ok &= tree_true(count, "ok");
		}
	}
}

static void reconciliation(json_t *page, const struct counted *sums, size_t n)
{
	json_t *list = json_array();
	char host[FORMAT_SIZE], recorded[FORMAT_SIZE], text[3 * FORMAT_SIZE];

	for (size_t i = 0; i < n; i++) {
		if (sums[i].host == 0 && sums[i].recorded == 0)
			continue;
		format_count(host, sizeof(host), sums[i].host);
		format_count(recorded, sizeof(recorded), sums[i].recorded);
		snprintf(text, sizeof(text), "%s%s counted on the host, %s recorded by the profiler",
			sums[i].lower_bound ? "at least " : "", host, recorded);
		json_t *ok = json_boolean(sums[i].ok);
		append_json(list, evidence_check_view(ok, sums[i].what, text));
		json_decref(ok);
	}
	view_put_list(page, "counts", list);
}

/* Whether the processes that timed a variant differ among themselves by as much: that is no effect of the records. */
static bool within_runs(const json_t *observer)
{
	double ratio = tree_real(observer, "ratio");

	return tree_real(observer, "runs") > 1 &&
	       fmax(ratio, 1 / ratio) <= tree_real(observer, "runs_high_ns") / tree_real(observer, "runs_low_ns");
}

/* What the rows of the table say together. */
struct observed {
	double least, most; /* ratios; NaN without any */
	size_t shown, left_out;
};

static json_t *observed_text(const struct observed *observed)
{
	json_t *from = view_change(observed->least), *to = view_change(observed->most);
	bool one = json_equal(from, to);
	const char *apart = observed->left_out
				    ? ". Left out are variants whose timed processes differ by as much among "
				      "themselves"
				    : "";
	json_t *text;

	if (observed->left_out == observed->shown)
		text = view_text(
			"With activity records on, in another process, no variant's launches differ by more than its "
			"timed processes do among themselves");
	else
		text = view_text(
			"With activity records on, in another process, the time of a launch changes by %s%s%s%s",
			json_string_value(from), one ? "" : " to ", one ? "" : json_string_value(to), apart);
	json_decref(from);
	json_decref(to);
	return text;
}

static json_t *observer_row(const json_t *variant, const json_t *observer)
{
	json_t *row = json_object();

	put_json(row, "name", view_text("%s", tree_text(variant, "name")));
	put_json(row, "plain", view_time(tree_real(observer, "plain_ns")));
	put_json(row, "traced", view_time(tree_real(observer, "traced_ns")));
	put_json(row, "samples", view_count(tree_real(observer, "samples")));
	put_json(row, "ratio", view_ratio(tree_real(observer, "ratio")));
	put_json(row, "percent", view_change(tree_real(observer, "ratio")));
	put_json(row, "within", json_boolean(within_runs(observer)));
	return row;
}

/* The time of a launch while activities are recorded, per variant. */
static void observers(json_t *page, const json_t *family)
{
	static const struct view_column columns[] = {{"variant", "name"}, {"plain", "plain"}, {"traced", "traced"},
		{"samples", "samples"}, {"traced / plain", "ratio"}, {"change", "percent"}};
	const json_t *variants = json_object_get(family, "variants");
	struct observed observed = {.least = NAN, .most = NAN};
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(variants); i++) {
		const json_t *variant = json_array_get(variants, i);
		const json_t *observer = json_object_get(tree_headline_case(family, variant), "observer");
		double ratio = tree_real(observer, "ratio");

		if (!isfinite(ratio))
			continue;
		observed.shown++;
		observed.left_out += within_runs(observer);
		if (!within_runs(observer)) {
			observed.least = fmin(observed.least, ratio);
			observed.most = fmax(observed.most, ratio);
		}
		append_json(rows, observer_row(variant, observer));
	}
	put_json(page, "observed", observed.shown ? observed_text(&observed) : json_null());
	put_json(page, "observers_text", view_columns_of(rows, columns, sizeof(columns) / sizeof(columns[0])));
	view_put_list(page, "observers", rows);
}

/* How much a traced iteration differs from a timed launch, for single and double. */
static void observer(json_t *page, const json_t *family)
{
	static const char *const roles[] = {"single", "double"};
	char text[2][6 * FORMAT_SIZE / 4] = {"", ""};

	for (int i = 0; i < 2; i++) {
		const json_t *measured = tree_headline_case(family, tree_role(family, roles[i]));
		double timed = tree_real(json_object_get(measured, "time"), "median_ns");
		double traced = tree_real(json_object_get(json_object_get(measured, "trace"), "work"), "span_ns");
		char a[FORMAT_SIZE], b[FORMAT_SIZE];

		format_time_ns(a, sizeof(a), timed);
		format_time_ns(b, sizeof(b), traced);
		snprintf(text[i], sizeof(text[i]), "%.40s traced against %.40s timed (%s)", b, a, roles[i]);
	}
	put_json(page, "observer", view_text("%s, %s", text[0], text[1]));
}

/* The command that made the recording. */
static void repeat(struct view *view, json_t *page, const json_t *family, const char *seed)
{
	char settings[VIEW_SETTINGS_SIZE];

	put_json(page, "repeat",
		view_text("dbprof run %s%s%s%s", tree_text(family, "name"), *seed ? " --seed=" : "", seed,
			view_settings(view, settings)));
}

static void method(struct view *view, json_t *page, const json_t *family)
{
	const json_t *measured = tree_headline_case(family, tree_role(family, "single"));
	const json_t *time = json_object_get(measured, "time"), *trace = json_object_get(measured, "trace");
	const char *seed = tree_text(view->recording, "seed");
	double runs = tree_real(json_object_get(view_headline(family), "speedup"), "runs");
	char samples[FORMAT_SIZE], launches[FORMAT_SIZE], processes[64] = "";

	if (runs > 1)
		snprintf(processes, sizeof(processes), " in %.0f processes", runs);
	format_count(samples, sizeof(samples), tree_real(time, "n"));
	format_count(launches, sizeof(launches), tree_real(time, "launches"));
	if (tree_has(time, "n"))
		put_json(page, "sampling",
			view_text("%s samples of %s launch%s each%s", samples, launches,
				tree_real(time, "launches") == 1 ? "" : "es", processes));
	if (tree_has(trace, "iterations"))
		put_json(page, "iterations", view_count(tree_real(trace, "iterations")));
	if (tree_has(time, "median_ns") && json_array_size(json_object_get(trace, "spans_ns")) > 0)
		observer(page, family);
	repeat(view, page, family, seed);
}

void view_evidence(struct view *view, json_t *page, const json_t *family)
{
	static const struct view_column verification[] = {{"variant", "variant"}, {"case", "case"},
		{"largest error / tolerance", "error"}, {"first wrong", "first"}, {"outcome", "text"}};
	const json_t *variants = json_object_get(family, "variants");
	json_t *rows = json_array();
	struct counted sums[] = {
		{.what = "kernels", .ok = true}, {.what = "copies", .ok = true}, {.what = "memsets", .ok = true}};
	const size_t n = sizeof(sums) / sizeof(sums[0]);

	for (size_t i = 0; i < json_array_size(variants); i++) {
		const json_t *variant = json_array_get(variants, i), *cases = json_object_get(variant, "cases");

		for (size_t k = 0; k < json_array_size(cases); k++) {
			add_verification(rows, variant, json_array_get(cases, k));
			evidence_add_counts(sums, n, json_object_get(json_array_get(cases, k), "trace"));
		}
	}
	put_json(page, "unseen",
		json_boolean(tree_has(page, "no_inside") || tree_has(page, "no_pm") || tree_has(page, "no_stalls") ||
			     tree_true(page, "has_why_missing")));
	view_put_list(page, "checks", view_checks(json_object_get(view_headline(family), "evidence")));
	observers(page, family);
	put_json(page, "verification_text",
		view_columns_of(rows, verification, sizeof(verification) / sizeof(verification[0])));
	view_put_list(page, "verification", rows);
	reconciliation(page, sums, n);
	method(view, page, family);
}
