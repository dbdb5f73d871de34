/* outfile.h: a file that is written piece by piece, and is there whole or not at all. */
#ifndef DBPROF_UTIL_FILE_OUTFILE_H
#define DBPROF_UTIL_FILE_OUTFILE_H

#include <stddef.h>

#include "util/error.h"

struct outfile;

/* Starts the file that will be `path`, under a hidden name in the same folder (util/file/temporary.h). If `path` is a
 * link, the file that it leads to is replaced. The new file has the mode of the old one. A device or a pipe is written
 * to directly; so is standard output, for which `path` is NULL or a link to it. NULL with `err`, an error of the
 * system, if it cannot be written. End it with outfile_commit() or outfile_abandon(). */
struct outfile *outfile_open(const char *path, struct error *err);

/* Appends. After a failure this and every later call return -1 with the same `err`. */
int outfile_write(struct outfile *out, const void *data, size_t size, struct error *err);

/* Gives the file its name. Frees `out` in any case; on error an older file is as it was. */
int outfile_commit(struct outfile *out, struct error *err);

/* Removes the temporary file, if there is one. Frees `out`; NULL is allowed. */
void outfile_abandon(struct outfile *out);

/* Makes `data` the content of the file `path`, in the same way. Returns 0, or -1 with `err`. */
int file_replace(const char *path, const void *data, size_t size, struct error *err);

#endif
