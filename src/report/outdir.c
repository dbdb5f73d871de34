/* outdir.c: see outdir.h. */
#include "report/outdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/file.h"

struct outdir {
	char dir[PATH_MAX - 64]; /* leaves room for the names in it */
	char temp[PATH_MAX - 32];
	bool made; /* dir was not there before */
	bool keep; /* the older report is in temp: it could not be put back */
};

/* ---- opening ---- */

static int cannot_write(const char *dir, int error, struct error *err)
{
	return error_set(err, "cannot write to %s: %s: choose another folder with -o", dir, strerror(error));
}

/* Makes dir and its parents; *made tells whether dir itself is new. 0 or an errno value. */
static int make_folders(const char *dir, bool *made)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof path, "%s", dir);
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
	struct outdir *out = calloc(1, sizeof *out);
	size_t size = strlen(dir);
	int error;

	if (out == NULL) {
		error_set(err, "out of memory");
		return NULL;
	}
	while (size > 1 && dir[size - 1] == '/')
		size--;
	if (size == 0 || size >= sizeof out->dir) {
		error_set(err, "the output folder's name is %s: choose another folder with -o",
			size == 0 ? "empty" : "too long");
		free(out);
		return NULL;
	}
	snprintf(out->dir, sizeof out->dir, "%.*s", (int)size, dir);
	error = make_folders(out->dir, &out->made);
	snprintf(out->temp, sizeof out->temp, "%s/.dbprof-XXXXXX", out->dir);
	if (error == 0 && mkdtemp(out->temp) == NULL)
		error = errno;
	if (error == 0)
		return out;
	cannot_write(out->dir, error, err);
	if (out->made)
		rmdir(out->dir);
	free(out);
	return NULL;
}

const char *outdir_path(const struct outdir *out)
{
	return out->temp;
}

/* ---- filling ---- */

static int join(char *path, const char *folder, const char *name, struct error *err)
{
	int n = snprintf(path, PATH_MAX, "%s/%s", folder, name);

	return n > 0 && n < PATH_MAX ? 0 : error_set(err, "%s: the name is too long", name);
}

int outdir_mkdir(const struct outdir *out, const char *name, struct error *err)
{
	char path[PATH_MAX];

	if (join(path, out->temp, name, err))
		return -1;
	if (mkdir(path, 0777))
		return cannot_write(out->dir, errno, err);
	return 0;
}

static int cannot_fill(const struct outdir *out, const char *name, int error, struct error *err)
{
	char path[PATH_MAX];

	return join(path, out->dir, name, err) ? -1 : file_write_error(err, path, error);
}

int outdir_write(const struct outdir *out, const char *name, const void *data, size_t size, struct error *err)
{
	char path[PATH_MAX];
	int fd, error;

	if (join(path, out->temp, name, err))
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return cannot_fill(out, name, errno, err);
	error = file_write_all(fd, data, size);
	if (close(fd) && error == 0)
		error = errno;
	return error ? cannot_fill(out, name, error, err) : 0;
}

/* ---- moving into place ---- */

static int move(const char *from, const char *to)
{
	return rename(from, to) ? errno : 0;
}

/* Swaps two names where both are there, else moves `from` to `to`. *swapped tells which. 0 or an errno value. */
static int swap_in(const char *from, const char *to, bool *swapped)
{
	char aside[PATH_MAX];
	int error;

	*swapped = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0;
	if (*swapped)
		return 0;
	if (errno == ENOENT)
		return move(from, to);
	if (errno != EINVAL && errno != ENOSYS)
		return errno;
	/* A file system that cannot swap: in three steps, through a third name beside `from`. */
	if (snprintf(aside, sizeof aside, "%s~", from) >= (int)sizeof aside)
		return ENAMETOOLONG;
	if (rename(to, aside))
		return errno == ENOENT ? move(from, to) : errno;
	error = move(from, to);
	if (error == 0 && rename(aside, from)) {
		error = errno;
		rename(to, from); /* if this fails as well, the next does too, and nothing can be done */
	}
	if (error)
		rename(aside, to);
	*swapped = error == 0;
	return error;
}

