/* model-family.c: the F objects of the model: a family with its cases, its contrasts and its variants. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/model-sweep.h"

/* One family in the making. `measured` has a row of ncases per variant. */
struct family_rows {
	const struct model *model;
	struct rows family, variants, cases; /* family: one row */
	const char *name, *file, *single, *dbl, *unit;
	struct measured *measured;
	char (*anchors)[256];           /* "family/variant" of each variant */
	const struct measured **rivals; /* a row per case: every variant in it */
	struct floor *floors;           /* of each case */
};

static struct measured *measured_at(const struct family_rows *f, size_t variant)
{
	return f->measured + variant * f->cases.count;
}

/* What was measured of a variant by name, or NULL. */
static struct measured *measured_of(const struct family_rows *f, const char *variant)
{
	for (size_t v = 0; v < f->variants.count; v++) {
		if (strcmp(row_string(&f->variants, v, VARIANT_name), variant) == 0)
			return measured_at(f, v);
	}
	return NULL;
}

static struct rivals rivals_of(const struct family_rows *f, size_t i)
{
	return (struct rivals){f->rivals + i * f->variants.count, f->variants.count};
}

/* ---- cases ---- */

static json_t *params_json(const struct family_rows *f, const char *label)
{
	static const struct field fields[] = {
		{"name", PARAM_name},
		{"value", PARAM_value},
		{"unit", PARAM_unit},
		{"summary", PARAM_summary},
	};
	const char *const key[] = {f->name, label};
	struct rows rows = rows_find(&f->model->table[TABLE_PARAM], 2, key);
	json_t *params = json_array();
	int bad = 0;

	for (size_t i = 0; i < rows.count; i++) {
		json_t *param = json_object();
		int wrong = put_fields(param, &rows, i, fields, sizeof(fields) / sizeof(fields[0]));

		bad |= append_json(params, built_json(param, wrong));
	}
	return built_json(params, bad);
}

static json_t *case_json(const struct family_rows *f, size_t i)
{
	static const struct field fields[] = {
		{"flops", CASE_flops},
		{"bytes", CASE_bytes},
		{"elements", CASE_elements},
	};
	json_t *object = json_object(), *work = json_object();
	int bad = put_fields(work, &f->cases, i, fields, sizeof(fields) / sizeof(fields[0]));

	bad |= put_json(object, "label", row_json(&f->cases, i, CASE_label));
	bad |= put_json(object, "headline", json_boolean(i == 0));
	bad |= put_json(object, "verify_only", json_boolean(row_int(&f->cases, i, CASE_verifyOnly) != 0));
	bad |= put_json(object, "params", params_json(f, row_string(&f->cases, i, CASE_label)));
	bad |= put_json(object, "work", work);
	return built_json(object, bad);
}

static json_t *cases_json(const struct family_rows *f)
{
	json_t *cases = json_array();
	int bad = 0;

	for (size_t i = 0; i < f->cases.count; i++)
		bad |= append_json(cases, case_json(f, i));
	return built_json(cases, bad);
}

/* ---- variants ---- */

/* Work of a case over a median time, in the family's unit: FLOP/s, bytes/s or elements/s. */
static double throughput(const struct family_rows *f, size_t i, const struct measured *m)
{
	static const struct {
		const char *unit;
		int column;
	} units[] = {
		{"GFLOP/s", CASE_flops},
		{"GB/s", CASE_bytes},
		{"Gelements/s", CASE_elements},
	};

	for (size_t u = 0; u < sizeof(units) / sizeof(units[0]); u++) {
		if (strcmp(f->unit, units[u].unit) == 0)
			return row_real(&f->cases, i, units[u].column) / m->time.median * 1e9;
	}
	return NAN;
}

static json_t *variant_cases_json(const struct family_rows *f, size_t v)
{
	const struct measured *own = measured_at(f, v), *single = measured_of(f, f->single);
	json_t *cases = json_array();
	int bad = 0;

	for (size_t i = 0; i < f->cases.count; i++)
		bad |= append_json(cases,
			variant_case_json(f->model, &own[i], single ? &single[i] : NULL, throughput(f, i, &own[i])));
	return built_json(cases, bad);
}

/* One step of the scan, its cells by element. */
static json_t *step_json(const struct rows *rows, int64_t number)
{
	json_t *step = json_object(), *cells = json_array();
	int bad = put_json(step, "row", json_integer(number));

	for (size_t i = 0; i < rows->count; i++) {
		json_t *cell;
		int wrong;

		if (row_int(rows, i, STEP_row) != number)
			continue;
		cell = json_object();
		wrong = put_json(cell, "value", row_json(rows, i, STEP_value));
		wrong |= put_json(cell, "racy", json_boolean(row_int(rows, i, STEP_racy) != 0));
		bad |= append_json(cells, built_json(cell, wrong));
		bad |= put_json(step, "stride", row_json(rows, i, STEP_stride));
	}
	bad |= put_json(step, "cells", cells);
	return built_json(step, bad);
}

