/* outdir.c: see outdir.h. */
#include "util/file/outdir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/file/file.h"
#include "util/file/temporary.h"

struct outdir {
	char dir[PATH_MAX - 64]; /* leaves room for the names in it */
	int fd;                  /* of dir; its lock keeps others from moving files at the same time */
	struct temporary temp;   /* the hidden folder */
};

/* ---- opening and closing ---- */

static int cannot_write(const char *dir, int error, struct error *err)
{
	return error_system(err, "cannot write to %s: %s: %s", dir, strerror(error), file_write_advice(error));
}

/* Without slashes at its end. 0 or an errno value. */
static int copy_folder_name(const char *dir, char path[PATH_MAX])
{
	size_t size = strlen(dir);

	while (size > 1 && dir[size - 1] == '/')
		size--;
	if (size == 0 || size >= PATH_MAX)
		return size == 0 ? ENOENT : ENAMETOOLONG;
	snprintf(path, PATH_MAX, "%.*s", (int)size, dir);
	return 0;
}

/* Adds to *made if the folder is new. 0 or an errno value. */
static int make_folder(const char *path, size_t *made)
{
	if (mkdir(path, 0777) == 0)
		(*made)++;
	else if (errno != EEXIST)
		return errno;
	return 0;
}

/* Where it fails, `path` is cut behind the folder that cannot be made. */
static int make_path(char *path, size_t *made)
{
	struct stat st;
	int error;

	for (char *c = path + 1; *c != '\0'; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		error = make_folder(path, made);
		if (error != 0)
			return error;
		*c = '/';
	}
	error = make_folder(path, made);
	if (error == 0 && stat(path, &st) != 0)
		error = errno;
	return error != 0 ? error : S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}

