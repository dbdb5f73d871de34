/* cells.h: the cells of a table of CSV (RFC 4180, lines end with CR LF), from left to right, into ex->text. */
#ifndef DBPROF_EXPORT_CELLS_H
#define DBPROF_EXPORT_CELLS_H

#include "export/format.h"

void csv_header(struct export *ex, const char *columns);
void csv_int(struct export *ex, int64_t number);
void csv_real(struct export *ex, double number);                          /* empty if it is not finite */
void csv_text(struct export *ex, const char *string);                     /* NULL is empty */
void csv_times(struct export *ex, int64_t start, int64_t end);            /* three cells, the last is the duration */
void csv_column(struct export *ex, const struct cursor *row, int column); /* an integer, empty if NULL */

/* Ends the row. */
void csv_end(struct export *ex);

#endif
