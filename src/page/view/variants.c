/* variants.c: durations of the variants, and the table of all of them. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/format.h"

void view_verify(const json_t *verify, char *text, size_t size)
{
	char wrong[FORMAT_SIZE], elements[FORMAT_SIZE], runs[FORMAT_SIZE], bad[FORMAT_SIZE];
	bool on_purpose = json_is_null(json_object_get(verify, "ok"));
	double worst = tree_real(verify, "worst_wrong");

	*text = '\0';
	if (!json_is_object(verify))
		return;
	format_count(wrong, sizeof(wrong), worst);
	format_count(elements, sizeof(elements), tree_real(verify, "elements"));
	format_count(runs, sizeof(runs), tree_real(verify, "runs"));
	format_count(bad, sizeof(bad), tree_real(verify, "wrong_runs"));
	if (worst > 0)
		snprintf(text, size, "%s: %s of %s elements wrong in the worst of %s runs, %s of them wrong",
			on_purpose ? "wrong on purpose" : "WRONG", wrong, elements, runs, bad);
	else if (on_purpose)
		snprintf(text, size, "has a race, but came out right in all %s runs here: luck, not correctness", runs);
	else
		snprintf(text, size, "right in %s of %s runs, %s elements each", runs, runs, elements);
}

/* The case in which a variant that is wrong on purpose came out worst, if the headline came out right; or NULL. */
static const json_t *worst_elsewhere(const json_t *variant, const json_t *headline)
{
	const json_t *cases = json_object_get(variant, "cases"), *worst = NULL;
	double most = 0;

	if (tree_real(json_object_get(headline, "verify"), "worst_wrong") > 0)
		return NULL;
	for (size_t i = 0; i < json_array_size(cases); i++) {
		const json_t *measured = json_array_get(cases, i);
		double wrong = tree_real(json_object_get(measured, "verify"), "worst_wrong");

		if (wrong > most && tree_true(variant, "teaches_failure")) {
			most = wrong;
			worst = measured;
		}
	}
	return worst;
}

/* The reason why there is no time, if there is none. */
static void variants_outcome(
	struct view *view, json_t *row, const json_t *family, const json_t *variant, const json_t *measured)
{
	const char *unsupported = tree_text(measured, "unsupported");
	const json_t *worst = worst_elsewhere(variant, measured);
	char text[4 * FORMAT_SIZE], elsewhere[4 * FORMAT_SIZE];

	if (*unsupported) {
		put_json(row, "result", view_text("not supported here: %s", unsupported));
		return;
	}
	view_verify(json_object_get(measured, "verify"), text, sizeof(text));
	if (*text == '\0')
		view_pass_reason(view, tree_text(family, "name"), "verify", text, sizeof(text));
	if (!worst) {
		put_json(row, "result", view_text("%s", text));
		return;
	}
	view_verify(json_object_get(worst, "verify"), elsewhere, sizeof(elsewhere));
	put_json(row, "result", view_text("%s; in case %s: %s", text, tree_text(worst, "case"), elsewhere));
}

static void time_cells(json_t *row, const json_t *family, const json_t *measured)
{
	const json_t *time = json_object_get(measured, "time");
	json_t *out;

	if (!isfinite(tree_real(time, "median_ns"))) {
		put_json(row, "time", json_null());
		return;
	}
	out = json_object();
	put_json(out, "median", view_time(tree_real(time, "median_ns")));
	put_json(out, "quartiles",
		view_spread(tree_real(time, "q1_ns"), tree_real(time, "median_ns"), tree_real(time, "q3_ns")));
	put_json(out, "samples", view_count(tree_real(time, "n")));
	put_json(out, "versus", view_ratio(tree_real(measured, "versus_single")));
	put_json(out, "throughput",
		view_throughput(tree_real(measured, "throughput"), tree_text(family, "throughput_unit")));
	put_json(row, "time", out);
}

static void resource_cells(json_t *row, const json_t *measured)
{
	const json_t *resources = json_object_get(measured, "resources");
	const json_t *occupancy = json_object_get(resources, "occupancy");

	if (!json_is_object(resources)) {
		put_json(row, "resources", json_null());
		return;
	}
	json_t *out = json_object();
	put_json(out, "registers", view_count(tree_real(resources, "registers")));
	put_json(out, "shared", view_bytes(tree_real(resources, "shared_bytes")));
	put_json(out, "occupancy", view_percent(tree_real(occupancy, "share")));
	view_put_text(out, "limiter", tree_text(occupancy, "limiter"));
	put_json(row, "resources", out);
}