static json_t *steps_json(const struct family_rows *f, const char *variant)
{
	const char *const key[] = {f->name, variant};
	struct rows rows = rows_find(&f->model->table[TABLE_STEP], 2, key);
	int64_t last = -1;
	json_t *steps;
	int bad = 0;

	for (size_t i = 0; i < rows.count; i++) {
		if (row_int(&rows, i, STEP_row) > last)
			last = row_int(&rows, i, STEP_row);
	}
	if (last < 0)
		return json_null();
	steps = json_array();
	for (int64_t number = 0; number <= last && number < (int64_t)rows.count; number++)
		bad |= append_json(steps, step_json(&rows, number));
	return built_json(steps, bad);
}

/* PTX of the kernel that the variant launches in the first case that names one. */
static json_t *variant_ptx_json(const struct family_rows *f, size_t v)
{
	const struct measured *own = measured_at(f, v);

	for (size_t i = 0; i < f->cases.count; i++) {
		const char *symbol = own[i].has_resources ? row_text(&own[i].resource, 0, RESOURCE_symbol) : NULL;

		if (symbol)
			return ptx_json(f->model, f->file, symbol);
	}
	return json_null();
}

static json_t *role_json(const struct family_rows *f, const char *variant)
{
	if (strcmp(variant, f->single) == 0)
		return json_string("single");
	return strcmp(variant, f->dbl) == 0 ? json_string("double") : json_null();
}

static json_t *variant_json(const struct family_rows *f, size_t v)
{
	static const struct field fields[] = {
		{"name", VARIANT_name},
		{"summary", VARIANT_summary},
		{"kind", VARIANT_kind},
		{"buffers", VARIANT_buffers},
	};
	const char *name = row_string(&f->variants, v, VARIANT_name);
	json_t *object = json_object();
	int bad = put_fields(object, &f->variants, v, fields, sizeof(fields) / sizeof(fields[0]));

	bad |= put_json(object, "anchor", text_json(f->anchors[v]));
	bad |= put_json(object, "part", json_boolean(is_part(row_text(&f->variants, v, VARIANT_kind))));
	bad |= put_json(object, "teaches_failure", json_boolean(row_int(&f->variants, v, VARIANT_teachesFailure) != 0));
	bad |= put_json(object, "role", role_json(f, name));
	bad |= put_json(object, "code", code_json(f->model, f->file, name));
	bad |= put_json(object, "ptx", variant_ptx_json(f, v));
	bad |= put_json(object, "steps", steps_json(f, name));
	bad |= put_json(object, "cases", variant_cases_json(f, v));
	return built_json(object, bad);
}

static json_t *variants_json(const struct family_rows *f)
{
	json_t *variants = json_array();
	int bad = 0;

	for (size_t v = 0; v < f->variants.count; v++)
		bad |= append_json(variants, variant_json(f, v));
	return built_json(variants, bad);
}

/* ---- contrasts ---- */

/* The variant that is the control of double's footprint in case `i`, or NULL. */
static const struct measured *footprint_control(
	const struct family_rows *f, size_t i, const struct measured *single, const struct measured *dbl)
{
	for (size_t v = 0; v < f->variants.count; v++) {
		const struct measured *m = measured_at(f, v) + i;

		if (m->n && is_footprint_control(m, single, dbl))
			return m;
	}
	return NULL;
}

static int count_barriers(const struct family_rows *f, struct measured *m)
{
	const char *symbol = m->has_resources ? row_text(&m->resource, 0, RESOURCE_symbol) : NULL;

	return symbol ? ptx_barriers(f->model, f->file, symbol, &m->barriers) : 0;
}

/* What was predicted for a contrast, beside it. */
static json_t *with_prediction(const struct family_rows *f, size_t i, json_t *contrast)
{
	const char *label = row_string(&f->cases, i, CASE_label);
	int bad = put_json(contrast, "predicted", predicted_json(f->model, f->name, label, f->single, f->dbl));

	return built_json(contrast, bad);
}

