/* fields.h: where in the records of a table the columns of a scan stand. */
#ifndef DBPROF_STORE_SCAN_FIELDS_H
#define DBPROF_STORE_SCAN_FIELDS_H

#include "store/scan.h"
#include "store/store-private.h"

enum { FIELDS_MOST = 64 };

/* What the schema's column is that a field stands for. */
enum field_kind { FIELD_UNWANTED, FIELD_NUMBER, FIELD_NAME, FIELD_TEXT };

struct fields {
	size_t n; /* of a record, up to the last one that is wanted */
	struct field {
		unsigned char kind;
		unsigned char column; /* of the scan */
	} list[FIELDS_MOST];
	uint16_t null; /* bit c: the file lacks column c of the scan */
};

/* False if a record alone does not give the columns: then only SQLite can read them. */
bool fields_find(struct fields *fields, struct store *store, const struct scan *scan);

#endif
