/* outdir-moves.c: files change places, all or none. See outdir-private.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/outdir-private.h"
#include "util/file.h"
#include "util/folder.h"
#include "util/host.h"

#define LIST "list"
#define OLDER "older"

enum { NAME_OF_HOST_SIZE = 16 };

/* ---- the list ---- */

int moves_add(struct moves *moves, char sign, const char *name)
{
	size_t length = strlen(name) + 1;
	char *list = realloc(moves->list, moves->size + 1 + length);

	if (!list)
		return ENOMEM;
	moves->list = list;
	list[moves->size] = sign;
	memcpy(list + moves->size + 1, name, length);
	moves->size += 1 + length;
	return 0;
}

static int outdir_moves_write_list(const struct moves *moves)
{
	int fd = openat(moves->temp, LIST, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), error;

	if (fd < 0)
		return errno;
	error = file_write_all(fd, moves->list, moves->size);
	return close(fd) != 0 && error == 0 ? errno : error;
}

/* A name that leads nowhere else: the list may be from a stranger. */
static bool is_safe(const char *name)
{
	const char *slash = strchr(name, '/');

	return name[0] != '\0' && name[0] != '/' && !strstr(name, "..") &&
	       (!slash || (slash[1] != '\0' && !strchr(slash + 1, '/')));
}

static bool is_list(const char *list, size_t size)
{
	if (size > 0 && list[size - 1] != '\0')
		return false;
	for (const char *at = list; at < list + size; at += strlen(at) + 1)
		if ((*at != '+' && *at != '-') || !is_safe(at + 1))
			return false;
	return true;
}

/* The whole file, as the list. 0 or an errno value. */
static int outdir_moves_read_whole(struct moves *moves, int fd)
{
	struct stat st;
	ssize_t got = -1;

	if (fstat(fd, &st) == 0 && (moves->list = malloc((size_t)st.st_size + 1)))
		got = read(fd, moves->list, (size_t)st.st_size);
	if (got < 0)
		return errno;
	moves->size = (size_t)got;
	return got == st.st_size && is_list(moves->list, moves->size) ? 0 : EINVAL;
}

/* 0 or an errno value. */
static int outdir_moves_read_list(struct moves *moves)
{
	int fd = openat(moves->temp, LIST, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), error;

	if (fd < 0)
		return errno;
	error = outdir_moves_read_whole(moves, fd);
	close(fd);
	return error;
}

