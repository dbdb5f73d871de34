/* recording-private.h: what the files of the writer share. */
#ifndef DBPROF_STORE_RECORDING_PRIVATE_H
#define DBPROF_STORE_RECORDING_PRIVATE_H

#include <sqlite3.h>

#include "store/intern.h"
#include "store/store.h"
#include "util/temporary.h"

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

/* Binds a value of the right type for the next row of a prepared table. Its text must live until another value is bound
 * or no more rows are written. `known` belongs to this text; it may be NULL. */
int recording_bind(struct recording *rec, enum table_id id, int column, const struct value *value,
	struct known_text *known, struct error *err);

/* Writes the row that is bound. What is bound stays so. */
int recording_step(struct recording *rec, enum table_id id, struct error *err);

/* Takes the device and its process from a row of a table that has `is_user` columns, and remembers them. */
void recording_note_user(struct recording *rec, enum table_id id, const struct value *row);

/* Makes the tables that every recording has, and fills those that are the same in each. */
int recording_fixed_begin(struct recording *rec, struct error *err);

/* Fills the tables that are derived from the rows of others. */
int recording_fixed_end(struct recording *rec, struct error *err);

#endif
