/* pages.c: tables read part by part, by pages and by ranges, against the same rows one by one: SQLite files whose pages
 * were changed. */
#include <string.h>

#include "fixtures/scanned.h"
#include "fuzz.h"
#include "store/scan/parts.h"

/* Each leaf page is a part. */
static const struct scan_how ways[] = {{0, 1, 1, false}, {0, 1, 1, true}};

/* Where they ended is all that may differ: rows one by one tell what is wrong with the file. */
static void check_way(struct store *store, struct scanned *one, const struct scan_how *how)
{
	struct scanned *parts = scanned_new(one->scan.table, one->scan.columns, one->scan.ncolumns);
	struct error err = {0};

	if (scan_parts(store, &parts->scan, how, &err) == SCAN_DONE) {
		fuzz_check(scan_one_by_one(store, &one->scan, &err) == 0, "rows of a file that SQLite does not read");
		fuzz_check(scanned_same(one, parts), "other rows than SQLite's");
	}
	scanned_free(parts);
}

static void check_columns(struct store *store, enum table_id table, const int *columns, size_t n)
{
	struct scanned *one = scanned_new(table, columns, n);

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		check_way(store, one, &ways[i]);
	scanned_free(one);
}

static void check_table(struct store *store, enum table_id table)
{
	int columns[TABLE_MAX_COLUMNS], n = schema_table(table)->ncolumns;

	for (int c = 0; c < n; c++)
		columns[c] = c;
	check_columns(store, table, columns, n < SCAN_COLUMNS ? (size_t)n : SCAN_COLUMNS);
	if (n > SCAN_COLUMNS)
		check_columns(store, table, columns + n - SCAN_COLUMNS, SCAN_COLUMNS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[FUZZ_PATH];
	struct error err = {0};
	struct store *store;

	fuzz_write(fuzz_path(path, "recording.sqlite"), data, size);
	store = store_open(path, &err);
	if (store == NULL)
		fuzz_check_error(&err);
	for (enum table_id table = 0; store != NULL && table < TABLES_NUMBER; table++)
		if (store_has(store, table))
			check_table(store, table);
	store_close(store);
	return 0;
}

enum { PAGE = 512, HEADER = 16, BYTES = 12 };

/* Only pages behind the first one change: SQLite reads no file whose schema is damaged. A page may come in the place of
 * another one; or some bytes change, half of the time among the first of a page, which say where rows are. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	size_t pages = size / PAGE, page, at;

	(void)max_size;
	if (pages < 3)
		return LLVMFuzzerMutate(data, size, max_size);
	page = (1 + seed / 16 % (pages - 1)) * PAGE;
	if (seed % 16 == 0) {
		memmove(data + page, data + (1 + seed / 4096 % (pages - 1)) * PAGE, PAGE);
		return size;
	}
	at = page + (seed % 2 == 0 ? seed / 4096 % HEADER : seed / 4096 % (PAGE - BYTES));
	LLVMFuzzerMutate(data + at, BYTES, BYTES);
	return size;
}
