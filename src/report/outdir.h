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

/* Waits until nobody else moves files into the folder, and keeps others from it until `out` is freed; then, what a
 * process that was killed left half done there is undone. To be called before outdir_commit(), and before looking at
 * what the folder holds. -1 with `err` if others take too long. */
int outdir_lock(struct outdir *out, struct error *err);

/* Whether the files can have their places in the folder `dir`: `older` names those that an earlier report has there,
 * anything else is somebody's own. Both lists end with NULL. -1 with `err` if not. */
int outdir_check(const char *dir, const char *const *names, const char *const *older, struct error *err);

/*
 * Moves the files `names` ("index.html", "plots/a.svg") from the temporary folder into place, in the order given
 * (index.html last), and removes those in `older` that they replace, or that are no more. If one cannot be moved or is
 * not `older`, the older report is as it was and -1 returned; who kills this process meanwhile finds them moved all the
 * same, or the next dbprof that writes there puts the older report back. Both lists end with NULL. Frees `out` in any
 * case.
 */
int outdir_commit(struct outdir *out, const char *const *names, const char *const *older, struct error *err);

/* Removes the temporary folder, and the report's folder if outdir_open() made it and it is empty. Frees `out`; NULL is
 * allowed. */
void outdir_abandon(struct outdir *out);

#endif
