/* scratch.h: room on disk for what is too large for memory. */
#ifndef DBPROF_STORE_PACKED_SCRATCH_H
#define DBPROF_STORE_PACKED_SCRATCH_H

#include "util/error.h"

/* The folder that it is in: the first that can be written to of SQLITE_TMPDIR, TMPDIR, /var/tmp, /usr/tmp and /tmp, as
 * SQLite chooses it for what it sorts; else the current folder. */
const char *scratch_folder(void);

/* An empty file without a name in that folder, for reading and writing: it is gone when its last descriptor is closed,
 * also by a kill. Returns the descriptor, or -1 with errno. */
int scratch_file(void);

/* The same in `folder`, where the file system has no files without a name. It loses its name at once; what a kill in
 * between leaves is empty, and the next one that is made in the folder removes it. */
int scratch_file_named(const char *folder);

/* Says that `path` cannot be sorted or unpacked ("sort", "unpack"), as temporary files cannot be made or written.
 * Returns -1. */
int scratch_error(struct error *err, const char *doing, const char *path, int errnum);

#endif
