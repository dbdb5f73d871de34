/* spool-read.c: reads the whole rows of a spool; stops at the first that is not whole. */
#include "store/spool-format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store/path.h"

struct spool_reader {
	FILE *file;
	char *path;
	uint64_t left; /* bytes of the file not read yet: no row can be longer */
	char *cells;   /* of the current row */
	size_t capacity;
	bool torn;
};

static int read_error(const struct spool_reader *reader, struct error *err)
{
	return error_set(err, "cannot read %s: %s: check the disk", reader->path, strerror(errno));
}

/* 1 if `size` bytes were read, 0 if the file has fewer, -1 on error. */
static int get(struct spool_reader *reader, void *data, size_t size, struct error *err)
{
	if (size > reader->left)
		return 0;
	if (fread(data, 1, size, reader->file) != size)
		return ferror(reader->file) ? read_error(reader, err) : 0;
	reader->left -= size;
	return 1;
}

static int check_header(struct spool_reader *reader, struct error *err)
{
	struct spool_header header;
	size_t size = reader->left < sizeof header ? (size_t)reader->left : sizeof header;
	size_t magic = size < sizeof header.magic ? size : sizeof header.magic;
	int rc = get(reader, &header, size, err);

	if (rc < 0)
		return -1;
	if (rc == 0 || memcmp(header.magic, SPOOL_MAGIC, magic) != 0)
		return error_set(err, "%s is no spool file of dbprof: delete it and record again", reader->path);
	if (size < sizeof header) {
		reader->torn = true;
		return 0;
	}
	if (header.byte_order != SPOOL_BYTE_ORDER || header.schema != spool_schema())
		return error_set(
			err, "%s was written by another version of dbprof: delete it and record again", reader->path);
	return 0;
}

static int open_file(struct spool_reader *reader, struct error *err)
{
	struct stat st;

	reader->file = fopen(reader->path, "re");
	if (reader->file == NULL || fstat(fileno(reader->file), &st) != 0)
		return read_error(reader, err);
	if (!S_ISREG(st.st_mode))
		return error_set(err, "%s is no regular file: delete it and record again", reader->path);
	reader->left = (uint64_t)st.st_size;
	return check_header(reader, err);
}

struct spool_reader *spool_reader_open(const char *path, struct error *err)
{
	struct spool_reader *reader = calloc(1, sizeof *reader);

	if (reader == NULL || (reader->path = strdup(path)) == NULL) {
		free(reader);
		path_memory_error(err, "read", path);
		return NULL;
	}
	if (open_file(reader, err) != 0) {
		spool_reader_close(reader);
		return NULL;
	}
	return reader;
}

static int reserve(struct spool_reader *reader, size_t size, struct error *err)
{
	char *cells;

	if (size <= reader->capacity)
		return 0;
	cells = realloc(reader->cells, size);
	if (cells == NULL)
		return path_memory_error(err, "read", reader->path);
	reader->cells = cells;
	reader->capacity = size;
	return 0;
}

/* Takes `size` bytes off the front of [*at, end); false if there are fewer. */
static bool take(const char **at, const char *end, void *data, size_t size)
{
	if ((size_t)(end - *at) < size)
		return false;
	memcpy(data, *at, size);
	*at += size;
	return true;
}

static bool take_text(const char **at, const char *end, struct value *value)
{
	uint32_t length;

	if (!take(at, end, &length, sizeof length) || (size_t)(end - *at) <= length || (*at)[length] != '\0')
		return false;
	*value = VALUE_OF_TEXT(*at);
	*at += length + 1;
	return true;
}

static bool take_cell(const char **at, const char *end, struct value *value)
{
	unsigned char tag;

	*value = (struct value){0};
	if (!take(at, end, &tag, 1))
		return false;
	switch (tag) {
	case CELL_NULL:
		return true;
	case CELL_INT:
		value->kind = VALUE_INT;
		return take(at, end, &value->integer, sizeof value->integer);
	case CELL_REAL:
		value->kind = VALUE_REAL;
		return take(at, end, &value->real, sizeof value->real);
	case CELL_TEXT:
		return take_text(at, end, value);
	}
	return false;
}

static bool decode(const char *cells, size_t length, const struct table *t, struct value *row)
{
	const char *at = cells, *end = cells + length;

	for (int i = 0; i < t->ncolumns; i++)
		if (!take_cell(&at, end, &row[i]))
			return false;
	return at == end;
}

/* As spool_reader_next(), but 0 also for a row that is not whole. */
static int next_row(struct spool_reader *reader, enum table_id *table, struct value *row, struct error *err)
{
	struct spool_row_head head;
	uint32_t sum, expected;
	int rc = get(reader, &head, sizeof head, err);

	if (rc <= 0)
		return rc;
	if (head.table >= TABLES_NUMBER || head.length > reader->left)
		return 0;
	if (reserve(reader, head.length, err) != 0)
		return -1;
	rc = get(reader, reader->cells, head.length, err);
	if (rc > 0)
		rc = get(reader, &sum, sizeof sum, err);
	if (rc <= 0)
		return rc;
	expected = spool_checksum(spool_checksum(SPOOL_CHECKSUM_START, &head, sizeof head), reader->cells, head.length);
	*table = (enum table_id)head.table;
	return sum == expected && decode(reader->cells, head.length, schema_table(*table), row);
}

int spool_reader_next(struct spool_reader *reader, enum table_id *table, struct value *row, struct error *err)
{
	int rc;

	if (reader->left == 0)
		return 0;
	rc = next_row(reader, table, row, err);
	if (rc == 0) {
		reader->torn = true;
		reader->left = 0;
	}
	return rc;
}

bool spool_reader_torn(const struct spool_reader *reader)
{
	return reader->torn;
}

void spool_reader_close(struct spool_reader *reader)
{
	if (reader == NULL)
		return;
	if (reader->file != NULL)
		fclose(reader->file);
	free(reader->cells);
	free(reader->path);
	free(reader);
}