/* Whether the pair's time is that of kernels: no copies in the trace or, without one, as the family says. */
static bool is_kernel_bound(const struct family_rows *f, const struct measured *single, const struct measured *dbl)
{
	if (single->work.n && dbl->work.n)
		return single->overlap.busy_copy == 0 && dbl->overlap.busy_copy == 0;
	return strcmp(row_string(&f->family, 0, FAMILY_boundBy), "PCIe") != 0;
}

/* Times that count nowhere, for they are wrong or were throttled, still ask for a word. */
static bool was_timed(const struct measured *m)
{
	return m->n || m->withheld || m->apart.n;
}

/* In every case that was timed with both; also where a side's time is withheld because it came out wrong. */
static json_t *contrasts_json(const struct family_rows *f)
{
	struct measured *single = measured_of(f, f->single), *dbl = measured_of(f, f->dbl);
	json_t *contrasts = json_array();
	int bad = 0;

	for (size_t i = 0; i < f->cases.count && single && dbl; i++) {
		struct contrast contrast = {
			.headline = i == 0,
			.single = &single[i],
			.dbl = &dbl[i],
			.ncases = f->cases.count,
			.all_single = single,
			.all_double = dbl,
			.floor = &f->floors[i],
			.kernel_bound = is_kernel_bound(f, &single[i], &dbl[i]),
			.control = footprint_control(f, i, &single[i], &dbl[i]),
		};

		if (row_int(&f->cases, i, CASE_verifyOnly))
			continue;
		if (!was_timed(&single[i]) || !was_timed(&dbl[i]))
			continue;
		bad |= count_barriers(f, &single[i]) | count_barriers(f, &dbl[i]);
		bad |= append_json(contrasts, with_prediction(f, i, contrast_json(f->model, &contrast)));
	}
	return built_json(contrasts, bad);
}

/* ---- the floor, and the fastest ---- */

static json_t *floors_json(const struct family_rows *f)
{
	const struct measured *single = measured_of(f, f->single);
	json_t *floors = json_array();
	int bad = 0;

	for (size_t i = 0; i < f->cases.count; i++) {
		struct rivals rivals = rivals_of(f, i);

		if (f->floors[i].source)
			bad |= append_json(
				floors, floor_json(f->model, &rivals, &f->floors[i], single ? &single[i] : NULL));
	}
	return built_json(floors, bad);
}

static json_t *family_fastest(const struct family_rows *f)
{
	struct rivals rivals = rivals_of(f, 0);

	return f->cases.count ? fastest_json(f->model, &rivals) : json_null();
}

/* ---- the family ---- */

static int measure_variant(struct family_rows *f, const struct rows *device, size_t v)
{
	const char *variant = row_string(&f->variants, v, VARIANT_name);

	snprintf(f->anchors[v], sizeof(f->anchors[v]), "%s/%s", f->name, variant);
	for (size_t i = 0; i < f->cases.count; i++) {
		struct measured *m = measured_at(f, v) + i;

		m->family = f->name;
		m->variant = variant;
		m->label = row_string(&f->cases, i, CASE_label);
		m->anchor = f->anchors[v];
		m->kind = row_string(&f->variants, v, VARIANT_kind);
		m->buffers = row_int(&f->variants, v, VARIANT_buffers);
		m->pair = strcmp(variant, f->single) == 0 || strcmp(variant, f->dbl) == 0;
		m->headline = i == 0;
		m->on_purpose = row_int(&f->variants, v, VARIANT_teachesFailure) != 0;
		if (measure_case(f->model, device, m) < 0)
			return -1;
	}
	return 0;
}

/* A variant that is wrong in any case is right in none. */
static void judge_variant(const struct family_rows *f, struct measured *own)
{
	bool wrong = false, verified = false;

	for (size_t i = 0; i < f->cases.count; i++) {
		verified |= own[i].verify.count > 0;
		wrong |= came_out_wrong(&own[i].verify);
	}
	for (size_t i = 0; i < f->cases.count; i++)
		own[i].right = verified && !wrong;
}

static int find_floors(struct family_rows *f)
{
	f->rivals = calloc(f->variants.count * f->cases.count + 1, sizeof(*f->rivals));
	f->floors = calloc(f->cases.count + 1, sizeof(*f->floors));
	if (!f->rivals || !f->floors)
		return -1;
	for (size_t i = 0; i < f->cases.count; i++) {
		struct rivals rivals = rivals_of(f, i);

		for (size_t v = 0; v < f->variants.count; v++)
			f->rivals[i * f->variants.count + v] = measured_at(f, v) + i;
		if (floor_of(f->model, &rivals, &f->floors[i]) < 0)
			return -1;
	}
	return 0;
}

