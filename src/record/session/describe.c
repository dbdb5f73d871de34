/* describe.c: see describe.h. */
#include "record/session/describe.h"

#include <stdlib.h>
#include <string.h>

#include "record/worker/fits.h"
#include "record/worker/registry.h"
#include "record/worker/select.h"

static int write_family(struct recording *rec, const struct family *f, int ord, struct error *err)
{
	const struct value row[FAMILY_NUMBER] = {
		[FAMILY_name] = VALUE_OF_TEXT(f->name),
		[FAMILY_ord] = VALUE_OF_INT(ord),
		[FAMILY_title] = VALUE_OF_TEXT(f->title),
		[FAMILY_question] = VALUE_OF_TEXT(f->question),
		[FAMILY_teaches] = VALUE_OF_TEXT(f->teaches),
		[FAMILY_source] = VALUE_OF_TEXT(f->source),
		[FAMILY_file] = VALUE_OF_TEXT(f->file),
		[FAMILY_throughput] = VALUE_OF_TEXT(f->throughput),
		[FAMILY_boundBy] = VALUE_OF_TEXT(f->bound_by),
		[FAMILY_single] = VALUE_OF_TEXT(f->single),
		[FAMILY_double] = VALUE_OF_TEXT(f->double_),
	};

	return recording_row(rec, TABLE_FAMILY, row, err);
}

static void set_rung(struct value *row, const struct rung *rung)
{
	if (rung->step > 0)
		row[VARIANT_rungStep] = VALUE_OF_INT(rung->step);
	row[VARIANT_rungOver] = VALUE_OF_TEXT(rung->over);
	row[VARIANT_rungChange] = VALUE_OF_TEXT(rung->change);
	row[VARIANT_rungAlong] = VALUE_OF_TEXT(rung->along);
}

static int write_variant(struct recording *rec, const struct family *f, int ord, struct error *err)
{
	const struct variant *v = &f->variants[ord];
	struct value row[VARIANT_NUMBER] = {
		[VARIANT_family] = VALUE_OF_TEXT(f->name),
		[VARIANT_name] = VALUE_OF_TEXT(v->name),
		[VARIANT_ord] = VALUE_OF_INT(ord),
		[VARIANT_summary] = VALUE_OF_TEXT(v->summary),
		[VARIANT_kind] = VALUE_OF_TEXT(variant_kind_name(v->kind)),
		[VARIANT_buffers] = VALUE_OF_INT(v->buffers),
		[VARIANT_teachesFailure] = VALUE_OF_INT(v->teaches_failure),
		[VARIANT_file] = VALUE_OF_TEXT(v->file),
		[VARIANT_kernelName] = VALUE_OF_TEXT(v->kernel),
		[VARIANT_untraced] = VALUE_OF_TEXT(fits_trace_not(v)),
	};

	set_rung(row, &v->rung);
	return recording_row(rec, TABLE_VARIANT, row, err);
}

static int write_hazards(struct recording *rec, const struct family *f, const struct variant *v, struct error *err)
{
	for (int i = 0; i < v->nhazards; i++) {
		const struct value row[HAZARD_NUMBER] = {
			[HAZARD_family] = VALUE_OF_TEXT(f->name),
			[HAZARD_variant] = VALUE_OF_TEXT(v->name),
			[HAZARD_ord] = VALUE_OF_INT(i),
			[HAZARD_tool] = VALUE_OF_TEXT(v->hazards[i].tool),
			[HAZARD_text] = VALUE_OF_TEXT(v->hazards[i].text),
		};

		if (recording_row(rec, TABLE_HAZARD, row, err) < 0)
			return -1;
	}
	return 0;
}

static int write_variants(
	struct recording *rec, const struct record_options *options, const struct family *f, struct error *err)
{
	for (int v = 0; v < f->nvariants; v++)
		if (select_variant(options, f, &f->variants[v]) &&
			(write_variant(rec, f, v, err) < 0 || write_hazards(rec, f, &f->variants[v], err) < 0))
			return -1;
	return 0;
}

