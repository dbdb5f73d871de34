/* labels.c: numbers with their texts, sorted by number. The texts are in one block of memory. They are sorted here:
 * SQLite would write all texts to disk for that, a text that many rows share once for each row. */
#include "store/store-private.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/number.h"
#include "util/strbuf.h"
#include "util/utf8.h"

struct label {
	int64_t id;
	size_t text; /* offset into `texts` */
};

struct labels {
	struct label *items;
	size_t n, room;
	struct strbuf texts; /* with the NUL of each */
};

static void labels_append(struct labels *labels, int64_t id, const char *text)
{
	xgrow(&labels->items, labels->n, &labels->room, sizeof(*labels->items));
	labels->items[labels->n++] = (struct label){.id = id, .text = labels->texts.length};
	strbuf_add(&labels->texts, text, strlen(text) + 1);
}

/* A text that is long or no UTF-8 is mended first. */
static void labels_append_any(struct labels *labels, int64_t id, const char *text)
{
	char *mended = NULL;

	if (store_is_long(text))
		mended = store_cut(text);
	else if (!utf8_valid(text))
		mended = utf8_clean(text, strlen(text), NULL);
	labels_append(labels, id, mended ? mended : text);
	free(mended);
}

static int labels_by_id(const void *left, const void *right)
{
	const struct label *a = left, *b = right;

	return a->id != b->id ? (a->id > b->id) - (a->id < b->id) : (a->text > b->text) - (a->text < b->text);
}

/* Most files have them in order. */
static void labels_sort(struct labels *labels)
{
	for (size_t i = 1; i < labels->n; i++) {
		if (labels->items[i].id < labels->items[i - 1].id) {
			qsort(labels->items, labels->n, sizeof(*labels->items), labels_by_id);
			return;
		}
	}
}

static int store_labels_load(struct labels *labels, struct store *store, sqlite3_stmt *stmt, struct error *err)
{
	int rc;

	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(stmt, 1);

		if (store_count_row(store, sqlite3_column_bytes(stmt, 1), err) != 0)
			return -1;
		if (text)
			labels_append_any(labels, sqlite3_column_int64(stmt, 0), text);
	}
	if (rc != SQLITE_DONE)
		return store_error(store, err);
	labels_sort(labels);
	return 0;
}

struct labels *labels_load(struct store *store, const char *table, const char *text, struct error *err)
{
	char *sql = sqlite3_mprintf("SELECT id, \"%w\" FROM main.\"%w\" NOT INDEXED", text, table);
	struct labels *labels = xcalloc(1, sizeof(*labels));
	sqlite3_stmt *stmt = NULL;
	int rc;

	store_allow_work(store);
	rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) == SQLITE_OK
		     ? store_labels_load(labels, store, stmt, err)
		     : store_error(store, err);
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	if (rc != 0) {
		labels_free(labels);
		return NULL;
	}
	return labels;
}

const char *labels_find(const struct labels *labels, int64_t id)
{
	size_t i = FIRST_FROM(labels->items, labels->n, id, id);

	return i < labels->n && labels->items[i].id == id ? labels->texts.text + labels->items[i].text : NULL;
}

void labels_free(struct labels *labels)
{
	if (!labels)
		return;
	free(labels->items);
	strbuf_free(&labels->texts);
	free(labels);
}
