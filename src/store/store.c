/* store.c: opens recordings and exports for reading, and answers what is in them. */
#include "store/store-private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/packed/opened.h"
#include "store/packed/scratch.h"
#include "store/path.h"
#include "store/redact/redact.h"
#include "store/sqlite-memory.h"
#include "util/alloc.h"
#include "util/file/file.h"

/* The errno of a read that failed, or 0. If the disk cannot be read, SQLite calls the file damaged. */
static int store_read_error(const struct store *store)
{
	int errnum = 0;

	if (sqlite3_file_control(store->db, "main", SQLITE_FCNTL_LAST_ERRNO, &errnum) != SQLITE_OK)
		errnum = 0;
	return errnum;
}

int store_unreadable(const struct store *store, struct error *err)
{
	int errnum = store_read_error(store);

	if (errnum == 0)
		errnum = sqlite3_system_errno(store->db);
	return error_system(err, "cannot read %s: %s: check the disk", store->path,
		errnum != 0 ? strerror(errnum) : sqlite3_errmsg(store->db));
}

int store_endless(const struct store *store, struct error *err)
{
	return error_set(err, "%s is damaged: it has more rows than fit into it: record again", store->path);
}

int store_error(const struct store *store, struct error *err)
{
	int errnum = sqlite3_system_errno(store->db);

	switch (sqlite3_errcode(store->db) & 0xff) {
	case SQLITE_IOERR:
		if (file_is_full(errnum))
			return scratch_error(err, "sort", store->path, errnum);
		/* fallthrough */
	case SQLITE_CANTOPEN:
		return store_unreadable(store, err);
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_FORMAT:
		if (store_read_error(store) != 0)
			return store_unreadable(store, err);
		return error_set(err, "%s is damaged: copy it again, or record again", store->path);
	case SQLITE_NOMEM:
		out_of_memory();
	case SQLITE_TOOBIG:
		return error_set(
			err, "%s is damaged: it holds a value larger than the file: record again", store->path);
	case SQLITE_INTERRUPT:
		return store_endless(store, err);
	case SQLITE_FULL:
		return scratch_error(err, "sort", store->path, ENOSPC);
	default:
		/* SQLite's message may hold names of the file, which --redact hides. */
		return error_set(err, "cannot read %s: %s: check the file, or record again", store->path,
			sqlite3_errstr(sqlite3_errcode(store->db)));
	}
}

/* Only ordinary tables have a root page and begin like this. To read a view or a virtual table would run what the file
 * asks for. */
int store_has_table(struct store *store, const char *name, struct error *err)
{
	static const char sql[] = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND substr(sql, "
				  "1, 13) = 'CREATE TABLE '"
				  " AND name = ? COLLATE NOCASE";
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		store_error(store, err);
	sqlite3_finalize(stmt);
	return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : -1;
}

void store_keep_error(struct store *store, const struct error *err)
{
	if (error_is_of_system(err) && store->late.text[0] == '\0')
		store->late = *err;
}

static void keep_last_error(struct store *store)
{
	struct error err = {0};

	store_error(store, &err);
	store_keep_error(store, &err);
}

enum store_column store_column(struct store *store, const char *table, const char *column)
{
	enum { NAME = 1, HIDDEN = 6 };
	char *sql = sqlite3_mprintf("PRAGMA main.table_xinfo(\"%w\")", table);
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);
	enum store_column kind = STORE_COLUMN_NONE;

	while (kind == STORE_COLUMN_NONE && (rc == SQLITE_OK || rc == SQLITE_ROW)) {
		rc = sqlite3_step(stmt);
		if (rc == SQLITE_ROW && sqlite3_stricmp((const char *)sqlite3_column_text(stmt, NAME), column) == 0)
			kind = sqlite3_column_int(stmt, HIDDEN) == 0 ? STORE_COLUMN_KEPT : STORE_COLUMN_COMPUTED;
	}
	if (kind == STORE_COLUMN_NONE && rc != SQLITE_DONE)
		keep_last_error(store);
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	return kind;
}

bool store_has_column(struct store *store, const char *table, const char *column)
{
	return store_column(store, table, column) == STORE_COLUMN_KEPT;
}

bool store_has(const struct store *store, enum table_id table)
{
	return store->name[table] != NULL;
}

static int find_table(struct store *store, enum table_id id, const char *name, struct error *err)
{
	int has = !name || store->name[id] ? 0 : store_has_table(store, name, err);

	if (has > 0)
		store->name[id] = name;
	return has < 0 ? -1 : 0;
}

static int find_tables(struct store *store, struct error *err)
{
	for (enum table_id id = 0; id < TABLES_NUMBER; id++) {
		if (find_table(store, id, schema_table(id)->name, err) != 0 ||
			find_table(store, id, old_table_name(id), err) != 0)
			return -1;
	}
	return 0;
}

static void add_meta(struct store *store, const char *key, const char *value)
{
	store->meta = xreallocarray(store->meta, store->nmeta + 1, sizeof(*store->meta));
	store->meta[store->nmeta][0] = xstrdup(key);
	store->meta[store->nmeta++][1] = xstrdup(value);
}

