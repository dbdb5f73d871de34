/* fields.c: see fields.h. */
#include "store/scan/fields.h"

#include <string.h>

/* SQLite hands out whole numbers of such a column as real ones: https://www.sqlite.org/datatype3.html#affinity */
static bool is_real(const char *type)
{
	static const char *const parts[] = {"%real%", "%floa%", "%doub%"};

	for (size_t i = 0; type && i < sizeof(parts) / sizeof(*parts); i++)
		if (sqlite3_strlike(parts[i], type, 0) == 0)
			return true;
	return false;
}

static enum field_kind field_kind_of(const struct scan *scan, size_t column)
{
	switch (schema_table(scan->table)->columns[scan->columns[column]].type) {
	case COLUMN_NAME:
		return FIELD_NAME;
	case COLUMN_TEXT:
		return FIELD_TEXT;
	default:
		return FIELD_NUMBER;
	}
}

/* What the file calls the columns of a scan; NULL for those that it lacks. */
struct wanted {
	const struct scan *scan;
	const char *name[SCAN_COLUMNS];
};

static bool find_wanted(struct wanted *wanted, struct store *store, const struct scan *scan)
{
	wanted->scan = scan;
	for (size_t c = 0; c < scan->ncolumns; c++) {
		if (store_is_composed(store, scan->table, scan->columns[c]))
			return false;
		wanted->name[c] = store_name_in_file(store, scan->table, scan->columns[c]);
	}
	return true;
}

/* The next column of the file, from PRAGMA table_xinfo. False if SQLite works it out, or if it is wanted twice. */
static bool fields_add(struct fields *fields, sqlite3_stmt *column, size_t at, const struct wanted *wanted)
{
	enum { NAME = 1, TYPE = 2, PRIMARY_KEY = 5, HIDDEN = 6 };
	const char *name = (const char *)sqlite3_column_text(column, NAME);
	struct field *field = &fields->list[at];

	if (at == FIELDS_MOST || sqlite3_column_int(column, HIDDEN) != 0)
		return false;
	for (size_t c = 0; c < wanted->scan->ncolumns; c++) {
		if (!wanted->name[c] || sqlite3_stricmp(name, wanted->name[c]) != 0)
			continue;
		/* The number of a row is not in its record. */
		if (field->kind != FIELD_UNWANTED || sqlite3_column_int(column, PRIMARY_KEY) != 0 ||
			is_real((const char *)sqlite3_column_text(column, TYPE)))
			return false;
		*field = (struct field){(unsigned char)field_kind_of(wanted->scan, c), (unsigned char)c};
		fields->n = at + 1;
	}
	return true;
}

bool fields_find(struct fields *fields, struct store *store, const struct scan *scan)
{
	char *sql = sqlite3_mprintf("PRAGMA main.table_xinfo(\"%w\")", store->name[scan->table]);
	struct wanted wanted;
	sqlite3_stmt *stmt = NULL;
	bool good =
		find_wanted(&wanted, store, scan) && sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) == SQLITE_OK;
	int rc = SQLITE_DONE;

	memset(fields, 0, sizeof(*fields));
	for (size_t c = 0; good && c < scan->ncolumns; c++)
		fields->null |= (uint16_t)(!wanted.name[c] << c);
	for (size_t at = 0; good && (rc = sqlite3_step(stmt)) == SQLITE_ROW; at++)
		good = fields_add(fields, stmt, at, &wanted);
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	return good && rc == SQLITE_DONE && fields->n > 0;
}
