/* recording-spool.c: writes all rows of a spool into a recording. Millions may come. So a value that stays the same
 * from one row of a table to the next is looked at once, and a text that comes again is checked once. */
#include "store/recording-private.h"

#include <stdlib.h>
#include <string.h>

#include "store/row.h"
#include "store/spool/ahead.h"
#include "util/alloc.h"

/* What is known of the spool's texts, by number. */
struct known_texts {
	struct known_text *texts;
	size_t capacity;
};

/* The last row of a table. */
struct adding_table {
	struct value row[TABLE_MAX_COLUMNS];
	uint32_t texts[TABLE_MAX_COLUMNS];
	uint64_t fresh; /* columns of which `row` says more than `cells` */

	/* What the caller made of its columns. */
	bool edited;
	unsigned version;
	struct value made[TABLE_MAX_COLUMNS];

	/* The row as it is stored. */
	struct value cells[TABLE_MAX_COLUMNS];
	uint64_t clean;
	struct recording_queue *queue; /* NULL before the first that is */
};

/* A text of the caller's, which has no number but keeps its address. */
struct made_text {
	const char *text;
	struct known_text known;
};

enum { MADE_TEXTS = 256 };

/* One spool on its way into a recording. */
struct adding {
	struct recording *rec; /* or NULL */
	const struct recording_edit *edit;
	struct known_texts known;
	struct made_text made[MADE_TEXTS];          /* by address; one drives out another */
	struct adding_table *tables[TABLES_NUMBER]; /* NULL before a table's first row */
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

static struct known_text *known_made(struct adding *adding, const struct value *value)
{
	struct made_text *made;

	if (value->kind != VALUE_TEXT || !value->text)
		return NULL;
	made = &adding->made[((uintptr_t)value->text ^ (uintptr_t)value->text >> 8) / 16 % MADE_TEXTS];
	if (made->text != value->text)
		*made = (struct made_text){.text = value->text};
	return &made->known;
}

/* Takes over what a row says. Returns how many cells that were. */
static size_t note_cells(struct adding_table *t, const struct ahead_row *row, const struct ahead_cell *cells)
{
	size_t n = 0;

	for (uint64_t left = row->changed; left != 0; left &= left - 1) {
		int i = __builtin_ctzll(left);

		t->row[i] = cells[n].value;
		t->texts[i] = cells[n++].text;
	}
	t->fresh |= row->changed;
	return n;
}

static int store_cell(struct adding *adding, enum table_id id, struct adding_table *t, int i, const struct value *value,
	struct known_text *known, struct error *err)
{
	bool clean;

	if (recording_resolve(adding->rec, id, i, value, known, &t->cells[i], &clean, err) != 0)
		return -1;
	t->clean = clean ? t->clean | UINT64_C(1) << i : t->clean & ~(UINT64_C(1) << i);
	return 0;
}

static int store_fresh(
	struct adding *adding, enum table_id id, struct adding_table *t, uint64_t columns, struct error *err)
{
	for (uint64_t left = t->fresh & columns; left != 0; left &= left - 1) {
		int i = __builtin_ctzll(left);

		if (store_cell(adding, id, t, i, &t->row[i], known_text(&adding->known, t->texts[i]), err) != 0)
			return -1;
	}
	return 0;
}

/* Takes what the caller made of a column. A text in full may have the address of one that is gone. */
static int store_made(struct adding *adding, enum table_id id, struct adding_table *t, int i, const struct value *made,
	struct error *err)
{
	bool own = value_is_same(made, &t->row[i]), in_full = own && made->kind == VALUE_TEXT && t->texts[i] == 0;
	struct known_text *known = own ? known_text(&adding->known, t->texts[i]) : known_made(adding, made);

	if (t->edited && !in_full && value_is_same(made, &t->made[i]))
		return 0;
	t->made[i] = *made;
	return store_cell(adding, id, t, i, made, known, err);
}

/* Lets the caller change its columns, and takes what came of them. */
static int add_changes(
	struct adding *adding, enum table_id id, struct adding_table *t, uint64_t columns, struct error *err)
{
	struct value row[TABLE_MAX_COLUMNS];

