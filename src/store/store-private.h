/* store-private.h: what the files of the reader share. */
#ifndef DBPROF_STORE_STORE_PRIVATE_H
#define DBPROF_STORE_STORE_PRIVATE_H

#include <sqlite3.h>
#include <stdatomic.h>

#include "store/store.h"

/* ---- labels: a table of numbers and texts, held in memory ---- */

struct labels;

/* Loads the columns `id` and `text` of a table of the file. NULL with err. */
struct labels *labels_load(struct store *store, const char *table, const char *text, struct error *err);
/* A file holds a name once, and a million small rows may refer to it. Each becomes a text in memory and in the output:
 * with names of any length, a small file would grow beyond any disk. So only the beginning of a text of more than 4096
 * bytes is read, with "..." behind it. This holds for texts by number and for texts in rows, so that they stay equal.
 * Sources and PTX are read whole. */
bool store_is_long(const char *text);

/* That beginning as valid UTF-8, for free(). */
char *store_cut(const char *text);

/* A copy, for free(), of a text of that table that cannot be given as it is; NULL of one that can. */
char *store_mended(enum table_id table, const char *text);

/* The text of a number, valid UTF-8, or NULL; cut if it is long. */
const char *labels_find(const struct labels *labels, int64_t id);
void labels_free(struct labels *labels); /* NULL is allowed */

/* ---- sorted: the rows of a table in the order of a column ---- */

struct sorted;

/* The rows of a table of the file in the order of `column`, which holds integers; equal ones in the order of the file.
 * `columns` is SQL. NULL with err. */
struct sorted *sorted_open(
	struct store *store, const char *table, const char *column, const char *columns, struct error *err);
/* Goes to the next row: 1, with *row a statement that stands there until the next call; 0 at the end, -1 with err. */
int sorted_next(struct sorted *sorted, sqlite3_stmt **row, struct error *err);
void sorted_close(struct sorted *sorted); /* NULL is allowed */

/* A name for the number of a row in this table. Columns of the table may have taken one; NULL if they have taken all.
 */
const char *store_number_name(struct store *store, const char *table);

/* ---- cursor: what only this room asks of it ---- */

/* What the file calls a column, or NULL if it lacks it. */
const char *store_name_in_file(struct store *store, enum table_id table, int column);

/* Whether the column is worked out of more than one of the file's. */
bool store_is_composed(struct store *store, enum table_id table, int column);

/* As store_columns(), but has no row before cursor_between() has said which. NULL with err, also if the table's rows
 * have no numbers. */
struct cursor *store_numbered(
	struct store *store, enum table_id table, const int *columns, size_t n, struct error *err);

/* From now on the cursor gives the rows with numbers from `first` to `last`, in their order. -1 with err. */
int cursor_between(struct cursor *cursor, int64_t first, int64_t last, struct error *err);

/* The number of the current row. */
int64_t cursor_number(const struct cursor *cursor);
/* A cell as struct scan_rows has it. */
int64_t cursor_scanned(const struct cursor *cursor, int column);

/* ---- the store ---- */

/* What SQLite may still do. Connections that read one file at the same time share it. */
struct allowance {
	_Atomic int64_t work;  /* thousands of its instructions: see store_allow_work() */
	_Atomic int64_t pages; /* that it may read, from the disk or from its memory */
	_Atomic int64_t bytes; /* of rows */
};

/* An ENUM_* table that was asked for. */
struct enum_labels {
	char *table;
	struct labels *labels; /* NULL: the file has no such table, or a damaged one */
	struct labels *names;  /* its symbols; likewise */
	struct enum_labels *next;
};

