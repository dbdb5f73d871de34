/* files.h: which files a report has in its folder, so that the next one there replaces these and no others. */
#ifndef DBPROF_REPORT_FILES_H
#define DBPROF_REPORT_FILES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "util/error.h"

/* Names relative to the folder: "index.html", "plots/a.svg". A list that is all zero is empty. */
struct report_files {
	char **names; /* ended by NULL; NULL: there are none */
	size_t n, room;
};

void report_files_add(struct report_files *files, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool report_files_have(const struct report_files *files, const char *name);

/* The list as util/file/outdir.h takes it, and as report.json has it (a new reference); the former lives until a name
 * is added. */
const char *const *report_files_list(const struct report_files *files);
json_t *report_files_json(const struct report_files *files);

/* Those of the report that is in the folder `dir`, none if there is no report: what its report.json lists, of an older
 * dbprof what its file .dbprof-files lists, of one that left neither the page, what it links and the figures that
 * dbprof made. A list can hold only names that a report can have. Returns 0, or -1 with `err`. For report_files_free()
 * in any case. */
int report_files_there(const char *dir, struct report_files *files, struct error *err);

void report_files_free(struct report_files *files);

/* "trace.json", for the second recording "trace-2.json". */
enum { REPORT_NAME_SIZE = 64 };
void report_export_name(char *name, const char *stem, const char *suffix, int recording);

#endif
