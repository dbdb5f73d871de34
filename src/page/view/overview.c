/* overview.c: the first screen: families in the order of their gain, and each of their sweeps in small. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

/* ---- rows ---- */

/* {"variant", "time", "ratio"}: one of the variants beside the pair; null if there is none, or if it is the pair's
 * own. */
static json_t *beside_view(const json_t *fastest, const char *key, const char *own)
{
	const json_t *one = json_object_get(fastest, key);
	double ratio = tree_real(json_object_get(one, "ratio"), "value");
	char time[FORMAT_SIZE];
	json_t *out;

	if (!tree_has(one, "variant") || strcmp(tree_text(one, "variant"), own) == 0)
		return json_null();
	out = json_object();
	put_json(out, "variant", view_text("%s", tree_text(one, "variant")));
	put_json(out, "time", view_unbroken(format_time_ns(time, sizeof(time), tree_real(one, "median_ns"))));
	put_json(out, "ratio", isfinite(ratio) ? view_ratio(ratio) : json_null());
	return out;
}

static void put_beside(json_t *row, const json_t *family)
{
	const json_t *fastest = json_object_get(family, "fastest");

	put_json(row, "beside_one", beside_view(fastest, "one", tree_text(family, "single")));
	put_json(row, "beside_several", beside_view(fastest, "several", tree_text(family, "double")));
	put_json(row, "beside_library", beside_view(fastest, "reference", ""));
	put_json(row, "beside",
		json_boolean(tree_has(row, "beside_one") || tree_has(row, "beside_several") ||
			     tree_has(row, "beside_library")));
}

const char *view_because(const json_t *family)
{
	const json_t *contrast = view_headline(family), *sweeps = json_object_get(family, "sweeps");

	for (size_t i = 0; i < json_array_size(sweeps) && view_only_sweeps(family); i++) {
		if (tree_real(json_array_get(sweeps, i), "measured") > 0)
			return tree_text(json_array_get(sweeps, i), "when");
	}
	return tree_text(contrast, tree_has(contrast, "because") ? "because" : "cause");
}

void view_row(struct view *view, json_t *row, const json_t *family)
{
	const char *name = tree_text(family, "name");

	view_put_passed(row, view_headline(family));
	put_beside(row, family);
	view_put_sentence(row, "because", view_because(family));
	view_put_text(row, "holds", tree_text(json_object_get(family, "holds"), "text"));
	view_put_text(row, "condition", tree_text(json_object_get(family, "holds"), "condition"));
	view_put_figure(view, row, "whisker", name, "speedup");
	view_put_figure(view, row, "time_row", name, "time-row");
}

/* ---- every sweep in small ---- */

static void add_small(struct view *view, json_t *list, const json_t *family, size_t number)
{
	const json_t *sweep = json_array_get(json_object_get(family, "sweeps"), number);
	json_t *small;
	char what[64];

	if (!(tree_real(sweep, "measured") > 0))
		return;
	small = json_object();
	put_json(small, "fid", view_id(view, tree_text(family, "name")));
	put_json(small, "number", view_text("%zu", number + 1));
	put_json(small, "of", view_text("%s", tree_text(family, "title")));
	view_put_text(small, "title", tree_text(sweep, "title"));
	view_put_text(small, "rule", tree_text(sweep, "when"));
	snprintf(what, sizeof(what), "sweep-%zu-small", number);
	view_put_figure(view, small, "figure", tree_text(family, "name"), what);
	append_json(list, small);
}

static json_t *small_multiples(struct view *view, const json_t *families)
{
	json_t *list = json_array();

	for (size_t f = 0; f < json_array_size(families); f++) {
		const json_t *family = json_array_get(families, f);

		for (size_t i = 0; i < json_array_size(json_object_get(family, "sweeps")); i++)
			add_small(view, list, family, i);
	}
	return list;
}

/* ---- what the colours of the bars are ---- */

static bool has_part(const json_t *family, const char *role, const char *id)
{
	const json_t *side = json_object_get(json_object_get(tree_timed_contrast(family), "time"), role);

	return tree_real(tree_find(json_object_get(side, "parts"), "id", id), "ns") > 0;
}

