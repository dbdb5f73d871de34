/* files.h: which files a report has in its folder, so that the next one there replaces these and no others. */
#ifndef DBPROF_REPORT_FILES_H
#define DBPROF_REPORT_FILES_H

#include <jansson.h>
#include <stddef.h>

#include "report/outdir.h"

/* Names relative to the folder: "index.html", "plots/a.svg". A list that is all zero is empty. */
struct report_files {
	char **names; /* ended by NULL; NULL: there are none */
	size_t n;
};

/* Those that are made in the temporary folder, index.html last, with their list among them, which is written here.
 * `exports`: see report_exports(). Returns 0, or -1 with `err`. For report_files_free() in any case. */
int report_files_made(const struct outdir *out, const json_t *exports, struct report_files *files, struct error *err);

/* Those of the report that is in the folder `dir`: what its list has or, of an older dbprof that left none, the
 * page, what it links and the figures that dbprof made; none if there is no report. Returns 0, or -1 with `err`. For
 * report_files_free() in any case. */
int report_files_there(const char *dir, struct report_files *files, struct error *err);

/* The list as outdir.h takes it; lives as long as `files`. */
const char *const *report_files_list(const struct report_files *files);

void report_files_free(struct report_files *files);

/* "trace.json", for the second recording "trace-2.json". */
enum { REPORT_NAME_SIZE = 64 };
void report_export_name(char *name, const char *stem, const char *suffix, int recording);

#endif
