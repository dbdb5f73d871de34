/* advice-rows.c: what was judged becomes rows of a recording. */
#include "contrast/advise/judge.h"

#include <math.h>

#include "contrast/sample-rows.h"

static struct value finite_real(double value)
{
	return isfinite(value) ? VALUE_OF_REAL(value) : (struct value){.kind = VALUE_NULL};
}

static struct value positive_int(int64_t value)
{
	return value > 0 ? VALUE_OF_INT(value) : (struct value){.kind = VALUE_NULL};
}

static const char *way_of(const struct advised_kernel *one)
{
	return one->has_code && one->code.way_how != ASM_UNKNOWN ? asm_way_name(one->code.way) : NULL;
}

static int row_of_advice(struct recording *rec, const char *label, const struct advised *advised,
	const struct advised_kernel *one, struct error *err)
{
	const struct advise_result *result = &one->result;
	struct value row[ADVICE_NUMBER] = {
		[ADVICE_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[ADVICE_caseLabel] = VALUE_OF_TEXT(label),
		[ADVICE_ord] = VALUE_OF_INT(one - advised->kernels),
		[ADVICE_timestamp] = VALUE_OF_INT(advised->at),
		[ADVICE_launchNs] = finite_real(one->ns),
		[ADVICE_verdict] = VALUE_OF_TEXT(advise_verdict_name(result->verdict)),
		[ADVICE_now] = positive_int(result->now),
		[ADVICE_stages] = positive_int(result->stages),
		[ADVICE_isTriton] = VALUE_OF_INT(one->is_triton),
		[ADVICE_way] = VALUE_OF_TEXT(way_of(one)),
		[ADVICE_lacking] = VALUE_OF_TEXT(one->refusal ? one->refusal : result->lacking),
		[ADVICE_file] = VALUE_OF_TEXT(one->file),
		[ADVICE_line] = positive_int(one->line),
	};

	if (one->loop[1] > 0) {
		row[ADVICE_loopFirst] = VALUE_OF_INT((int64_t)one->loop[0]);
		row[ADVICE_loopLast] = VALUE_OF_INT((int64_t)one->loop[1]);
	}
	return recording_row(rec, TABLE_ADVICE, row, err);
}

static int row_of_gain(
	struct recording *rec, const char *label, const char *way, const struct advise_gain *gain, struct error *err)
{
	const struct value row[ADVICEGAIN_NUMBER] = {
		[ADVICEGAIN_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[ADVICEGAIN_caseLabel] = VALUE_OF_TEXT(label),
		[ADVICEGAIN_way] = VALUE_OF_TEXT(way),
		[ADVICEGAIN_stages] = positive_int(gain->stages),
		[ADVICEGAIN_low] = finite_real(gain->low),
		[ADVICEGAIN_mid] = finite_real(gain->mid),
		[ADVICEGAIN_high] = finite_real(gain->high),
	};

	return recording_row(rec, TABLE_ADVICEGAIN, row, err);
}

/* Another way has a row only if it applies. */
static int rows_of_gains(
	struct recording *rec, const char *label, const struct advise_result *result, struct error *err)
{
	for (int i = 0; i < ADVISE_GAINS; i++)
		if (row_of_gain(rec, label, "stages", &result->gain[i], err) < 0)
			return -1;
	if (isfinite(result->by_copies.mid) && row_of_gain(rec, label, "copies", &result->by_copies, err) < 0)
		return -1;
	return isfinite(result->by_registers.mid) ? row_of_gain(rec, label, "registers", &result->by_registers, err)
						  : 0;
}

static int row_of_evidence(struct recording *rec, const char *label, size_t cause, size_t ord,
	const struct advise_evidence *evidence, struct error *err)
{
	const struct value row[ADVICEEVIDENCE_NUMBER] = {
		[ADVICEEVIDENCE_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[ADVICEEVIDENCE_caseLabel] = VALUE_OF_TEXT(label),
		[ADVICEEVIDENCE_cause] = VALUE_OF_INT((int64_t)cause),
		[ADVICEEVIDENCE_ord] = VALUE_OF_INT((int64_t)ord),
		[ADVICEEVIDENCE_metric] = VALUE_OF_TEXT(evidence->metric),
		[ADVICEEVIDENCE_value] = finite_real(evidence->value),
		[ADVICEEVIDENCE_unit] = VALUE_OF_TEXT(evidence->unit),
	};

	return recording_row(rec, TABLE_ADVICEEVIDENCE, row, err);
}

static int row_of_advice_cause(
	struct recording *rec, const char *label, size_t ord, const struct advise_cause *cause, struct error *err)
{
	const struct value row[ADVICECAUSE_NUMBER] = {
		[ADVICECAUSE_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[ADVICECAUSE_caseLabel] = VALUE_OF_TEXT(label),
		[ADVICECAUSE_ord] = VALUE_OF_INT((int64_t)ord),
		[ADVICECAUSE_id] = VALUE_OF_TEXT(cause->id),
		[ADVICECAUSE_ns] = finite_real(cause->ns),
		[ADVICECAUSE_low] = finite_real(cause->low),
		[ADVICECAUSE_high] = finite_real(cause->high),
	};

	return recording_row(rec, TABLE_ADVICECAUSE, row, err);
}

static int rows_of_causes(
	struct recording *rec, const char *label, const struct advise_result *result, struct error *err)
{
	for (size_t i = 0; i < result->ncauses; i++) {
		const struct advise_cause *cause = &result->causes[i];

		if (row_of_advice_cause(rec, label, i, cause, err) < 0)
			return -1;
		for (size_t e = 0; e < cause->nevidence; e++)
			if (row_of_evidence(rec, label, i, e, &cause->evidence[e], err) < 0)
				return -1;
	}
	return 0;
}

int rows_of_advice(
	struct recording *rec, const struct contrast_samples *samples, const struct advised *advised, struct error *err)
{
	for (size_t i = 0; i < advised->n; i++) {
		const char *label = samples->cases[advised->kernels[i].place].label;

		if (row_of_advice(rec, label, advised, &advised->kernels[i], err) < 0 ||
			rows_of_gains(rec, label, &advised->kernels[i].result, err) < 0 ||
			rows_of_causes(rec, label, &advised->kernels[i].result, err) < 0)
			return -1;
	}
	return 0;
}
