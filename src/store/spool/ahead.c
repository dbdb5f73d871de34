/* ahead.c: see ahead.h. */
#include "store/spool/ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* A batch ends with ROWS rows or TEXT_BYTES of texts in full. A spool below SMALL bytes is not worth a thread. */
enum { BATCHES = 4, ROWS = 1024, TEXT_BYTES = 1 << 20, SMALL = 256 << 10 };

/* Batches go round: the thread fills number `filled`, the caller has number `taken` - 1. The lock guards what stands
 * behind it; a batch belongs to the thread until it is counted in `filled`, then to the caller. */
struct ahead {
	struct spool_reader *reader;
	struct ahead_batch batches[BATCHES];
	bool has_thread;
	pthread_t thread;

	pthread_mutex_t lock;
	pthread_cond_t moved;
	size_t filled, taken;
	bool ended;   /* nothing is filled any more; then `rc` and `error` tell how it ended */
	bool stopped; /* the caller wants no more */
	int rc;
	struct error error;
};

/* ---- batches ---- */

static void ahead_empty(struct ahead_batch *batch)
{
	for (size_t i = 0; i < batch->ntexts; i++)
		free(batch->texts[i]);
	batch->nrows = batch->ncells = batch->ntexts = batch->text_bytes = 0;
}

/* A text in full stays only until the next row is read. */
static const char *ahead_keep_text(struct ahead_batch *batch, const char *text)
{
	size_t size = strlen(text) + 1;

	xgrow(&batch->texts, batch->ntexts, &batch->text_room, sizeof(*batch->texts));
	batch->text_bytes += size;
	return batch->texts[batch->ntexts++] = xmemdup(text, size);
}

static void ahead_add(struct ahead_batch *batch, const struct spool_record *record)
{
	uint64_t columns = (UINT64_C(1) << schema_table(record->table)->ncolumns) - 1;
	struct ahead_row *row = &batch->rows[batch->nrows++];

	*row = (struct ahead_row){record->table, record->changed & columns};
	for (uint64_t left = row->changed; left != 0; left &= left - 1) {
		int i = __builtin_ctzll(left);
		struct ahead_cell *cell;

		xgrow(&batch->cells, batch->ncells, &batch->cell_room, sizeof(*batch->cells));
		cell = &batch->cells[batch->ncells++];
		*cell = (struct ahead_cell){record->row[i], record->texts[i]};
		if (cell->value.kind == VALUE_TEXT && cell->text == 0 && cell->value.text)
			cell->value.text = ahead_keep_text(batch, cell->value.text);
	}
}

/* As spool_reader_next(): 1 if there may be more. */
static int ahead_fill(struct spool_reader *reader, struct ahead_batch *batch, struct error *err)
{
	struct spool_record record;
	int rc = 1;

	ahead_empty(batch);
	if (!batch->rows)
		batch->rows = xcalloc(ROWS, sizeof(*batch->rows));
	while (batch->nrows < ROWS && batch->text_bytes < TEXT_BYTES &&
		(rc = spool_reader_next(reader, &record, err)) > 0)
		ahead_add(batch, &record);
	return rc;
}

/* ---- the thread ---- */

/* Waits for a batch that may be filled. NULL if no more is wanted. */
static struct ahead_batch *ahead_room(struct ahead *ahead)
{
	struct ahead_batch *batch = NULL;

	pthread_mutex_lock(&ahead->lock);
	while (!ahead->stopped && ahead->filled == ahead->taken + BATCHES - 1)
		pthread_cond_wait(&ahead->moved, &ahead->lock);
	if (!ahead->stopped)
		batch = &ahead->batches[ahead->filled % BATCHES];
	pthread_mutex_unlock(&ahead->lock);
	return batch;
}

static void ahead_tell(struct ahead *ahead, bool filled, int rc, const struct error *err)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->filled += filled;
	ahead->ended = rc <= 0;
	ahead->rc = rc;
	ahead->error = *err;
	pthread_cond_signal(&ahead->moved);
	pthread_mutex_unlock(&ahead->lock);
}

static void *ahead_run(void *user)
{
	struct ahead *ahead = user;
	struct ahead_batch *batch;
	int rc = 1;

	while (rc > 0 && (batch = ahead_room(ahead))) {
		struct error err = {0};

		rc = ahead_fill(ahead->reader, batch, &err);
		ahead_tell(ahead, batch->nrows > 0, rc, &err);
	}
	return NULL;
}

/* Without a thread, the caller's own decodes. Signals are for the threads that know of them. */
static void ahead_start(struct ahead *ahead)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ahead->has_thread = pthread_create(&ahead->thread, NULL, ahead_run, ahead) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- the caller ---- */

struct ahead *ahead_open(const char *path, struct error *err)
{
	struct spool_reader *reader = spool_reader_open(path, err);
	struct ahead *ahead;

	if (!reader)
		return NULL;
	ahead = xcalloc(1, sizeof(*ahead));
	ahead->reader = reader;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->moved, NULL);
	if (spool_reader_size(reader) >= SMALL)
		ahead_start(ahead);
	return ahead;
}

static const struct ahead_batch *ahead_wait(struct ahead *ahead, int *rc, struct error *err)
{
	const struct ahead_batch *batch = NULL;

	pthread_mutex_lock(&ahead->lock);
	while (ahead->filled == ahead->taken && !ahead->ended)
		pthread_cond_wait(&ahead->moved, &ahead->lock);
	if (ahead->filled > ahead->taken) {
		batch = &ahead->batches[ahead->taken++ % BATCHES];
	} else {
		*rc = ahead->rc;
		if (*rc < 0 && err)
			*err = ahead->error;
	}
	pthread_cond_signal(&ahead->moved);
	pthread_mutex_unlock(&ahead->lock);
	return batch;
}

const struct ahead_batch *ahead_next(struct ahead *ahead, int *rc, struct error *err)
{
	struct ahead_batch *batch = &ahead->batches[0];

	*rc = 0;
	if (ahead->has_thread)
		return ahead_wait(ahead, rc, err);
	if (!ahead->ended) {
		ahead->rc = ahead_fill(ahead->reader, batch, &ahead->error);
		ahead->ended = ahead->rc <= 0;
		if (batch->nrows > 0)
			return batch;
	}
	*rc = ahead->rc;
	if (*rc < 0 && err)
		*err = ahead->error;
	return NULL;
}

bool ahead_torn(const struct ahead *ahead)
{
	return spool_reader_torn(ahead->reader);
}

void ahead_close(struct ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->stopped = true;
	pthread_cond_signal(&ahead->moved);
	pthread_mutex_unlock(&ahead->lock);
	if (ahead->has_thread)
		pthread_join(ahead->thread, NULL);
	for (int i = 0; i < BATCHES; i++) {
		ahead_empty(&ahead->batches[i]);
		free(ahead->batches[i].rows);
		free(ahead->batches[i].cells);
		free(ahead->batches[i].texts);
	}
	pthread_mutex_destroy(&ahead->lock);
	pthread_cond_destroy(&ahead->moved);
	spool_reader_close(ahead->reader);
	free(ahead);
}
