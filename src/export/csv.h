/* csv.h: the tables of CSV. */
#ifndef DBPROF_EXPORT_CSV_H
#define DBPROF_EXPORT_CSV_H

#include <jansson.h>

#include "export/format.h"

struct export_table {
	const char *name;
	const struct export_hooks *hooks;                         /* or NULL: then it is made of */
	void (*tree)(struct export *ex, const json_t *recording); /* the recording's entry in the tree */
};

/* NULL if there is none of the name. */
const struct export_table *export_table_find(const char *name);

#endif
