/* temporary.c: see temporary.h. */
#include "util/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

/* So many that a name of this form is nobody else's. */
enum { DIGITS = 16, MODE_OF_FOLDER = 0700, MODE_KEPT = 0755 };

#define HEXADECIMAL "0123456789abcdef"

/* The file that a signal handler has to remove. */
static const char *_Atomic in_making;

/* ---- removing ---- */

static int empty_folder(int folder);

/* Works on descriptors alone: a name that is exchanged meanwhile leads nowhere else. */
int temporary_remove_at(int parent, const char *name)
{
	int fd, failed;

	if (unlinkat(parent, name, 0) == 0)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return errno;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno;
	failed = empty_folder(fd);
	return failed != 0 || unlinkat(parent, name, AT_REMOVEDIR) == 0 ? failed : errno;
}

/* Removes what one buffer of entries names, as getdents64() gives them. 0 or an errno value. */
static int remove_entries(int folder, const char *entries, ssize_t size)
{
	int failed = 0;

	for (ssize_t at = 0; at < size;) {
		const struct dirent64 *entry = (const struct dirent64 *)(entries + at);

		at += entry->d_reclen;
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			failed |= temporary_remove_at(folder, entry->d_name);
	}
	return failed;
}

/* Closes `folder`. Without memory of its own, which may be what has run out. What cannot be removed stays: there is
 * nobody to tell. */
static int empty_folder(int folder)
{
	_Alignas(struct dirent64) char entries[4096];
	ssize_t size;
	int failed = 0;

	while ((size = getdents64(folder, entries, sizeof entries)) > 0)
		failed |= remove_entries(folder, entries, size);
	failed |= size < 0 ? errno : 0;
	close(folder);
	return failed;
}

/* ---- leftovers ---- */

static bool is_ours(const char *name, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(name, prefix, length) == 0 && strlen(name) == length + DIGITS &&
	       strspn(name + length, HEXADECIMAL) == DIGITS;
}

/* A folder that was kept has another mode. */
static bool may_be_leftover(const struct stat *st)
{
	return st->st_uid == geteuid() &&
	       (S_ISREG(st->st_mode) || (S_ISDIR(st->st_mode) && (st->st_mode & 0777) == MODE_OF_FOLDER));
}

static bool same_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Removes it if nobody holds its lock. An exclusive lock wants a file open for writing on some file systems. */
static void remove_if_dead(int parent, const char *name)
{
	struct stat st, opened;
	int fd;

	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !may_be_leftover(&st))
		return;
	fd = openat(parent, name,
		(S_ISDIR(st.st_mode) ? O_RDONLY | O_DIRECTORY : O_RDWR) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &opened) == 0 && same_inode(&st, &opened) && flock(fd, LOCK_EX | LOCK_NB) == 0)
		(void)temporary_remove_at(parent, name);
	close(fd);
}

static void remove_leftovers(const char *folder, const char *prefix)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		if (is_ours(entry->d_name, prefix))
			remove_if_dead(dirfd(dir), entry->d_name);
	closedir(dir);
}

/* ---- making ---- */

static int make_name(struct temporary *t, const char *folder, const char *prefix)
{
	uint64_t number;

	if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
		return errno;
	if (snprintf(t->path, sizeof t->path, "%s/%s%016" PRIx64, folder, prefix, number) < (int)sizeof t->path)
		return 0;
	return ENAMETOOLONG;
}

