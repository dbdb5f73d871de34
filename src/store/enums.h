/* enums.h: the ENUM_* tables that a recording carries, as data. */
#ifndef DBPROF_STORE_ENUMS_H
#define DBPROF_STORE_ENUMS_H

#include <stddef.h>

struct enum_row {
	int id;
	const char *name;  /* symbol */
	const char *label; /* for a person */
};

struct enum_table {
	const char *name; /* SQL name */
	const struct enum_row *rows;
	size_t nrows;
};

/* Values of ENUM_CUDA_KERNEL_LAUNCH_TYPE. */
enum launch_type { LAUNCH_UNKNOWN, LAUNCH_REGULAR, LAUNCH_COOPERATIVE, LAUNCH_COOPERATIVE_DEVICES };

/* Every ENUM_* table that a column of schema.h refers to; `enum_tables_count` of them. */
extern const struct enum_table enum_tables[];
extern const size_t enum_tables_count;

#endif
