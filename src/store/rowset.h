/* rowset.h: small tables of a recording, whole in memory: read once, sorted by a key, looked up by it. */
#ifndef DBPROF_STORE_ROWSET_H
#define DBPROF_STORE_ROWSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "store/store.h"

/* A table. Begins as {0}, ends with rowset_free(). */
struct rowset {
	const struct table *table; /* NULL if not loaded */
	int nkeys;                 /* rows are sorted by the first nkeys columns, which hold text */
	size_t nrows;
	bool cut;                      /* the table has more: see rows_most() */
	const struct packed_row **row; /* owned, as are what they point to: */
	struct row_block *blocks;      /* but for texts of StringIds, which are the store's */
};

/* How many rows of a table are read: many times what an honest file has, but no more than memory in proportion to the
 * file can hold with what is made of each. */
size_t rows_most(enum table_id table);

/* A slice of a rowset. */
struct rows {
	const struct rowset *set;
	size_t first, count;
};

/* Reads a table, whose store is to stay open: sorted by its first `nkeys` columns, within equal keys by column `order`
 * (-1: as in the file). */
int rowset_load(struct rowset *set, struct store *store, enum table_id table, int nkeys, int order, struct error *err);
/* Puts rows that are NULL in `column` before the others of the same keys; keeps their order otherwise. */
void rowset_nulls_first(struct rowset *set, int column);
/* Keeps the first of the rows with the same texts in the first `n` columns, which are a key: of things that are there
 * twice, each would have all that belongs to both. Rows of the same first n - 1 texts must stand together. */
void rowset_unique(struct rowset *set, int n);
void rowset_free(struct rowset *set);

struct rows rows_all(const struct rowset *set);
/* The rows whose first `n` columns (at most nkeys) hold these texts. */
struct rows rows_find(const struct rowset *set, int n, const char *const *key);
/* The rows whose `column`, by which the set was ordered when it was loaded, holds `number`. */
struct rows rows_numbered(const struct rowset *set, int column, int64_t number);

/* Which row of the slice is the first with this text in a column (NULL reads as ""), or -1. */
ssize_t rows_with(const struct rows *rows, int column, const char *text);

/* Cells of row `i` of a slice. NULL reads as NULL, 0 and NaN. */
struct value row_cell(const struct rows *rows, size_t i, int column); /* its text lives as long as the set */
bool row_null(const struct rows *rows, size_t i, int column);
const char *row_text(const struct rows *rows, size_t i, int column);
const char *row_string(const struct rows *rows, size_t i, int column); /* row_text(), but "" for NULL */
int64_t row_int(const struct rows *rows, size_t i, int column);
double row_real(const struct rows *rows, size_t i, int column);
/* Of something counted, such as threads: 0 for less than 0, INT_MAX for more than that. */
int row_count(const struct rows *rows, size_t i, int column);

#endif
