/* contrast-code.c: the code of the kernels that both programs of a contrast have, side by side: of each its source
 * lines where they are known, and its instructions. */
#include "page/view/view.h"

#include <math.h>
#include <string.h>

#include "tree/tree.h"

/* PC samples of one side's kernel; NULL if there are none. */
static const json_t *stalls_of_case(const json_t *family, const char *role, const char *label)
{
	const json_t *stalls = json_object_get(tree_case(tree_role(family, role), label), "stalls");

	return tree_real(stalls, "samples") > 0 ? stalls : NULL;
}

/* What is not there, in words; null if all is. */
static json_t *left_out_view(const json_t *listing)
{
	double left_out = tree_real(listing, "left_out");
	const char *cut = tree_true(listing, "is_cut") ? " The kernel is longer than what is compared." : "";

	if (left_out > 0)
		return view_text("Rows that are not shown: %.0f, those far from any difference, then the last ones.%s",
			left_out, cut);
	return *cut ? view_text("%s", cut + 1) : json_null();
}

static json_t *title_of_listing(const char *single_file, const char *double_file)
{
	if (!single_file)
		return json_string("Machine code");
	if (strcmp(single_file, double_file) == 0)
		return view_text("Source: %.200s", single_file);
	return view_text("Source: %.200s and %.200s", single_file, double_file);
}

/* A listing that says something: where nothing differs, samples must be there. Null else. */
static json_t *listing_of_kernel(const json_t *family, const char *label, const json_t *listing, bool is_source)
{
	const json_t *rows = json_object_get(listing, "rows");
	const char *files[2] = {is_source ? tree_text(listing, "single_file") : NULL,
		is_source ? tree_text(listing, "double_file") : NULL};
	struct code_bars bars[2] = {{stalls_of_case(family, "single", label), files[0], 0},
		{stalls_of_case(family, "double", label), files[1], 0}};
	json_t *object;

	if (json_array_size(rows) == 0 || (!(tree_real(listing, "differ") > 0) && !bars[0].stalls && !bars[1].stalls))
		return NULL;
	bars[0].longest = bars[1].longest =
		fmax(view_longest_share(bars[0].stalls, files[0]), view_longest_share(bars[1].stalls, files[1]));
	object = json_object();
	put_json(object, "listing", title_of_listing(files[0], files[1]));
	put_json(object, "machine", json_boolean(!is_source));
	put_json(object, "differ",
		view_text("%.0f of %.0f", tree_real(listing, "differ"),
			(double)json_array_size(rows) + tree_real(listing, "left_out")));
	put_json(object, "left_out", left_out_view(listing));
	view_put_code_rows(object, rows, &bars[0], &bars[1]);
	return object;
}

static json_t *kernel_code_view(const json_t *family, const json_t *pair, size_t number)
{
	const json_t *code = json_object_get(pair, "machine");
	const char *label = tree_text(pair, "case");
	json_t *kernel = json_object(), *listings = json_array();

	for (int machine = 0; machine < 2; machine++) {
		const json_t *listing = json_object_get(pair, machine ? "machine" : "source");
		json_t *view = listing_of_kernel(family, label, listing, !machine);

		if (!view)
			continue;
		put_json(view, "number", view_text("%zu%s", number, machine ? "m" : "s"));
		/* Source comes first. Where it is the same, the machine code tells what differs. */
		put_json(view, "shown",
			json_boolean(!machine || !(tree_real(json_object_get(pair, "source"), "differ") > 0)));
		append_json(listings, view);
	}
	put_json(kernel, "name", view_text("%.200s", tree_name_of_case(label)));
	view_put_text(kernel, "single_now", tree_text(json_object_get(pair, "single_now"), "text"));
	view_put_text(kernel, "double_now", tree_text(json_object_get(pair, "double_now"), "text"));
	put_json(kernel, "alike", json_boolean(tree_real(code, "differ") == 0 && !tree_true(code, "is_cut")));
	view_put_list(kernel, "listings", listings);
	return kernel;
}

void view_put_contrast_code(struct view *view, json_t *page, const json_t *family)
{
	const json_t *pairs = json_object_get(family, "code_pairs");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(pairs); i++) {
		json_t *kernel = kernel_code_view(family, json_array_get(pairs, i), i + 1);

		put_json(kernel, "open", json_boolean(i == 0));
		append_json(list, kernel);
	}
	view_put_list(page, "kernel_codes", list);
	view_put_refusal(view, page, "no_code", tree_text(family, "name"), "code");
	put_json(page, "code_side_by_side",
		json_boolean(tree_has(page, "no_code") || tree_true(page, "has_kernel_codes")));
}
