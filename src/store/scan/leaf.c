/* leaf.c: rows from the bytes of a leaf page: https://www.sqlite.org/fileformat2.html#record_format */
#include "store/scan/parts.h"

#include <endian.h>
#include <string.h>

/* Serial types of a record: what a value is, and how long. */
enum { TYPE_NULL = 0, TYPE_WHOLE_MOST = 6, TYPE_REAL = 7, TYPE_0 = 8, TYPE_1 = 9, TYPE_BLOB = 12 };

/* A row in its page. */
struct cell {
	int64_t number;
	const unsigned char *record;
	uint64_t size;
};

static inline uint64_t type_size(uint64_t type)
{
	static const unsigned char sizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};

	return type < sizeof(sizes) ? sizes[type] : (type - TYPE_BLOB) / 2;
}

/* What stands before the number in its page is read with it, and shifted out: page, cell and record have headers. */
static inline int64_t whole_number(const unsigned char *at, uint64_t type)
{
	uint64_t size = type_size(type), bytes;
	unsigned unused = 64 - 8 * (unsigned)size;

	if (size == 0)
		return type == TYPE_1;
	memcpy(&bytes, at + size - sizeof(bytes), sizeof(bytes));
	return (int64_t)(be64toh(bytes) << unused) >> unused;
}

static bool type_is_whole(uint64_t type)
{
	return type != TYPE_NULL && (type <= TYPE_WHOLE_MOST || type == TYPE_0 || type == TYPE_1);
}

static bool type_is_text(uint64_t type)
{
	return type > TYPE_BLOB && type % 2 == 1;
}

/* One value of the row that is being filled. False if SQLite would turn it into another kind. */
static bool take_value(const struct scan_worker *worker, struct field field, uint64_t type, const unsigned char *at)
{
	const struct scan_run *run = worker->run;
	struct scan_rows *rows = worker->rows;
	int64_t *value = &rows->value[field.column][rows->n];

	if (type == TYPE_NULL) {
		*value = 0;
		rows->null[rows->n] |= (uint16_t)(1U << field.column);
	} else if (field.kind != FIELD_TEXT && type_is_whole(type)) {
		*value = whole_number(at, type);
		if (field.kind == FIELD_NAME)
			*value = memo_name(worker->memo, run->store, *value);
	} else if (field.kind != FIELD_NUMBER && type_is_text(type)) {
		*value = memo_kept_text(worker->memo, run->scan->table, (const char *)at, type_size(type));
	} else {
		return false;
	}
	return true;
}

/* The next serial type, from *types on, of a header that ends at `end`. False if there is none, or if its value is
 * longer than the record. */
static inline bool next_type(
	const unsigned char **types, const unsigned char *end, const struct cell *cell, uint64_t *type, uint64_t *size)
{
	if (*types >= end)
		return false;
	*type = **types;
	if (*type < 0x80) {
		++*types;
		*size = type_size(*type);
		return true;
	}
	*types = bytes_varint(*types, end, type);
	*size = *types ? type_size(*type) : 0;
	return *types && *size <= cell->size;
}

/* Whether nobody wants the row, as far as the value of its first column tells. */
static inline bool is_value_unwanted(const struct scan_worker *worker, struct field field, uint64_t type)
{
	const struct scan *scan = worker->run->scan;

	return scan->wanted && field.column == 0 && type != TYPE_NULL &&
	       !scan->wanted(scan->user, worker->rows->value[0][worker->rows->n]);
}

enum taken { ROW_TAKEN, ROW_UNWANTED, ROW_UNUSUAL };

/* The wanted values of a record. SQLite, too, demands that they end where the record ends, if they are the last. */
static enum taken take_record(const struct scan_worker *worker, const struct cell *cell)
{
	const struct fields *fields = &worker->run->fields;
	const unsigned char *types, *end;
	uint64_t at, type, size; /* of a value, from the beginning of the record on */

	types = bytes_varint(cell->record, cell->record + cell->size, &at);
	if (!types || at > cell->size)
		return ROW_UNUSUAL;
	end = cell->record + at;
	worker->rows->null[worker->rows->n] = fields->null;
	for (size_t i = 0; i < fields->n; i++, at += size) {
		if (!next_type(&types, end, cell, &type, &size))
			return ROW_UNUSUAL;
		if (fields->list[i].kind == FIELD_UNWANTED)
			continue;
		if (at + size > cell->size || !take_value(worker, fields->list[i], type, cell->record + at))
			return ROW_UNUSUAL;
		if (is_value_unwanted(worker, fields->list[i], type))
			return ROW_UNWANTED;
	}
	return types < end || at == cell->size ? ROW_TAKEN : ROW_UNUSUAL;
}

/* A page whose cells are being read. */
struct cells {
	const unsigned char *page;
	uint32_t page_size, n;
	uint64_t left; /* bytes that the next ones can have if none overlap */
};

enum { AT_CELLS = 3, CELL_POINTER = 2 };

/* Where cell `i` is, if it is whole and in this page alone. */
static bool cell_find(struct cells *cells, uint32_t i, struct cell *cell)
{
	enum { NOT_PAYLOAD = 35 }; /* what a page needs beside the longest record that does not overflow */
	uint32_t at = bytes_u16(cells->page + PAGE_HEADER + (size_t)CELL_POINTER * i);
	const unsigned char *begin = cells->page + at, *end = cells->page + cells->page_size, *next;
	uint64_t number, size;

	if (at < PAGE_HEADER + CELL_POINTER * cells->n || at >= cells->page_size)
		return false;
	next = bytes_varint(begin, end, &cell->size);
	next = next ? bytes_varint(next, end, &number) : NULL;
	if (!next || cell->size > cells->page_size - NOT_PAYLOAD || cell->size > (uint64_t)(end - next))
		return false;
	cell->number = (int64_t)number;
	cell->record = next;
	size = (uint64_t)(next - begin) + cell->size;
	if (size > cells->left)
		return false;
	cells->left -= size;
	return true;
}

static bool cells_begin(struct cells *cells, const struct btree *tree, const unsigned char *page)
{
	cells->page = page;
	cells->page_size = tree->page_size;
	cells->n = bytes_u16(page + AT_CELLS);
	cells->left = tree->page_size;
	/* Only an empty table has an empty page. */
	return page[0] == PAGE_LEAF && (cells->n > 0 || tree->nleaves == 1) &&
	       PAGE_HEADER + CELL_POINTER * cells->n <= tree->page_size;
}

bool scan_worker_read_leaf(struct scan_worker *worker, size_t leaf, const unsigned char *page)
{
	const struct btree *tree = &worker->run->tree;
	int64_t first = btree_first(tree, leaf), last = tree->leaves[leaf].last;
	struct cells cells;
	struct cell cell;
	enum taken taken;

	if (!cells_begin(&cells, tree, page))
		return false;
	for (uint32_t i = 0; i < cells.n; i++) {
		/* Only a row with the last number of all can have had that. */
		if (i > 0 && first == INT64_MIN)
			return false;
		scan_worker_room(worker);
		if (!cell_find(&cells, i, &cell))
			return scan_worker_read_range(worker, first, last, cells.n - i);
		if (cell.number < first || cell.number > last)
			return false;
		taken = take_record(worker, &cell);
		if (taken == ROW_UNUSUAL)
			return scan_worker_read_range(worker, first, last, cells.n - i);
		worker->rows->n += taken == ROW_TAKEN;
		first = cell.number == INT64_MAX ? INT64_MIN : cell.number + 1;
	}
	return true;
}
