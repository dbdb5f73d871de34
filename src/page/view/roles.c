/* roles.c: who waits for whom in kernels whose warps have roles: a table for each case. */
#include "page/view/view.h"

#include <math.h>

#include "tree/tree.h"
#include "util/format.h"

static json_t *roles_share(const json_t *object, const char *key)
{
	const double share = tree_real(object, key);

	return isfinite(share) ? view_percent(share) : json_null();
}

static json_t *roles_cycles(const json_t *object, const char *key)
{
	const double cycles = tree_real(object, key);

	return isfinite(cycles) ? view_count(round(cycles)) : json_null();
}

static json_t *roles_row_view(const json_t *family, const json_t *variant)
{
	const json_t *consumer = json_object_get(variant, "consumer"), *producer = json_object_get(variant, "producer");
	const char *name = tree_text(variant, "variant");
	json_t *row = json_object();

	put_json(row, "name", view_text("%s", name));
	view_put_text(row, "class", tree_text(tree_find(json_object_get(family, "variants"), "name", name), "role"));
	put_json(row, "full", roles_share(consumer, "wait_share"));
	put_json(row, "empty", roles_share(producer, "wait_share"));
	put_json(row, "wait", roles_cycles(consumer, "wait_cycles"));
	put_json(row, "load", roles_cycles(variant, "load_cycles"));
	put_json(row, "hidden", roles_share(variant, "hidden_share"));
	view_put_text(row, "exposed", tree_has(variant, "hidden_share") ? tree_text(variant, "exposed") : "");
	view_put_text(row, "reason", tree_text(variant, "reason"));
	put_json(row, "cost", view_change(1 + tree_real(variant, "cost")));
	return row;
}

static json_t *roles_view(const json_t *family, const json_t *one)
{
	const json_t *variants = json_object_get(one, "variants");
	json_t *out = json_object(), *rows = json_array();

	for (size_t i = 0; i < json_array_size(variants); i++)
		append_json(rows, roles_row_view(family, json_array_get(variants, i)));
	put_json(out, "case", view_text("%s", tree_text(one, "case")));
	put_json(out, "other", json_boolean(!tree_true(one, "headline")));
	view_put_sentence(out, "text", tree_text(one, "text"));
	view_put_list(out, "rows", rows);
	return out;
}

void view_roles(json_t *page, const json_t *family)
{
	const json_t *roles = json_object_get(family, "roles");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(roles); i++)
		append_json(list, roles_view(family, json_array_get(roles, i)));
	view_put_list(page, "roles", list);
}
