/* rows-json.h: cells of a small table as JSON. */
#ifndef DBPROF_MODEL_ROWS_JSON_H
#define DBPROF_MODEL_ROWS_JSON_H

#include <jansson.h>
#include <stddef.h>

#include "store/rowset.h"

/* The cell of row `i`; null for NULL. */
json_t *row_json(const struct rows *rows, size_t i, int column);

/* A key of a JSON object and the column that it comes from. */
struct field {
	const char *key;
	int column;
};

/* Puts cells of row `i` into an object. */
void put_fields(json_t *object, const struct rows *rows, size_t i, const struct field *fields, size_t n);

/* An object for each of the rows. */
json_t *rows_list(const struct rows *rows, const struct field *fields, size_t n);

#endif
