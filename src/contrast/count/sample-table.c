/* sample-table.c: see sample-table.h. */
#include "contrast/count/sample-table.h"

#include <stdlib.h>
#include <string.h>

/* Beyond that, looking for a row takes long. */
enum { SAMPLE_ROWS_MOST = SAMPLE_ROWS / 8 * 7 };

bool sample_table_make(struct sample_table *table)
{
	table->rows = calloc(SAMPLE_ROWS, sizeof(*table->rows));
	table->names = malloc(SAMPLE_NAMES_BYTES);
	if (table->rows && table->names)
		return true;
	sample_table_free(table);
	return false;
}

void sample_table_free(struct sample_table *table)
{
	free(table->rows);
	free(table->names);
	*table = (struct sample_table){0};
}

/* ---- names ---- */

/* Its number, or -1 without room. */
static int number_of_function(struct sample_table *table, const char *function, uint64_t module)
{
	size_t size = strlen(function) + 1, i = 0;
	char *name;

	while (i < table->nfunctions && (table->modules[i] != module || strcmp(table->functions[i], function) != 0))
		i++;
	if (i < table->nfunctions)
		return (int)i;
	if (i == SAMPLE_FUNCTIONS || size > SAMPLE_NAMES_BYTES - table->names_size)
		return -1;
	name = table->names + table->names_size;
	memcpy(name, function, size);
	table->names_size += size;
	table->functions[table->nfunctions] = name;
	table->modules[table->nfunctions++] = module;
	return (int)i;
}

/* The same. */
static int number_of_reason(struct sample_table *table, const struct pc_reason *reason)
{
	size_t i = 0;

	while (i < table->nreasons && strcmp(table->reasons[i], reason->name) != 0)
		i++;
	if (i < table->nreasons)
		return (int)i;
	if (i == SAMPLE_REASONS)
		return -1;
	memcpy(table->reasons[table->nreasons++], reason->name, sizeof(reason->name));
	return (int)i;
}

/* ---- rows ---- */

/* Instructions are 16 bytes apart. Odd numbers spread what differs in few bits. */
static size_t row_hash(const struct sample_row *row)
{
	uint64_t hash = row->sample.offset / 16;

	hash = hash * UINT64_C(0x9e3779b97f4a7c15) + row->kernel;
	hash = hash * UINT64_C(0x9e3779b97f4a7c15) + row->sample.function;
	hash = hash * UINT64_C(0x9e3779b97f4a7c15) + row->sample.reason;
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(hash >> 32) % SAMPLE_ROWS;
}

static bool is_same_row(const struct sample_row *a, const struct sample_row *b)
{
	return a->kernel == b->kernel && a->sample.offset == b->sample.offset &&
	       a->sample.function == b->sample.function && a->sample.reason == b->sample.reason;
}

/* NULL without room. */
static struct sample_row *row_like(struct sample_table *table, const struct sample_row *wanted)
{
	size_t at = row_hash(wanted);

	while (table->rows[at].is_used && !is_same_row(&table->rows[at], wanted))
		at = (at + 1) % SAMPLE_ROWS;
	if (table->rows[at].is_used)
		return &table->rows[at];
	if (table->nrows == SAMPLE_ROWS_MOST)
		return NULL;
	table->nrows++;
	table->rows[at] = *wanted;
	return &table->rows[at];
}

bool sample_table_add(struct sample_table *table, size_t kernel, const struct sample_place *place,
	const struct pc_reason *reason, uint64_t samples)
{
	int function = number_of_function(table, place->function, place->module);
	int reason_number = number_of_reason(table, reason);
	const struct sample_row wanted = {.kernel = (uint32_t)kernel,
		.is_used = true,
		.sample = {.offset = place->offset, .function = (uint32_t)function, .reason = (uint32_t)reason_number}};
	struct sample_row *row = function < 0 || reason_number < 0 ? NULL : row_like(table, &wanted);

	if (row)
		row->sample.samples[reason->not_issued] += samples;
	return row;
}
