/* exports.h: what a report leaves beside its page for other programs. */
#ifndef DBPROF_REPORT_EXPORTS_H
#define DBPROF_REPORT_EXPORTS_H

#include <jansson.h>

#include "report/files.h"
#include "report/options.h"
#include "store/store.h"
#include "util/file/outdir.h"

/*
 * Of the recordings that the tree shows whole, which are open in the order of options->files: writes a trace and a
 * table of device work, where options->with asks for them, and of families tables of their cases and of the points of
 * their sweeps, into the hidden folder of `out`, and adds the names to `made`. Returns {"files": in the same order
 * {"file": its base name, "trace", "table", "families", "points": names in the folder, where they are}, "lacks_events":
 * whether the trace or the table was not asked for}. NULL with `err`.
 */
json_t *report_exports(const struct report_options *options, struct store *const *stores, const json_t *tree,
	const struct outdir *out, struct report_files *made, struct error *err);

#endif
