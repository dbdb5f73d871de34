/* sweeps.c: see sweeps.h. */
#include "compare/sweeps.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"

static void count_up(json_t *object, const char *key)
{
	put_json(object, key, json_integer(json_integer_value(json_object_get(object, key)) + 1));
}

static json_t *find_sweep(json_t *list, const char *name)
{
	json_t *sweep;
	size_t i;

	json_array_foreach(list, i, sweep)
	{
		if (strcmp(tree_text(sweep, "sweep"), name) == 0)
			return sweep;
	}
	sweep = json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:n, s:{}}", "sweep", name, "points", 0, "same", 0, "faster",
		0, "slower", 0, "unclear", 0, "slowest", "failed");
	append_json(list, sweep);
	return sweep;
}

static void add_slowest(json_t *sweep, json_t *comparison)
{
	const json_t *slowest = json_object_get(sweep, "slowest");
	double ratio = tree_real(json_object_get(comparison, "ratio"), "value");

	if (strcmp(tree_text(comparison, "verdict"), "slower") != 0)
		return;
	if (!json_is_object(slowest) || tree_real(json_object_get(slowest, "ratio"), "value") > ratio)
		put_json(sweep, "slowest", json_incref(comparison));
}

static void add_point(json_t *list, json_t *comparison)
{
	json_t *sweep = find_sweep(list, tree_text(comparison, "sweep")), *check;
	size_t i;

	count_up(sweep, "points");
	count_up(sweep, tree_text(comparison, "verdict"));
	json_array_foreach(json_object_get(comparison, "failed"), i, check)
		count_up(json_object_get(sweep, "failed"), json_string_value(check));
	add_slowest(sweep, comparison);
}

json_t *compare_sweeps(const json_t *family)
{
	json_t *list = json_array(), *comparison;
	size_t i;

	json_array_foreach(json_object_get(family, "comparisons"), i, comparison)
	{
		if (tree_has(comparison, "sweep"))
			add_point(list, comparison);
	}
	return list;
}
