/* model.h: recordings become the tree of report.json (docs/report-json.md): numbers, names and causes. */
#ifndef DBPROF_MODEL_MODEL_H
#define DBPROF_MODEL_MODEL_H

#include <jansson.h>
#include <stdbool.h>

#include "model/part/wish.h"
#include "util/error.h"

struct store;

/* Version of docs/report.schema.json, which says when it rises: docs/report-json.md. */
#define MODEL_SCHEMA "1.5"

/* Strings are borrowed for the length of the call. */
struct model_options {
	const char *const *files;    /* recordings or Nsight Systems exports */
	struct store *const *stores; /* the same, open already; NULL: they are opened, and closed again */
	int nfiles;
	bool shipped;                     /* the recording ships with dbprof and is not from this machine */
	const char *const *redact;        /* families that keep their names, ended by NULL, where the tree is to be
					     redacted (store_redact()); NULL: it is not. Open stores are as they are */
	const struct part_wish *part;     /* of programs; NULL: all that fits into memory */
	const struct part_hearer *hearer; /* or NULL */
	const char *version;              /* of dbprof */
	bool (*interrupted)(void *user);  /* asked between recordings; may be NULL */
	void *user;
};

/* The tree; a new reference, or NULL with `err`: error_is_of_system() tells a failure from bad input. */
json_t *model_build(const struct model_options *options, struct error *err);

#endif
