/* family-rows.c: see family-rows.h. */
#include "model/family/family-rows.h"

#include <stdlib.h>
#include <string.h>

#include "model/device.h"
#include "model/family/measure.h"
#include "model/family/contrast/stand-in-pair.h"
#include "model/recording.h"
#include "store/store.h"
#include "util/alloc.h"

struct measured *measured_at(const struct family_rows *f, size_t variant)
{
	return f->measured + variant * f->cases.count;
}

/* The number of a variant; that of all variants if the family has none of this name. */
static size_t variant_number(const struct family_rows *f, const char *variant)
{
	size_t v = 0;

	while (v < f->variants.count && strcmp(row_string(&f->variants, v, VARIANT_name), variant) != 0)
		v++;
	return v;
}

struct measured *measured_of(const struct family_rows *f, const char *variant)
{
	size_t v = variant_number(f, variant);

	return v < f->variants.count ? measured_at(f, v) : NULL;
}

/* As the case has them; else as the variant has them in every case. */
static int64_t buffers_in_case(const struct family_rows *f, size_t v, const char *label)
{
	const char *const key[] = {f->name, row_string(&f->variants, v, VARIANT_name), label};
	const struct rows own = rows_find(&f->model->table[TABLE_BUFFERS], 3, key);

	return own.count > 0 && !row_null(&own, 0, BUFFERS_buffers) ? row_int(&own, 0, BUFFERS_buffers)
								    : row_int(&f->variants, v, VARIANT_buffers);
}

int64_t family_buffers_at(const struct family_rows *f, size_t v)
{
	return f->cases.count > 0 ? measured_at(f, v)->buffers : row_int(&f->variants, v, VARIANT_buffers);
}

int64_t family_buffers_of(const struct family_rows *f, const char *variant)
{
	size_t v = variant_number(f, variant);

	return v < f->variants.count ? family_buffers_at(f, v) : 0;
}

const char *family_file_of(const struct family_rows *f, size_t variant)
{
	const char *file = row_text(&f->variants, variant, VARIANT_file);

	return file ? file : f->file;
}

const char *family_file_of_variant(const struct family_rows *f, const char *variant)
{
	size_t v = variant_number(f, variant);

	return v < f->variants.count ? family_file_of(f, v) : f->file;
}

struct rivals rivals_of(const struct family_rows *f, size_t i)
{
	return (struct rivals){f->rivals + i * f->variants.count, f->variants.count};
}

static void family_measure_variant(struct family_rows *f, const struct rows *device, size_t v)
{
	const char *variant = row_string(&f->variants, v, VARIANT_name);

	f->anchors[v] = xasprintf("%s/%s", f->name, variant);
	for (size_t i = 0; i < f->cases.count; i++) {
		struct measured *m = measured_at(f, v) + i;

		m->family = f->name;
		m->variant = variant;
		m->label = row_string(&f->cases, i, CASE_label);
		m->anchor = f->anchors[v];
		m->kind = row_string(&f->variants, v, VARIANT_kind);
		m->buffers = buffers_in_case(f, v, m->label);
		m->pair = strcmp(variant, f->single) == 0 || strcmp(variant, f->dbl) == 0;
		m->file = family_file_of(f, v);
		m->asked = row_text(&f->variants, v, VARIANT_kernelName);
		m->untraced = row_text(&f->variants, v, VARIANT_untraced);
		m->headline = i == 0;
		m->on_purpose = row_int(&f->variants, v, VARIANT_teachesFailure) != 0;
		measure_case(f->model, device, m);
	}
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

static void find_floors(struct family_rows *f)
{
	f->rivals = xcalloc(f->variants.count * f->cases.count, sizeof(*f->rivals));
	f->floors = xcalloc(f->cases.count, sizeof(*f->floors));
	for (size_t i = 0; i < f->cases.count; i++) {
		struct rivals rivals = rivals_of(f, i);

		for (size_t v = 0; v < f->variants.count; v++)
			f->rivals[i * f->variants.count + v] = measured_at(f, v) + i;
		floor_of(f->model, &rivals, &f->floors[i]);
	}
}

/* Points of sweeps stand behind the family's own cases, and are left out here. */
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

static void find_rows(const struct model *model, const struct rows *families, size_t i, struct family_rows *f)
{
	const char *const name[] = {row_string(families, i, FAMILY_name)};
	const struct contrasted_pair pair = contrasted_pair(model->table, families, i);

	*f = (struct family_rows){
		.model = model,
		.family = {families->set, families->first + i, 1},
		.variants = rows_find(&model->table[TABLE_VARIANT], 1, name),
		.cases = own_cases(model, name[0]),
		.name = name[0],
		.file = row_string(families, i, FAMILY_file),
		.single = pair.single,
		.dbl = pair.dbl,
		.missing = pair.missing,
		.missing_why = pair.reason,
		.unit = row_string(families, i, FAMILY_throughput),
	};
}

void family_measure(const struct model *model, const struct rows *families, size_t i, struct family_rows *f)
{
	struct rows device = device_row(model);

	find_rows(model, families, i, f);
	f->measured = xcalloc(f->variants.count * f->cases.count, sizeof(*f->measured));
	f->anchors = xcalloc(f->variants.count, sizeof(*f->anchors));
	for (size_t v = 0; v < f->variants.count; v++) {
		family_measure_variant(f, &device, v);
		judge_variant(f, measured_at(f, v));
	}
	find_floors(f);
}

void family_free(struct family_rows *f)
{
	for (size_t i = 0; i < f->variants.count * f->cases.count; i++)
		measured_free(&f->measured[i]);
	for (size_t v = 0; v < f->variants.count; v++)
		free(f->anchors[v]);
	free(f->measured);
	free(f->anchors);
	free(f->rivals);
	free(f->floors);
}
