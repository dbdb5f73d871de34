/* outdir.h: a report's folder, filled all or not at all. */
#ifndef DBPROF_REPORT_OUTDIR_H
#define DBPROF_REPORT_OUTDIR_H

#include <stddef.h>

#include "util/error.h"

struct outdir;

/* Makes `dir` and the folders above it where they are missing, and in it a temporary folder, in which the report is to
 * be made. NULL with `err` if nothing can be written there. Ends with outdir_commit() or outdir_abandon(). */
struct outdir *outdir_open(const char *dir, struct error *err);

/* The temporary folder. Lives as long as `out`. */
const char *outdir_path(const struct outdir *out);

/* Makes a folder in the temporary folder. */
int outdir_mkdir(const struct outdir *out, const char *name, struct error *err);

/* Writes a file ("report.json", "plots/a.svg") in the temporary folder. */
int outdir_write(const struct outdir *out, const char *name, const void *data, size_t size, struct error *err);

/*
 * Moves the `n` files and folders from the temporary folder into place, in the order given (index.html last), and
 * removes what they replace. If one cannot be moved, all are put back, the older report is as it was and -1 returned;
 * who kills this process meanwhile finds them moved all the same. A
 * folder that holds other files than a report's (a suffix that the new one does not have) is not replaced: -1. Frees
 * `out` in any case.
 */
int outdir_commit(struct outdir *out, const char *const *names, int n, struct error *err);

/* Removes the temporary folder, and the report's folder if outdir_open() made it and it is empty. Frees `out`; NULL is
 * allowed. */
void outdir_abandon(struct outdir *out);

#endif
