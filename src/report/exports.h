/* exports.h: what a report leaves beside its page for other programs. */
#ifndef DBPROF_REPORT_EXPORTS_H
#define DBPROF_REPORT_EXPORTS_H

#include <jansson.h>

#include "report/outdir.h"
#include "report/report.h"

/*
 * Writes a trace and a table of device work of each recording into the temporary folder. Returns a list in the order of
 * the recordings: {"file": its base name, "trace", "table": names in the folder}; without the latter two where the
 * recording has so many rows that its trace would take tens of MB. NULL with `err`.
 */
json_t *report_exports(const struct report_options *options, const struct outdir *out, struct error *err);

#endif