static const char *suffix_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL ? dot : "";
}

static bool has_suffix(const char *folder, const char *suffix)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	bool found = false;

	if (dir == NULL)
		return false;
	while (!found && (entry = readdir(dir)) != NULL)
		found = entry->d_name[0] != '.' && strcmp(suffix_of(entry->d_name), suffix) == 0;
	closedir(dir);
	return found;
}

/* The new folder's files replace an older report's: a folder with files of another kind is somebody's own. */
static int check_folder(const char *fresh, const char *old, struct error *err)
{
	DIR *dir = opendir(old);
	const struct dirent *entry;
	int rc = 0;

	if (dir == NULL)
		return 0; /* not there, or no folder */
	while (rc == 0 && (entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name, *suffix = suffix_of(name);

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(suffix, ".svg") == 0)
			continue;
		if (!has_suffix(fresh, suffix))
			rc = error_set(err, "%s holds %s, which is not from a report: choose another folder with -o",
				old, name);
	}
	closedir(dir);
	return rc;
}

static int check_all(const struct outdir *out, const char *const *names, int n, struct error *err)
{
	char from[PATH_MAX], to[PATH_MAX];
	struct stat st;

	for (int i = 0; i < n; i++) {
		if (join(from, out->temp, names[i], err) || join(to, out->dir, names[i], err))
			return -1;
		if (stat(from, &st))
			return error_set(err, "cannot move %s into place: %s", names[i], strerror(errno));
		if (S_ISDIR(st.st_mode) && check_folder(from, to, err))
			return -1;
		if (!S_ISDIR(st.st_mode) && stat(to, &st) == 0 && S_ISDIR(st.st_mode))
			return error_set(err, "%s is a folder: remove it, or choose another folder with -o", to);
	}
	return 0;
}

/* Undoes the moves of the first `n` names. */
static int roll_back(struct outdir *out, const char *const *names, const bool *swapped, int n, struct error *err)
{
	char from[PATH_MAX], to[PATH_MAX];

	while (n-- > 0) {
		bool ignored;
		int error;

		if (join(from, out->temp, names[n], err) || join(to, out->dir, names[n], err))
			return -1;
		error = swapped[n] ? swap_in(from, to, &ignored) : move(to, from);
		if (error) {
			out->keep = true;
			error_prefix(err, "%s could not be put back from %s (%s)", to, out->temp, strerror(error));
		}
	}
	return -1;
}

static int move_all(struct outdir *out, const char *const *names, bool *swapped, int n, struct error *err)
{
	char from[PATH_MAX], to[PATH_MAX];

	for (int i = 0; i < n; i++) {
		int error;

		if (join(from, out->temp, names[i], err) || join(to, out->dir, names[i], err))
			return -1;
		error = swap_in(from, to, &swapped[i]);
		if (error) {
			error_set(err, "cannot replace %s: %s", to, strerror(error));
			return roll_back(out, names, swapped, i, err);
		}
	}
	return 0;
}

int outdir_commit(struct outdir *out, const char *const *names, int n, struct error *err)
{
	bool *swapped = calloc((size_t)n + 1, sizeof *swapped);
	int rc = swapped == NULL ? error_set(err, "out of memory") : check_all(out, names, n, err);

	if (rc == 0)
		rc = move_all(out, names, swapped, n, err);
	free(swapped);
	outdir_abandon(out);
	return rc;
}

/* ---- removing ---- */

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path); /* what cannot be removed stays: there is nobody left to tell */
	return 0;
}

void outdir_abandon(struct outdir *out)
{
	if (out == NULL)
		return;
	if (!out->keep)
		nftw(out->temp, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	if (out->made)
		rmdir(out->dir);
	free(out);
}
