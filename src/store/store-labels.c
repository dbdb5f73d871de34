/* store-labels.c: the texts behind the numbers of a file: StringIds and the ENUM_* tables. */
#include "store/store-private.h"

#include <stdlib.h>
#include <string.h>

int store_load_names(struct store *store, struct error *err)
{
	int has;

	if (store->names != NULL)
		return 0;
	has = store_has_table(store, "StringIds", err);
	if (has <= 0)
		return has;
	store->names = labels_load(store, "SELECT id, value FROM main.StringIds ORDER BY id", err);
	return store->names == NULL ? -1 : 0;
}

const char *store_name(const struct store *store, int64_t id)
{
	return store->names == NULL ? NULL : labels_find(store->names, id);
}

static struct labels *load_enum(struct store *store, const char *table)
{
	struct labels *labels = NULL;
	char *sql;

	if (store_has_table(store, table, NULL) != 1)
		return NULL;
	sql = sqlite3_mprintf("SELECT id, label FROM main.\"%w\" ORDER BY id", table);
	if (sql != NULL)
		labels = labels_load(store, sql, NULL);
	sqlite3_free(sql);
	return labels;
}

static struct enum_labels *enum_of(struct store *store, const char *table)
{
	struct enum_labels *e;

	for (e = store->enums; e != NULL; e = e->next)
		if (strcmp(e->table, table) == 0)
			return e;
	e = malloc(sizeof *e);
	if (e == NULL || (e->table = strdup(table)) == NULL) {
		free(e);
		return NULL;
	}
	e->labels = load_enum(store, table);
	e->next = store->enums;
	store->enums = e;
	return e;
}

const char *store_enum_label(struct store *store, const char *enum_table, int64_t id)
{
	const struct enum_labels *e = enum_of(store, enum_table);

	return e == NULL || e->labels == NULL ? NULL : labels_find(e->labels, id);
}