static bool part_occurs(const json_t *families, const char *id)
{
	for (size_t f = 0; f < json_array_size(families); f++) {
		const json_t *family = json_array_get(families, f);

		if (has_part(family, "single", id) || has_part(family, "double", id))
			return true;
	}
	return false;
}

bool view_splits_time(const json_t *family)
{
	return has_part(family, "single", "both") || has_part(family, "double", "both") ||
	       has_part(family, "single", "kernel-copy") || has_part(family, "double", "kernel-copy");
}

/* A colour and the parts that have it, those of copy pipelines before those of kernels. */
static const struct hue {
	const char *swatch, *part[2], *plain; /* plain: added to the words */
} hues[] = {
	{"memory", {"h2d", "memory"}, ""},
	{"store", {"d2h"}, ""},
	{"barrier", {"barrier"}, ""},
	{"queue", {"queue"}, " (shared memory)"},
	{"execution", {"kernel", "issue"}, ""},
	{"idle", {"idle"}, ""},
	{"faint", {"other", "untraced"}, ""},
};

static json_t *hue_view(const json_t *families, const struct hue *hue)
{
	char words[64] = "";
	json_t *item;

	for (size_t i = 0; i < 2 && hue->part[i]; i++) {
		if (part_occurs(families, hue->part[i]))
			clip_append(words, sizeof(words), "%s%s", *words ? " or " : "", figure_time_name(hue->part[i]));
	}
	if (!*words)
		return NULL;
	clip_append(words, sizeof(words), "%s", hue->plain);
	item = json_object();
	put_json(item, "swatch", view_text("%s", hue->swatch));
	put_json(item, "words", view_text("%s", words));
	return item;
}

static void put_legend(json_t *page, const json_t *families)
{
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof(hues) / sizeof(hues[0]); i++) {
		json_t *item = hue_view(families, &hues[i]);

		if (item)
			append_json(list, item);
	}
	for (size_t f = 0; f < json_array_size(families) && !tree_true(page, "at_once"); f++)
		put_json(page, "at_once", json_boolean(view_splits_time(json_array_get(families, f))));
	view_put_list(page, "legend", list);
}

static bool row_has(const json_t *rows, const char *key)
{
	for (size_t i = 0; i < json_array_size(rows); i++)
		if (tree_has(json_array_get(rows, i), key))
			return true;
	return false;
}

/* Whether a sweep has points of this outcome, as a tally calls it. */
static bool tally_occurs(const json_t *families, const char *outcome)
{
	for (size_t f = 0; f < json_array_size(families); f++) {
		const json_t *sweeps = json_object_get(json_array_get(families, f), "sweeps");

		for (size_t i = 0; i < json_array_size(sweeps); i++) {
			if (tree_real(json_object_get(json_array_get(sweeps, i), "tally"), outcome) > 0)
				return true;
		}
	}
	return false;
}

/* The rows are the families' own views: see view_families(). */
void view_overview(struct view *view, json_t *page)
{
	const json_t *rows = json_object_get(page, "families");
	json_t *families = tree_by_gain(json_object_get(view->recording, "families"));
	json_t *about = json_array(), *other = json_array();

	for (size_t i = 0; i < json_array_size(rows); i++) {
		json_t *row = json_array_get(rows, i);

		if (!tree_true(row, "programs"))
			append_json(tree_true(row, "buffering") ? about : other, json_incref(row));
	}
	put_json(page, "has_times", json_boolean(row_has(rows, "time_row")));
	put_json(page, "has_holds", json_boolean(row_has(rows, "holds")));
	put_json(page, "columns", json_integer(3 + row_has(rows, "time_row") + row_has(rows, "holds")));
	view_put_list(page, "about", about);
	view_put_list(page, "other", other);
	view_put_list(page, "small", small_multiples(view, families));
	put_json(page, "small_same", json_boolean(tally_occurs(families, "same")));
	put_json(page, "small_unclear", json_boolean(tally_occurs(families, "unclear")));
	put_json(page, "small_nothing", json_boolean(tally_occurs(families, "nothing")));
	put_legend(page, families);
	json_decref(families);
}
