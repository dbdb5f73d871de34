/* source-file.h: which files may be read because a line table names them. Works in somebody else's program: allocates
 * nothing. */
#ifndef DBPROF_RECORD_CODE_SOURCE_FILE_H
#define DBPROF_RECORD_CODE_SOURCE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* A larger file is no source of a kernel that a person reads. */
#define SOURCE_FILE_MOST ((size_t)1 << 20)

/* Whether it is a regular file with the suffix of a source, where links end, of SOURCE_FILE_MOST bytes at most. A line
 * table is a stranger's: it may name any file, and recordings are shared. */
bool source_file_counts(const char *path);

#endif
