/* family-variants.c: see family-variants.h. */
#include "model/family/family-variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/family/code.h"
#include "model/family/family-rows.h"
#include "model/family/items/read.h"
#include "model/family/measured.h"
#include "model/family/ptx.h"
#include "model/family/reach/reach.h"
#include "model/family/variant.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"

/* ---- cases ---- */

static json_t *family_variants_params_json(const struct family_rows *f, const char *label)
{
	static const struct field fields[] = {
		{"name", PARAM_name},
		{"value", PARAM_value},
		{"unit", PARAM_unit},
		{"summary", PARAM_summary},
	};
	const char *const key[] = {f->name, label};
	struct rows rows = rows_find(&f->model->table[TABLE_PARAM], 2, key);

	return rows_list(&rows, fields, sizeof(fields) / sizeof(fields[0]));
}

static json_t *case_json(const struct family_rows *f, size_t i)
{
	static const struct field fields[] = {
		{"flops", CASE_flops},
		{"bytes", CASE_bytes},
		{"elements", CASE_elements},
	};
	json_t *object = json_object(), *work = json_object();

	put_fields(work, &f->cases, i, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(object, "label", row_json(&f->cases, i, CASE_label));
	put_json(object, "headline", json_boolean(i == 0));
	put_json(object, "verify_only", json_boolean(row_int(&f->cases, i, CASE_verifyOnly) != 0));
	put_json(object, "params", family_variants_params_json(f, row_string(&f->cases, i, CASE_label)));
	put_json(object, "work", work);
	return object;
}

json_t *cases_json(const struct family_rows *f)
{
	json_t *cases = json_array();

	for (size_t i = 0; i < f->cases.count; i++)
		append_json(cases, case_json(f, i));
	return cases;
}

/* ---- variants ---- */

/* Whether items arrive at a rate in case `i`: a parameter counts what throughput does, and is not 0. */
static bool family_variants_is_paced(const struct family_rows *f, size_t i)
{
	const char *const key[] = {f->name, row_string(&f->cases, i, CASE_label)};
	const struct rows params = rows_find(&f->model->table[TABLE_PARAM], 2, key);
	const ssize_t rate = rows_with(&params, PARAM_unit, f->unit);

	return rate >= 0 && row_int(&params, (size_t)rate, PARAM_value) > 0;
}

/* As the results came. Without them, as few as there can have been: the last item's way is in the launch, too. */
static double paced_throughput(const struct family_rows *f, size_t i, const struct measured *m)
{
	const struct items_place place = {m->family, m->variant, m->label};
	size_t n;
	struct item_times *items = items_read(f->model, &place, &n);
	const double rate = items_rate(items, n), elements = row_real(&f->cases, i, CASE_elements);

	free(items);
	if (!isnan(rate) || elements < 2)
		return rate;
	return (elements - 1) / m->time.median * 1e9;
}

double family_throughput(const struct family_rows *f, size_t i, const struct measured *m)
{
	static const struct {
		const char *unit;
		int column;
	} units[] = {
		{"GFLOP/s", CASE_flops},
		{"GB/s", CASE_bytes},
		{"Gelements/s", CASE_elements},
		{"frames/s", CASE_elements},
	};

	if (m->n > 0 && family_variants_is_paced(f, i))
		return paced_throughput(f, i, m);
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

	for (size_t i = 0; i < f->cases.count; i++)
		append_json(cases, variant_case_json(f->model, &own[i], single ? &single[i] : NULL,
					   family_throughput(f, i, &own[i])));
	return cases;
}

/* One step of the scan, its cells by element. */
static json_t *family_variants_step_json(const struct rows *rows, int64_t number)
{
	json_t *step = json_object(), *cells = json_array();

	put_json(step, "row", json_integer(number));
	for (size_t i = 0; i < rows->count; i++) {
		json_t *cell;

		if (row_int(rows, i, STEP_row) != number)
			continue;
		cell = json_object();
		put_json(cell, "value", row_json(rows, i, STEP_value));
		put_json(cell, "racy", json_boolean(row_int(rows, i, STEP_racy) != 0));
		append_json(cells, cell);
		put_json(step, "stride", row_json(rows, i, STEP_stride));
	}
	put_json(step, "cells", cells);
	return step;
}

static json_t *family_variants_steps_json(const struct family_rows *f, const char *variant)
{
	const char *const key[] = {f->name, variant};
	struct rows rows = rows_find(&f->model->table[TABLE_STEP], 2, key);
	int64_t last = -1;
	json_t *steps;

	for (size_t i = 0; i < rows.count; i++) {
		if (row_int(&rows, i, STEP_row) > last)
			last = row_int(&rows, i, STEP_row);
	}
	if (last < 0)
		return json_null();
	steps = json_array();
	for (int64_t number = 0; number <= last && number < (int64_t)rows.count; number++)
		append_json(steps, family_variants_step_json(&rows, number));
	return steps;
}

/* The hazards that a variant is there to show; none in a recording from before they were written down. */
static json_t *hazards_json(const struct family_rows *f, const char *variant)
{
	static const struct field fields[] = {
		{"tool", HAZARD_tool},
		{"text", HAZARD_text},
	};
	const char *const key[] = {f->name, variant};
	struct rows rows = rows_find(&f->model->table[TABLE_HAZARD], 2, key);

	return rows_list(&rows, fields, sizeof(fields) / sizeof(fields[0]));
}

/* PTX of the kernel that the variant launches in the first case that names one. */
static json_t *variant_ptx_json(const struct family_rows *f, size_t v)
{
	const struct measured *own = measured_at(f, v);

	for (size_t i = 0; i < f->cases.count; i++) {
		const char *symbol = measured_symbol(&own[i]);

		if (symbol)
			return ptx_json(f->model, own[i].file, symbol);
	}
	return json_null();
}

static json_t *family_variants_role_json(const struct family_rows *f, const char *variant)
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
		{"untraced", VARIANT_untraced},
	};
	const char *name = row_string(&f->variants, v, VARIANT_name);
	json_t *object = json_object();

	put_fields(object, &f->variants, v, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(object, "buffers", json_integer(family_buffers_at(f, v)));
	put_json(object, "anchor", text_json(f->anchors[v]));
	put_json(object, "part", json_boolean(is_part(row_text(&f->variants, v, VARIANT_kind))));
	put_json(object, "teaches_failure", json_boolean(row_int(&f->variants, v, VARIANT_teachesFailure) != 0));
	put_json(object, "hazards", hazards_json(f, name));
	put_json(object, "role", family_variants_role_json(f, name));
	put_json(object, "code", code_json(f->model, family_file_of(f, v), name));
	put_json(object, "ptx", variant_ptx_json(f, v));
	put_json(object, "steps", family_variants_steps_json(f, name));
	put_json(object, "cases", variant_cases_json(f, v));
	return object;
}

static bool has_rungs(const struct family_rows *f)
{
	for (size_t v = 0; v < f->variants.count; v++)
		if (row_int(&f->variants, v, VARIANT_rungStep) > 0)
			return true;
	return false;
}

json_t *variants_json(const struct family_rows *f)
{
	json_t *variants = json_array();

	for (size_t v = 0; v < f->variants.count; v++)
		append_json(variants, variant_json(f, v));
	if (has_rungs(f))
		leave_out_of_rungs(variants);
	return variants;
}
