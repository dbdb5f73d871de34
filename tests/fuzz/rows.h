/* rows.h: SQLite files as lines of text, so that what is fuzzed is their tables and values, not their bytes. Every text
 * is a file: what makes no sense is passed over.
 *
 *     KERNEL start=1 end=2 shortName="a \"b\"\n\x00" gridX=x'00ff'   a row: the table's short name (store/schema.h) or
 *                                                                  its SQL name, and its cells; the rest is NULL
 *     *100+5 KERNEL start=1 end=2                                  that row 100 times, each 5 later than the last:
 *                                                                  start, end, timestamp and correlationId
 *     -KERNEL start streamId                                       the table lacks these columns
 *     ~KERNEL start=TEXT                                           a column's type
 *     !CREATE VIEW ...                                             SQL, before the rows (PRAGMA) or after them
 *
 * A table has the schema's columns, if it is in the schema, and those that its rows name. */
#ifndef TESTS_FUZZ_ROWS_H
#define TESTS_FUZZ_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the file anew. False if it cannot be: SQLite found the SQL of the text too hostile. */
bool rows_make(const char *path, const uint8_t *text, size_t size);

/* The schema's short name of a table; and the table with a short name or SQL name of `length` bytes, or -1. */
const char *rows_table_name(int table);
int rows_table(const char *name, size_t length);

/* Changes the text a little, mostly to another that makes sense. As LLVMFuzzerCustomMutator(). */
size_t rows_mutate(uint8_t *text, size_t size, size_t max_size, unsigned seed);

#endif
