/*
 * redact.h: a reader whose texts say nothing about their owner. Names become short hashes, the same name the same hash;
 * what dbprof itself calls so stays; paths, commands, sources and texts for people are left out. docs/redact.md tells
 * what becomes of which column.
 */
#ifndef DBPROF_STORE_REDACT_REDACT_H
#define DBPROF_STORE_REDACT_REDACT_H

#include <stddef.h>

#include "store/redact/rules.h"

struct redaction;

/* `own` are the names of families that stay, ended by NULL; borrowed for the length of the call. */
struct redaction *redaction_new(const char *const *own);

/* Tells it a text of a table's row, which stays wherever it stands if the row belongs to a family or a metric set of
 * dbprof's own. All such texts are to be told before the first one is asked for. */
void redaction_learn(struct redaction *redaction, enum table_id table, const char *owner, const char *text);
void redaction_free(struct redaction *redaction); /* NULL is allowed */

/* A text of a row, which other columns of the row explain. */
struct redact_cell {
	enum table_id table;
	int column;
	const char *text;
	const char *owner; /* the row's family, or metric set; NULL: it has none */
	const char *name;  /* what the row is called, for a title; NULL: nothing */
};

/* Whether what becomes of a text depends on other texts of its row. */
bool redact_looks_at_row(enum table_id table, int column);

/* What is handed out in its place, or NULL. Lives as long as `redaction`. */
const char *redact_text(struct redaction *redaction, const struct redact_cell *cell);

/* The same for a value of DBPROF_META. */
const char *redact_meta(struct redaction *redaction, const char *key, const char *value);

/* What stands for the file's own name. */
const char *redact_file(struct redaction *redaction, const char *name);

/* The same, without a reader. */
void redact_file_name(const char *name, char *out, size_t size);

#endif
