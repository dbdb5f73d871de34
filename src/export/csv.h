/* csv.h: how the tables of export-csv*.c write their cells. Private to them. */
#ifndef DBPROF_EXPORT_CSV_H
#define DBPROF_EXPORT_CSV_H

#include "store/store.h"
#include "export/walk.h"

/* Cells of a row, from left to right, into ex->text; csv_end() ends the row and returns 0. */
void csv_header(struct export *ex, const char *columns);
void csv_int(struct export *ex, int64_t number);
void csv_real(struct export *ex, double number);                          /* empty if it is not finite */
void csv_text(struct export *ex, const char *string);                     /* NULL is empty */
void csv_times(struct export *ex, int64_t start, int64_t end);            /* three cells, the last is the duration */
void csv_column(struct export *ex, const struct cursor *row, int column); /* an integer, empty if NULL */
int csv_end(struct export *ex);

/* The table of device work (export-csv-work.c), and those made of the model (export-csv-model.c). */
extern const struct export_hooks csv_work_hooks;
void csv_gpus(struct export *ex, const json_t *recording);
void csv_families(struct export *ex, const json_t *recording);

#endif
