/*
 * outdir.h: a folder that gets files of one piece of work: they are made in a hidden folder inside it, and then moved
 * into their places, each whole and at once.
 */
#ifndef DBPROF_UTIL_FILE_OUTDIR_H
#define DBPROF_UTIL_FILE_OUTDIR_H

#include <stddef.h>

#include "util/error.h"

struct outdir;

/* Makes `dir` and the folders above it where they are missing; *made: how many are new, `dir` the last of them. 0 or an
 * errno value: then nothing new is left. */
int outdir_make_folders(const char *dir, size_t *made);

/* Removes `dir` and those above it that were made for it, from the last one on, as far as they are empty. */
void outdir_unmake_folders(const char *dir, size_t made);

/* Makes `dir` and the folders above it where they are missing, and the hidden folder in it; removes those that dead
 * processes left there (util/file/temporary.h). NULL with `err` if nothing can be written there. Ends with
 * outdir_close().
 */
struct outdir *outdir_open(const char *dir, struct error *err);

/* The hidden folder. Lives as long as `out`. */
const char *outdir_path(const struct outdir *out);

/* Makes a folder, or writes a file ("report.json", "plots/a.svg"), in the hidden folder. 0, or -1 with `err`. */
int outdir_mkdir(const struct outdir *out, const char *name, struct error *err);
int outdir_write(const struct outdir *out, const char *name, const void *data, size_t size, struct error *err);

/* Waits until nobody else moves files into the folder, and keeps others from it until `out` is closed; where the file
 * system knows no locks, the files of two who move at once may mix. -1 with `err` if others take too long. */
int outdir_lock(struct outdir *out, struct error *err);

/* Whether the files `names` can have their places in the folder `dir`: `older` names those that may be replaced,
 * anything else is somebody's own. Both lists end with NULL. -1 with `err` if not. */
int outdir_check(const char *dir, const char *const *names, const char *const *older, struct error *err);

/* Moves the file `made` from the hidden folder to `name`, in place of what is there. -1 with `err`: then that is as it
 * was. */
int outdir_move(const struct outdir *out, const char *made, const char *name, struct error *err);

/* Removes a file from the folder, and the folder that it was in ("plots") if it was the last one there. What cannot be
 * removed stays. */
void outdir_remove(const struct outdir *out, const char *name);

/* Removes the hidden folder, and the folder itself if outdir_open() made it and it is empty. Frees `out`; NULL is
 * allowed. */
void outdir_close(struct outdir *out);

#endif
