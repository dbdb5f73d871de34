/* cells.c: see cells.h. */
#include "contrast/step/cells.h"

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