struct store {
	sqlite3 *db;
	char *path;
	const char *name[TABLES_NUMBER]; /* what the file calls the table; NULL: it has none */
	struct labels *names;            /* StringIds; NULL until a table with names is read */
	struct enum_labels *enums;
	char *(*meta)[2]; /* key and value */
	size_t nmeta;
	struct redaction *redaction; /* NULL: texts are handed out as they are */
	char *shown;                 /* the file's name as outputs have it */
	struct error late;           /* an error that could not be told when it came: the next row tells it */
	int64_t length;              /* of the file, with holes (bytes) */
	int64_t size;                /* how much the file can hold (bytes) */
	int64_t pages;               /* the same in pages */
	struct allowance own;
	struct allowance *left;                 /* `own`, or that of the store that this one helps */
	int64_t bytes_taken;                    /* of left->bytes, for rows to come */
	int fd;                                 /* the file, or what it unpacks to; -1: none */
	int threads;                            /* 0: one, see store_use_threads() */
	const struct scan_filter *filter;       /* NULL: all rows */
	void (*told)(void *user, int64_t rows); /* NULL: nobody */
	void *told_user;
	_Atomic int64_t rows_read;
	struct store **helpers; /* further connections to the same file: scan/helper.c */
	size_t nhelpers;
};

/* Says that the file cannot be read. Returns -1. */
int store_unreadable(const struct store *store, struct error *err);

/* Turns the last SQLite error into a message. Returns -1. */
int store_error(const struct store *store, struct error *err);

/* For functions that cannot report an error: keeps an error of the system, which cursor_next() then reports. If the
 * file is to blame, the function does as if the file lacked what it looked for. */
void store_keep_error(struct store *store, const struct error *err);

/* Says that the file has rows without end. Returns -1. */
int store_endless(const struct store *store, struct error *err);

/* Call it once, when the file is open: the file may come from anybody. */
void store_distrust(struct store *store);

/* From now on SQLite stops when it has used up its allowance: `instructions`, until store_allow_work() sets another. */
void store_watch_work(struct store *store, int instructions);

/* What this store does is taken from the allowance of another one from now on. */
void store_share_allowance(struct store *store, struct store *other);

/* Call it before each statement that reads a table: lets SQLite work as much as reading the whole file can take.
 * Without a limit, a small file whose pages point at each other would have rows without end. */
void store_allow_work(struct store *store);

/* The same before a statement that sorts all rows of a table by two numbers. */
void store_allow_sorting(struct store *store);

/* Call it before each search for a row by its number: it reads other pages than the row's own. */
void store_allow_search(struct store *store);

/* Call it for each row with the bytes of its texts and blobs: -1 with err when they are more than the file can hold. */
int store_count_row(struct store *store, int64_t bytes, struct error *err);

/* Whether the file has an ordinary table (no view, nothing virtual) of that name: 1, 0, or -1 with err. */
int store_has_table(struct store *store, const char *name, struct error *err);

/* What a column of that table is. A computed one is never read, since its expression comes from the file. */
enum store_column { STORE_COLUMN_NONE, STORE_COLUMN_KEPT, STORE_COLUMN_COMPUTED };
enum store_column store_column(struct store *store, const char *table, const char *column);

/* Whether that table has the column and keeps its values. */
bool store_has_column(struct store *store, const char *table, const char *column);

/* What older exports call a table, or NULL. */
const char *old_table_name(enum table_id table);
/* What they call one of its columns, or NULL. */
const char *old_column_name(enum table_id table, int column);

/* Closes what scan/helper.h has opened for the store. */
void store_close_helpers(struct store *store);

/* Loads StringIds once. A file without it has no names, which is no error. */
int store_load_names(struct store *store, struct error *err);

/* The text of an id in StringIds, or NULL. */
const char *store_name(const struct store *store, int64_t id);

/* How much a file can hold: what its header says (SQLite reads no more) or its size, without holes. */
struct store_extent {
	int64_t bytes;
	int64_t pages;
	int64_t length; /* with holes (bytes) */
};

/* The file's bytes. */
struct store_bytes {
	int fd;        /* the caller's, to close */
	bool unpacked; /* it is compressed, and `fd` is what it unpacks to: that has no name */
	struct store_extent extent;
};

/* Checks without SQLite that the file is there, regular, whole and in SQLite's format, or what it unpacks to is. Fills
 * *bytes. */
int store_file_open(const char *path, struct store_bytes *bytes, struct error *err);

#endif
