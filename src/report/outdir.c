/* outdir.c: see outdir.h. */
#include "report/outdir-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/file.h"

/* ---- one at a time ---- */

/* An errno value, EWOULDBLOCK for one that others still hold after that many seconds. */
static int wait_for_lock(int fd)
{
	enum { SECONDS = 5, TICK_NS = 20000000 };
	const struct timespec tick = {.tv_nsec = TICK_NS};

	for (int i = 0; i < SECONDS * (1000000000 / TICK_NS); i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return errno;
		nanosleep(&tick, NULL);
	}
	return EWOULDBLOCK;
}

int outdir_blocked(const struct outdir *out, int error, struct error *err)
{
	return error_set(err,
		"%s/" OUTDIR_MOVING " is of a dbprof that was killed while it replaced files, or does so on another "
		"machine (%s): if none is at work, move what is in its folder older to %s, and remove it",
		out->dir, strerror(error), out->dir);
}

int outdir_lock(struct outdir *out, struct error *err)
{
	int error = wait_for_lock(out->fd);

	if (error == EWOULDBLOCK)
		return error_set(err,
			"another dbprof writes to %s: wait until it is done, or choose another folder with -o",
			out->dir);
	out->locked = error == 0;
	error = moves_recover(out->fd, out->locked);
	if (error == 0)
		return 0;
	return outdir_blocked(out, error, err);
}

/* Only what was left half done is of interest yet. */
static int tidy(struct outdir *out, struct error *err)
{
	int rc = outdir_lock(out, err);

	if (out->locked)
		flock(out->fd, LOCK_UN);
	return rc;
}

/* ---- opening ---- */

static int cannot_write(const char *dir, int error, struct error *err)
{
	return error_set(err, "cannot write to %s: %s: %s", dir, strerror(error), file_write_advice(error));
}

/* Makes dir and its parents; *made tells whether dir itself is new. 0 or an errno value. */
static int make_folders(const char *dir, bool *made)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s", dir);
	for (char *c = path + 1; *c != '\0'; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			return errno;
		*c = '/';
	}
	*made = mkdir(path, 0777) == 0;
	if (!*made && errno != EEXIST)
		return errno;
	if (stat(path, &st))
		return errno;
	return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}

struct outdir *outdir_open(const char *dir, struct error *err)
{
	struct outdir *out = calloc(1, sizeof(*out));
	size_t size = strlen(dir);
	int error;

	if (!out) {
		error_set(err, "out of memory");
		return NULL;
	}
	while (size > 1 && dir[size - 1] == '/')
		size--;
	if (size == 0 || size >= sizeof(out->dir)) {
		error_set(err, "the output folder's name is %s: choose another folder with -o",
			size == 0 ? "empty" : "too long");
		free(out);
		return NULL;
	}
	snprintf(out->dir, sizeof(out->dir), "%.*s", (int)size, dir);
	out->fd = -1;
	error = make_folders(out->dir, &out->made);
	if (error == 0 && (out->fd = open(out->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		error = errno;
	if (error == 0)
		error = temporary_folder_in(&out->temp, out->dir, ".dbprof-");
	if (error != 0)
		cannot_write(out->dir, error, err);
	else if (tidy(out, err) == 0)
		return out;
	outdir_abandon(out);
	return NULL;
}

const char *outdir_path(const struct outdir *out)
{
	return out->temp.path;
}

/* ---- filling ---- */

int outdir_join(char *path, const char *folder, const char *name, struct error *err)
{
	int n = snprintf(path, PATH_MAX, "%s/%s", folder, name);

	return n > 0 && n < PATH_MAX ? 0 : error_set(err, "%s: the name is too long", name);
}

int outdir_mkdir(const struct outdir *out, const char *name, struct error *err)
{
	char path[PATH_MAX];

	if (outdir_join(path, out->temp.path, name, err))
		return -1;
	if (mkdir(path, 0777))
		return cannot_write(out->dir, errno, err);
	return 0;
}

static int cannot_fill(const struct outdir *out, const char *name, int error, struct error *err)
{
	char path[PATH_MAX];

	return outdir_join(path, out->dir, name, err) ? -1 : file_write_error(err, path, error);
}

int outdir_write(const struct outdir *out, const char *name, const void *data, size_t size, struct error *err)
{
	char path[PATH_MAX];
	int fd, error;

	if (outdir_join(path, out->temp.path, name, err))
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return cannot_fill(out, name, errno, err);
	error = file_write_all(fd, data, size);
	if (close(fd) && error == 0)
		error = errno;
	return error ? cannot_fill(out, name, error, err) : 0;
}

/* ---- removing ---- */

void outdir_abandon(struct outdir *out)
{
	if (!out)
		return;
	if (out->keep)
		temporary_keep(&out->temp);
	else
		temporary_remove(&out->temp);
	if (out->made)
		rmdir(out->dir);
	if (out->fd >= 0)
		close(out->fd);
	free(out);
}
