/* result.h: what a worker tells the session that started it, in a small text file beside its spool. The lines are
 * "right FAMILY/VARIANT/CASE", "at WHAT", "step N TOTAL LABEL", "swept", "measured" and "fact KEY VALUE"; the last one
 * is the status with its reason. A worker that dies leaves no status. */
#ifndef DBPROF_RECORD_WORKER_RESULT_H
#define DBPROF_RECORD_WORKER_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "util/error.h"

/* ---- worker ---- */

/* Makes the file for the spool at `spool_path`; NULL on error. */
FILE *result_create(const char *spool_path, struct error *err);

/* The variant came out right in every run of the case. */
void result_right(FILE *file, const char *family, const char *variant, const char *label);

/* What the worker does now, in words, in case it dies. */
void result_at(FILE *file, const char *what);

/* Case number `done` of `total` begins. */
void result_step(FILE *file, const char *label, int done, int total);

/* There is a result, a time or a trace, so there is something to record. */
void result_measured(FILE *file);

/* The times of a point of a sweep are in the spool. They stay if the worker dies. */
void result_swept(FILE *file);

/* A fact for DBPROF_META. */
void result_fact(FILE *file, const char *key, const char *value);

/* Writes the status ("done", "skipped", "failed") and its reason (NULL for none), and closes. -1 if anything since
 * result_create() could not be written. */
int result_finish(FILE *file, const char *status, const char *reason, struct error *err);

/* ---- session ---- */

struct result {
	char *text; /* the file, with a NUL after each line; the pointers below point into it */
	size_t size;
	const char *status; /* NULL: the worker died before it was done */
	const char *reason; /* NULL for none */
};

/* Reads the result beside the spool. A missing file counts as one without a status. -1 on error. */
int result_read(const char *spool_path, struct result *out, struct error *err);
void result_free(struct result *result);

/* Whether there is a line "right FAMILY/VARIANT/CASE". */
bool result_is_right(const struct result *result, const char *family, const char *variant, const char *label);

/* Whether anything was measured. */
bool result_has_measured(const struct result *result);

/* Whether a point of a sweep was timed. */
bool result_has_swept(const struct result *result);

/* What the worker was doing last, or NULL. */
const char *result_last_at(const struct result *result);

/* The last case that was begun: its label, cut to fit. False if there is none. */
bool result_last_step(const struct result *result, char *label, size_t size, int *done, int *total);

/* The value of a fact, or NULL. */
const char *result_fact_value(const struct result *result, const char *key);

#endif
