/* decode.c: see decode.h. */
#include "store/spool/decode.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* The last row of a table. A column that is NULL keeps its last value in `row`, where only the kind says NULL. */
struct last_row {
	uint64_t nulls;
	uint64_t textless; /* text columns without a last value to refer to */
	bool seen;
	struct value row[TABLE_MAX_COLUMNS];
	uint32_t texts[TABLE_MAX_COLUMNS];
};

struct spool_decoder {
	uint32_t checksum;
	char **texts; /* by number - 1 */
	size_t ntexts, capacity;
	struct last_row last[TABLES_NUMBER];
};

static void set_kind(struct value *value, enum column_type type)
{
	value->kind = type == COLUMN_INT ? VALUE_INT : type == COLUMN_REAL ? VALUE_REAL : VALUE_TEXT;
}

struct spool_decoder *spool_decoder_new(void)
{
	struct spool_decoder *decoder = xcalloc(1, sizeof(*decoder));

	decoder->checksum = spool_schema();
	for (int id = 0; id < TABLES_NUMBER; id++) {
		const struct table *t = schema_table((enum table_id)id);

		decoder->last[id].textless = spool_text_columns(t);
		for (int i = 0; i < t->ncolumns; i++)
			set_kind(&decoder->last[id].row[i], t->columns[i].type);
	}
	return decoder;
}

void spool_decoder_free(struct spool_decoder *decoder)
{
	if (!decoder)
		return;
	for (size_t i = 0; i < decoder->ntexts; i++)
		free(decoder->texts[i]);
	free(decoder->texts);
	free(decoder);
}

bool spool_take_varint(const unsigned char **at, const unsigned char *end, uint64_t *x)
{
	*x = 0;
	for (int shift = 0; *at < end && shift < 64; shift += 7) {
		unsigned char byte = *(*at)++;

		*x |= (uint64_t)(byte & 0x7F) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

/* Takes a text. It is not copied. */
static bool take_text(const unsigned char **at, const unsigned char *end, const char **text, size_t *size)
{
	uint64_t length;

	if (!spool_take_varint(at, end, &length) || length >= (uint64_t)(end - *at) || (*at)[length] != '\0')
		return false;
	*text = (const char *)*at;
	*size = (size_t)length + 1;
	*at += *size;
	return true;
}

/* Gives a text the next number. */
static uint32_t keep_text(struct spool_decoder *decoder, const char *text, size_t size)
{
	xgrow(&decoder->texts, decoder->ntexts, &decoder->capacity, sizeof(*decoder->texts));
	decoder->texts[decoder->ntexts++] = xmemdup(text, size);
	return (uint32_t)decoder->ntexts;
}

/* False for damage, as all that follow. */
static bool take_text_cell(struct spool_decoder *decoder, const unsigned char **at, const unsigned char *end,
	struct value *value, uint32_t *number)
{
	uint64_t form;
	size_t size;

	if (!spool_take_varint(at, end, &form))
		return false;
	if (form >= SPOOL_TEXT_KNOWN) {
		if (form - SPOOL_TEXT_KNOWN >= decoder->ntexts)
			return false;
		value->text = decoder->texts[form - SPOOL_TEXT_KNOWN];
		*number = (uint32_t)(form - SPOOL_TEXT_KNOWN) + 1;
		return true;
	}
	if (!take_text(at, end, &value->text, &size))
		return false;
	*number = 0;
	if (form == SPOOL_TEXT_FULL)
		return true;
	*number = keep_text(decoder, value->text, size);
	value->text = decoder->texts[*number - 1];
	return true;
}

static bool take_cell(struct spool_decoder *decoder, const unsigned char **at, const unsigned char *end,
	enum column_type type, struct value *value, uint32_t *number)
{
	uint64_t x;

	switch (type) {
	case COLUMN_INT:
		if (!spool_take_varint(at, end, &x))
			return false;
		value->integer = (int64_t)((uint64_t)value->integer + (x >> 1 ^ (0 - (x & 1))));
		return true;
	case COLUMN_REAL:
		if ((size_t)(end - *at) < sizeof(value->real))
			return false;
		memcpy(&value->real, *at, sizeof(value->real));
		*at += sizeof(value->real);
		return true;
	case COLUMN_TEXT:
	case COLUMN_NAME:
		break;
	}
	return take_text_cell(decoder, at, end, value, number);
}

static bool take_cells(struct spool_decoder *decoder, const unsigned char *at, const unsigned char *end,
	const struct table *t, struct last_row *last, uint64_t changed)
{
	for (uint64_t left = changed; left != 0; left &= left - 1) {
		int i = __builtin_ctzll(left);

		if (!take_cell(decoder, &at, end, t->columns[i].type, &last->row[i], &last->texts[i]))
			return false;
		if (last->row[i].kind == VALUE_TEXT && last->texts[i] == 0)
			last->textless |= UINT64_C(1) << i;
		else
			last->textless &= ~(UINT64_C(1) << i);
	}
	return at == end;
}

static void change_nulls(const struct table *t, struct last_row *last, uint64_t nulls)
{
	for (uint64_t left = nulls ^ last->nulls; left != 0; left &= left - 1) {
		int i = __builtin_ctzll(left);

		if ((nulls >> i & 1) != 0)
			last->row[i].kind = VALUE_NULL;
		else
			set_kind(&last->row[i], t->columns[i].type);
	}
	last->nulls = nulls;
}

/* The beginning of a body up to the cells. False if it cannot be what an encoder wrote. */
static bool spool_decode_take_head(const unsigned char **at, const unsigned char *end,
	const struct spool_decoder *decoder, enum table_id *table, uint64_t *nulls, uint64_t *changed)
{
	const struct last_row *last;
	uint64_t head, columns;

	if (!spool_take_varint(at, end, &head) || head / 2 >= TABLES_NUMBER)
		return false;
	*table = (enum table_id)(head / 2);
	last = &decoder->last[*table];
	*nulls = last->nulls;
	if ((head % 2 != 0 && !spool_take_varint(at, end, nulls)) || !spool_take_varint(at, end, changed))
		return false;
	columns = (UINT64_C(1) << schema_table(*table)->ncolumns) - 1;
	return ((*nulls | *changed) & ~columns) == 0 && (*nulls & *changed) == 0 &&
	       (last->textless & ~*nulls & ~*changed) == 0;
}

bool spool_decode(struct spool_decoder *decoder, const unsigned char *body, size_t length, uint32_t checksum,
	struct spool_record *record)
{
	const unsigned char *at = body, *end = body + length;
	struct last_row *last;
	uint64_t nulls, changed, before;
	bool whole;

	decoder->checksum = spool_checksum(decoder->checksum, body, length);
	if (decoder->checksum != checksum ||
		!spool_decode_take_head(&at, end, decoder, &record->table, &nulls, &changed))
		return false;
	last = &decoder->last[record->table];
	before = last->nulls;
	change_nulls(schema_table(record->table), last, nulls);
	whole = take_cells(decoder, at, end, schema_table(record->table), last, changed);
	record->row = last->row;
	record->texts = last->texts;
	record->changed = last->seen ? changed | (nulls ^ before) : UINT64_MAX;
	last->seen = true;
	return whole;
}
