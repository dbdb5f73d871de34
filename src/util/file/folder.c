/* folder.c: see folder.h. */
#include "util/file/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int empty_folder(int folder);

/* Works on descriptors alone: a name that is exchanged meanwhile cannot lead it elsewhere. */
int folder_remove(int parent, const char *name)
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

/* Removes the files that one buffer of getdents64() names. 0 or an errno value. */
static int remove_entries(int folder, const char *entries, ssize_t size)
{
	int failed = 0;

	for (ssize_t at = 0; at < size;) {
		const struct dirent64 *entry = (const struct dirent64 *)(entries + at);

		at += entry->d_reclen;
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			failed |= folder_remove(folder, entry->d_name);
	}
	return failed;
}

/* Closes `folder`. Allocates nothing, since memory may have run out. What cannot be removed stays: there is nobody to
 * tell. */
static int empty_folder(int folder)
{
	_Alignas(struct dirent64) char entries[4096];
	ssize_t size;
	int failed = 0;

	while ((size = getdents64(folder, entries, sizeof(entries))) > 0)
		failed |= remove_entries(folder, entries, size);
	failed |= size < 0 ? errno : 0;
	close(folder);
	return failed;
}