/* Cuts the last part off. False if there is none above it. */
static bool go_up(char *path)
{
	char *slash = strrchr(path, '/');

	while (slash && slash > path && slash[-1] == '/')
		slash--;
	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

static void remove_made(char *path, size_t made)
{
	while (made > 0 && rmdir(path) == 0 && go_up(path))
		made--;
}

int outdir_make_folders(const char *dir, size_t *made)
{
	char path[PATH_MAX];
	int error = copy_folder_name(dir, path);

	*made = 0;
	if (error == 0)
		error = make_path(path, made);
	if (error != 0 && *made > 0 && go_up(path)) {
		remove_made(path, *made);
		*made = 0;
	}
	return error;
}

void outdir_unmake_folders(const char *dir, size_t made)
{
	char path[PATH_MAX];

	if (copy_folder_name(dir, path) == 0)
		remove_made(path, made);
}

/* 0 or an errno value. */
static int open_folder(struct outdir *out)
{
	size_t made;
	int error = outdir_make_folders(out->dir, &made);

	if (error == 0 && (out->fd = open(out->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		error = errno;
	if (error == 0)
		error = temporary_folder_in(&out->temp, out->dir, ".dbprof-");
	if (error == 0)
		out->temp.takes_parent = made > 0;
	else
		outdir_unmake_folders(out->dir, made);
	return error;
}

struct outdir *outdir_open(const char *dir, struct error *err)
{
	struct outdir *out = xcalloc(1, sizeof(*out));
	size_t size = strlen(dir);
	int error;

	while (size > 1 && dir[size - 1] == '/')
		size--;
	out->fd = -1;
	if (size == 0 || size >= sizeof(out->dir)) {
		error_set(err, "the output folder's name is %s: choose another folder with -o",
			size == 0 ? "empty" : "too long");
		outdir_close(out);
		return NULL;
	}
	snprintf(out->dir, sizeof(out->dir), "%.*s", (int)size, dir);
	error = open_folder(out);
	if (error == 0)
		return out;
	cannot_write(out->dir, error, err);
	outdir_close(out);
	return NULL;
}

const char *outdir_path(const struct outdir *out)
{
	return out->temp.path;
}

void outdir_close(struct outdir *out)
{
	if (!out)
		return;
	temporary_remove(&out->temp);
	if (out->fd >= 0)
		close(out->fd);
	free(out);
}

/* ---- filling ---- */

/* "folder/name" in `path`, of PATH_MAX bytes. */
static int outdir_join(char *path, const char *folder, const char *name, struct error *err)
{
	int n = snprintf(path, PATH_MAX, "%s/%s", folder, name);

	return n > 0 && n < PATH_MAX ? 0 : error_set(err, "%s: the name is too long", name);
}

int outdir_mkdir(const struct outdir *out, const char *name, struct error *err)
{
	if (mkdirat(out->temp.fd, name, 0777))
		return cannot_write(out->dir, errno, err);
	return 0;
}

/* 0 or an errno value. */
static int write_at(int folder, const char *name, const void *data, size_t size)
{
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), error;

	if (fd < 0)
		return errno;
	error = file_write_all(fd, data, size);
	return close(fd) != 0 && error == 0 ? errno : error;
}

int outdir_write(const struct outdir *out, const char *name, const void *data, size_t size, struct error *err)
{
	char path[PATH_MAX];
	int error = write_at(out->temp.fd, name, data, size);

	if (error == 0)
		return 0;
	/* The name that it is to have says more than the one that it has. */
	return outdir_join(path, out->dir, name, err) ? -1 : file_write_error(err, path, error);
}

/* ---- what is in the way ---- */

/* The folder of "plots/a.svg" in `folder`, of NAME_MAX + 1 bytes; false for a name without one. */
static bool folder_of(char *folder, const char *name)
{
	size_t length = strcspn(name, "/");

	if (name[length] == '\0' || length > NAME_MAX)
		return false;
	memcpy(folder, name, length);
	folder[length] = '\0';
	return true;
}

/* It has to be one, and here: not a link to one elsewhere. */
static int check_folder_of(int fd, const char *dir, const char *name, struct error *err)
{
	char folder[NAME_MAX + 1];
	struct stat st;

	if (!folder_of(folder, name) || fstatat(fd, folder, &st, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR(st.st_mode))
		return 0;
	return error_set(err, "%s/%s is no folder: remove it, or choose another folder with -o", dir, folder);
}

static bool outdir_is_among(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static int check_place(int fd, const char *dir, const char *name, const char *const *older, struct error *err)
{
	struct stat st;

	if (check_folder_of(fd, dir, name, err) < 0)
		return -1;
	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return 0;
	if (S_ISDIR(st.st_mode))
		return error_set(err, "%s/%s is a folder: remove it, or choose another folder with -o", dir, name);
	if (outdir_is_among(name, older))
		return 0;
	return error_set(
		err, "%s/%s is there and not from dbprof: move it away, or choose another folder with -o", dir, name);
}

int outdir_check(const char *dir, const char *const *names, const char *const *older, struct error *err)
{
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC), rc = 0;

	if (fd < 0)
		return 0; /* nothing is in it */
	for (; *names && rc == 0; names++)
		rc = check_place(fd, dir, *names, older, err);
	close(fd);
	return rc;
}

/* ---- into place ---- */

/* An errno value, EWOULDBLOCK for one that others still hold after that many seconds. They hold it while they move
 * files, which takes moments, or seconds where others keep the disk busy. */
static int wait_for_lock(int fd)
{
	enum { SECONDS = 30, TICK_NS = 20000000 };
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

int outdir_lock(struct outdir *out, struct error *err)
{
	if (wait_for_lock(out->fd) != EWOULDBLOCK)
		return 0;
	return error_system(
		err, "another dbprof writes to %s: wait until it is done, or choose another folder with -o", out->dir);
}

int outdir_move(const struct outdir *out, const char *made, const char *name, struct error *err)
{
	char folder[NAME_MAX + 1];
	bool has_folder = folder_of(folder, name), is_new = false;
	int errnum;

	if (check_folder_of(out->fd, out->dir, name, err) < 0)
		return -1;
	if (has_folder)
		is_new = mkdirat(out->fd, folder, 0777) == 0;
	if ((!has_folder || is_new || errno == EEXIST) && renameat(out->temp.fd, made, out->fd, name) == 0)
		return 0;
	errnum = errno;
	if (is_new)
		(void)unlinkat(out->fd, folder, AT_REMOVEDIR);
	return error_system(
		err, "cannot replace %s/%s: %s: %s", out->dir, name, strerror(errnum), file_write_advice(errnum));
}

void outdir_remove(const struct outdir *out, const char *name)
{
	char folder[NAME_MAX + 1];

	if (unlinkat(out->fd, name, 0) == 0 && folder_of(folder, name))
		(void)unlinkat(out->fd, folder, AT_REMOVEDIR); /* if nothing else is in it */
}
