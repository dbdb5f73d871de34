/* encode.c: see encode.h. */
#include "store/spool/encode.h"

#include <stdlib.h>
#include <string.h>

#include "store/intern.h"
#include "store/row.h"
#include "store/spool/format.h"

/* A longer text of a TEXT column is expected to come once (bytes). */
enum { LONGEST_KNOWN_TEXT = 256 };

/* A traced program may open millions of ranges, each with a text of its own. The spool must not remember them all:
 * above this limit (bytes), new texts are written in full each time. */
enum { MOST_KNOWN_TEXTS = 16 << 20 };

/* The last values of a table's columns. */
struct last_row {
	uint64_t nulls;
	uint64_t cell[TABLE_MAX_COLUMNS]; /* the integer, the bits of the real, the number of the text or 0 */
};

struct spool_encoder {
	struct intern *texts;
	uint32_t checksum;
	uint64_t nulls, changed; /* the plan for the next row */
	struct last_row last[TABLES_NUMBER];
};

struct spool_encoder *spool_encoder_new(void)
{
	struct spool_encoder *encoder = calloc(1, sizeof(*encoder));

	if (!encoder)
		return NULL;
	encoder->checksum = spool_schema();
	encoder->texts = intern_new(MOST_KNOWN_TEXTS);
	if (!encoder->texts) {
		free(encoder);
		return NULL;
	}
	return encoder;
}

void spool_encoder_free(struct spool_encoder *encoder)
{
	if (!encoder)
		return;
	intern_free(encoder->texts);
	free(encoder);
}

static uint64_t bits_of(const struct value *value)
{
	double real = value->kind == VALUE_INT ? (double)value->integer : value->real;
	uint64_t bits;

	memcpy(&bits, &real, sizeof(bits));
	return bits;
}

/* Whether a value that is not NULL equals the last one of its column. If it does not, adds the size of its text to
 * *most. */
static bool unchanged(const struct spool_encoder *encoder, enum column_type type, const struct value *value,
	uint64_t last, size_t *most)
{
	if (type == COLUMN_INT)
		return (uint64_t)value->integer == last;
	if (type == COLUMN_REAL)
		return bits_of(value) == last;
	if (last != 0 && strcmp(intern_text(encoder->texts, (uint32_t)last), value->text) == 0)
		return true;
	*most += SPOOL_MAX_VARINT + strlen(value->text) + 1;
	return false;
}

int spool_encode_plan(
	struct spool_encoder *encoder, enum table_id table, const struct value *row, size_t *most, struct error *err)
{
	const struct last_row *last;
	const struct table *t;
	uint64_t nulls = 0, changed = 0;
	size_t size;

	if (row_check(table, row, err) != 0)
		return -1;
	t = schema_table(table);
	last = &encoder->last[table];
	/* Length, table, two sets and checksum; then the cells. */
	size = (size_t)(4 + t->ncolumns) * SPOOL_MAX_VARINT + sizeof(uint32_t);
	for (int i = 0; i < t->ncolumns; i++)
		if (value_is_null(&row[i]))
			nulls |= UINT64_C(1) << i;
		else if (!unchanged(encoder, t->columns[i].type, &row[i], last->cell[i], &size))
			changed |= UINT64_C(1) << i;
	if (size > SPOOL_MAX_ROW)
		return error_set(err, "a row for %s is larger than 512 MiB: record less text", t->name);
	encoder->nulls = nulls;
	encoder->changed = changed;
	*most = size;
	return 0;
}

static unsigned char *put_varint(unsigned char *at, uint64_t x)
{
	for (; x >= 0x80; x >>= 7)
		*at++ = (unsigned char)(x | 0x80);
	*at++ = (unsigned char)x;
	return at;
}

/* Small numbers of either sign become small: 0, -1, 1, -2 ... are 0, 1, 2, 3 ... */
static uint64_t zigzag(uint64_t difference)
{
	return difference << 1 ^ (difference >> 63 == 0 ? 0 : UINT64_MAX);
}

static unsigned char *put_text(unsigned char *at, const char *text)
{
	size_t length = strlen(text);

	at = put_varint(at, length);
	memcpy(at, text, length + 1);
	return at + length + 1;
}

static unsigned char *put_text_cell(
	struct spool_encoder *encoder, unsigned char *at, enum column_type type, const char *text, uint64_t *last)
{
	bool worth = type == COLUMN_NAME || strnlen(text, LONGEST_KNOWN_TEXT + 1) <= LONGEST_KNOWN_TEXT, is_new = false;

	*last = worth ? intern_id(encoder->texts, text, &is_new) : 0;
	if (*last != 0 && !is_new)
		return put_varint(at, SPOOL_TEXT_KNOWN + *last - 1);
	*at++ = *last == 0 ? SPOOL_TEXT_FULL : SPOOL_TEXT_NEW;
	return put_text(at, text);
}

static unsigned char *spool_encode_put_cell(struct spool_encoder *encoder, unsigned char *at, enum column_type type,
	const struct value *value, uint64_t *last)
{
	if (type == COLUMN_INT) {
		at = put_varint(at, zigzag((uint64_t)value->integer - *last));
		*last = (uint64_t)value->integer;
		return at;
	}
	if (type == COLUMN_REAL) {
		*last = bits_of(value);
		memcpy(at, last, sizeof(*last));
		return at + sizeof(*last);
	}
	return put_text_cell(encoder, at, type, value->text, last);
}

static unsigned char *put_body(
	struct spool_encoder *encoder, enum table_id table, const struct value *row, unsigned char *at)
{
	const struct column *columns = schema_table(table)->columns;
	struct last_row *last = &encoder->last[table];
	bool new_nulls = encoder->nulls != last->nulls;

	at = put_varint(at, 2 * (uint64_t)table + new_nulls);
	if (new_nulls)
		at = put_varint(at, encoder->nulls);
	at = put_varint(at, encoder->changed);
	for (uint64_t left = encoder->changed; left != 0; left &= left - 1) {
		int i = __builtin_ctzll(left);

		at = spool_encode_put_cell(encoder, at, columns[i].type, &row[i], &last->cell[i]);
	}
	last->nulls = encoder->nulls;
	return at;
}

size_t spool_encode(struct spool_encoder *encoder, enum table_id table, const struct value *row, unsigned char *out)
{
	/* The body's length is known only when the body is written. So room is left for a length of any size, and the
	 * body moves up. */
	unsigned char *body = out + SPOOL_MAX_VARINT, *end = put_body(encoder, table, row, body), *at;
	size_t length = (size_t)(end - body);

	at = put_varint(out, length);
	memmove(at, body, length);
	encoder->checksum = spool_checksum(encoder->checksum, at, length);
	memcpy(at + length, &encoder->checksum, sizeof(encoder->checksum));
	return (size_t)(at - out) + length + sizeof(encoder->checksum);
}
