/* store-labels.c: the texts behind the numbers of a file: StringIds and the ENUM_* tables. */
#include "store/store-private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "store/enums.h"
#include "util/alloc.h"

static bool has_labels(struct store *store, const char *table, const char *text)
{
	return store_has_column(store, table, "id") && store_has_column(store, table, text);
}

int store_load_names(struct store *store, struct error *err)
{
	int has;

	if (store->names)
		return 0;
	has = store_has_table(store, "StringIds", err);
	if (has <= 0)
		return has;
	if (!has_labels(store, "StringIds", "value"))
		return 0;
	store->names = labels_load(store, "StringIds", "value", err);
	return !store->names ? -1 : 0;
}

const char *store_name(const struct store *store, int64_t id)
{
	return !store->names ? NULL : labels_find(store->names, id);
}

/* The texts of an ENUM table's `column`. */
static struct labels *load_enum(struct store *store, const char *table, const char *column)
{
	struct labels *labels = NULL;
	struct error err = {0};

	if (store_has_table(store, table, &err) == 1 && has_labels(store, table, column))
		labels = labels_load(store, table, column, &err);
	store_keep_error(store, &err);
	return labels;
}

static struct enum_labels *enum_of(struct store *store, const char *table)
{
	struct enum_labels *e;

	for (e = store->enums; e; e = e->next)
		if (strcmp(e->table, table) == 0)
			return e;
	e = xmalloc(sizeof(*e));
	e->table = xstrdup(table);
	e->labels = load_enum(store, table, "label");
	e->names = load_enum(store, table, "name");
	e->next = store->enums;
	store->enums = e;
	return e;
}

const char *store_enum_label(struct store *store, const char *enum_table, int64_t id)
{
	const struct enum_labels *e = enum_of(store, enum_table);

	if (store->redaction)
		return schema_enum_label(enum_table, store_enum_number(store, enum_table, id));
	return e->labels ? labels_find(e->labels, id) : NULL;
}

/* The part of a symbol that differs from its neighbours: HTOD in CUDA_MEMCPY_KIND_HTOD and in
 * CUPTI_ACTIVITY_MEMCPY_KIND_HTOD. */
static const char *symbol_end(const char *symbol)
{
	static const char *const marks[] = {"_KIND_", "_TYPE_", "_FLAG_"};

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		const char *mark = strstr(symbol, marks[i]);

		if (mark)
			return mark + strlen(marks[i]);
	}
	return symbol;
}

/* Whether letters and digits are equal; their case does not count, nor does what stands between. */
static bool same_words(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a != '\0' && !isalnum((unsigned char)*a))
			a++;
		while (*b != '\0' && !isalnum((unsigned char)*b))
			b++;
		if (*a == '\0' || *b == '\0')
			return *a == *b;
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
	}
}

static const struct enum_table *own_enum(const char *table)
{
	for (size_t i = 0; i < enum_tables_count; i++)
		if (strcmp(enum_tables[i].name, table) == 0)
			return &enum_tables[i];
	return NULL;
}

/* The row of the schema's own table for a name or label of the file, or NULL. */
static const struct enum_row *row_called(const struct enum_table *own, const char *name, const char *label)
{
	for (size_t i = 0; name && i < own->nrows; i++)
		if (same_words(symbol_end(name), symbol_end(own->rows[i].name)))
			return &own->rows[i];
	for (size_t i = 0; label && i < own->nrows; i++)
		if (same_words(label, own->rows[i].label))
			return &own->rows[i];
	return NULL;
}

int64_t store_enum_number(struct store *store, const char *enum_table, int64_t id)
{
	const struct enum_labels *e = enum_of(store, enum_table);
	const struct enum_table *own = own_enum(enum_table);
	const char *name = e->names ? labels_find(e->names, id) : NULL;
	const char *label = e->labels ? labels_find(e->labels, id) : NULL;
	const struct enum_row *row = !own ? NULL : row_called(own, name, label);

	return !row ? id : row->id;
}

const char *schema_enum_label(const char *enum_table, int64_t number)
{
	const struct enum_table *own = own_enum(enum_table);

	for (size_t i = 0; own && i < own->nrows; i++)
		if (own->rows[i].id == number)
			return own->rows[i].label;
	return NULL;
}
