/* rowset-read.c: reads small tables into little memory, whatever a stranger has put into them. */
#include <stdlib.h>
#include <string.h>

#include "store/rowset-private.h"
#include "util/alloc.h"

/* ---- memory ---- */

/* Rows and texts of a set, one behind the other, freed together. */
struct row_block {
	struct row_block *next;
	size_t used, size;
	_Alignas(8) char bytes[];
};

enum { FIRST_BLOCK = 1 << 12, LARGEST_BLOCK = 1 << 20 };

static void *block_take(struct rowset *set, size_t size)
{
	struct row_block *block = set->blocks;
	size_t larger;
	void *bytes;

	size = (size + 7) & ~(size_t)7;
	if (!block || block->size - block->used < size) {
		larger = block ? block->size * 2 : FIRST_BLOCK;
		if (larger > LARGEST_BLOCK)
			larger = LARGEST_BLOCK;
		if (larger < size)
			larger = size;
		block = xmalloc(sizeof(*block) + larger);
		*block = (struct row_block){set->blocks, 0, larger};
		set->blocks = block;
	}
	bytes = block->bytes + block->used;
	block->used += size;
	return bytes;
}

static const struct packed_row *row_pack(struct rowset *set, const struct value *cells)
{
	int ncolumns = set->table->ncolumns, n = 0;
	struct packed_row *row;

	/* No table has more; gcc sees one that has. */
	if (ncolumns > TABLE_MAX_COLUMNS)
		ncolumns = TABLE_MAX_COLUMNS;
	for (int c = 0; c < ncolumns; c++)
		n += cells[c].kind != VALUE_NULL;
	row = block_take(set, sizeof(*row) + (size_t)n * sizeof(row->cell[0]));
	row->low = row->high = 0;
	n = 0;
	for (int c = 0; c < ncolumns; c++) {
		row->low |= (uint64_t)(cells[c].kind & 1) << c;
		row->high |= (uint64_t)(cells[c].kind >> 1) << c;
		if (cells[c].kind == VALUE_INT)
			row->cell[n++].integer = cells[c].integer;
		else if (cells[c].kind == VALUE_REAL)
			row->cell[n++].real = cells[c].real;
		else if (cells[c].kind == VALUE_TEXT)
			row->cell[n++].text = cells[c].text;
	}
	return row;
}

/* ---- reading ---- */

/* A text of StringIds stays where the store has it: many rows may refer to a long one. */
static const char *text_kept(struct rowset *set, const struct cursor *cursor, int column, const char *text)
{
	size_t size = strlen(text) + 1;
	int64_t id;

	return cursor_name_id(cursor, column, &id) ? text : memcpy(block_take(set, size), text, size);
}

/* Bytes in place of a text, and the number of a name that the file lacks, are as good as NULL. */
static struct value cell_read(struct rowset *set, const struct cursor *cursor, int column)
{
	enum column_type type = set->table->columns[column].type;
	const char *text;

	if (cursor_null(cursor, column))
		return (struct value){.kind = VALUE_NULL};
	if (type == COLUMN_INT)
		return VALUE_OF_INT(cursor_int(cursor, column));
	if (type == COLUMN_REAL)
		return VALUE_OF_REAL(cursor_real(cursor, column));
	text = cursor_text(cursor, column);
	return text ? VALUE_OF_TEXT(text_kept(set, cursor, column, text)) : (struct value){.kind = VALUE_NULL};
}

static void row_read(struct rowset *set, const struct cursor *cursor, size_t *room)
{
	struct value cells[TABLE_MAX_COLUMNS] = {0};

	for (int c = 0; c < set->table->ncolumns; c++)
		cells[c] = cell_read(set, cursor, c);
	xgrow(&set->row, set->nrows, room, sizeof(*set->row));
	set->row[set->nrows++] = row_pack(set, cells);
}

size_t rows_most(enum table_id table)
{
	switch (table) {
	case TABLE_FAMILY:
	case TABLE_VARIANT:
	case TABLE_GPU:
	case TABLE_PASS:
	case TABLE_SWEEP:
		return 1000;
	case TABLE_SAMPLE:
	case TABLE_ITEM:
	case TABLE_PHASE:
	case TABLE_PMSAMPLE:
	case TABLE_STALL:
	case TABLE_INSTRUCTION:
	case TABLE_CLOCK:
		return 1000000;
	case TABLE_CONTEXT:
	case TABLE_STREAM:
	case TABLE_PROCESS:
	case TABLE_THREAD:
	case TABLE_TRACEDPROCESS:
	case TABLE_CUDADEVICE:
	case TABLE_PARAM:
	case TABLE_RESOURCE:
	case TABLE_VERIFY:
	case TABLE_TRACED:
	case TABLE_COUNT:
	case TABLE_COUNTER:
	case TABLE_STEP:
	case TABLE_PHASESUM:
	case TABLE_PMWORK:
		return 100000;
	default:
		return 10000;
	}
}

int rowset_read(struct rowset *set, struct cursor *cursor, size_t most, struct error *err)
{
	size_t room = 0;
	int got;

	while ((got = cursor_next(cursor, err)) == 1) {
		set->cut = set->nrows == most;
		if (set->cut)
			return 0;
		row_read(set, cursor, &room);
	}
	return got;
}

void rowset_free(struct rowset *set)
{
	while (set->blocks) {
		struct row_block *next = set->blocks->next;

		free(set->blocks);
		set->blocks = next;
	}
	free(set->row);
	*set = (struct rowset){0};
}
