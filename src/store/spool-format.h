/*
 * spool-format.h: the layout of a spool, and the reader that the writer of recordings uses.
 *
 * A spool starts with SPOOL_MAGIC and a fingerprint of the schema. Then come rows:
 *     u32 table, u32 length of the cells, cells, u32 checksum over all of the row before it
 * A cell is a byte of enum cell_tag, followed by 8 bytes (integer, real) or by u32 length, text, NUL. Numbers are in
 * the machine's own byte order: a spool never leaves the machine.
 */
#ifndef DBPROF_STORE_SPOOL_FORMAT_H
#define DBPROF_STORE_SPOOL_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

#define SPOOL_MAGIC "dbprofS1"

struct spool_header {
	char magic[8];
	uint32_t byte_order; /* SPOOL_BYTE_ORDER */
	uint32_t schema;     /* spool_schema() */
};

enum { SPOOL_BYTE_ORDER = 0x01020304, SPOOL_MAX_ROW = 512 << 20 };

struct spool_row_head {
	uint32_t table, length;
};

enum cell_tag { CELL_NULL, CELL_INT, CELL_REAL, CELL_TEXT };

/* FNV-1a, 32 bits. Start with SPOOL_CHECKSUM_START. */
#define SPOOL_CHECKSUM_START 2166136261u
uint32_t spool_checksum(uint32_t sum, const void *data, size_t size);

/* A fingerprint of all tables and columns: a spool of a dbprof with another schema is refused. */
uint32_t spool_schema(void);

struct spool_reader;

/* Opens a spool. NULL with err if it cannot be read or is no spool of this dbprof. A short header is a torn tail. */
struct spool_reader *spool_reader_open(const char *path, struct error *err);

/* Next whole row: 1, with `*table` and `row` (TABLE_MAX_COLUMNS values) filled; text lives until the next call. 0 at
 * the end, -1 on a read error. */
int spool_reader_next(struct spool_reader *reader, enum table_id *table, struct value *row, struct error *err);

/* After 0 from spool_reader_next(): whether bytes were left over that form no whole row. */
bool spool_reader_torn(const struct spool_reader *reader);

void spool_reader_close(struct spool_reader *reader); /* NULL is allowed */

#endif
