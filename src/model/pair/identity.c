/* identity.c: see identity.h. */
#include "model/pair/identity.h"

#include <math.h>
#include <string.h>

#include "store/rowset.h"

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_cell(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case VALUE_INT:
		return a->integer == b->integer;
	case VALUE_REAL:
		return a->real == b->real || (isnan(a->real) && isnan(b->real));
	case VALUE_TEXT:
		return same_text(a->text, b->text);
	default:
		return true;
	}
}

static bool same_row(const struct rows *a, const struct rows *b, size_t i)
{
	for (int column = 0; column < a->set->table->ncolumns; column++) {
		const struct value left = row_cell(a, i, column), right = row_cell(b, i, column);

		if (!same_cell(&left, &right))
			return false;
	}
	return true;
}

static bool same_table(const struct rowset *base, const struct rowset *fresh)
{
	struct rows a = rows_all(base), b = rows_all(fresh);

	if (a.count != b.count)
		return false;
	for (size_t i = 0; i < a.count; i++)
		if (!same_row(&a, &b, i))
			return false;
	return true;
}

bool pair_is_same_head(const struct comparing *in)
{
	static const char *const keys[] = {"created", "seed", "command", "timing_method"};
	const struct store *base = in->side[SIDE_BASE].store, *fresh = in->side[SIDE_NEW].store;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!same_text(store_meta(base, keys[i]), store_meta(fresh, keys[i])))
			return false;
	return true;
}

bool pair_is_one_recording(const struct comparing *in)
{
	for (enum table_id table = 0; table < TABLES_NUMBER; table++)
		if (!same_table(&in->side[SIDE_BASE].table[table], &in->side[SIDE_NEW].table[table]))
			return false;
	return pair_is_same_head(in);
}
