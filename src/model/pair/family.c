/* family.c: pairs families, variants and cases by name, and lists what has no counterpart. */
#include <string.h>

#include "model/family/measure.h"
#include "model/pair/pair-model.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"

/* A family that both recordings have. */
struct family_pair {
	struct comparing *in;
	const char *name, *single, *dbl;
	struct rows row[SIDES], variants[SIDES], cases[SIDES]; /* row: one each */
};

static enum compare_side other_side(enum compare_side side)
{
	return side == SIDE_BASE ? SIDE_NEW : SIDE_BASE;
}

/* What only one recording has times of, or has at all: a family, a variant of it, a case, or a variant in a case. */
struct lonely {
	const char *family, *variant, *label, *sweep; /* NULL where it is about all of them */
	enum compare_side side;                       /* which has it */
	const char *reason;                           /* why the other has not; NULL if the recording does not say */
};

static int family_add_missing(const struct comparing *in, const struct lonely *what)
{
	json_t *entry;
	int bad;

	if (!compare_chosen(in->options, what->family, what->variant, what->label))
		return 0;
	entry = json_object();
	bad = put_json(entry, "family", text_json(what->family));
	bad |= put_json(entry, "variant", text_json(what->variant));
	bad |= put_json(entry, "case", text_json(what->label));
	bad |= put_json(entry, "sweep", text_json(what->sweep));
	bad |= put_json(entry, "in", json_string(side_name(what->side)));
	bad |= put_json(entry, "reason", text_json(what->reason));
	return append_json(in->missing, built_json(entry, bad));
}

ssize_t find_row(const struct rows *rows, int column, const char *text)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (strcmp(row_string(rows, i, column), text) == 0)
			return (ssize_t)i;
	}
	return -1;
}

/* Parts of the work, and what is wrong on purpose, have no time that means anything by itself. */
static bool stands_for_itself(const struct rows *variants, size_t i)
{
	return row_int(variants, i, VARIANT_teachesFailure) == 0 && !is_part(row_text(variants, i, VARIANT_kind));
}

/* ---- cases of a variant that both have ---- */

/* Variant `v` and case `i` of base, by their names. */
static struct measured measured_in(const struct family_pair *f, size_t v, size_t i)
{
	return (struct measured){
		.family = f->name,
		.variant = row_string(&f->variants[SIDE_BASE], v, VARIANT_name),
		.label = row_string(&f->cases[SIDE_BASE], i, CASE_label),
	};
}

/* In one of the two only: `there` says in which. */
static int add_untimed(const struct family_pair *f, size_t v, size_t i, enum compare_side there)
{
	const struct measured m = measured_in(f, v, i);
	const struct lonely lonely = {
		.family = f->name,
		.variant = m.variant,
		.label = m.label,
		.sweep = row_text(&f->cases[SIDE_BASE], i, CASE_sweep),
		.side = there,
		.reason = timing_lacks(&f->in->side[other_side(there)], &m),
	};

	return family_add_missing(f->in, &lonely);
}

/* Whether times follow the SM clock. Copies over PCIe do not; both recordings must say that it is they. */
static bool family_is_kernel_bound(const struct family_pair *f)
{
	return strcmp(row_string(&f->row[SIDE_BASE], 0, FAMILY_boundBy), "PCIe") != 0 ||
	       strcmp(row_string(&f->row[SIDE_NEW], 0, FAMILY_boundBy), "PCIe") != 0;
}

/* One variant of base in one case of base: compared where both have times. */
static int compare_case(const struct family_pair *f, size_t v, size_t i, json_t *comparisons)
{
	const struct measured m = measured_in(f, v, i);
	struct compared compared = {
		.family = m.family,
		.variant = m.variant,
		.label = m.label,
		.kind = row_text(&f->variants[SIDE_BASE], v, VARIANT_kind),
		.sweep = row_text(&f->cases[SIDE_BASE], i, CASE_sweep),
		.single = f->single,
		.dbl = f->dbl,
		.headline = i == 0,
		.kernel_bound = family_is_kernel_bound(f),
	};
	bool there[SIDES];

	if (!compare_chosen(f->in->options, f->name, compared.variant, compared.label) ||
		find_row(&f->cases[SIDE_NEW], CASE_label, compared.label) < 0)
		return 0;
	for (enum compare_side side = SIDE_BASE; side < SIDES; side++)
		there[side] = timing_there(&f->in->side[side], &m);
	if (there[SIDE_BASE] && there[SIDE_NEW])
		return append_json(comparisons, comparison_json(f->in, &compared));
	if (there[SIDE_BASE] || there[SIDE_NEW])
		return add_untimed(f, v, i, there[SIDE_BASE] ? SIDE_BASE : SIDE_NEW);
	return 0;
}

static int compare_variant(const struct family_pair *f, size_t v, json_t *comparisons)
{
	const struct rows *fresh = &f->variants[SIDE_NEW];
	ssize_t k = find_row(fresh, VARIANT_name, row_string(&f->variants[SIDE_BASE], v, VARIANT_name));
	int bad = 0;

	if (k < 0 || !stands_for_itself(&f->variants[SIDE_BASE], v) || !stands_for_itself(fresh, (size_t)k))
		return 0;
	for (size_t i = 0; i < f->cases[SIDE_BASE].count && !bad; i++)
		bad = compare_case(f, v, i, comparisons);
	return bad;
}

