/* recording-queue.c: rows of one table, so many with a statement: what SQLite does for each statement, to open the
 * table and to close it, is a third of what a row costs. What the last row in the same place of the statement had stays
 * bound. */
#include "store/recording-private.h"

#include <stdlib.h>

#include "util/alloc.h"

/* Rows with a statement; it is made when so many rows came. SQLite takes at least 999 values in one. */
enum { AT_ONCE = 16, FROM = 64 };
_Static_assert(AT_ONCE *TABLE_MAX_COLUMNS <= 999, "more values than a statement takes");

/* What is bound for one row. */
struct place {
	bool used;
	uint64_t clean;
	struct value cells[TABLE_MAX_COLUMNS];
};

struct recording_queue {
	struct recording *rec;
	enum table_id id;
	sqlite3_stmt *statement; /* of AT_ONCE rows, or NULL */
	size_t rows, waiting;
	struct place one, places[AT_ONCE];
};

struct recording_queue *recording_queue_new(struct recording *rec, enum table_id id)
{
	struct recording_queue *queue = xcalloc(1, sizeof(*queue));

	queue->rec = rec;
	queue->id = id;
	return queue;
}

/* A text may have the address of one that is gone. */
static bool queue_holds(const struct value *bound, const struct value *cell)
{
	return cell->kind != VALUE_TEXT && value_is_same(bound, cell);
}

static int queue_bind(struct recording_queue *queue, sqlite3_stmt *statement, int first, struct place *place,
	const struct value *cells, uint64_t clean, struct error *err)
{
	int ncolumns = schema_table(queue->id)->ncolumns;

	for (int i = 0; i < ncolumns; i++) {
		if (place->used && queue_holds(&place->cells[i], &cells[i]))
			continue;
		place->cells[i] = cells[i];
		if (recording_put(queue->rec, statement, first + i, &cells[i], (clean >> i & 1) != 0, err) != 0)
			return -1;
	}
	place->clean = clean;
	place->used = true;
	return 0;
}

static int queue_write_one(struct recording_queue *queue, const struct value *cells, uint64_t clean, struct error *err)
{
	if (queue_bind(queue, queue->rec->insert[queue->id], 1, &queue->one, cells, clean, err) != 0)
		return -1;
	return recording_step(queue->rec, queue->id, err);
}

int recording_queue_row(struct recording_queue *queue, const struct value *cells, uint64_t clean, struct error *err)
{
	int ncolumns = schema_table(queue->id)->ncolumns;

	if (++queue->rows <= FROM)
		return queue_write_one(queue, cells, clean, err);
	if (!queue->statement && recording_statement(queue->rec, queue->id, AT_ONCE, &queue->statement, err) != 0)
		return -1;
	if (queue_bind(queue, queue->statement, 1 + (int)queue->waiting * ncolumns, &queue->places[queue->waiting],
		    cells, clean, err) != 0)
		return -1;
	if (++queue->waiting < AT_ONCE)
		return 0;
	queue->waiting = 0;
	return recording_run(queue->rec, queue->statement, err);
}

int recording_queue_flush(struct recording_queue *queue, struct error *err)
{
	size_t n = queue->waiting;

	queue->waiting = 0;
	for (size_t i = 0; i < n; i++)
		if (queue_write_one(queue, queue->places[i].cells, queue->places[i].clean, err) != 0)
			return -1;
	return 0;
}

void recording_queue_free(struct recording_queue *queue)
{
	if (!queue)
		return;
	/* Texts that are bound may be gone soon. */
	if (queue->one.used)
		sqlite3_clear_bindings(queue->rec->insert[queue->id]);
	sqlite3_finalize(queue->statement);
	free(queue);
}