bool moves_are_open(const struct moves *moves)
{
	return faccessat(moves->temp, LIST, F_OK, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT;
}

static int outdir_moves_end(const struct moves *moves)
{
	return unlinkat(moves->temp, LIST, 0) == 0 ? 0 : errno;
}

/* ---- folders ---- */

/* The folder of "plots/a.svg" in `name`, of NAME_MAX + 1 bytes; false for a name without one. */
static bool folder_of(char *folder, const char *name)
{
	size_t length = strcspn(name, "/");

	if (name[length] == '\0' || length > NAME_MAX)
		return false;
	memcpy(folder, name, length);
	folder[length] = '\0';
	return true;
}

/* The folder of `name` is in `at`, and is one: not a link to one elsewhere. 0 or an errno value. */
static int make_folder_of(int at, const char *name)
{
	char folder[NAME_MAX + 1];
	struct stat st;

	if (!folder_of(folder, name) || mkdirat(at, folder, 0777) == 0)
		return 0;
	if (errno != EEXIST)
		return errno;
	if (fstatat(at, folder, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno;
	return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}

/* ---- there ---- */

static bool outdir_moves_is_there(int folder, const char *name)
{
	return faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT;
}

/* One that will be replaced gets a second name, where there can be such, so that it is never missing. */
static int set_aside(const struct moves *moves, const char *name, bool is_replaced)
{
	int error = make_folder_of(moves->older, name);

	if (error != 0)
		return error;
	if (is_replaced && (linkat(moves->dir, name, moves->older, name, 0) == 0 || errno == ENOENT))
		return 0;
	return renameat(moves->dir, name, moves->older, name) == 0 || errno == ENOENT ? 0 : errno;
}

static int move_one(const struct moves *moves, char sign, const char *name)
{
	int error = make_folder_of(moves->dir, name);

	if (error == 0)
		error = set_aside(moves, name, sign == '+');
	if (error == 0 && sign == '+')
		error = renameat(moves->temp, name, moves->dir, name) == 0 ? 0 : errno;
	return error;
}

int moves_run(const struct moves *moves, const char **name)
{
	for (const char *at = moves->list; at < moves->list + moves->size; at += strlen(at) + 1) {
		int error = move_one(moves, *at, at + 1);

		*name = at + 1;
		if (error != 0)
			return error;
	}
	return outdir_moves_end(moves);
}

/* ---- and back ---- */

static int undo_one(const struct moves *moves, char sign, const char *name)
{
	char folder[NAME_MAX + 1];

	if (sign == '+' && !outdir_moves_is_there(moves->temp, name) &&
		renameat(moves->dir, name, moves->temp, name) != 0 && errno != ENOENT)
		return errno;
	/* Where both are one file with two names, this does nothing, and is right. */
	if (outdir_moves_is_there(moves->older, name) && renameat(moves->older, name, moves->dir, name) != 0)
		return errno;
	if (folder_of(folder, name))
		(void)unlinkat(moves->dir, folder, AT_REMOVEDIR); /* if nothing else is in it */
	return 0;
}

int moves_undo(const struct moves *moves)
{
	int error = 0;

	for (const char *at = moves->list; at < moves->list + moves->size; at += strlen(at) + 1) {
		int failed = make_folder_of(moves->dir, at + 1);

		if (failed == 0)
			failed = undo_one(moves, *at, at + 1);
		if (error == 0)
			error = failed;
	}
	return error == 0 ? outdir_moves_end(moves) : error;
}

/* ---- begin and end ---- */

static int open_older(struct moves *moves)
{
	moves->older = openat(moves->temp, OLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return moves->older < 0 ? errno : 0;
}

/* An empty file says by its name on which system they are moved. */
static void name_of_host(char name[NAME_OF_HOST_SIZE])
{
	char digits[HOST_DIGITS + 1];

	host_digits(digits);
	snprintf(name, NAME_OF_HOST_SIZE, "host-%s", digits);
}

static int mark_host(const struct moves *moves)
{
	char name[NAME_OF_HOST_SIZE];
	int fd;

	name_of_host(name);
	fd = openat(moves->temp, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return fd >= 0 && close(fd) == 0 ? 0 : errno;
}

static bool is_of_this_host(const struct moves *moves)
{
	char name[NAME_OF_HOST_SIZE];

	name_of_host(name);
	return !strstr(name, HOST_NONE) && faccessat(moves->temp, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

int moves_begin(struct moves *moves)
{
	int error = mkdirat(moves->temp, OLDER, 0700) == 0 ? open_older(moves) : errno;

	if (error == 0)
		error = mark_host(moves);
	return error == 0 ? outdir_moves_write_list(moves) : error;
}

static int recover_from(struct moves *moves, bool locked)
{
	struct stat st;
	int error;

	if (fstat(moves->temp, &st) != 0)
		return errno;
	if (st.st_uid != geteuid())
		return EPERM;
	if (!moves_are_open(moves))
		return 0;
	if (!locked || !is_of_this_host(moves))
		return EBUSY;
	error = open_older(moves);
	if (error == 0)
		error = outdir_moves_read_list(moves);
	return error == 0 ? moves_undo(moves) : error;
}

int moves_recover(int dir, bool locked)
{
	int temp = openat(dir, OUTDIR_MOVING, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct moves moves = {.dir = dir, .temp = temp, .older = -1};
	int error;

	if (temp < 0)
		return errno == ENOENT ? 0 : errno;
	error = recover_from(&moves, locked);
	moves_free(&moves);
	close(temp);
	return error == 0 ? folder_remove(dir, OUTDIR_MOVING) : error;
}

void moves_free(struct moves *moves)
{
	if (moves->older >= 0)
		close(moves->older);
	free(moves->list);
	*moves = (struct moves){.older = -1};
}
