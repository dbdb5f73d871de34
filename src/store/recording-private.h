/* recording-private.h: what the files of the writer share. */
#ifndef DBPROF_STORE_RECORDING_PRIVATE_H
#define DBPROF_STORE_RECORDING_PRIVATE_H

#include <sqlite3.h>

#include "store/intern.h"
#include "store/row.h"
#include "store/store.h"
#include "util/file/temporary.h"

/* A device and a process that worked on it. */
struct device_user {
	int64_t device, pid;
};

struct recording {
	sqlite3 *db;
	char *path;                 /* the name it will have */
	char target[PATH_MAX];      /* `path`, or where the link at `path` leads */
	struct temporary temporary; /* the file until recording_finish() */
	int64_t epoch_ns;
	struct intern *names;   /* the names of StringIds that can be found again; their ids are its numbers */
	int64_t unshared_names; /* further rows of StringIds, of names that came when `names` was full */
	sqlite3_stmt *insert_name;
	sqlite3_stmt *insert[TABLES_NUMBER]; /* NULL until the first row; the table may not exist before */
	/* Bit per column, valid once `insert` is there. */
	uint64_t is_time[TABLES_NUMBER]; /* shifted by the epoch */
	uint64_t is_user[TABLES_NUMBER]; /* device and process of a piece of device work; no bit in other tables */
	struct device_user *users;       /* distinct, in the order of first sight */
	size_t nusers;
};

/* What is known of a text that comes again and again. Starts as zeros. */
struct known_text {
	int64_t name; /* its id in StringIds; 0: not asked for yet */
	bool valid;   /* it was found to be UTF-8 */
};

/* Turns the last SQLite error into a message. Returns -1. */
int recording_error(struct recording *rec, struct error *err);

/* Runs statements that give no rows. */
int recording_exec(struct recording *rec, const char *sql, struct error *err);

/* Makes a table of the schema if it is not there yet. */
int recording_make_table(struct recording *rec, enum table_id id, struct error *err);

/* Makes the statement that inserts rows into a table, and the table, unless they are there. */
int recording_prepare(struct recording *rec, enum table_id id, struct error *err);

/* What is stored for a value of the right type: a name becomes its id, a time is shifted. `known` belongs to a text of
 * the value; it may be NULL. *clean: a text that is stored is UTF-8. */
int recording_resolve(struct recording *rec, enum table_id id, int column, const struct value *value,
	struct known_text *known, struct value *out, bool *clean, struct error *err);

/* Binds such a value. Its text must live until the statement has run. */
int recording_put(struct recording *rec, sqlite3_stmt *statement, int at, const struct value *value, bool clean,
	struct error *err);

/* Prepares a statement that inserts `rows` rows into a table, which is there. */
int recording_statement(struct recording *rec, enum table_id id, int rows, sqlite3_stmt **statement, struct error *err);

/* Runs a statement that gives no rows and makes it ready for the next time. What is bound stays so. */
int recording_run(struct recording *rec, sqlite3_stmt *stmt, struct error *err);

/* The same for the row that is bound in a prepared table. */
int recording_step(struct recording *rec, enum table_id id, struct error *err);

/* Rows of a prepared table on their way, some at once (recording-queue.c). While there is a queue, nobody else writes
 * rows of its table. */
struct recording_queue;
struct recording_queue *recording_queue_new(struct recording *rec, enum table_id id);

/* Adds a row: for each column what recording_resolve() gave, `clean` as bits. Texts must live until the queue is
 * flushed. */
int recording_queue_row(struct recording_queue *queue, const struct value *cells, uint64_t clean, struct error *err);

/* Writes the rows that wait. */
int recording_queue_flush(struct recording_queue *queue, struct error *err);
void recording_queue_free(struct recording_queue *queue); /* drops what waits; NULL is allowed */

/* Takes the device and its process from a row of a table that has `is_user` columns, and remembers them. */
void recording_note_user(struct recording *rec, enum table_id id, const struct value *row);

/* Makes the tables that every recording has, and fills those that are the same in each. */
int recording_fixed_begin(struct recording *rec, struct error *err);

/* Fills the tables that are derived from the rows of others. */
int recording_fixed_end(struct recording *rec, struct error *err);

#endif
