/* sources.h: the source files that kernels were compiled from, as rows of DBPROF_SOURCE. */
#ifndef DBPROF_CONTRAST_CODE_SOURCES_H
#define DBPROF_CONTRAST_CODE_SOURCES_H

#include <stddef.h>

#include "store/store.h"
#include "trace/trace.h"
#include "util/error.h"

struct source_file {
	char *base; /* of its path, valid UTF-8 */
	char *name; /* DBPROF_SOURCE.file, unique: the base name; of another file with the same one "NAME (2)" */
	char *text; /* valid UTF-8; NULL: it is not there, no text, or too large */
};

/* Begins as {0}; sources_free() ends it. */
struct sources {
	struct source_file *list;
	size_t n, room;
	size_t bytes; /* of all texts */
};

/* Takes a file and tells its name, which `sources` owns. `kept` has its text; NULL: it is not known. Two files with the
 * same base name and text are one. */
const char *sources_take(struct sources *sources, const char *path, const struct wanted_source *kept);

int rows_of_sources(struct recording *rec, const struct sources *sources, struct error *err);
void sources_free(struct sources *sources);

#endif
