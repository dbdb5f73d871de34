/* csv.h: the tables of CSV. */
#ifndef DBPROF_EXPORT_CSV_H
#define DBPROF_EXPORT_CSV_H

#include <jansson.h>

#include "export/format.h"

struct export_table {
	const struct export_hooks *hooks;                         /* NULL: then it is made of */
	void (*tree)(struct export *ex, const json_t *recording); /* the recording's entry in the tree */
};

/* The table of that name (export_tables), or NULL. */
const struct export_table *export_table_find(const char *name);

#endif
