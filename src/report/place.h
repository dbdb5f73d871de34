/* place.h: the files of a report go where they belong. */
#ifndef DBPROF_REPORT_PLACE_H
#define DBPROF_REPORT_PLACE_H

#include <jansson.h>

#include "report/files.h"
#include "report/options.h"
#include "util/file/outdir.h"

/*
 * Moves the files `made`, which lie in the hidden folder of `out` but for report.json, into the folder `dir`, writes
 * report.json of `tree` with their list, and removes those of an older report that the new one has not. Whoever is
 * killed meanwhile leaves a list that has all files of both.
 */
enum report_status report_place(
	struct outdir *out, const char *dir, json_t *tree, const struct report_files *made, struct error *err);

/* Whether nothing but an older report, of which *older gets the names, is where files `names` belong; the list ends
 * with NULL. For report_files_free() in any case. */
enum report_status report_check_places(
	const char *dir, const char *const *names, struct report_files *older, struct error *err);

#endif
