/* parts.h: reads a table part by part, in threads. */
#ifndef DBPROF_STORE_SCAN_PARTS_H
#define DBPROF_STORE_SCAN_PARTS_H

#include <stdatomic.h>

#include "store/scan.h"
#include "store/scan/btree.h"
#include "store/scan/fields.h"
#include "store/scan/memo.h"

/* How a table is read. */
struct scan_how {
	int64_t fewest;   /* bytes of leaf pages that are worth it */
	int64_t smallest; /* bytes of a part, but for the last one */
	int64_t largest;
	bool by_sqlite; /* by SQLite alone; else pages are read without it, but for what is unusual */
};

extern const struct scan_how scan_usually;

enum scan_result {
	SCAN_DONE,
	SCAN_REFUSED, /* nothing was called */
	SCAN_VOID     /* what was taken is of no use: the file is damaged, or `err` says what else it is */
};

/* Reads the table by parts, if its pages allow to divide it. */
enum scan_result scan_parts(
	struct store *store, const struct scan *scan, const struct scan_how *how, struct error *err);

/* Reads it row by row, as one part: what SQLite says of the file then is what dbprof says. */
int scan_one_by_one(struct store *store, const struct scan *scan, struct error *err);

/* Whether a column is a name or a text. */
static inline bool scan_is_text(const struct scan *scan, size_t c)
{
	return schema_table(scan->table)->columns[scan->columns[c]].type >= COLUMN_TEXT;
}

/* What threads share. */
struct scan_run {
	struct store *store;
	const struct scan *scan;
	struct btree tree;
	bool by_sqlite;
	struct fields fields; /* unless by_sqlite */
	size_t leaves_per_part, nparts;
	_Atomic size_t next; /* part that nobody has taken yet */
	_Atomic bool is_void;
};

/* One of them. */
struct scan_worker {
	struct scan_run *run;
	size_t index;           /* 0, 1 ... */
	struct cursor *cursor;  /* NULL: not needed so far */
	struct memo *memo;      /* NULL: no column is a text */
	struct scan_rows *rows; /* the batch that is being filled */
	size_t part;            /* where it belongs to */
	unsigned char *window;  /* pages that were read at once; NULL: none so far */
	uint32_t window_page, window_length;
	struct error err; /* of SQLite */
};

/* Tells the scan how many parts there are. */
void scan_begin(const struct scan *scan, size_t nparts);

/* Counts a batch and hands to the scan what the store's filter leaves of it. `main` in the thread that scans. */
void scan_give(struct store *store, const struct scan *scan, size_t part, struct scan_rows *rows, bool main);

/* Makes room for a row in worker->rows. */
void scan_worker_room(struct scan_worker *worker);

/* Reads the rows with numbers from `first` to `last` by SQLite. There must be `nrows` of them, and their numbers
 * ascend. Then they are the rows that stand in the pages for these numbers, as long as the rows of all other pages are
 * within what those are for: no row is lost or comes twice. False if there are not, or if SQLite fails. */
bool scan_worker_read_range(struct scan_worker *worker, int64_t first, int64_t last, uint64_t nrows);

/* Reads the rows of leaf pages `first` to `end` - 1 without SQLite. False if they cannot be, or if they are damaged. */
bool scan_worker_read_leaves(struct scan_worker *worker, size_t first, size_t end);

/* The same of one page, which is there. SQLite reads on from the first row that is unusual: one that goes on in further
 * pages, or that has a value of another kind than is expected. */
bool scan_worker_read_leaf(struct scan_worker *worker, size_t leaf, const unsigned char *page);

#endif
