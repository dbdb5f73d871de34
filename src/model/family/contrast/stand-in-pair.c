/* stand-in-pair.c: see stand-in-pair.h. */
#include "model/family/contrast/stand-in-pair.h"

#include "store/store.h"

/* A family in its headline case. */
struct pair_place {
	const struct rowset *table;
	const char *family, *label;
};

/* Why a variant does not run there; NULL if it does. */
static const char *pair_why_not(const struct pair_place *place, const char *variant)
{
	const char *const key[] = {place->family, variant, place->label};
	const struct rows rows = rows_find(&place->table[TABLE_UNSUPPORTED], 3, key);

	return rows.count ? row_string(&rows, 0, UNSUPPORTED_reason) : NULL;
}

/* Whether rung `v` adds buffers to a rung that has one, and both run. */
static bool adds_buffers(const struct pair_place *place, const struct rows *variants, size_t v)
{
	const char *over = row_text(variants, v, VARIANT_rungOver);
	const ssize_t below = over ? rows_with(variants, VARIANT_name, over) : -1;

	return below >= 0 && row_int(variants, (size_t)below, VARIANT_buffers) == 1 &&
	       row_int(variants, v, VARIANT_buffers) > 1 && !row_null(variants, v, VARIANT_rungStep) &&
	       !pair_why_not(place, row_string(variants, v, VARIANT_name)) && !pair_why_not(place, over);
}

struct contrasted_pair contrasted_pair(const struct rowset *table, const struct rows *families, size_t i)
{
	struct contrasted_pair pair = {
		row_string(families, i, FAMILY_single), row_string(families, i, FAMILY_double), NULL, NULL};
	const char *const name[] = {row_string(families, i, FAMILY_name)};
	const struct rows variants = rows_find(&table[TABLE_VARIANT], 1, name),
			  cases = rows_find(&table[TABLE_CASE], 1, name);
	const struct pair_place place = {table, name[0], cases.count ? row_string(&cases, 0, CASE_label) : ""};
	const char *missing = pair_why_not(&place, pair.single) ? pair.single : pair.dbl;
	const char *reason = pair_why_not(&place, missing);
	ssize_t lowest = -1;

	for (size_t v = 0; v < variants.count && reason; v++)
		if (adds_buffers(&place, &variants, v) &&
			(lowest < 0 || row_int(&variants, v, VARIANT_rungStep) <
					       row_int(&variants, (size_t)lowest, VARIANT_rungStep)))
			lowest = (ssize_t)v;
	if (lowest < 0)
		return pair;
	return (struct contrasted_pair){row_string(&variants, (size_t)lowest, VARIANT_rungOver),
		row_string(&variants, (size_t)lowest, VARIANT_name), missing, reason};
}
