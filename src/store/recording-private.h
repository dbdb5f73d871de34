/* recording-private.h: what the files of the writer share. */
#ifndef DBPROF_STORE_RECORDING_PRIVATE_H
#define DBPROF_STORE_RECORDING_PRIVATE_H

#include <sqlite3.h>

#include "store/intern.h"
#include "store/store.h"

struct recording {
	sqlite3 *db;
	char *path;      /* the name it will have */
	char *temporary; /* the name it has until recording_finish() */
	int64_t epoch_ns;
	struct intern *names;
	sqlite3_stmt *insert_name;
	sqlite3_stmt *insert[TABLES_NUMBER]; /* NULL until the first row; the table may not exist before */
	uint64_t is_time[TABLES_NUMBER];     /* bit per column: shifted by the epoch; valid once `insert` is there */
};

/* Turns the last SQLite error into a message. Returns -1. */
int recording_error(struct recording *rec, struct error *err);

/* Runs statements that give no rows. */
int recording_exec(struct recording *rec, const char *sql, struct error *err);

/* Makes a table of the schema if it is not there yet. */
int recording_make_table(struct recording *rec, enum table_id id, struct error *err);

/* Makes the tables that every recording has and fills those that hold the same in each. */
int recording_fixed_begin(struct recording *rec, struct error *err);

/* Fills the tables that are derived from the rows of others. */
int recording_fixed_end(struct recording *rec, struct error *err);

#endif
