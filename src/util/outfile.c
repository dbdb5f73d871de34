/* outfile.c: see outfile.h. */
#include "util/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/file.h"

struct outfile {
	int fd;
	int errnum;          /* of the first failure */
	const char *path;    /* NULL: standard output */
	char *name;          /* owns `path` */
	char temp[PATH_MAX]; /* empty: written to in place */
};

static int failed(const struct outfile *out, int errnum, struct error *err)
{
	if (out->path != NULL)
		return file_write_error(err, out->path, errnum);
	return error_set(
		err, "cannot write to standard output: %s: free some space or name a file with -o", strerror(errnum));
}

/* The name that mkstemp() would choose, but with the mode that the process gives to new files. */
static int open_beside(struct outfile *out)
{
	enum { TRIES = 100 };

	for (int i = 0; i < TRIES; i++) {
		int size = snprintf(out->temp, sizeof out->temp, "%s.%ld-%d", out->path, (long)getpid(), i);

		if (size >= (int)sizeof out->temp)
			return ENAMETOOLONG;
		out->fd = open(out->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (out->fd >= 0)
			return 0;
		if (errno != EEXIST)
			return errno;
	}
	return EEXIST;
}

static int open_path(struct outfile *out)
{
	struct stat st;
	int errnum;

	if (out->path == NULL) {
		out->fd = STDOUT_FILENO;
		return 0;
	}
	if (stat(out->path, &st) != 0 || S_ISREG(st.st_mode)) {
		errnum = open_beside(out);
		if (errnum != 0)
			out->temp[0] = '\0';
		return errnum;
	}
	out->fd = open(out->path, O_WRONLY | O_CLOEXEC);
	return out->fd < 0 ? errno : 0;
}

struct outfile *outfile_open(const char *path, struct error *err)
{
	struct outfile *out = calloc(1, sizeof *out);
	int errnum;

	if (out == NULL || (path != NULL && (out->name = strdup(path)) == NULL)) {
		free(out);
		error_set(err, "out of memory: close other programs");
		return NULL;
	}
	out->path = out->name;
	out->fd = -1;
	errnum = open_path(out);
	if (errnum == 0)
		return out;
	failed(out, errnum, err);
	outfile_abandon(out);
	return NULL;
}

int outfile_write(struct outfile *out, const void *data, size_t size, struct error *err)
{
	if (out->errnum == 0)
		out->errnum = file_write_all(out->fd, data, size);
	return out->errnum == 0 ? 0 : failed(out, out->errnum, err);
}

/* Standard output stays open: the process has more to say there, or to find out at its end. */
static int close_file(struct outfile *out)
{
	int fd = out->fd;

	out->fd = -1;
	return out->path == NULL || fd < 0 || close(fd) == 0 ? 0 : errno;
}

int outfile_commit(struct outfile *out, struct error *err)
{
	int errnum = close_file(out), rc = 0;

	if (out->errnum != 0)
		errnum = out->errnum;
	if (errnum == 0 && out->temp[0] != '\0' && rename(out->temp, out->path) != 0)
		errnum = errno;
	if (errnum == 0)
		out->temp[0] = '\0';
	else
		rc = failed(out, errnum, err);
	outfile_abandon(out);
	return rc;
}

void outfile_abandon(struct outfile *out)
{
	if (out == NULL)
		return;
	close_file(out);
	if (out->temp[0] != '\0')
		unlink(out->temp);
	free(out->name);
	free(out);
}