static int write_param(
	struct recording *rec, const struct family *f, const struct size_case *size, int i, struct error *err)
{
	const struct param *p = &f->params[i];
	const struct value row[PARAM_NUMBER] = {
		[PARAM_family] = VALUE_OF_TEXT(f->name),
		[PARAM_caseLabel] = VALUE_OF_TEXT(size->label),
		[PARAM_name] = VALUE_OF_TEXT(p->name),
		[PARAM_value] = VALUE_OF_INT(size->value[i]),
		[PARAM_unit] = VALUE_OF_TEXT(p->unit),
		[PARAM_summary] = VALUE_OF_TEXT(p->summary),
	};

	return recording_row(rec, TABLE_PARAM, row, err);
}

static int write_case(
	struct recording *rec, const struct family *f, const struct size_case *size, int ord, struct error *err)
{
	struct work work = {0};

	f->work(size, &work);
	const struct value row[CASE_NUMBER] = {
		[CASE_family] = VALUE_OF_TEXT(f->name),
		[CASE_label] = VALUE_OF_TEXT(size->label),
		[CASE_ord] = VALUE_OF_INT(ord),
		[CASE_verifyOnly] = VALUE_OF_INT(size->verify_only),
		[CASE_flops] = VALUE_OF_REAL(work.flops),
		[CASE_bytes] = VALUE_OF_REAL(work.bytes),
		[CASE_elements] = VALUE_OF_REAL(work.elements),
		[CASE_sweep] = VALUE_OF_TEXT(size->sweep),
	};
	if (recording_row(rec, TABLE_CASE, row, err) < 0)
		return -1;
	for (int i = 0; i < f->nparams; i++)
		if (write_param(rec, f, size, i, err) < 0)
			return -1;
	return 0;
}

static int write_sweep(struct recording *rec, const struct family *f, int ord, int points, struct error *err)
{
	const struct sweep *sweep = &f->sweeps[ord];
	const struct value row[SWEEP_NUMBER] = {
		[SWEEP_family] = VALUE_OF_TEXT(f->name),
		[SWEEP_name] = VALUE_OF_TEXT(sweep->name),
		[SWEEP_ord] = VALUE_OF_INT(ord),
		[SWEEP_title] = VALUE_OF_TEXT(sweep->title),
		[SWEEP_question] = VALUE_OF_TEXT(sweep->question),
		[SWEEP_single] = VALUE_OF_TEXT(sweep->single ? sweep->single : f->single),
		[SWEEP_double] = VALUE_OF_TEXT(sweep->double_ ? sweep->double_ : f->double_),
		[SWEEP_x] = VALUE_OF_TEXT(f->params[sweep->axis[0].param].name),
		[SWEEP_y] = VALUE_OF_TEXT(sweep->naxes > 1 ? f->params[sweep->axis[1].param].name : NULL),
		[SWEEP_points] = VALUE_OF_INT(points),
	};

	return recording_row(rec, TABLE_SWEEP, row, err);
}

static int describe_count_points(const struct size_case *cases, int n, const struct sweep *sweep)
{
	int points = 0;

	for (int i = 0; i < n; i++)
		points += cases[i].sweep == sweep->name;
	return points;
}

/* The sweeps that have points among the cases. */
static int write_sweeps(
	struct recording *rec, const struct family *f, const struct size_case *cases, int n, struct error *err)
{
	for (int i = 0; i < f->nsweeps; i++) {
		int points = describe_count_points(cases, n, &f->sweeps[i]);

		if (points > 0 && write_sweep(rec, f, i, points, err) < 0)
			return -1;
	}
	return 0;
}

static int write_cases(
	struct recording *rec, const struct record_options *options, const struct family *f, struct error *err)
{
	int n = 0;
	struct size_case *cases = select_cases(options, f, &n);
	int result = 0;

	for (int i = 0; i < n && result == 0; i++)
		result = write_case(rec, f, &cases[i], i, err);
	if (result == 0)
		result = write_sweeps(rec, f, cases, n, err);
	free(cases);
	return result;
}

int describe_write(struct recording *rec, const struct record_options *options, int capability, struct error *err)
{
	for (int i = 0; i < registry_count(); i++) {
		const struct family *f = registry_family(i);

		if (!select_family(options, f))
			continue;
		if (write_family(rec, f, i, err) < 0 || write_cases(rec, options, f, err) < 0 ||
			write_variants(rec, options, f, err) < 0)
			return -1;
	}
	return describe_files(rec, options, capability, err);
}