static int measure_all(struct family_rows *f)
{
	size_t n = f->variants.count * f->cases.count;
	struct rows device = device_row(f->model);

	f->measured = calloc(n + 1, sizeof(*f->measured));
	f->anchors = calloc(f->variants.count + 1, sizeof(*f->anchors));
	if (!f->measured || !f->anchors)
		return -1;
	for (size_t v = 0; v < f->variants.count; v++) {
		if (measure_variant(f, &device, v) < 0)
			return -1;
		judge_variant(f, measured_at(f, v));
	}
	return find_floors(f);
}

static void family_free(struct family_rows *f)
{
	for (size_t i = 0; f->measured && i < f->variants.count * f->cases.count; i++)
		measured_free(&f->measured[i]);
	free(f->measured);
	free(f->anchors);
	free(f->rivals);
	free(f->floors);
}

/* How many buffers a variant uses; 0 if the recording does not say. */
static int64_t buffers_of(const struct family_rows *f, const char *variant)
{
	for (size_t v = 0; v < f->variants.count; v++) {
		if (strcmp(row_string(&f->variants, v, VARIANT_name), variant) == 0)
			return row_int(&f->variants, v, VARIANT_buffers);
	}
	return 0;
}

/* The sweeps, and what is made from them. */
static int put_sweeps(const struct family_rows *f, json_t *tree)
{
	json_t *sweeps = sweeps_json(f->model, &f->family), *machine = machine_json(f->model, f->name);
	int bad = put_json(tree, "balance", balance_json(sweeps, machine));

	bad |= put_json(tree, "machine", machine);
	bad |= put_json(tree, "sweeps", sweeps);
	return bad;
}

static json_t *family_tree(const struct family_rows *f)
{
	static const struct field fields[] = {
		{"name", FAMILY_name},
		{"title", FAMILY_title},
		{"question", FAMILY_question},
		{"teaches", FAMILY_teaches},
		{"source", FAMILY_source},
		{"file", FAMILY_file},
		{"throughput_unit", FAMILY_throughput},
		{"bound_by", FAMILY_boundBy},
		{"single", FAMILY_single},
		{"double", FAMILY_double},
	};
	json_t *tree = json_object();
	const json_t *contrasts;
	int bad = put_fields(tree, &f->family, 0, fields, sizeof(fields) / sizeof(fields[0]));

	bad |= put_json(tree, "buffering", json_boolean(buffers_of(f, f->dbl) > buffers_of(f, f->single)));
	bad |= put_json(tree, "cases", cases_json(f));
	bad |= put_json(tree, "contrasts", contrasts_json(f));
	contrasts = json_object_get(tree, "contrasts");
	bad |= put_json(tree, "prediction", score_json(&contrasts, 1));
	bad |= put_sweeps(f, tree);
	bad |= put_json(tree, "floors", floors_json(f));
	bad |= put_json(tree, "fastest", family_fastest(f));
	bad |= put_json(tree, "code_pair", code_pair_json(f->model, f->file, f->single, f->dbl));
	bad |= put_json(tree, "metrics", metrics_json(f->model));
	bad |= put_json(tree, "variants", variants_json(f));
	return built_json(tree, bad);
}

/* The cases that are no points of sweeps, which stand behind them. */
static struct rows own_cases(const struct model *model, const char *family)
{
	const char *const key[] = {family};
	struct rows cases = rows_find(&model->table[TABLE_CASE], 1, key);
	size_t n = 0;

	while (n < cases.count && row_null(&cases, n, CASE_sweep))
		n++;
	cases.count = n;
	return cases;
}

static json_t *family_json(const struct model *model, const struct rows *families, size_t i)
{
	const char *const name[] = {row_string(families, i, FAMILY_name)};
	struct family_rows f = {
		.model = model,
		.family = {families->set, families->first + i, 1},
		.variants = rows_find(&model->table[TABLE_VARIANT], 1, name),
		.cases = own_cases(model, name[0]),
		.name = name[0],
		.file = row_string(families, i, FAMILY_file),
		.single = row_string(families, i, FAMILY_single),
		.dbl = row_string(families, i, FAMILY_double),
		.unit = row_string(families, i, FAMILY_throughput),
	};
	json_t *tree = measure_all(&f) < 0 ? NULL : family_tree(&f);

	family_free(&f);
	return tree;
}

json_t *families_json(const struct model *model)
{
	struct rows families = rows_all(&model->table[TABLE_FAMILY]);
	json_t *list = json_array();
	int bad = 0;

	for (size_t i = 0; i < families.count && !bad; i++)
		bad |= append_json(list, family_json(model, &families, i));
	return built_json(list, bad);
}
