/* row.c: see row.h. */
#include "store/row.h"

#include <string.h>

static bool row_fits(enum column_type type, const struct value *value)
{
	if (value_is_null(value))
		return true;
	switch (type) {
	case COLUMN_INT:
		return value->kind == VALUE_INT;
	case COLUMN_REAL:
		return value->kind == VALUE_REAL || value->kind == VALUE_INT;
	case COLUMN_TEXT:
	case COLUMN_NAME:
		return value->kind == VALUE_TEXT;
	}
	return false;
}

int row_check_value(const struct table *table, int column, const struct value *value, struct error *err)
{
	if (row_fits(table->columns[column].type, value))
		return 0;
	return error_set(err, "a value of the wrong type for %s.%s: this is a bug in dbprof", table->name,
		table->columns[column].name);
}

int row_check(enum table_id table, const struct value *row, struct error *err)
{
	const struct table *t;

	if ((int)table < 0 || table >= TABLES_NUMBER)
		return error_set(
			err, "a row for table number %d, which does not exist: this is a bug in dbprof", (int)table);
	t = schema_table(table);
	for (int i = 0; i < t->ncolumns; i++)
		if (row_check_value(t, i, &row[i], err) != 0)
			return -1;
	return 0;
}

bool value_is_same(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case VALUE_NULL:
		return true;
	case VALUE_INT:
		return a->integer == b->integer;
	case VALUE_REAL:
		/* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): also of NaN */
		return memcmp(&a->real, &b->real, sizeof(a->real)) == 0;
	case VALUE_TEXT:
		return a->text == b->text;
	}
	return false;
}
