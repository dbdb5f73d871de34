/* rowset-private.h: how a row of a small table is kept; between rowset.c and rowset-read.c only. */
#ifndef DBPROF_STORE_ROWSET_PRIVATE_H
#define DBPROF_STORE_ROWSET_PRIVATE_H

#include "store/rowset.h"

/* Only the cells that are not NULL: rows of a stranger's file have a byte for each of forty columns. */
struct packed_row {
	uint64_t low, high; /* bits of the kinds, by column */
	union cell {
		int64_t integer;
		double real;
		const char *text;
	} cell[];
};

/* A cell; text is borrowed. */
static inline struct value packed_cell(const struct packed_row *row, int column)
{
	uint64_t bit = UINT64_C(1) << column;
	struct value value = {.kind = ((row->low & bit) != 0) + 2 * ((row->high & bit) != 0)};
	const union cell *cell = &row->cell[__builtin_popcountll((row->low | row->high) & (bit - 1))];

	if (value.kind == VALUE_INT)
		value.integer = cell->integer;
	else if (value.kind == VALUE_REAL)
		value.real = cell->real;
	else if (value.kind == VALUE_TEXT)
		value.text = cell->text;
	return value;
}

_Static_assert(VALUE_NULL == 0 && VALUE_INT < 4 && VALUE_REAL < 4 && VALUE_TEXT < 4, "a kind has two bits");
_Static_assert(TABLE_MAX_COLUMNS <= 64, "a bit for each column");

/* Adds the rows of the cursor, `most` of them: set->cut if there are more. -1 with err. */
int rowset_read(struct rowset *set, struct cursor *cursor, size_t most, struct error *err);

#endif