/* 0 or an errno value; then nothing is left. */
static int open_new(struct temporary *t, bool is_folder)
{
	int failed;

	if (!is_folder)
		in_making = t->path;
	if (is_folder && mkdir(t->path, MODE_OF_FOLDER) != 0)
		return errno;
	t->fd = is_folder ? open(t->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
			  : open(t->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	failed = t->fd < 0 ? errno : 0;
	if (failed != 0 && is_folder)
		rmdir(t->path);
	return failed;
}

/* Locks it. ENOENT if somebody took it for a leftover before, and removed it; 0 or another errno value. */
static int lock_new(const struct temporary *t)
{
	struct stat named, opened;

	while (flock(t->fd, LOCK_EX) != 0 && errno == EINTR)
		;
	if (fstat(t->fd, &opened) != 0 || stat(t->path, &named) != 0)
		return errno;
	return same_inode(&named, &opened) ? 0 : ENOENT;
}

/* One try. 0 or an errno value; then nothing is left. */
static int make_once(struct temporary *t, const char *folder, const char *prefix, bool is_folder)
{
	int failed = make_name(t, folder, prefix);

	if (failed == 0)
		failed = open_new(t, is_folder);
	if (failed != 0)
		return failed;
	failed = lock_new(t);
	if (failed != 0) {
		close(t->fd);
		/* Of ENOENT there is none, or one of that name that is another's. */
		if (failed != ENOENT)
			(void)(is_folder ? rmdir(t->path) : unlink(t->path));
	}
	return failed;
}

static int make(struct temporary *t, const char *folder, const char *prefix, bool is_folder)
{
	enum { TRIES = 100 };
	int failed = EEXIST;

	t->mode = 0;
	remove_leftovers(folder, prefix);
	for (int i = 0; i < TRIES && (failed == EEXIST || failed == ENOENT); i++)
		failed = make_once(t, folder, prefix, is_folder);
	if (failed == 0)
		return 0;
	if (in_making == t->path)
		in_making = NULL;
	t->path[0] = '\0';
	return failed;
}

/* "dir/name" -> "dir" and ".name.dbprof-"; of a long name the first bytes, which leave room for the rest. */
static int make_beside(struct temporary *t, const char *path, bool is_folder)
{
	enum { MOST = 200 };
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX], prefix[MOST + 16];

	if (slash == NULL)
		snprintf(folder, sizeof folder, ".");
	else if (snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path) >= (int)sizeof folder)
		return ENAMETOOLONG;
	snprintf(prefix, sizeof prefix, ".%.*s.dbprof-", MOST, slash == NULL ? path : slash + 1);
	return make(t, folder, prefix, is_folder);
}

int temporary_file_beside(struct temporary *temporary, const char *path)
{
	return make_beside(temporary, path, false);
}

int temporary_file_like(struct temporary *temporary, const char *path, const struct stat *replaced)
{
	int failed = make_beside(temporary, path, false);

	if (failed != 0 || !S_ISREG(replaced->st_mode))
		return failed;
	temporary->mode = replaced->st_mode & 0777;
	/* Before there is anything in it that not all may read; only root can give it away. */
	(void)!fchown(temporary->fd, replaced->st_uid, replaced->st_gid);
	if (fchmod(temporary->fd, temporary->mode | S_IRUSR | S_IWUSR) == 0)
		return 0;
	failed = errno;
	temporary_remove(temporary);
	return failed;
}

int temporary_folder_beside(struct temporary *temporary, const char *path)
{
	return make_beside(temporary, path, true);
}

int temporary_folder_in(struct temporary *temporary, const char *folder, const char *prefix)
{
	return make(temporary, folder, prefix, true);
}

/* ---- ends ---- */

static void let_go(struct temporary *t)
{
	if (in_making == t->path)
		in_making = NULL;
	close(t->fd);
	t->path[0] = '\0';
}

int temporary_rename(struct temporary *temporary, const char *path)
{
	if (temporary->mode != 0 && fchmod(temporary->fd, temporary->mode) != 0)
		return errno;
	if (rename(temporary->path, path) != 0)
		return errno;
	let_go(temporary);
	return 0;
}

int temporary_move(struct temporary *temporary, int parent, const char *name)
{
	size_t folder = (size_t)(strrchr(temporary->path, '/') - temporary->path);

	if (folder + 1 + strlen(name) >= sizeof temporary->path)
		return ENAMETOOLONG;
	if (renameat(AT_FDCWD, temporary->path, parent, name) != 0)
		return errno;
	snprintf(temporary->path + folder, sizeof temporary->path - folder, "/%s", name);
	return 0;
}

void temporary_remove(struct temporary *temporary)
{
	if (temporary->path[0] == '\0')
		return;
	(void)temporary_remove_at(AT_FDCWD, temporary->path);
	let_go(temporary);
}

void temporary_remove_in_handler(void)
{
	const char *path = in_making;

	if (path != NULL)
		unlink(path);
}

void temporary_keep(struct temporary *temporary)
{
	(void)fchmod(temporary->fd, MODE_KEPT);
	let_go(temporary);
}
