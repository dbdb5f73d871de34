/* cells.h: rows of one recording, copied into another. */
#ifndef DBPROF_CONTRAST_STEP_CELLS_H
#define DBPROF_CONTRAST_STEP_CELLS_H

#include "store/store.h"

/* What the cursor's row has in a column of the table. A text lives until the next row. */
struct value cell_of_row(const struct cursor *cursor, enum table_id table, int column);

/* Fills a row of the table's columns. */
void cells_of_row(const struct cursor *cursor, enum table_id table, struct value *row);

/* Copies a whole table. Times of a recording begin with its session: `start` is that of the copied one (CLOCK_REALTIME,
 * ns). -1 with `err`. */
int copy_table(struct recording *rec, struct store *store, enum table_id table, int64_t start, struct error *err);

#endif
