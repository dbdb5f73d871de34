/* rows-private.h: what rows.c and rows-cells.c share. */
#ifndef TESTS_FUZZ_ROWS_PRIVATE_H
#define TESTS_FUZZ_ROWS_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_COLUMNS = 80, MAX_NAME = 64 };

/* One table of the file to be. */
struct made_table {
	char name[MAX_NAME];
	char columns[MAX_COLUMNS][MAX_NAME], types[MAX_COLUMNS][MAX_NAME];
	bool lacks[MAX_COLUMNS];
	int ncolumns;
};

struct cell {
	int column;
	enum { CELL_TEXT, CELL_BLOB, CELL_INT, CELL_REAL } kind;
	const char *text;
	size_t size;
	int64_t integer;
	double real;
};

/* Whether a name, whatever its letters' case, is this word of `length` bytes. */
bool rows_same(const char *name, const char *word, size_t length);

/* How long the name at `at` is: of letters, digits and _; 0 if it is none, or too long. */
size_t rows_name_length(const char *at);

/* The index of a column, which is added if it is new; -1 if there are too many. */
int rows_column(struct made_table *t, const char *name, size_t length);

/* The cells of a line, which is changed: its texts stay in it. Returns how many there are, at most MAX_COLUMNS. */
int rows_cells(struct made_table *t, char *at, struct cell *cells);

#endif
