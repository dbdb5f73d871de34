/* rows-json.c: see rows-json.h. */
#include "model/rows-json.h"

#include "tree/json.h"

json_t *row_json(const struct rows *rows, size_t i, int column)
{
	struct value cell = row_cell(rows, i, column);

	if (cell.kind == VALUE_INT)
		return json_integer(cell.integer);
	if (cell.kind == VALUE_REAL)
		return real_json(cell.real);
	return text_json(row_text(rows, i, column));
}

void put_fields(json_t *object, const struct rows *rows, size_t i, const struct field *fields, size_t n)
{

	for (size_t f = 0; f < n; f++)
		put_json(object, fields[f].key, row_json(rows, i, fields[f].column));
}

json_t *rows_list(const struct rows *rows, const struct field *fields, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < rows->count; i++) {
		json_t *object = json_object();

		put_fields(object, rows, i, fields, n);
		append_json(list, object);
	}
	return list;
}
