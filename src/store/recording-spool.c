/* recording-spool.c: writes all rows of a spool into a recording. Millions may come. So a value that stays the same
 * from one row of a table to the next is bound once, and a text that comes again is checked once. */
#include "store/recording-private.h"

#include <stdlib.h>
#include <string.h>

#include "store/row.h"
#include "store/spool/format.h"
#include "util/alloc.h"

/* What is known of the spool's texts, by number. */
struct known_texts {
	struct known_text *texts;
	size_t capacity;
};

/* The entry for a number, NULL for the number 0. */
static struct known_text *known_text(struct known_texts *known, uint32_t number)
{
	if (number == 0)
		return NULL;
	if (number >= known->capacity) {
		size_t capacity = 2 * (size_t)number;

		known->texts = xreallocarray(known->texts, capacity, sizeof(*known->texts));
		memset(known->texts + known->capacity, 0, (capacity - known->capacity) * sizeof(*known->texts));
		known->capacity = capacity;
	}
	return &known->texts[number];
}

/* What a caller makes of the rows of one table. */
struct edited {
	uint64_t pending;                     /* columns that changed in rows that were left out */
	uint64_t columns;                     /* columns bound to a value that is not the spool's own ... */
	struct value last[TABLE_MAX_COLUMNS]; /* ... namely this */
};

struct editing {
	recording_edit *edit;
	void *user;
	struct edited *tables[TABLES_NUMBER]; /* NULL before a table's first row */
};

static bool same_value(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case VALUE_NULL:
		return true;
	case VALUE_INT:
		return a->integer == b->integer;
	case VALUE_REAL:
		/* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): also of NaN */
		return memcmp(&a->real, &b->real, sizeof(a->real)) == 0;
	case VALUE_TEXT:
		return a->text == b->text;
	}
	return false;
}

static int recording_spool_add_record(
	struct recording *rec, const struct spool_record *record, struct known_texts *known, struct error *err)
{
	const int ncolumns = schema_table(record->table)->ncolumns;

	if (recording_prepare(rec, record->table, err) != 0)
		return -1;
	for (uint64_t left = record->changed & ((UINT64_C(1) << ncolumns) - 1); left != 0; left &= left - 1) {
		int i = __builtin_ctzll(left);

		if (recording_bind(rec, record->table, i, &record->row[i], known_text(known, record->texts[i]), err) !=
			0)
			return -1;
	}
	if ((record->changed & rec->is_user[record->table]) != 0)
		recording_note_user(rec, record->table, record->row);
	return recording_step(rec, record->table, err);
}

/* What is bound may point into the reader. */
static void unbind(struct recording *rec)
{
	for (int i = 0; i < TABLES_NUMBER; i++)
		if (rec->insert[i])
			sqlite3_clear_bindings(rec->insert[i]);
}

/* The record with the edited row. Only columns whose bound value changes are bound again. Their texts have no number.
 */
static struct spool_record edit_record(
	struct edited *edited, const struct spool_record *record, const struct value *row, uint32_t *texts)
{
	struct spool_record out = {
		.table = record->table, .row = row, .texts = texts, .changed = record->changed | edited->pending};
	int ncolumns = schema_table(record->table)->ncolumns;

	edited->pending = 0;
	for (int i = 0; i < ncolumns; i++) {
		uint64_t bit = UINT64_C(1) << i;
		bool is_edited = !same_value(&row[i], &record->row[i]), was_edited = (edited->columns & bit) != 0;

		texts[i] = is_edited ? 0 : record->texts[i];
		if (is_edited && was_edited && same_value(&row[i], &edited->last[i]))
			out.changed &= ~bit;
		else if (is_edited || was_edited)
			out.changed |= bit;
		edited->columns = is_edited ? edited->columns | bit : edited->columns & ~bit;
		edited->last[i] = row[i];
	}
	return out;
}

/* Lets the caller edit a row, and adds what is left of it. */
static int add_edited(struct recording *rec, struct editing *editing, const struct spool_record *record,
	struct known_texts *known, struct error *err)
{
	struct edited **edited = &editing->tables[record->table];
	struct value row[TABLE_MAX_COLUMNS];
	uint32_t texts[TABLE_MAX_COLUMNS];
	struct spool_record out;

	memcpy(row, record->row, (size_t)schema_table(record->table)->ncolumns * sizeof(*row));
	if (!editing->edit(editing->user, record->table, row) || !rec) {
		if (*edited)
			(*edited)->pending |= record->changed;
		return 0;
	}
	if (!*edited) {
		*edited = xcalloc(1, sizeof(**edited));
		/* Nothing is bound yet, also if this is not the spool's first row of the table. */
		(*edited)->pending = UINT64_MAX;
	}
	out = edit_record(*edited, record, row, texts);
	return row_check(out.table, row, err) != 0 ? -1 : recording_spool_add_record(rec, &out, known, err);
}

int recording_edit_spool(
	struct recording *rec, const char *path, recording_edit *edit, void *user, bool *torn, struct error *err)
{
	struct spool_reader *reader = spool_reader_open(path, err);
	struct editing editing = {.edit = edit, .user = user};
	struct known_texts known = {0};
	struct spool_record record;
	int rc;

	if (!reader)
		return -1;
	while ((rc = spool_reader_next(reader, &record, err)) > 0) {
		rc = !edit ? recording_spool_add_record(rec, &record, &known, err)
			   : add_edited(rec, &editing, &record, &known, err);
		if (rc != 0)
			break;
	}
	*torn = spool_reader_torn(reader);
	if (rec)
		unbind(rec);
	for (int i = 0; i < TABLES_NUMBER; i++)
		free(editing.tables[i]);
	spool_reader_close(reader);
	free(known.texts);
	return rc;
}

int recording_add_spool(struct recording *rec, const char *path, bool *torn, struct error *err)
{
	return recording_edit_spool(rec, path, NULL, NULL, torn, err);
}
