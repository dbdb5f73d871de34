/* family.c: the F objects of the model: what was measured of a family, and the tree made from it. */
#include "model/family/family.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/device.h"
#include "model/family/code.h"
#include "model/family/counters.h"
#include "model/family/family-rows.h"
#include "model/family/floor.h"
#include "model/family/measure.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "model/sweep/sweep.h"
#include "store/store.h"
#include "tree/json.h"

struct measured *measured_at(const struct family_rows *f, size_t variant)
{
	return f->measured + variant * f->cases.count;
}

/* What was measured of a variant by name, or NULL. */
struct measured *measured_of(const struct family_rows *f, const char *variant)
{
	for (size_t v = 0; v < f->variants.count; v++) {
		if (strcmp(row_string(&f->variants, v, VARIANT_name), variant) == 0)
			return measured_at(f, v);
	}
	return NULL;
}

struct rivals rivals_of(const struct family_rows *f, size_t i)
{
	return (struct rivals){f->rivals + i * f->variants.count, f->variants.count};
}

static int family_measure_variant(struct family_rows *f, const struct rows *device, size_t v)
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
		if (family_measure_variant(f, &device, v) < 0)
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
static int64_t family_buffers_of(const struct family_rows *f, const char *variant)
{
	for (size_t v = 0; v < f->variants.count; v++) {
		if (strcmp(row_string(&f->variants, v, VARIANT_name), variant) == 0)
			return row_int(&f->variants, v, VARIANT_buffers);
	}
	return 0;
}

/* The sweeps, and what is made from them. */
static int family_put_sweeps(const struct family_rows *f, json_t *tree)
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

	bad |= put_json(
		tree, "buffering", json_boolean(family_buffers_of(f, f->dbl) > family_buffers_of(f, f->single)));
	bad |= put_json(tree, "cases", cases_json(f));
	bad |= put_json(tree, "contrasts", contrasts_json(f));
	contrasts = json_object_get(tree, "contrasts");
	bad |= put_json(tree, "prediction", score_json(&contrasts, 1));
	bad |= family_put_sweeps(f, tree);
	bad |= put_json(tree, "floors", floors_json(f));
	bad |= put_json(tree, "fastest", family_fastest(f));
	bad |= put_json(tree, "code_pair", code_pair_json(f->model, f->file, f->single, f->dbl));
	bad |= put_json(tree, "metrics", metrics_json(f->model));
	bad |= put_json(tree, "variants", variants_json(f));
	return built_json(tree, bad);
}

/* The cases that are no points of sweeps, which stand behind them. */
static struct rows family_own_cases(const struct model *model, const char *family)
{
	const char *const key[] = {family};
	struct rows cases = rows_find(&model->table[TABLE_CASE], 1, key);
	size_t n = 0;

	while (n < cases.count && row_null(&cases, n, CASE_sweep))
		n++;
	cases.count = n;
	return cases;
}

static json_t *family_family_json(const struct model *model, const struct rows *families, size_t i)
{
	const char *const name[] = {row_string(families, i, FAMILY_name)};
	struct family_rows f = {
		.model = model,
		.family = {families->set, families->first + i, 1},
		.variants = rows_find(&model->table[TABLE_VARIANT], 1, name),
		.cases = family_own_cases(model, name[0]),
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
		bad |= append_json(list, family_family_json(model, &families, i));
	return built_json(list, bad);
}
