/* cells.c: see cells.h. */
#include "contrast/step/cells.h"

#include <string.h>

#include "util/number.h"

struct value cell_of_row(const struct cursor *cursor, enum table_id table, int column)
{
	const struct column *columns = schema_table(table)->columns;

	if (cursor_null(cursor, column))
		return (struct value){.kind = VALUE_NULL};
	if (columns[column].type == COLUMN_INT)
		return VALUE_OF_INT(cursor_int(cursor, column));
	if (columns[column].type == COLUMN_REAL)
		return VALUE_OF_REAL(cursor_real(cursor, column));
	return VALUE_OF_TEXT(cursor_text(cursor, column));
}

void cells_of_row(const struct cursor *cursor, enum table_id table, struct value *row)
{
	for (int i = 0; i < schema_table(table)->ncolumns; i++)
		row[i] = cell_of_row(cursor, table, i);
}

/* Those that a recording keeps as times since its session began. */
static bool is_time_column(const struct column *column)
{
	return column->type == COLUMN_INT && (strcmp(column->name, "start") == 0 || strcmp(column->name, "end") == 0 ||
						     strcmp(column->name, "timestamp") == 0);
}

static void make_absolute(enum table_id table, struct value *row, int64_t start)
{
	const struct table *of = schema_table(table);

	for (int i = 0; i < of->ncolumns; i++)
		if (row[i].kind == VALUE_INT && is_time_column(&of->columns[i]))
			row[i].integer = int64_sum(row[i].integer, start);
}

int copy_table(struct recording *rec, struct store *store, enum table_id table, int64_t start, struct error *err)
{
	struct cursor *cursor = store_rows(store, table, -1, err);
	int more = cursor ? cursor_next(cursor, err) : -1;

	for (; more > 0; more = cursor_next(cursor, err)) {
		struct value row[TABLE_MAX_COLUMNS] = {{.kind = VALUE_NULL}};

		cells_of_row(cursor, table, row);
		make_absolute(table, row, start);
		if (recording_row(rec, table, row, err) < 0) {
			more = -1;
			break;
		}
	}
	cursor_close(cursor);
	return more;
}
