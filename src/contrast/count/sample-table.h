/* sample-table.h: PC samples of the kernels of a plan, added up in room that is there from the beginning: what does not
 * fit is counted as lost. */
#ifndef DBPROF_CONTRAST_COUNT_SAMPLE_TABLE_H
#define DBPROF_CONTRAST_COUNT_SAMPLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrast/count/results.h"
#include "record/cupti/pc/pc-session.h"

enum {
	SAMPLE_ROWS = 1 << 17, /* a power of two; an instruction has about six reasons */
	SAMPLE_FUNCTIONS = 64,
	SAMPLE_NAMES_BYTES = 1 << 18, /* of all names of functions: templates have long ones */
	SAMPLE_REASONS = 128
};

struct sample_row {
	uint32_t kernel; /* place in the plan */
	bool is_used;
	struct count_sample sample;
};

/* Begins as {0}. */
struct sample_table {
	struct sample_row *rows; /* SAMPLE_ROWS, found by hash; owned */
	size_t nrows;
	char *names; /* owned */
	size_t names_size;
	const char *functions[SAMPLE_FUNCTIONS]; /* in `names` */
	uint64_t modules[SAMPLE_FUNCTIONS];      /* that they are in: struct count_function */
	size_t nfunctions;
	char reasons[SAMPLE_REASONS][PC_REASON_SIZE];
	size_t nreasons;
};

/* False without memory. */
bool sample_table_make(struct sample_table *table);
void sample_table_free(struct sample_table *table);

/* An instruction of a function. */
struct sample_place {
	const char *function; /* mangled name */
	uint64_t module;      /* struct count_function */
	uint64_t offset;      /* bytes */
};

/* Adds samples at an instruction for a reason; they count as `samples[not_issued]` of their row. Names are copied.
 * False if there is no room for them. */
bool sample_table_add(struct sample_table *table, size_t kernel, const struct sample_place *place,
	const struct pc_reason *reason, uint64_t samples);

#endif
