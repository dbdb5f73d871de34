/*
 * format.h: the layout of a spool, and the reader that the writer of recordings uses.
 *
 * A spool starts with a struct spool_header. Then come rows:
 *     varint length of the body, body, u32 checksum of the body, which goes on from the checksum of the row before
 * and a body is
 *     varint 2 * table + N, varint nulls if N is 1, varint changed, one cell for each column in `changed`
 * A row says only what differs from the last row of its table: nearly all cells of a kernel's row are those of the
 * kernel before. `nulls` is the set of columns that are NULL (bit 0 is column 0), the last one given unless N is 1;
 * `changed` are columns, not NULL, whose value is not the last one that was given for them. Before the first row no
 * column is NULL, and numbers are 0. A cell is
 *     INT         varint of the zigzag of its difference to the last value, modulo 2^64
 *     REAL        its 8 bytes
 *     TEXT, NAME  varint 0 and a text: the text; it is not remembered as the last value
 *                 varint 1 and a text: the text; it also gets the next number, from 1
 *                 varint 1 + n: the text with number n
 * A text is a varint length, its bytes and NUL. A varint is LEB128: 7 bits in a byte, low ones first, the top bit set
 * in all but the last. All else is in the machine's own byte order: a spool never leaves the machine.
 */
#ifndef DBPROF_STORE_SPOOL_FORMAT_H
#define DBPROF_STORE_SPOOL_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

#define SPOOL_MAGIC "dbprofS2"

struct spool_header {
	char magic[8];
	uint32_t byte_order; /* SPOOL_BYTE_ORDER */
	uint32_t schema;     /* spool_schema() */
};

enum { SPOOL_BYTE_ORDER = 0x01020304, SPOOL_MAX_ROW = 512 << 20, SPOOL_MAX_VARINT = 10 };

/* The varint at the beginning of a text cell. */
enum { SPOOL_TEXT_FULL, SPOOL_TEXT_NEW, SPOOL_TEXT_KNOWN };

/* The checksum of a row's body. `before` is the checksum of the row before; for the first row, spool_schema(). */
uint32_t spool_checksum(uint32_t before, const void *data, size_t size);

/* A fingerprint of all tables and columns: a spool of a dbprof with another schema is refused. */
uint32_t spool_schema(void);

/* The columns of a table that hold text, as bits. */
uint64_t spool_text_columns(const struct table *t);

struct spool_reader;

/* A row that was read. What it points to lives until the next call; texts with a number live until the reader closes.
 */
struct spool_record {
	enum table_id table;
	const struct value *row; /* a value for each column of the table; in REAL columns integers have become reals */
	const uint32_t *texts;   /* the number of each column's text; 0 for a text in full and for no text */
	uint64_t changed;        /* columns that differ from the last row of this table; all columns in the first row */
};

/* Opens a spool. NULL with err if it cannot be read or is not a spool of this dbprof. A short header counts as a torn
 * tail. */
struct spool_reader *spool_reader_open(const char *path, struct error *err);

/* Bytes of the file that were not taken yet. */
uint64_t spool_reader_size(const struct spool_reader *reader);

/* Reads the next whole row: 1 with *record filled. 0 at the end, -1 on a read error. */
int spool_reader_next(struct spool_reader *reader, struct spool_record *record, struct error *err);

/* After spool_reader_next() has returned 0: whether there were bytes left that make no whole row. */
bool spool_reader_torn(const struct spool_reader *reader);

void spool_reader_close(struct spool_reader *reader); /* NULL is allowed */

#endif
