/* coded.h: machine code and sources of the kernels that make up a difference. Each side is run once more, traced: the
 * modules that hold these kernels become files, which are disassembled. */
#ifndef DBPROF_CONTRAST_CODE_CODED_H
#define DBPROF_CONTRAST_CODE_CODED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrast/code/listing.h"
#include "contrast/code/sources.h"
#include "contrast/measure/measure.h"
#include "contrast/options.h"
#include "contrast/samples.h"

/* A kernel of a side. */
struct coded_kernel {
	size_t place;           /* in samples->cases */
	const char *symbol;     /* mangled name; borrowed from the samples */
	struct listing listing; /* empty if its code was not found */
	const char **names;     /* by place in listing.files: DBPROF_SOURCE.file; owned */
};

struct coded_side {
	struct coded_kernel *kernels;
	size_t n;
};

/* coded_free() frees it. */
struct coded_kernels {
	const char *status;  /* DBPROF_PASS.status; NULL: nothing was asked for */
	struct error reason; /* DBPROF_PASS.reason; "" if done */
	int64_t start, end;  /* CLOCK_REALTIME (ns) */
	struct coded_side *sides;
	size_t nsides;
	struct sources sources;
};

/* Runs the sides for the code of the kernels that count_choose() takes, and adds the runs to `measured`. Files go to
 * `folder`. `samples` is NULL without a whole block. 0, also where there is no code: then *out says why. -1 with `err`
 * if the person has interrupted. */
int code_sides(const struct contrast_options *options, const char *folder, struct measurement *measured,
	const struct contrast_samples *samples, struct coded_kernels *out, struct error *err);
void coded_free(struct coded_kernels *coded);

/* The source line of the instruction at `offset` of a kernel of a side: DBPROF_SOURCE.file, or another's base name, in
 * *file, which `coded` owns. `barrier`: that of the barrier before it instead, since a warp that waits there is found
 * behind it. False, and nothing set, if it is not known. */
bool code_line_at(const struct coded_kernels *coded, size_t side, const char *symbol, uint64_t offset, bool barrier,
	const char **file, int64_t *line);

/* DBPROF_INSTRUCTION.file of an instruction of the kernel; NULL if it is not known. */
const char *code_file_name(const struct coded_kernel *kernel, const struct instruction *instruction);

/* Writes the pass, the instructions and the sources. */
int rows_of_code(struct recording *rec, const struct contrast_options *options, const struct contrast_samples *samples,
	const struct coded_kernels *coded, struct error *err);

#endif
