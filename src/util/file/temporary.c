/* temporary.c: see temporary.h. */
#include "util/file/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include "util/file/folder.h"
#include "util/host.h"

enum { MODE_OF_FOLDER = 0700 };

/* One that is about to be there and is not in the list yet. */
static struct temporary *_Atomic in_making;

/* A signal handler reads the list without the lock, at any moment: each step of a change leaves a whole list. */
static struct temporary *_Atomic all;
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;

/* temporary_remove_all() has begun. */
static atomic_bool is_ending;

static void temporary_list_add(struct temporary *t)
{
	pthread_mutex_lock(&all_lock);
	t->next = all;
	all = t;
	pthread_mutex_unlock(&all_lock);
}

/* What temporary_remove_all() may be looking at stays until the process ends. */
static void list_take(const struct temporary *t)
{
	pthread_mutex_lock(&all_lock);
	for (struct temporary *_Atomic *at = &all; *at; at = &(*at)->next)
		if (*at == t) {
			*at = t->next;
			break;
		}
	pthread_mutex_unlock(&all_lock);
	while (is_ending)
		pause();
}

/* ---- leftovers ---- */

/* Another system may hold a lock that cannot be seen from here: its files are left alone. */
static bool temporary_is_ours(const char *name, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(name, prefix, length) == 0 && strlen(name) == length + HOST_TAIL && host_made(name);
}

/* A folder of another mode is not of our making. */
static bool may_be_leftover(const struct stat *st)
{
	return st->st_uid == geteuid() &&
	       (S_ISREG(st->st_mode) || (S_ISDIR(st->st_mode) && (st->st_mode & 0777) == MODE_OF_FOLDER));
}

static bool same_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Removes it if nobody holds its lock. Some file systems give an exclusive lock only on a file that is open for
 * writing. */
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
		(void)folder_remove(parent, name);
	close(fd);
}

static void remove_leftovers(const char *folder, const char *prefix)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (temporary_is_ours(entry->d_name, prefix))
			remove_if_dead(dirfd(dir), entry->d_name);
	closedir(dir);
}

/* ---- making ---- */

/* With so many digits nobody else has a name of this form. */
static int temporary_make_name(struct temporary *t, const char *folder, const char *prefix, const char *host)
{
	uint32_t number;

	if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
		return errno;
	if (snprintf(t->path, sizeof(t->path), "%s/%s%s%08" PRIx32, folder, prefix, host, number) <
		(int)sizeof(t->path))
		return 0;
	return ENAMETOOLONG;
}

/* Returns 0 or an errno value; on failure nothing is left. */
static int temporary_open_new(struct temporary *t, bool is_folder)
{
	int failed;

	t->owner = getpid();
	in_making = t;
	if (is_folder && mkdir(t->path, MODE_OF_FOLDER) != 0)
		return errno;
	t->fd = is_folder ? open(t->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
			  : open(t->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	failed = t->fd < 0 ? errno : 0;
	if (failed != 0 && is_folder)
		rmdir(t->path);
	return failed;
}

/* Locks it. Returns 0 or an errno value: ENOENT if somebody took it for a leftover and removed it; ENOLCK if there are
 * no locks. */
static int lock_new(const struct temporary *t)
{
	struct stat named, opened;
	int rc;

	while ((rc = flock(t->fd, LOCK_EX)) != 0 && errno == EINTR)
		;
	if (rc != 0)
		return ENOLCK;
	if (fstat(t->fd, &opened) != 0 || stat(t->path, &named) != 0)
		return errno;
	return same_inode(&named, &opened) ? 0 : ENOENT;
}

/* One try. Returns 0 or an errno value; on failure nothing is left. */
static int make_once(struct temporary *t, const char *folder, const char *prefix, const char *host, bool is_folder)
{
	int failed = temporary_make_name(t, folder, prefix, host);

	if (failed == 0)
		failed = temporary_open_new(t, is_folder);
	if (failed != 0 || strcmp(host, HOST_NONE) == 0)
		return failed;
	failed = lock_new(t);
	if (failed != 0) {
		close(t->fd);
		/* After ENOENT it is gone, or the name is somebody else's by now. */
		if (failed != ENOENT)
			(void)(is_folder ? rmdir(t->path) : unlink(t->path));
	}
	return failed;
}

static int temporary_make(struct temporary *t, const char *folder, const char *prefix, bool is_folder)
{
	enum { TRIES = 100 };
	char host[HOST_DIGITS + 1];
	int failed = EEXIST;

	t->mode = 0;
	t->takes_parent = false;
	host_digits(host);
	remove_leftovers(folder, prefix);
	for (int i = 0; i < TRIES && (failed == EEXIST || failed == ENOENT || failed == ENOLCK); i++) {
		/* Without a lock it would look as if its owner were dead: a name without a system tells not to remove
		 * it. */
		if (failed == ENOLCK)
			memcpy(host, HOST_NONE, sizeof(HOST_NONE));
		failed = make_once(t, folder, prefix, host, is_folder);
	}
	if (failed == 0)
		temporary_list_add(t);
	if (in_making == t)
		in_making = NULL;
	if (failed != 0)
		t->path[0] = '\0';
	return failed;
}

/* "dir/name" -> "dir" and ".name.dbprof-". A long name is cut, to leave room for the rest. */
static int make_beside(struct temporary *t, const char *path, bool is_folder)
{
	enum { MOST = 200 };
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX], prefix[MOST + 16];

	if (!slash)
		snprintf(folder, sizeof(folder), ".");
	else if (snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path + 1), path) >= (int)sizeof(folder))
		return ENAMETOOLONG;
	snprintf(prefix, sizeof(prefix), ".%.*s.dbprof-", MOST, !slash ? path : slash + 1);
	return temporary_make(t, folder, prefix, is_folder);
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
	/* Done while the file is empty, so that nobody reads what he must not. Only root can give a file away. */
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

const char *temporary_base(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder != '\0' ? folder : "/tmp";
}

int temporary_folder_in(struct temporary *temporary, const char *folder, const char *prefix)
{
	return temporary_make(temporary, folder, prefix, true);
}

/* ---- ends ---- */

static void let_go(struct temporary *t)
{
	list_take(t);
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

static void remove_now(const struct temporary *t)
{
	enum { TRIES = 10 };
	char *slash, parent[PATH_MAX];

	/* A traced process that begins just now may put a spool into the folder while it is being emptied. */
	for (int i = 0; i < TRIES && folder_remove(AT_FDCWD, t->path) == ENOTEMPTY; i++)
		;
	if (!t->takes_parent)
		return;
	memcpy(parent, t->path, sizeof(parent));
	slash = strrchr(parent, '/');
	if (slash)
		*slash = '\0';
	(void)rmdir(parent);
}

void temporary_remove(struct temporary *temporary)
{
	if (temporary->path[0] == '\0')
		return;
	remove_now(temporary);
	let_go(temporary);
}

/* Nothing is in it yet. */
static void remove_in_making(void)
{
	const struct temporary *t = in_making;

	if (t && t->owner == getpid() && unlink(t->path) != 0)
		(void)rmdir(t->path);
}

void temporary_remove_all(void)
{
	is_ending = true;
	remove_in_making();
	for (const struct temporary *t = all; t; t = t->next)
		if (t->owner == getpid())
			remove_now(t);
}