	if (columns == 0 || (t->edited && (t->fresh & columns) == 0 && t->version == adding->edit->version))
		return 0;
	for (uint64_t left = columns; left != 0; left &= left - 1)
		row[__builtin_ctzll(left)] = t->row[__builtin_ctzll(left)];
	adding->edit->change(adding->edit->user, id, row);
	t->version = adding->edit->version;
	for (uint64_t left = columns; left != 0; left &= left - 1) {
		int i = __builtin_ctzll(left);

		if (row_check_value(schema_table(id), i, &row[i], err) != 0 ||
			store_made(adding, id, t, i, &row[i], err) != 0)
			return -1;
	}
	t->edited = true;
	return 0;
}

/* The device and the process, as they are stored. */
static void note_user(struct adding *adding, enum table_id id, const struct adding_table *t, uint64_t columns)
{
	struct value row[TABLE_MAX_COLUMNS];

	for (int i = 0; i < schema_table(id)->ncolumns; i++)
		row[i] = (columns >> i & 1) != 0 ? t->made[i] : t->row[i];
	recording_note_user(adding->rec, id, row);
}

static uint64_t columns_of_caller(const struct adding *adding, enum table_id id)
{
	uint64_t all = (UINT64_C(1) << schema_table(id)->ncolumns) - 1;

	return adding->edit && adding->edit->change ? adding->edit->columns[id] & all : 0;
}

static int write_added(struct adding *adding, enum table_id id, struct adding_table *t, struct error *err)
{
	uint64_t columns = columns_of_caller(adding, id);
	bool is_new = columns != 0 && t->version != adding->edit->version;

	if (!t->queue) {
		if (recording_prepare(adding->rec, id, err) != 0)
			return -1;
		t->queue = recording_queue_new(adding->rec, id);
	}
	if (store_fresh(adding, id, t, ~columns, err) != 0 || add_changes(adding, id, t, columns, err) != 0)
		return -1;
	if (((t->fresh | (is_new ? columns : 0)) & adding->rec->is_user[id]) != 0)
		note_user(adding, id, t, columns);
	t->fresh = 0;
	return recording_queue_row(t->queue, t->cells, t->clean, err);
}

/* Adds one row and moves *cells behind its cells. */
static int add_row(
	struct adding *adding, const struct ahead_row *row, const struct ahead_cell **cells, struct error *err)
{
	struct adding_table **t = &adding->tables[row->table];
	const struct recording_edit *edit = adding->edit;

	if (!*t)
		*t = xcalloc(1, sizeof(**t));
	*cells += note_cells(*t, row, *cells);
	if ((edit && edit->take && !edit->take(edit->user, row->table, (*t)->row)) || !adding->rec)
		return 0;
	return write_added(adding, row->table, *t, err);
}

/* Texts in full of the batch are gone after it. */
static int flush_queues(struct adding *adding, struct error *err)
{
	for (int i = 0; i < TABLES_NUMBER; i++)
		if (adding->tables[i] && adding->tables[i]->queue &&
			recording_queue_flush(adding->tables[i]->queue, err) != 0)
			return -1;
	return 0;
}

static int add_batch(struct adding *adding, const struct ahead_batch *batch, struct error *err)
{
	const struct ahead_cell *cells = batch->cells;
	const struct recording_edit *edit = adding->edit;

	for (size_t i = 0; i < batch->nrows; i++)
		if (add_row(adding, &batch->rows[i], &cells, err) != 0)
			return -1;
	if (flush_queues(adding, err) != 0)
		return -1;
	return edit && edit->stop && edit->stop(edit->user, err) ? -1 : 0;
}

static void adding_free(struct adding *adding)
{
	for (int i = 0; i < TABLES_NUMBER; i++) {
		if (adding->tables[i])
			recording_queue_free(adding->tables[i]->queue);
		free(adding->tables[i]);
	}
	free(adding->known.texts);
	free(adding);
}

int recording_edit_spool(
	struct recording *rec, const char *path, const struct recording_edit *edit, bool *torn, struct error *err)
{
	struct ahead *ahead = ahead_open(path, err);
	const struct ahead_batch *batch;
	struct adding *adding;
	int rc = 0;

	if (!ahead)
		return -1;
	adding = xcalloc(1, sizeof(*adding));
	adding->rec = rec;
	adding->edit = edit;
	while (rc == 0 && (batch = ahead_next(ahead, &rc, err)))
		rc = add_batch(adding, batch, err);
	*torn = rc == 0 && ahead_torn(ahead);
	adding_free(adding);
	ahead_close(ahead);
	return rc;
}

int recording_add_spool(struct recording *rec, const char *path, bool *torn, struct error *err)
{
	return recording_edit_spool(rec, path, NULL, torn, err);
}
