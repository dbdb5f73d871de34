/* family.c: see family.h. */
#include "model/pair/family.h"

#include <string.h>
#include <sys/types.h>

#include "model/family/measured.h"
#include "model/family/contrast/stand-in-pair.h"
#include "model/pair/choice.h"
#include "model/pair/comparison.h"
#include "model/pair/gain.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "tree/json.h"

/* A family that both recordings have. */
struct family_pair {
	struct comparing *in;
	const char *name;
	struct contrasted_pair pair[SIDES];
	struct rows row[SIDES], variants[SIDES], cases[SIDES]; /* row: one each */
};

static enum pair_side other_side(enum pair_side side)
{
	return side == SIDE_BASE ? SIDE_NEW : SIDE_BASE;
}

static const char *side_name(enum pair_side side)
{
	return side == SIDE_BASE ? "base" : "new";
}

/* What only one recording has times of, or has at all: a family, a variant of it, a case, or a variant in a case. */
struct lonely {
	const char *family, *variant, *label, *sweep; /* NULL where it is about all of them */
	enum pair_side side;                          /* which has it */
};

/* Takes the reference to `reason`: why the other has not; null if the recording does not say. */
static void family_add_missing(const struct comparing *in, const struct lonely *what, json_t *reason)
{
	json_t *entry = json_object();

	put_json(entry, "family", text_json(what->family));
	put_json(entry, "variant", text_json(what->variant));
	put_json(entry, "case", text_json(what->label));
	put_json(entry, "sweep", text_json(what->sweep));
	put_json(entry, "in", json_string(side_name(what->side)));
	put_json(entry, "reason", reason);
	if (pair_chosen(in->options, what->family, what->variant, what->label))
		append_json(in->missing, entry);
	else
		json_decref(entry);
}

/* Parts of the work, and what is wrong on purpose, have no time that means anything by itself. */
static bool stands_for_itself(const struct rows *variants, size_t i)
{
	return row_int(variants, i, VARIANT_teachesFailure) == 0 && !is_part(row_text(variants, i, VARIANT_kind));
}

/* ---- cases of a variant that both have ---- */

/* Timed in one of the two only: `there` says in which. */
static void add_untimed(const struct family_pair *f, const struct compared *c, enum pair_side there)
{
	const struct lonely lonely = {
		.family = c->family, .variant = c->variant, .label = c->label, .sweep = c->sweep, .side = there};

	family_add_missing(
		f->in, &lonely, timing_lacks(&f->in->side[other_side(there)], c->family, c->variant, c->label));
}

/* Whether times follow the SM clock. Copies over PCIe do not; both recordings must say that it is they. */
static bool family_is_kernel_bound(const struct family_pair *f)
{
	return strcmp(row_string(&f->row[SIDE_BASE], 0, FAMILY_boundBy), "PCIe") != 0 ||
	       strcmp(row_string(&f->row[SIDE_NEW], 0, FAMILY_boundBy), "PCIe") != 0;
}

/* One variant of base in one case of base: compared where both have times. */
static void compare_case(const struct family_pair *f, size_t v, size_t i, json_t *comparisons)
{
	struct compared c = {
		.family = f->name,
		.variant = row_string(&f->variants[SIDE_BASE], v, VARIANT_name),
		.label = row_string(&f->cases[SIDE_BASE], i, CASE_label),
		.kind = row_text(&f->variants[SIDE_BASE], v, VARIANT_kind),
		.sweep = row_text(&f->cases[SIDE_BASE], i, CASE_sweep),
		.single = f->pair[SIDE_BASE].single,
		.dbl = f->pair[SIDE_BASE].dbl,
		.headline = i == 0,
		.kernel_bound = family_is_kernel_bound(f),
	};
	bool there[SIDES];

	if (!pair_chosen(f->in->options, f->name, c.variant, c.label) ||
		rows_with(&f->cases[SIDE_NEW], CASE_label, c.label) < 0)
		return;
	for (enum pair_side side = SIDE_BASE; side < SIDES; side++)
		there[side] = timing_there(&f->in->side[side], c.family, c.variant, c.label);
	if (there[SIDE_BASE] && there[SIDE_NEW])
		append_json(comparisons, comparison_json(f->in, &c));
	else if (there[SIDE_BASE] || there[SIDE_NEW])
		add_untimed(f, &c, there[SIDE_BASE] ? SIDE_BASE : SIDE_NEW);
}

static void compare_variant(const struct family_pair *f, size_t v, json_t *comparisons)
{
	const struct rows *fresh = &f->variants[SIDE_NEW];
	ssize_t k = rows_with(fresh, VARIANT_name, row_string(&f->variants[SIDE_BASE], v, VARIANT_name));

	if (k < 0 || !stands_for_itself(&f->variants[SIDE_BASE], v) || !stands_for_itself(fresh, (size_t)k))
		return;
	for (size_t i = 0; i < f->cases[SIDE_BASE].count; i++)
		compare_case(f, v, i, comparisons);
}

