/* row.h: whether a row fits its table; for spool and writer. */
#ifndef DBPROF_STORE_ROW_H
#define DBPROF_STORE_ROW_H

#include "store/store.h"

/* Checks that each value can go into its column: NULL anywhere, integers also into REAL columns. Returns 0, or -1 with
 * the column that does not fit. A VALUE_TEXT of NULL counts as NULL. */
int row_check(enum table_id table, const struct value *row, struct error *err);

/* The same for one value. */
int row_check_value(const struct table *table, int column, const struct value *value, struct error *err);

/* Whether two values are the same; texts are if they have the same address. */
bool value_is_same(const struct value *a, const struct value *b);

/* True if the value is stored as NULL. */
static inline bool value_is_null(const struct value *value)
{
	return value->kind == VALUE_NULL || (value->kind == VALUE_TEXT && !value->text);
}

#endif
