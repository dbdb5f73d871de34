/* apply.c: from now on a store's texts go through redact.h. */
#include <stdlib.h>
#include <string.h>

#include "store/redact/redact.h"
#include "store/store-private.h"
#include "util/alloc.h"

/* The columns whose texts stay in rows of own families and sets. */
static const struct {
	enum table_id table;
	int family, column;
} known_columns[] = {
	{TABLE_FAMILY, FAMILY_name, FAMILY_name},
	{TABLE_FAMILY, FAMILY_name, FAMILY_file},
	{TABLE_VARIANT, VARIANT_family, VARIANT_name},
	{TABLE_VARIANT, VARIANT_family, VARIANT_file},
	{TABLE_CASE, CASE_family, CASE_label},
	{TABLE_SWEEP, SWEEP_family, SWEEP_name},
	{TABLE_PARAM, PARAM_family, PARAM_name},
	{TABLE_METRIC, METRIC_setName, METRIC_setName},
	{TABLE_METRIC, METRIC_setName, METRIC_key},
};

static int learn_column(struct redaction *redaction, struct store *store, size_t i, struct error *err)
{
	const int columns[] = {known_columns[i].family, known_columns[i].column};
	struct cursor *cursor = store_columns(store, known_columns[i].table, columns, 2, err);
	int rc;

	if (!cursor)
		return -1;
	while ((rc = cursor_next(cursor, err)) > 0) {
		const char *owner = cursor_text(cursor, columns[0]);

		redaction_learn(redaction, known_columns[i].table, owner, cursor_text(cursor, columns[1]));
	}
	cursor_close(cursor);
	return rc;
}

static void redact_all_meta(struct store *store)
{
	for (size_t i = 0; i < store->nmeta; i++) {
		const char *value = redact_meta(store->redaction, store->meta[i][0], store->meta[i][1]);

		free(store->meta[i][1]);
		store->meta[i][1] = value ? xstrdup(value) : NULL;
	}
}

int store_redact(struct store *store, const char *const *own, struct error *err)
{
	struct redaction *redaction = redaction_new(own);
	char *shown;

	for (size_t i = 0; i < sizeof(known_columns) / sizeof(known_columns[0]); i++) {
		if (learn_column(redaction, store, i, err) < 0) {
			redaction_free(redaction);
			return -1;
		}
	}
	store->redaction = redaction;
	redact_all_meta(store);
	shown = xstrdup(redact_file(redaction, store->shown));
	free(store->shown);
	store->shown = shown;
	return 0;
}

bool store_is_redacted(const struct store *store)
{
	return store->redaction != NULL;
}

const char *store_redacted_text(const struct store *store, enum table_id table, int column, const char *text)
{
	const struct redact_cell cell = {.table = table, .column = column, .text = text};

	return text && store->redaction ? redact_text(store->redaction, &cell) : text;
}

void store_redacted_name(const char *path, char *out, size_t size)
{
	redact_file_name(strrchr(path, '/') ? strrchr(path, '/') + 1 : path, out, size);
}

struct store *store_open_redacted(const char *path, const char *const *own, struct error *err)
{
	struct store *store = store_open(path, err);

	if (store && own && store_redact(store, own, err) < 0) {
		store_close(store);
		return NULL;
	}
	return store;
}
