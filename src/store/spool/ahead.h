/* ahead.h: the rows of a spool in batches. A thread reads and decodes while the caller writes what came before. */
#ifndef DBPROF_STORE_SPOOL_AHEAD_H
#define DBPROF_STORE_SPOOL_AHEAD_H

#include "store/spool/format.h"

/* A row says only what differs from the last row of its table: its cells stand in the order of the columns. */
struct ahead_row {
	enum table_id table;
	uint64_t changed; /* the columns that it has cells for; all of the table's in its first row */
};

struct ahead_cell {
	struct value value;
	uint32_t text; /* the number of its text; 0 for a text in full and for no text */
};

struct ahead_batch {
	struct ahead_row *rows;
	struct ahead_cell *cells;
	size_t nrows, ncells, cell_room;
	char **texts; /* copies of the texts in full */
	size_t ntexts, text_room, text_bytes;
};

struct ahead;

/* Opens a spool as spool_reader_open() does. The memory of what is read ahead does not grow with the spool. */
struct ahead *ahead_open(const char *path, struct error *err);

/* The next batch, which has a row at least; it lives until the next call, texts with a number until ahead_close(). NULL
 * at the end, or on a read error, with *rc -1 and `err`. */
const struct ahead_batch *ahead_next(struct ahead *ahead, int *rc, struct error *err);

/* After the end: whether there were bytes left that make no whole row. */
bool ahead_torn(const struct ahead *ahead);

/* Also before the end. NULL is allowed. */
void ahead_close(struct ahead *ahead);

#endif
