/* state.h: an export under way, and what all its parts do with each row. Private to src/export. */
#ifndef DBPROF_EXPORT_STATE_H
#define DBPROF_EXPORT_STATE_H

#include "export/options.h"
#include "export/format.h"
#include "store/devices.h"
#include "util/file/outfile.h"
#include "util/strbuf.h"

struct export
{
	const struct export_options *options;
	const struct export_hooks *hooks;
	struct store *store;
	struct outfile *out;
	struct strbuf text;           /* not yet in `out` */
	bool in_row;                  /* of CSV: a cell of the row is there */
	struct launches *launches;    /* which calls asked for device work; NULL without `joins` */
	struct devices devices;       /* which GPUs the processes mean by their devices */
	int64_t only_process;         /* of an export whose work names no process; -1: the work does */
	int64_t last;                 /* latest time of device work */
	bool unsorted[TABLES_NUMBER]; /* tables of device work whose rows do not come by start */
	struct export_result *result;
	size_t rows;
	bool failed; /* set by a hook that cannot say so itself, with `err` */
	void *state; /* of the format */
	struct error *err;
};

/* The report's number of a process's device, which may be any number. */
int64_t export_device(const struct export *ex, int64_t process, int64_t device);

/* Whether times make sense. Profilers write 0 where they have none. */
bool export_times_good(int64_t start, int64_t end);

/* The same for a row that would be given; counts it as left out if not. */
bool export_usable(struct export *ex, int64_t start, int64_t end);

/* To be called for each row: hands the text over when there is enough of it. -1 with ex->err if the output fails, or
 * the export is interrupted. */
int export_step(struct export *ex);

/* The process under which ex->launches knows the calls and the work of a process. */
int64_t export_launch_process(const struct export *ex, int64_t process);

#endif
