/* format.c: what the writer and the reader of a spool must agree on. */
#include "store/spool/format.h"

#include <string.h>

#include "util/hash.h"

uint32_t spool_checksum(uint32_t before, const void *data, size_t size)
{
	return (uint32_t)hash_bytes(before, data, size);
}

uint32_t spool_schema(void)
{
	uint32_t sum = 0;

	for (int id = 0; id < TABLES_NUMBER; id++) {
		const struct table *t = schema_table((enum table_id)id);

		sum = spool_checksum(sum, t->name, strlen(t->name));
		for (int i = 0; i < t->ncolumns; i++) {
			sum = spool_checksum(sum, t->columns[i].name, strlen(t->columns[i].name));
			sum = spool_checksum(sum, &t->columns[i].type, sizeof(t->columns[i].type));
		}
	}
	return sum;
}

uint64_t spool_text_columns(const struct table *t)
{
	uint64_t columns = 0;

	for (int i = 0; i < t->ncolumns; i++)
		if (t->columns[i].type == COLUMN_TEXT || t->columns[i].type == COLUMN_NAME)
			columns |= UINT64_C(1) << i;
	return columns;
}