/* Whether a name is made as dbprof makes them: a recording of somebody else may have anything there, and a reader
 * copies the command. */
static bool variants_is_plain(const char *name)
{
	return *name && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-/")] == '\0';
}

static json_t *variants_command(const char *tool, const char *variant)
{
	if (!variants_is_plain(tool) || !variants_is_plain(variant))
		return json_null();
	return view_text("compute-sanitizer --tool %s --target-processes all dbprof record --once -o hazards.sqlite %s",
		tool, variant);
}

/* What a variant is there to show, the tool that finds it, and the command that lets it. */
static void hazards(json_t *row, const json_t *variant)
{
	const json_t *hazards = json_object_get(variant, "hazards");
	json_t *items = json_array();

	for (size_t i = 0; i < json_array_size(hazards); i++) {
		const json_t *hazard = json_array_get(hazards, i);
		json_t *item = json_object();

		view_put_text(item, "text", tree_text(hazard, "text"));
		view_put_text(item, "tool", tree_text(hazard, "tool"));
		put_json(item, "command", variants_command(tree_text(hazard, "tool"), tree_text(variant, "anchor")));
		append_json(items, item);
	}
	view_put_list(row, "hazards", items);
}

static json_t *variants_row_view(struct view *view, const json_t *family, const json_t *variant)
{
	const json_t *measured = tree_headline_case(family, variant);
	const char *kind = tree_text(variant, "kind"), *role = tree_text(variant, "role");
	json_t *row = json_object();

	put_json(row, "id", view_id(view, tree_text(variant, "anchor")));
	put_json(row, "name", view_text("%s", tree_text(variant, "name")));
	view_put_text(row, "summary", tree_text(variant, "summary"));
	view_put_text(row, "role", *role ? role : strcmp(kind, "candidate") != 0 ? kind : "");
	view_put_text(row, "class", role);
	put_json(row, "buffers",
		tree_real(variant, "buffers") > 0 ? view_count(tree_real(variant, "buffers")) : json_null());
	variants_outcome(view, row, family, variant, measured);
	hazards(row, variant);
	put_json(row, "apart",
		tree_has(measured, "apart") ? view_count(tree_real(json_object_get(measured, "apart"), "n"))
					    : json_null());
	time_cells(row, family, measured);
	resource_cells(row, measured);
	return row;
}

/* What a part of the work is called. */
static const char *part_words(const char *kind)
{
	static const char *const words[][2] = {{"floor", "copies both ways, no kernels"},
		{"loads", "only what comes in"}, {"stores", "only what goes out"}, {"compute", "only the computation"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(kind, words[i][0]) == 0)
			return words[i][1];
	}
	return kind;
}

static json_t *part_view(const json_t *variant, const json_t *time)
{
	json_t *row = json_object();

	put_json(row, "name", view_text("%s", tree_text(variant, "name")));
	put_json(row, "what", view_text("%s", part_words(tree_text(variant, "kind"))));
	view_put_text(row, "summary", tree_text(variant, "summary"));
	put_json(row, "time", view_time(tree_real(time, "median_ns")));
	return row;
}

void view_variants(struct view *view, json_t *page, const json_t *family)
{
	const json_t *variants = json_object_get(family, "variants");
	bool floor = json_array_size(json_object_get(family, "floors")) > 0;
	json_t *rows = json_array(), *parts = json_array();
	bool apart = false;

	for (size_t i = 0; i < json_array_size(variants); i++) {
		const json_t *variant = json_array_get(variants, i);
		const json_t *measured = tree_headline_case(family, variant), *time = json_object_get(measured, "time");

		apart |= tree_has(measured, "apart") && !tree_true(variant, "part");
		if (!tree_true(variant, "part"))
			append_json(rows, variants_row_view(view, family, variant));
		else if (!floor && tree_has(time, "median_ns"))
			append_json(parts, part_view(variant, time));
	}
	view_put_list(page, "variants", rows);
	view_put_list(page, "parts", parts); /* those of a pipeline stand at its floor */
	put_json(page, "has_apart", json_boolean(apart));
	put_json(page, "climbed", json_boolean(tree_climb_has_all(family)));
	view_put_figure(view, page, "durations", tree_text(family, "name"), "durations");
	/* That of a family with rungs stands with them: view_climb(). */
	if (json_array_size(json_object_get(family, "climbs")) > 0)
		put_json(page, "ladder", json_null());
	else
		view_put_figure(view, page, "ladder", tree_text(family, "name"), "ladder");
	view_put_figure(view, page, "roofline", tree_text(family, "name"), "roofline");
}
