/* datafile.h: finds the files that travel with dbprof: templates/, plots/, the recordings that ship, libraries. */
#ifndef DBPROF_UTIL_DATAFILE_H
#define DBPROF_UTIL_DATAFILE_H

#include <stddef.h>

#include "util/error.h"

/* Fills `path` with where `name` ("templates/index.mustache", "reports/recordings/x.sqlite") is. Looks in this order:
 * the folder named by DBPROF_DATADIR, alone if it is set; the folder of the executable (a build tree); the source tree
 * of a build made elsewhere (VPATH); the installed data folder, as far from the executable as it was made to be, so
 * that an installed tree can be moved, or where it was to be. Returns 0, or -1 with the folders tried in `err`. */
int datafile_find(const char *name, char *path, size_t size, struct error *err);

/* The same for a library that dbprof loads into programs (`name` without a folder): it is in the folder of the
 * executable or in the installed library folder. */
int datafile_find_library(const char *name, char *path, size_t size, struct error *err);

#endif
