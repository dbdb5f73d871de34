/* store-limits.c: the file may come from anybody: limits for what SQLite does with it, and for how much. */
#include "store/store-private.h"

#include <limits.h>
#include <string.h>

/* After so many of SQLite's instructions it is checked what is left. A row takes four or more, and at worst each of
 * them reads every page of the file. */
enum { WORK_STEP = 1000 };

/* Reads of pages since the last call. */
static int64_t pages_read(const struct store *store)
{
	static const int counters[] = {SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS};
	int64_t pages = 0;

	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++) {
		int n = 0, highest = 0;

		if (sqlite3_db_status(store->db, counters[i], &n, &highest, 1) == SQLITE_OK)
			pages += n;
	}
	return pages;
}

/* Sets the allowance anew; it does not add. A hundred small tables would leave so much that another one could run for
 * minutes. One that belongs to another store is set by that one. */
static void allow(struct store *store, int instructions_per_byte)
{
	/* A large row goes on in further pages. They are read once or twice for each of its columns, in honest files
	 * too. */
	enum { FEW_INSTRUCTIONS = 2000000, FEW_PAGES = 10000, READS_OF_A_PAGE = 50 };

	if (store->left != &store->own)
		return;
	store->own.work = (FEW_INSTRUCTIONS + store->size * instructions_per_byte) / WORK_STEP;
	pages_read(store);
	store->own.pages = FEW_PAGES + READS_OF_A_PAGE * store->pages;
	/* A text can take half as much room in UTF-16 as in UTF-8. */
	store->own.bytes = (1 << 20) + 2 * store->size;
	store->bytes_taken = 0;
}

void store_allow_work(struct store *store)
{
	/* A small row takes an instruction or two for each of up to 48 columns: about 10 for each byte. */
	allow(store, 20);
}

void store_allow_sorting(struct store *store)
{
	/* A row of four bytes or more takes about ten instructions to sort, and twenty bytes in memory or on disk. */
	allow(store, 3);
}

void store_allow_search(struct store *store)
{
	enum { DEEPEST_TREE = 5 };

	store->left->pages += DEEPEST_TREE;
}

/* Bytes are taken by the piece, so that threads seldom meet. */
int store_count_row(struct store *store, int64_t bytes, struct error *err)
{
	enum { SMALLEST_ROW = 4, PIECE = 1 << 14 }; /* its place among the cells of the page, its size and its number */

	store->bytes_taken -= SMALLEST_ROW + bytes;
	if (store->bytes_taken >= 0)
		return 0;
	store->left->bytes -= PIECE - store->bytes_taken;
	store->bytes_taken = PIECE;
	return store->left->bytes < 0 ? store_endless(store, err) : 0;
}

/* Called by SQLite every WORK_STEP instructions; anything but 0 stops it. */
static int store_count_work(void *arg)
{
	struct store *store = arg;

	store->left->pages -= pages_read(store);
	return store->left->work-- <= 0 || store->left->pages < 0;
}

void store_watch_work(struct store *store, int instructions)
{
	store->own.work = instructions / WORK_STEP;
	sqlite3_progress_handler(store->db, WORK_STEP, store_count_work, store);
}

void store_share_allowance(struct store *store, struct store *other)
{
	store->left = other->left;
	sqlite3_progress_handler(store->db, WORK_STEP, store_count_work, store);
}

/* What dbprof's own statements do, and nothing else: no write, no ATTACH, no PRAGMA that changes anything. */
static int allow_reading(
	void *unused, int action, const char *first, const char *second, const char *database, const char *trigger)
{
	static const char *const functions[] = {"coalesce", "nullif", "substr", "typeof"};

	(void)unused;
	(void)database;
	(void)trigger;
	if (action == SQLITE_SELECT || action == SQLITE_READ)
		return SQLITE_OK;
	if (action == SQLITE_PRAGMA && strcmp(first, "table_xinfo") == 0)
		return SQLITE_OK;
	for (size_t i = 0; action == SQLITE_FUNCTION && i < sizeof(functions) / sizeof(*functions); i++)
		if (strcmp(second, functions[i]) == 0)
			return SQLITE_OK;
	return SQLITE_DENY;
}

/* Limits that dbprof's own statements never reach, but a stranger's schema could. */
static void set_limits(struct store *store)
{
	static const struct {
		int limit, value;
	} limits[] = {
		{SQLITE_LIMIT_ATTACHED, 0},
		{SQLITE_LIMIT_TRIGGER_DEPTH, 1},
		{SQLITE_LIMIT_COMPOUND_SELECT, 2},
		{SQLITE_LIMIT_EXPR_DEPTH, 100},
		{SQLITE_LIMIT_FUNCTION_ARG, 8},
		{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
		{SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
		{SQLITE_LIMIT_VDBE_OP, 100000},
		{SQLITE_LIMIT_WORKER_THREADS, 0},
	};

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		sqlite3_limit(store->db, limits[i].limit, limits[i].value);
}

/* No value may be larger than the file itself, and nothing is run that the schema asks for. */
void store_distrust(struct store *store)
{
	enum { SMALLEST_LIMIT = 1 << 20 }; /* dbprof's own statements need as much */
	int64_t limit = store->size < SMALLEST_LIMIT ? SMALLEST_LIMIT : store->size;

	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
	sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, limit < INT_MAX ? (int)limit : INT_MAX);
	set_limits(store);
	sqlite3_set_authorizer(store->db, allow_reading, NULL);
}
