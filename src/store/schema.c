/* schema.c: the tables of schema.h as arrays. */
#include "store/schema.h"

#define COLUMN_ENTRY(table, name, type, meaning) {#name, COLUMN_##type, meaning},
#define TABLE(id, sql, columns) static const struct column columns_of_##id[] = {columns(COLUMN_ENTRY, id)};
TABLES(TABLE)
#undef TABLE

#define TABLE(id, sql, columns) [TABLE_##id] = {sql, columns_of_##id, id##_NUMBER},
static const struct table tables[TABLES_NUMBER] = {TABLES(TABLE)};
#undef TABLE

#define TABLE(id, sql, columns) _Static_assert((int)id##_NUMBER <= (int)TABLE_MAX_COLUMNS, sql " has too many columns");
TABLES(TABLE)
#undef TABLE

const struct table *schema_table(enum table_id id)
{
	return &tables[id];
}