static int load_meta(struct store *store, struct error *err)
{
	struct cursor *cursor = store_rows(store, TABLE_META, -1, err);
	int rc;

	if (!cursor)
		return -1;
	while ((rc = cursor_next(cursor, err)) > 0) {
		const char *key = cursor_text(cursor, META_key), *value = cursor_text(cursor, META_value);

		if (key && value)
			add_meta(store, key, value);
	}
	cursor_close(cursor);
	return rc;
}

static int check_version(const struct store *store, struct error *err)
{
	const char *text = store_meta(store, "version");
	char *end;
	long version;

	if (!text)
		return error_set(err, "%s is damaged: it does not say its version: record again", store->path);
	errno = 0;
	version = strtol(text, &end, 10);
	if (end == text || *end != '\0' || errno != 0 || version < 1)
		return error_set(err, "%s is damaged: its version is no number: record again", store->path);
	if (version > RECORDING_VERSION)
		return error_set(err,
			"%s was written by a newer dbprof (recording version %ld; this one reads up to %d): "
			"upgrade dbprof",
			store->path, version, RECORDING_VERSION);
	return 0;
}

static int check_content(struct store *store, struct error *err)
{
	static const enum table_id events[] = {TABLE_KERNEL, TABLE_MEMCPY, TABLE_MEMSET, TABLE_GRAPHTRACE,
		TABLE_RUNTIME, TABLE_SYNCHRONIZATION, TABLE_NVTX, TABLE_DIAGNOSTIC};

	if (find_tables(store, err) != 0)
		return -1;
	if (store_is_dbprof(store))
		return load_meta(store, err) != 0 ? -1 : check_version(store, err);
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (store_has(store, events[i]))
			return 0;
	return error_set(err,
		"%s is neither a recording of dbprof nor an export of Nsight Systems with CUDA or NVTX events: "
		"give a file made by `dbprof record` or `nsys export --type=sqlite`",
		store->path);
}

/* Reads the schema. SQLite's time grows with the square of its length. A recording has fewer than a hundred tables, and
 * each takes about ten instructions. */
static int load_schema(struct store *store, struct error *err)
{
	enum { INSTRUCTIONS_MOST = 40000 };
	int rc;

	store_allow_work(store);
	store_watch_work(store, INSTRUCTIONS_MOST);
	rc = sqlite3_exec(store->db, "SELECT 1 FROM sqlite_master LIMIT 1", NULL, NULL, NULL);
	store_allow_work(store);
	if (rc == SQLITE_INTERRUPT)
		return error_set(
			err, "%s is damaged: it has more tables than any recording: record again", store->path);
	return rc == SQLITE_OK ? 0 : store_error(store, err);
}

/* "immutable": SQLite takes no lock and makes no file beside this one, which may be somebody else's. */
static int store_open_database(struct store *store, bool unpacked, struct error *err)
{
	const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
	char *uri = unpacked ? opened_uri(store->fd) : path_uri(store->path, "immutable=1");
	int rc;

	sqlite_use_xmalloc();
	rc = sqlite3_open_v2(uri, &store->db, flags, unpacked ? opened_vfs() : NULL);
	free(uri);
	if (rc != SQLITE_OK)
		return store_error(store, err);
	store_distrust(store);
	return load_schema(store, err) != 0 ? -1 : check_content(store, err);
}

struct store *store_open(const char *path, struct error *err)
{
	struct store_bytes bytes;
	struct store *store;

	if (store_file_open(path, &bytes, err) != 0)
		return NULL;
	store = xcalloc(1, sizeof(*store));
	store->path = xstrdup(path);
	store->length = bytes.extent.length;
	store->shown = xstrdup(strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	store->size = bytes.extent.bytes;
	store->pages = bytes.extent.pages;
	store->left = &store->own;
	store->fd = bytes.fd;
	if (store_open_database(store, bytes.unpacked, err) == 0)
		return store;
	store_close(store);
	return NULL;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	store_close_helpers(store);
	labels_free(store->names);
	while (store->enums) {
		struct enum_labels *next = store->enums->next;

		labels_free(store->enums->labels);
		labels_free(store->enums->names);
		free(store->enums->table);
		free(store->enums);
		store->enums = next;
	}
	for (size_t i = 0; i < store->nmeta; i++) {
		free(store->meta[i][0]);
		free(store->meta[i][1]);
	}
	free(store->meta);
	redaction_free(store->redaction);
	free(store->shown);
	sqlite3_close(store->db);
	close(store->fd);
	free(store->path);
	free(store);
}

const char *store_file_name(const struct store *store)
{
	return store->shown;
}

bool store_is_dbprof(const struct store *store)
{
	return store_has(store, TABLE_META);
}

const char *store_meta(const struct store *store, const char *key)
{
	for (size_t i = 0; i < store->nmeta; i++)
		if (strcmp(store->meta[i][0], key) == 0)
			return store->meta[i][1];
	return NULL;
}