/* ---- what only one of the two has ---- */

static int add_lonely_variants(const struct family_pair *f, enum compare_side side)
{
	const struct rows *variants = &f->variants[side];
	int bad = 0;

	for (size_t v = 0; v < variants->count; v++) {
		const struct lonely lonely = {
			.family = f->name, .variant = row_string(variants, v, VARIANT_name), .side = side};

		if (stands_for_itself(variants, v) &&
			find_row(&f->variants[other_side(side)], VARIANT_name, lonely.variant) < 0)
			bad |= family_add_missing(f->in, &lonely);
	}
	return bad;
}

static int add_lonely_cases(const struct family_pair *f, enum compare_side side)
{
	const struct rows *cases = &f->cases[side];
	int bad = 0;

	for (size_t i = 0; i < cases->count; i++) {
		const struct lonely lonely = {
			.family = f->name,
			.label = row_string(cases, i, CASE_label),
			.sweep = row_text(cases, i, CASE_sweep),
			.side = side,
		};

		if (row_int(cases, i, CASE_verifyOnly) == 0 &&
			find_row(&f->cases[other_side(side)], CASE_label, lonely.label) < 0)
			bad |= family_add_missing(f->in, &lonely);
	}
	return bad;
}

/* ---- a family ---- */

/* Only where both recordings contrast the same two variants, and both were chosen. */
static json_t *family_gain_json(const struct family_pair *f)
{
	const struct rows *fresh = &f->row[SIDE_NEW];
	const char *label = f->cases[SIDE_BASE].count ? row_string(&f->cases[SIDE_BASE], 0, CASE_label) : "";

	if (strcmp(row_string(fresh, 0, FAMILY_single), f->single) != 0 ||
		strcmp(row_string(fresh, 0, FAMILY_double), f->dbl) != 0 ||
		!compare_chosen(f->in->options, f->name, f->single, label) ||
		!compare_chosen(f->in->options, f->name, f->dbl, label))
		return json_null();
	return gain_json(f->in, f->name, f->single, f->dbl, label);
}

static json_t *pair_family_family_json(const struct family_pair *f)
{
	json_t *object = json_object(), *comparisons = json_array();
	int bad = 0;

	for (size_t v = 0; v < f->variants[SIDE_BASE].count && !bad; v++)
		bad = compare_variant(f, v, comparisons);
	for (enum compare_side side = SIDE_BASE; side < SIDES && !bad; side++)
		bad = add_lonely_variants(f, side) | add_lonely_cases(f, side);
	bad |= put_json(object, "name", text_json(f->name));
	bad |= put_json(object, "title", row_json(&f->row[SIDE_BASE], 0, FAMILY_title));
	bad |= put_json(object, "single", text_json(f->single));
	bad |= put_json(object, "double", text_json(f->dbl));
	bad |= put_json(object, "gain", bad ? NULL : family_gain_json(f));
	bad |= put_json(object, "comparisons", comparisons);
	return built_json(object, bad);
}

static struct family_pair family_pair(struct comparing *in, size_t base, size_t fresh)
{
	const size_t at[SIDES] = {base, fresh};
	struct family_pair f = {.in = in};

	for (enum compare_side side = SIDE_BASE; side < SIDES; side++) {
		const struct rowset *table = in->side[side].table;

		f.row[side] = (struct rows){&table[TABLE_FAMILY], at[side], 1};
		f.name = row_string(&f.row[side], 0, FAMILY_name);
		f.variants[side] = rows_find(&table[TABLE_VARIANT], 1, &f.name);
		f.cases[side] = rows_find(&table[TABLE_CASE], 1, &f.name);
	}
	f.single = row_string(&f.row[SIDE_BASE], 0, FAMILY_single);
	f.dbl = row_string(&f.row[SIDE_BASE], 0, FAMILY_double);
	return f;
}

static int add_lonely_families(const struct comparing *in, enum compare_side side)
{
	struct rows rows = rows_all(&in->side[side].table[TABLE_FAMILY]);
	struct rows other = rows_all(&in->side[other_side(side)].table[TABLE_FAMILY]);
	int bad = 0;

	for (size_t i = 0; i < rows.count; i++) {
		const struct lonely lonely = {.family = row_string(&rows, i, FAMILY_name), .side = side};

		if (find_row(&other, FAMILY_name, lonely.family) < 0)
			bad |= family_add_missing(in, &lonely);
	}
	return bad;
}

json_t *compared_families_json(struct comparing *in)
{
	struct rows base = rows_all(&in->side[SIDE_BASE].table[TABLE_FAMILY]);
	struct rows fresh = rows_all(&in->side[SIDE_NEW].table[TABLE_FAMILY]);
	json_t *list = json_array();
	int bad = 0;

	for (size_t i = 0; i < base.count && !bad; i++) {
		const char *name = row_string(&base, i, FAMILY_name);
		ssize_t k = find_row(&fresh, FAMILY_name, name);

		if (k >= 0 && compare_chosen(in->options, name, NULL, NULL)) {
			const struct family_pair pair = family_pair(in, i, (size_t)k);

			bad = append_json(list, pair_family_family_json(&pair));
		}
	}
	for (enum compare_side side = SIDE_BASE; side < SIDES && !bad; side++)
		bad = add_lonely_families(in, side);
	return built_json(list, bad);
}
