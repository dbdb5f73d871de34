/* datafile.h: finds the files that travel with dbprof: templates/, plots/, the recordings that ship, libraries. */
#ifndef DBPROF_UTIL_FILE_DATAFILE_H
#define DBPROF_UTIL_FILE_DATAFILE_H

#include <stddef.h>

#include "util/error.h"

/* Finds `name` ("templates/index.mustache", "reports/recordings/x.sqlite") and fills `path`. If DBPROF_DATADIR is set,
 * looks only there. Else in this order: the folder of the executable (a build tree); the source tree of a build made
 * elsewhere (VPATH); the installed data folder, seen from the executable, so that an installed tree can be moved; the
 * data folder of `make install`. Returns 0, or -1 with the folders tried in `err`. */
int datafile_find(const char *name, char *path, size_t size, struct error *err);

/* The same for a library that dbprof loads into programs. `name` has no folder: the library is in the folder of the
 * executable or in the installed library folder. */
int datafile_find_library(const char *name, char *path, size_t size, struct error *err);

#endif
