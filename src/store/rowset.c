/* rowset.c: a small table in memory, sorted so that the rows of one key stand together, and its cells. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/rowset-private.h"
#include "util/alloc.h"

static const char *cell_text(const struct packed_row *row, int column)
{
	struct value cell = packed_cell(row, column);

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
static void rows_sort(struct rowset *set, int column)
{
	struct sorted_row *sorted;

	if (set->nkeys == 0 || set->nrows < 2)
		return;
	sorted = xcalloc(set->nrows, sizeof(*sorted));
	for (size_t i = 0; i < set->nrows; i++)
		sorted[i] = (struct sorted_row){
			set->row[i], i, set->nkeys, column >= 0 && packed_cell(set->row[i], column).kind != VALUE_NULL};
	qsort(sorted, set->nrows, sizeof(*sorted), by_keys);
	for (size_t i = 0; i < set->nrows; i++)
		set->row[i] = sorted[i].row;
	free(sorted);
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
	result = rowset_read(set, cursor, rows_most(table), err);
	cursor_close(cursor);
	if (result < 0)
		rowset_free(set);
	else
		rows_sort(set, -1);
	return result;
}

void rowset_nulls_first(struct rowset *set, int column)
{
	if (set->table)
		rows_sort(set, column);
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

struct value row_cell(const struct rows *rows, size_t i, int column)
{
	return packed_cell(rows->set->row[rows->first + i], column);
}

bool row_null(const struct rows *rows, size_t i, int column)
{
	return row_cell(rows, i, column).kind == VALUE_NULL;
}

const char *row_text(const struct rows *rows, size_t i, int column)
{
	struct value cell = row_cell(rows, i, column);

	return cell.kind == VALUE_TEXT ? cell.text : NULL;
}

const char *row_string(const struct rows *rows, size_t i, int column)
{
	const char *text = row_text(rows, i, column);

	return text ? text : "";
}

int64_t row_int(const struct rows *rows, size_t i, int column)
{
	struct value cell = row_cell(rows, i, column);

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
	struct value cell = row_cell(rows, i, column);

	if (cell.kind == VALUE_INT)
		return (double)cell.integer;
	return cell.kind == VALUE_REAL ? cell.real : NAN;
}

ssize_t rows_with(const struct rows *rows, int column, const char *text)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (strcmp(row_string(rows, i, column), text) == 0)
			return (ssize_t)i;
	}
	return -1;
}
