/* model-rows.c: a small table of a recording, whole in memory, sorted so that the rows of one key stand together. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/model.h"

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
		block = malloc(sizeof(*block) + larger);
		if (!block)
			return NULL;
		*block = (struct row_block){set->blocks, 0, larger};
		set->blocks = block;
	}
	bytes = block->bytes + block->used;
	block->used += size;
	return bytes;
}

/* Only the cells that are not NULL: rows of a stranger's file have a byte for each of forty columns. */
struct packed_row {
	uint64_t low, high; /* bits of the kinds, by column */
	union cell {
		int64_t integer;
		double real;
		const char *text;
	} cell[];
};

static struct value cell_at(const struct packed_row *row, int column)
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

static const struct packed_row *row_pack(struct rowset *set, const struct value *cells)
{
	int ncolumns = set->table->ncolumns, n = 0;
	struct packed_row *row;

	for (int c = 0; c < ncolumns; c++)
		n += cells[c].kind != VALUE_NULL;
	row = block_take(set, sizeof(*row) + (size_t)n * sizeof(row->cell[0]));
	if (!row)
		return NULL;
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
	char *copy;

	if (cursor_name_id(cursor, column, &id))
		return text;
	copy = block_take(set, size);
	return copy ? memcpy(copy, text, size) : NULL;
}

static int cell_read(struct rowset *set, struct value *cell, const struct cursor *cursor, int column)
{
	enum column_type type = set->table->columns[column].type;

	*cell = (struct value){.kind = VALUE_NULL};
	if (cursor_null(cursor, column))
		return 0;
	if (type == COLUMN_INT) {
		*cell = VALUE_OF_INT(cursor_int(cursor, column));
	} else if (type == COLUMN_REAL) {
		*cell = VALUE_OF_REAL(cursor_real(cursor, column));
	} else {
		const char *text = cursor_text(cursor, column);

		/* Bytes in place of a text, or the number of a name that the file lacks: as good as NULL. */
		if (!text)
			return 0;
		*cell = VALUE_OF_TEXT(text_kept(set, cursor, column, text));
		if (!cell->text)
			return -1;
	}
	return 0;
}

/* Makes room for one more row, NULL as yet. */
static const struct packed_row **row_add(struct rowset *set, size_t *room)
{
	if (set->nrows == *room) {
		size_t more = *room ? *room * 2 : 64;
		const struct packed_row **row = realloc(set->row, more * sizeof(*row));

		if (!row)
			return NULL;
		set->row = row;
		*room = more;
	}
	set->row[set->nrows] = NULL;
	return &set->row[set->nrows++];
}

static int row_read(struct rowset *set, const struct cursor *cursor, size_t *room)
{
	struct value cells[TABLE_MAX_COLUMNS];
	const struct packed_row **row = row_add(set, room);

	if (!row)
		return -1;
	for (int c = 0; c < set->table->ncolumns; c++) {
		if (cell_read(set, &cells[c], cursor, c) < 0)
			return -1;
	}
	*row = row_pack(set, cells);
	return *row ? 0 : -1;
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
	case TABLE_PHASE:
	case TABLE_PMSAMPLE:
	case TABLE_STALL:
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

static int rows_read(struct rowset *set, struct cursor *cursor, size_t most, struct error *err)
{
	size_t room = 0;
	int got;

	while ((got = cursor_next(cursor, err)) == 1) {
		set->cut = set->nrows == most;
		if (set->cut)
			return 0;
		if (row_read(set, cursor, &room) < 0)
			return -1;
	}
	return got;
}

/* ---- sorting ---- */

static const char *cell_text(const struct packed_row *row, int column)
{
	struct value cell = cell_at(row, column);

	return cell.kind == VALUE_TEXT && cell.text ? cell.text : "";
}

/* A row while it is sorted: `at` keeps equal keys in their order. */
struct sorted_row {
	const struct packed_row *row;
	size_t at;
	int nkeys;
	bool late; /* behind the rows of the same key that are not */
};

static int by_keys(const void *left, const void *right)
{
	const struct sorted_row *a = left, *b = right;

	for (int k = 0; k < a->nkeys; k++) {
		int order = strcmp(cell_text(a->row, k), cell_text(b->row, k));

		if (order)
			return order;
	}
	if (a->late != b->late)
		return a->late ? 1 : -1;
	return (a->at > b->at) - (a->at < b->at);
}

/* By the keys; with a `column`, rows that have a value there come last among those of the same key. */
static int rows_sort(struct rowset *set, int column)
{
	struct sorted_row *sorted;

	if (set->nkeys == 0 || set->nrows < 2)
		return 0;
	sorted = calloc(set->nrows, sizeof(*sorted));
	if (!sorted)
		return -1;
	for (size_t i = 0; i < set->nrows; i++)
		sorted[i] = (struct sorted_row){
			set->row[i], i, set->nkeys, column >= 0 && cell_at(set->row[i], column).kind != VALUE_NULL};
	qsort(sorted, set->nrows, sizeof(*sorted), by_keys);
	for (size_t i = 0; i < set->nrows; i++)
		set->row[i] = sorted[i].row;
	free(sorted);
	return 0;
}

int rowset_load(struct rowset *set, struct store *store, enum table_id table, int nkeys, int order, struct error *err)
{
	struct cursor *cursor;
	int result;

	*set = (struct rowset){.table = schema_table(table), .nkeys = nkeys};
	if (!store_has(store, table))
		return 0;
	cursor = store_rows(store, table, order, err);
	if (!cursor)
		return -1;
	result = rows_read(set, cursor, rows_most(table), err);
	cursor_close(cursor);
	if (result == 0 && rows_sort(set, -1) < 0)
		result = -1;
	if (result < 0)
		rowset_free(set);
	return result;
}

int rowset_nulls_first(struct rowset *set, int column)
{
	return set->table ? rows_sort(set, column) : 0;
}

static bool same_texts(const struct packed_row *a, const struct packed_row *b, int n)
{
	for (int k = 0; k < n; k++) {
		if (strcmp(cell_text(a, k), cell_text(b, k)) != 0)
			return false;
	}
	return true;
}

void rowset_unique(struct rowset *set, int n)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->nrows; i++) {
		bool known = false;

		for (size_t k = kept; k > 0 && !known && same_texts(set->row[k - 1], set->row[i], n - 1); k--)
			known = same_texts(set->row[k - 1], set->row[i], n);
		if (!known)
			set->row[kept++] = set->row[i];
	}
	set->nrows = kept;
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

