/* sampled-rows.c: see sampled-rows.h. */
#include "contrast/count/sampled-rows.h"

#include "contrast/rows.h"
#include "contrast/sample-rows.h"

/* What the rows of a kernel have in common. */
struct sampled_of {
	const char *variant, *label;
	size_t side;
	const struct sampled_kernels *sampled;
	const struct sampled_case *one;
	const struct line_finder *lines;
};

static int row_of_stall_run(struct recording *rec, const struct sampled_of *of, struct error *err)
{
	const struct sampled_case *one = of->one;
	const struct value row[STALLRUN_NUMBER] = {
		[STALLRUN_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[STALLRUN_variant] = VALUE_OF_TEXT(of->variant),
		[STALLRUN_caseLabel] = VALUE_OF_TEXT(of->label),
		[STALLRUN_launches] = VALUE_OF_INT((int64_t)one->launches),
		[STALLRUN_period] = VALUE_OF_INT((int64_t)1 << of->sampled->sides[of->side].period),
		[STALLRUN_total] = VALUE_OF_INT((int64_t)one->sums.total),
		[STALLRUN_dropped] = VALUE_OF_INT((int64_t)one->sums.dropped),
		[STALLRUN_foreign] = VALUE_OF_INT((int64_t)one->sums.foreign),
		[STALLRUN_reason] = VALUE_OF_TEXT(one->reason[0] == '\0' ? NULL : one->reason),
	};

	return recording_row(rec, TABLE_STALLRUN, row, err);
}

static int row_of_stall(
	struct recording *rec, const struct sampled_of *of, const struct sampled_stall *stall, struct error *err)
{
	const char *file;
	int64_t line;
	struct value row[STALL_NUMBER] = {
		[STALL_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[STALL_variant] = VALUE_OF_TEXT(of->variant),
		[STALL_caseLabel] = VALUE_OF_TEXT(of->label),
		[STALL_symbol] = VALUE_OF_TEXT(stall->symbol),
		[STALL_offset] = VALUE_OF_INT((int64_t)stall->offset),
		[STALL_reason] = VALUE_OF_TEXT(stall->reason),
		[STALL_samples] = VALUE_OF_INT((int64_t)stall->samples[0]),
		[STALL_notIssued] = VALUE_OF_INT((int64_t)stall->samples[1]),
	};

	if (of->lines && of->lines->find(of->lines->user, of->side, of->one, stall, &file, &line)) {
		row[STALL_file] = VALUE_OF_TEXT(file);
		row[STALL_line] = VALUE_OF_INT(line);
	}
	return recording_row(rec, TABLE_STALL, row, err);
}

static int rows_of_sampled_kernel(struct recording *rec, const struct sampled_of *of, struct error *err)
{
	if (row_of_stall_run(rec, of, err) < 0)
		return -1;
	for (size_t i = 0; i < of->one->nstalls; i++)
		if (row_of_stall(rec, of, &of->one->stalls[i], err) < 0)
			return -1;
	return 0;
}

int rows_of_sampled(struct recording *rec, const struct contrast_options *options,
	const struct contrast_samples *samples, const struct sampled_kernels *sampled, const struct line_finder *lines,
	struct error *err)
{
	if (!sampled->status)
		return 0;
	if (row_of_pass(rec,
		    &(struct pass_row){"stalls", sampled->status, &sampled->reason, sampled->start, sampled->end},
		    err) < 0)
		return -1;
	for (size_t s = 0; s < sampled->nsides; s++)
		for (size_t i = 0; i < sampled->sides[s].n; i++) {
			const struct sampled_case *one = &sampled->sides[s].cases[i];
			const struct sampled_of of = {
				options->sides[s].name, samples->cases[one->place].label, s, sampled, one, lines};

			if (rows_of_sampled_kernel(rec, &of, err) < 0)
				return -1;
		}
	return 0;
}
