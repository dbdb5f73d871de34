/* outfile.c: see outfile.h. */
#include "util/file/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/file/file.h"
#include "util/file/temporary.h"

struct outfile {
	int fd;
	int errnum;            /* of the first failure */
	const char *path;      /* NULL: standard output */
	char *name;            /* owns `path` */
	char target[PATH_MAX]; /* `path`, or where the link at `path` leads */
	struct temporary temp; /* none: written to in place */
};

static int outfile_failed(const struct outfile *out, int errnum, struct error *err)
{
	if (out->path)
		return file_write_error(err, out->path, errnum);
	return error_system(err, "cannot write to standard output: %s", file_output_error(errnum));
}

/* A link such as /dev/stdout leads to the file that the shell has opened. Replaced, that file would have no name, and
 * the output would be lost. Returns the descriptor, or -1. */
static int find_stream(const char *path, const struct stat *there)
{
	struct stat st;

	if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode))
		return -1;
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (fstat(fd, &st) == 0 && st.st_dev == there->st_dev && st.st_ino == there->st_ino &&
			(fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
			return fd;
	return -1;
}

static int outfile_open_new(struct outfile *out, const struct stat *there)
{
	int errnum = temporary_file_like(&out->temp, out->target, there);

	if (errnum != 0)
		return errnum;
	/* A second descriptor: closing it tells errors while the lock is still held. */
	out->fd = fcntl(out->temp.fd, F_DUPFD_CLOEXEC, 0);
	return out->fd < 0 ? errno : 0;
}

/* 0 or an errno value. */
static int open_path(struct outfile *out)
{
	struct stat there;
	int errnum, stream;

	if (!out->path) {
		out->fd = STDOUT_FILENO;
		return 0;
	}
	errnum = file_target(out->path, out->target, &there);
	stream = there.st_mode == 0 ? -1 : find_stream(out->path, &there);
	if (stream >= 0)
		out->fd = fcntl(stream, F_DUPFD_CLOEXEC, 0);
	else if (there.st_mode != 0 && !S_ISREG(there.st_mode))
		out->fd = open(out->path, O_WRONLY | O_CLOEXEC);
	else
		return errnum != 0 ? errnum : outfile_open_new(out, &there);
	return out->fd < 0 ? errno : 0;
}

struct outfile *outfile_open(const char *path, struct error *err)
{
	struct outfile *out = xcalloc(1, sizeof(*out));
	int errnum;

	out->name = path ? xstrdup(path) : NULL;
	out->path = out->name;
	out->fd = -1;
	errnum = open_path(out);
	if (errnum == 0)
		return out;
	outfile_failed(out, errnum, err);
	outfile_abandon(out);
	return NULL;
}

int outfile_write(struct outfile *out, const void *data, size_t size, struct error *err)
{
	if (out->errnum == 0)
		out->errnum = file_write_all(out->fd, data, size);
	return out->errnum == 0 ? 0 : outfile_failed(out, out->errnum, err);
}

/* Standard output stays open: more may be written, and errors are found at the end of the process. */
static int outfile_close_file(struct outfile *out)
{
	int fd = out->fd;

	out->fd = -1;
	return !out->path || fd < 0 || close(fd) == 0 ? 0 : errno;
}

int outfile_commit(struct outfile *out, struct error *err)
{
	int errnum = outfile_close_file(out), rc = 0;

	if (out->errnum != 0)
		errnum = out->errnum;
	if (errnum == 0 && out->temp.path[0] != '\0')
		errnum = temporary_rename(&out->temp, out->target);
	if (errnum != 0)
		rc = outfile_failed(out, errnum, err);
	outfile_abandon(out);
	return rc;
}

void outfile_abandon(struct outfile *out)
{
	if (!out)
		return;
	outfile_close_file(out);
	temporary_remove(&out->temp);
	free(out->name);
	free(out);
}

int file_replace(const char *path, const void *data, size_t size, struct error *err)
{
	struct outfile *out = outfile_open(path, err);

	if (!out)
		return -1;
	if (outfile_write(out, data, size, err) == 0)
		return outfile_commit(out, err);
	outfile_abandon(out);
	return -1;
}
