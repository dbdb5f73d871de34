/* contrast-samples.c: where the warps of a kernel of a contrast of programs were, and why they did not go on: PC
 * samples. */
#include "page/view/view.h"

#include <math.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

/* A reason with less than this share of the samples on both sides is not shown. */
#define LEAST_REASON 0.005

enum { SAMPLED_NOTE_SIZE = 512, UNSAMPLED_SIZE = 640 };

static const char *const roles[] = {"single", "double"};

enum { ROLES = sizeof(roles) / sizeof(roles[0]) };

/* The kernel's case on one side. */
static const json_t *case_of_role(const json_t *family, const char *label, int role)
{
	return tree_case(tree_role(family, roles[role]), label);
}

/* NULL without samples. */
static const json_t *sampled_stalls(const json_t *family, const char *label, int role)
{
	const json_t *stalls = json_object_get(case_of_role(family, label, role), "stalls");

	return tree_real(stalls, "samples") > 0 ? stalls : NULL;
}

bool view_is_sampled(const json_t *family, const char *label)
{
	return sampled_stalls(family, label, 0) || sampled_stalls(family, label, 1);
}

/* ---- how it was sampled ---- */

/* "; single: 1,140 samples in 12 launches, at a barrier 26.3 %, by counters 25.1 %" */
static void add_sampled_side(char *text, size_t size, const json_t *family, const char *label, int role)
{
	const json_t *stalls = sampled_stalls(family, label, role);
	const json_t *barrier = json_object_get(case_of_role(family, label, role), "barrier");
	char samples[FORMAT_SIZE], share[FORMAT_SIZE];
	double launches = tree_real(stalls, "launches");

	if (!stalls)
		return;
	format_count(samples, sizeof(samples), tree_real(stalls, "samples"));
	clip_append(text, size, "%s%.60s: %s samples in %.0f launch%s", *text ? "; " : "",
		tree_text(family, roles[role]), samples, launches, launches == 1 ? "" : "es");
	if (tree_has(barrier, "samples")) {
		format_percent(share, sizeof(share), tree_real(barrier, "samples"));
		clip_append(text, size, ", at a barrier %s", share);
	}
	if (tree_has(barrier, "counters")) {
		format_percent(share, sizeof(share), tree_real(barrier, "counters"));
		clip_append(text, size, ", by counters %s", share);
	}
}

static json_t *sampled_note(const json_t *family, const char *label)
{
	char text[SAMPLED_NOTE_SIZE] = "";

	for (int role = 0; role < ROLES; role++)
		add_sampled_side(text, sizeof(text), family, label, role);
	return view_text("%s.", text);
}

/* ---- reasons ---- */

/* NaN without samples, 0 where the reason has none. */
static double share_of_reason(const json_t *stalls, const char *reason)
{
	const json_t *found = tree_find(json_object_get(stalls, "reasons"), "reason", reason);

	return stalls ? found ? tree_real(found, "share") : 0 : NAN;
}

static void add_reason_row(json_t *rows, const json_t *const stalls[ROLES], const char *reason)
{
	json_t *row;
	double share[ROLES];

	for (int role = 0; role < ROLES; role++)
		share[role] = share_of_reason(stalls[role], reason);
	if (!(share[0] >= LEAST_REASON) && !(share[1] >= LEAST_REASON))
		return;
	row = json_object();
	put_json(row, "reason", view_reason_words(reason));
	for (int role = 0; role < ROLES; role++)
		put_json(row, roles[role], isfinite(share[role]) ? view_percent(share[role]) : json_null());
	append_json(rows, row);
}

/* The reasons of the first side that was sampled, by their samples; then those that only the other one has. */
static json_t *sampled_reasons(const json_t *const stalls[ROLES])
{
	json_t *rows = json_array();

	for (int role = 0; role < ROLES; role++) {
		const json_t *reasons = json_object_get(stalls[role], "reasons");

		for (size_t i = 0; i < json_array_size(reasons); i++) {
			const char *reason = tree_text(json_array_get(reasons, i), "reason");

			if (role == 0 || !(share_of_reason(stalls[0], reason) > 0))
				add_reason_row(rows, stalls, reason);
		}
	}
	return rows;
}

static json_t *reasons_text(const json_t *family, const json_t *const stalls[ROLES])
{
	const struct view_column columns[] = {
		{"reason", "reason"}, {tree_text(family, "single"), "single"}, {tree_text(family, "double"), "double"}};
	json_t *rows = sampled_reasons(stalls);
	json_t *text = view_columns_of(rows, columns, sizeof(columns) / sizeof(columns[0]));

	json_decref(rows);
	return text;
}

/* ---- instructions ---- */

static json_t *sampled_places_text(const json_t *family, const json_t *const stalls[ROLES])
{
	static const struct view_column columns[] = {{"side", "role"}, {"offset", "offset"}, {"line", "where"},
		{"samples", "samples"}, {"share", "share"}, {"reason", "reason"}};
	json_t *rows = json_array(), *text;

	for (int role = 0; role < ROLES; role++)
		view_add_offsets(rows, stalls[role], tree_text(family, roles[role]));
	text = view_columns_of(rows, columns, sizeof(columns) / sizeof(columns[0]));
	json_decref(rows);
	return text;
}

void view_put_kernel_samples(json_t *kernel, const json_t *family, const char *label)
{
	const json_t *stalls[ROLES] = {sampled_stalls(family, label, 0), sampled_stalls(family, label, 1)};
	json_t *samples;

	if (!stalls[0] && !stalls[1]) {
		put_json(kernel, "samples", json_null());
		return;
	}
	samples = json_object();
	put_json(samples, "note", sampled_note(family, label));
	put_json(samples, "reasons_text", reasons_text(family, stalls));
	put_json(samples, "places_text", sampled_places_text(family, stalls));
	put_json(kernel, "samples", samples);
}

/* ---- kernels that were not sampled ---- */

/* Both sides where they have the same reason. */
static void add_unsampled(json_t *list, const json_t *family, const char *label)
{
	const char *why[ROLES];
	bool alike;

	for (int role = 0; role < ROLES; role++)
		why[role] = tree_text(json_object_get(case_of_role(family, label, role), "stalls"), "reason");
	alike = strcmp(why[0], why[1]) == 0;
	for (int role = 0; role < (alike ? 1 : ROLES); role++) {
		char text[UNSAMPLED_SIZE];

		if (*why[role] == '\0')
			continue;
		clip_print(text, sizeof(text), "%.120s", tree_name_of_case(label));
		if (!alike)
			clip_append(text, sizeof(text), " in %.60s", tree_text(family, roles[role]));
		clip_append(text, sizeof(text), ": %.400s.", why[role]);
		append_json(list, view_text("%s", text));
	}
}

void view_put_unsampled(json_t *page, const json_t *family)
{
	const json_t *all = json_object_get(family, "matched");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(all); i++)
		add_unsampled(list, family, tree_text(json_array_get(all, i), "case"));
	view_put_list(page, "unsampled", list);
}
