/* scan.h: a few columns of all rows of a large table, in batches, read by several threads. */
#ifndef DBPROF_STORE_SCAN_H
#define DBPROF_STORE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct texts;

enum { SCAN_COLUMNS = 12, SCAN_ROWS = 1024 };

/* A batch of rows. Columns stand in the order in which they were asked for. NULL reads as 0. What is no number
 * in a column of numbers is NULL, but reads as TIME_NONE (store/event.h). A name or a text is its
 * number in the scan's texts (store/texts.h); 0 where there is none. */
struct scan_rows {
	size_t n; /* at most SCAN_ROWS */
	int64_t value[SCAN_COLUMNS][SCAN_ROWS];
	uint16_t null[SCAN_ROWS]; /* bit c: column c of this row is NULL */
};

/* What is read, and who takes it. */
struct scan {
	enum table_id table;
	const int *columns; /* `ncolumns` of the schema's, at most SCAN_COLUMNS */
	size_t ncolumns;
	/* Where names and texts are kept; NULL if no column is one. Numbers of texts that are new may differ from run
	 * to run, unless one thread reads. */
	struct texts *texts;
	bool as_in_file; /* texts of a redacted recording as its file has them: to judge by, never to hand out */

	/* Called once, before any row; may be NULL. The parts follow each other in the file's order. */
	void (*begin)(void *user, size_t nparts);
	/* Takes a batch. Batches of one part come one after the other, in the file's order; those of different parts
	 * may come at the same time, in different threads. If one thread reads, all come in the file's order. */
	void (*take)(void *user, size_t part, const struct scan_rows *rows);
	/* Whether rows with this number in the first column are wanted; NULL: all are. Saves time, no more: rows that
	 * are not wanted may come as well. Any thread asks. */
	bool (*wanted)(void *user, int64_t first);
	/* The same of all rows of a part; NULL: all parts are wanted. */
	bool (*part_wanted)(void *user, size_t part);
	void *user;
};

static inline bool scan_null(const struct scan_rows *rows, size_t row, size_t column)
{
	return rows->null[row] >> column & 1;
}

/* Reads the table. One that the file lacks has no parts. 0, or -1 with `err`; some rows were then taken already. */
int store_scan(struct store *store, const struct scan *scan, struct error *err);

/* ---- a part of the rows ---- */

/* Sees each batch before a scan takes it, in any thread. */
struct scan_filter {
	/* Leaves out rows: moves those that stay to the front, with scan_move(), and sets rows->n. */
	void (*filter)(void *user, const struct scan *scan, struct scan_rows *rows);
	void *user;
};

/* From now on scans of the store have only what the filter leaves. Borrowed; NULL: all rows. */
void store_use_filter(struct store *store, const struct scan_filter *filter);

/* Makes row `to` what row `from` is. */
void scan_move(const struct scan *scan, struct scan_rows *rows, size_t from, size_t to);

/* Called now and then, in the thread that scans, with the rows that all scans of the store have read. */
typedef void scan_told(void *user, int64_t rows);
void store_tell_rows(struct store *store, scan_told *told, void *user);

/* ---- before a scan ---- */

struct table_size {
	int64_t rows; /* counted in a few pages of a large table: so about as many */
	int64_t bytes, pages;
};

/* Measures a table by its pages, without reading it. False, and all 0, if it is not there or is stored in some other
 * way. */
bool store_measure_table(struct store *store, enum table_id table, struct table_size *size);

/* The same of a table by its name in the file. */
bool store_measure_file_table(struct store *store, const char *table, struct table_size *size);

/* How many threads may read at once: 1 unless this was called. At least 1. */
void store_use_threads(struct store *store, int threads);
int store_threads(const struct store *store);

#endif
