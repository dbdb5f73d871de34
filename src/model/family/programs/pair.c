/* pair.c: see pair.h. */
#include "model/family/programs/pair.h"

#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/family-rows.h"
#include "model/family/programs/runs.h"
#include "model/family/programs/waits.h"
#include "model/family/ratio.h"
#include "store/store.h"
#include "tree/json.h"

ssize_t side_number(const struct family_rows *f, const char *variant)
{
	return rows_with(&f->variants, VARIANT_name, variant);
}

static bool pair_begin_one(
	const struct family_rows *f, enum measures measures, size_t single, size_t other, struct judging *out)
{
	ssize_t i = case_of(f, measures);

	return i >= 0 && judging_begin(f, (size_t)i, single, other, out);
}

/* Each by itself, then one against the other. */
static void pair_judge_both(struct program_pair *pair)
{
	for (int agreement = 0; agreement <= 1; agreement++) {
		if (pair->has_kernels)
			judging_judge(&pair->kernels, agreement);
		if (pair->has_program)
			judging_judge(&pair->program, agreement);
	}
}

void program_pair_judge(const struct family_rows *f, size_t single, size_t other, struct program_pair *out)
{
	*out = (struct program_pair){.failed = side_failed(f, row_string(&f->variants, single, VARIANT_name)) ||
					       side_failed(f, row_string(&f->variants, other, VARIANT_name))};
	if (out->failed)
		return;
	out->has_kernels = pair_begin_one(f, MEASURES_KERNELS, single, other, &out->kernels);
	out->has_program = pair_begin_one(f, MEASURES_PROGRAM, single, other, &out->program);
	out->kernels.kernels = out->program.kernels = out->has_kernels ? &out->kernels : NULL;
	out->kernels.against = out->has_program ? &out->program : NULL;
	out->program.against = out->has_kernels ? &out->kernels : NULL;
	pair_judge_both(out);
}

void program_pair_free(struct program_pair *pair)
{
	if (pair->has_kernels)
		judging_free(&pair->kernels);
	if (pair->has_program)
		judging_free(&pair->program);
}

static const char *basis_of(const struct judging *j)
{
	if (j->measures != MEASURES_PROGRAM)
		return "kernels";
	return judging_has_range(j) ? "range" : "wall";
}

static json_t *verdict_json(const struct judging *j)
{
	json_t *object = json_object();

	put_json(object, "verdict", json_string(verdict_name(j->verdict)));
	put_json(object, "size", json_string(verdict_size(j->verdict, j->ratio.value)));
	put_json(object, "ratio", ratio_json(&j->ratio));
	put_json(object, "cycles", isnan(j->cycles.value) ? json_null() : ratio_json(&j->cycles));
	put_json(object, "single_ns", real_json(j->side[0].median));
	put_json(object, "double_ns", real_json(j->side[1].median));
	put_json(object, "blocks", json_integer((json_int_t)j->blocks));
	put_json(object, "basis", json_string(basis_of(j)));
	if (j->measures == MEASURES_PROGRAM) {
		const struct step_waits waits = step_waits_of(j);

		step_waits_put(object, &waits);
	}
	put_json(object, "reasons", json_incref(j->reasons));
	put_json(object, "evidence", json_deep_copy(j->evidence));
	return object;
}

json_t *program_verdicts_json(const struct program_pair *pair)
{
	json_t *object = json_object();

	put_json(object, "kernel", pair->has_kernels ? verdict_json(&pair->kernels) : json_null());
	put_json(object, "program", pair->has_program ? verdict_json(&pair->program) : json_null());
	return object;
}