/* ---- what only one of the two has ---- */

static void add_lonely_variants(const struct family_pair *f, enum pair_side side)
{
	const struct rows *variants = &f->variants[side];

	for (size_t v = 0; v < variants->count; v++) {
		const struct lonely lonely = {
			.family = f->name, .variant = row_string(variants, v, VARIANT_name), .side = side};

		if (stands_for_itself(variants, v) &&
			rows_with(&f->variants[other_side(side)], VARIANT_name, lonely.variant) < 0)
			family_add_missing(f->in, &lonely, json_null());
	}
}

static void add_lonely_cases(const struct family_pair *f, enum pair_side side)
{
	const struct rows *cases = &f->cases[side];

	for (size_t i = 0; i < cases->count; i++) {
		const struct lonely lonely = {
			.family = f->name,
			.label = row_string(cases, i, CASE_label),
			.sweep = row_text(cases, i, CASE_sweep),
			.side = side,
		};

		if (row_int(cases, i, CASE_verifyOnly) == 0 &&
			rows_with(&f->cases[other_side(side)], CASE_label, lonely.label) < 0)
			family_add_missing(f->in, &lonely, json_null());
	}
}

/* ---- a family ---- */

/* Only where both recordings contrast the same two variants, and both were chosen. */
static json_t *family_gain_json(const struct family_pair *f)
{
	const struct contrasted_pair *base = &f->pair[SIDE_BASE], *fresh = &f->pair[SIDE_NEW];
	const char *label = f->cases[SIDE_BASE].count ? row_string(&f->cases[SIDE_BASE], 0, CASE_label) : "";
	const struct gain_question question = {f->name, base->single, base->dbl, label};

	if (strcmp(fresh->single, base->single) != 0 || strcmp(fresh->dbl, base->dbl) != 0 ||
		!pair_chosen(f->in->options, f->name, base->single, label) ||
		!pair_chosen(f->in->options, f->name, base->dbl, label))
		return json_null();
	return gain_json(f->in, &question);
}

static json_t *compared_family_json(const struct family_pair *f)
{
	json_t *object = json_object(), *comparisons = json_array();

	for (size_t v = 0; v < f->variants[SIDE_BASE].count && f->in->mode == PAIR_TIMES; v++)
		compare_variant(f, v, comparisons);
	for (enum pair_side side = SIDE_BASE; side < SIDES; side++) {
		add_lonely_variants(f, side);
		add_lonely_cases(f, side);
	}
	put_json(object, "name", text_json(f->name));
	put_json(object, "title", row_json(&f->row[SIDE_BASE], 0, FAMILY_title));
	put_json(object, "single", text_json(f->pair[SIDE_BASE].single));
	put_json(object, "double", text_json(f->pair[SIDE_BASE].dbl));
	put_json(object, "gain", family_gain_json(f));
	put_json(object, "comparisons", comparisons);
	return object;
}

static struct family_pair family_pair(struct comparing *in, size_t base, size_t fresh)
{
	const size_t at[SIDES] = {base, fresh};
	struct family_pair f = {.in = in};

	for (enum pair_side side = SIDE_BASE; side < SIDES; side++) {
		const struct rowset *table = in->side[side].table;

		f.row[side] = (struct rows){&table[TABLE_FAMILY], at[side], 1};
		f.pair[side] = contrasted_pair(table, &f.row[side], 0);
		f.name = row_string(&f.row[side], 0, FAMILY_name);
		f.variants[side] = rows_find(&table[TABLE_VARIANT], 1, &f.name);
		f.cases[side] = rows_find(&table[TABLE_CASE], 1, &f.name);
	}
	return f;
}

static void add_lonely_families(const struct comparing *in, enum pair_side side)
{
	struct rows rows = rows_all(&in->side[side].table[TABLE_FAMILY]);
	struct rows other = rows_all(&in->side[other_side(side)].table[TABLE_FAMILY]);

	for (size_t i = 0; i < rows.count; i++) {
		const struct lonely lonely = {.family = row_string(&rows, i, FAMILY_name), .side = side};

		if (rows_with(&other, FAMILY_name, lonely.family) < 0)
			family_add_missing(in, &lonely, json_null());
	}
}

json_t *compared_families_json(struct comparing *in)
{
	struct rows base = rows_all(&in->side[SIDE_BASE].table[TABLE_FAMILY]);
	struct rows fresh = rows_all(&in->side[SIDE_NEW].table[TABLE_FAMILY]);
	json_t *list = json_array();

	for (size_t i = 0; i < base.count; i++) {
		const char *name = row_string(&base, i, FAMILY_name);
		ssize_t k = rows_with(&fresh, FAMILY_name, name);

		if (k >= 0 && pair_chosen(in->options, name, NULL, NULL)) {
			const struct family_pair pair = family_pair(in, i, (size_t)k);

			append_json(list, compared_family_json(&pair));
		}
	}
	for (enum pair_side side = SIDE_BASE; side < SIDES; side++)
		add_lonely_families(in, side);
	return list;
}
