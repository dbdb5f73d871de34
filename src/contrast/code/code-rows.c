/* code-rows.c: machine code and sources become rows of a recording. */
#include "contrast/code/coded.h"

#include "contrast/rows.h"
#include "contrast/sample-rows.h"

static int row_of_instruction(struct recording *rec, const char *variant, const char *label,
	const struct coded_kernel *kernel, size_t number, struct error *err)
{
	const struct instruction *at = &kernel->listing.list[number];
	struct value row[INSTRUCTION_NUMBER] = {
		[INSTRUCTION_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[INSTRUCTION_variant] = VALUE_OF_TEXT(variant),
		[INSTRUCTION_caseLabel] = VALUE_OF_TEXT(label),
		[INSTRUCTION_symbol] = VALUE_OF_TEXT(kernel->symbol),
		[INSTRUCTION_ord] = VALUE_OF_INT((int64_t)number),
		[INSTRUCTION_offset] = VALUE_OF_INT((int64_t)at->offset),
		[INSTRUCTION_label] = VALUE_OF_TEXT(at->label),
		[INSTRUCTION_text] = VALUE_OF_TEXT(at->text),
		[INSTRUCTION_file] = VALUE_OF_TEXT(code_file_name(kernel, at)),
	};

	if (at->file)
		row[INSTRUCTION_line] = VALUE_OF_INT(at->line);
	return recording_row(rec, TABLE_INSTRUCTION, row, err);
}

int rows_of_code(struct recording *rec, const struct contrast_options *options, const struct contrast_samples *samples,
	const struct coded_kernels *coded, struct error *err)
{
	if (!coded->status)
		return 0;
	if (row_of_pass(rec, &(struct pass_row){"code", coded->status, &coded->reason, coded->start, coded->end}, err) <
		0)
		return -1;
	for (size_t s = 0; s < coded->nsides; s++)
		for (size_t i = 0; i < coded->sides[s].n; i++) {
			const struct coded_kernel *kernel = &coded->sides[s].kernels[i];

			for (size_t n = 0; n < kernel->listing.n; n++)
				if (row_of_instruction(rec, options->sides[s].name, samples->cases[kernel->place].label,
					    kernel, n, err) < 0)
					return -1;
		}
	return rows_of_sources(rec, &coded->sources, err);
}