struct rows rows_all(const struct rowset *set)
{
	return (struct rows){set, 0, set->nrows};
}

static int key_order(const struct rowset *set, size_t row, int n, const char *const *key)
{
	int order = 0;

	for (int k = 0; k < n && order == 0; k++)
		order = strcmp(cell_text(set->row[row], k), key[k]);
	return order;
}

/* The first row whose key is not below `key`; with `after`, the first whose key is above it. */
static size_t bound(const struct rowset *set, int n, const char *const *key, bool after)
{
	size_t low = 0, high = set->nrows;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = key_order(set, middle, n, key);

		if (order < 0 || (after && order == 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct rows rows_find(const struct rowset *set, int n, const char *const *key)
{
	size_t first = bound(set, n, key, false);

	return (struct rows){set, first, bound(set, n, key, true) - first};
}

static struct value cell_of(const struct rows *rows, size_t i, int column)
{
	return cell_at(rows->set->row[rows->first + i], column);
}

bool row_null(const struct rows *rows, size_t i, int column)
{
	return cell_of(rows, i, column).kind == VALUE_NULL;
}

const char *row_text(const struct rows *rows, size_t i, int column)
{
	struct value cell = cell_of(rows, i, column);

	return cell.kind == VALUE_TEXT ? cell.text : NULL;
}

const char *row_string(const struct rows *rows, size_t i, int column)
{
	const char *text = row_text(rows, i, column);

	return text ? text : "";
}

int64_t row_int(const struct rows *rows, size_t i, int column)
{
	struct value cell = cell_of(rows, i, column);

	return cell.kind == VALUE_INT ? cell.integer : 0;
}

int row_count(const struct rows *rows, size_t i, int column)
{
	int64_t count = row_int(rows, i, column);

	return count < 0 ? 0 : count > INT_MAX ? INT_MAX : (int)count;
}

struct rows rows_numbered(const struct rowset *set, int column, int64_t number)
{
	struct rows all = rows_all(set);
	size_t low = 0, high = set->nrows, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (row_int(&all, middle, column) < number)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < set->nrows && row_int(&all, end, column) == number; end++)
		continue;
	return (struct rows){set, low, end - low};
}

double row_real(const struct rows *rows, size_t i, int column)
{
	struct value cell = cell_of(rows, i, column);

	if (cell.kind == VALUE_INT)
		return (double)cell.integer;
	return cell.kind == VALUE_REAL ? cell.real : NAN;
}

json_t *row_json(const struct rows *rows, size_t i, int column)
{
	struct value cell = cell_of(rows, i, column);

	if (cell.kind == VALUE_INT)
		return json_integer(cell.integer);
	if (cell.kind == VALUE_REAL)
		return real_json(cell.real);
	return text_json(row_text(rows, i, column));
}

int put_fields(json_t *object, const struct rows *rows, size_t i, const struct field *fields, size_t n)
{
	int bad = 0;

	for (size_t f = 0; f < n; f++)
		bad |= put_json(object, fields[f].key, row_json(rows, i, fields[f].column));
	return bad;
}

json_t *rows_list(const struct rows *rows, const struct field *fields, size_t n)
{
	json_t *list = json_array();
	int bad = 0;

	for (size_t i = 0; i < rows->count; i++) {
		json_t *object = json_object();
		int wrong = put_fields(object, rows, i, fields, n);

		bad |= append_json(list, built_json(object, wrong));
	}
	return built_json(list, bad);
}
