/* temporary.h: files and folders in the making, before they get their names. The owner holds a lock (flock) on each.
 * The kernel drops the lock when the owner ends, even by a kill. So the next process that makes one in the same place
 * sees what a dead one left, and removes it. The name says on which system the owner runs, because a lock can be
 * trusted only there. What another system left, or this one before a restart, stays; so does what was made on a file
 * system without locks. */
#ifndef DBPROF_UTIL_FILE_TEMPORARY_H
#define DBPROF_UTIL_FILE_TEMPORARY_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/* One of them. `path` is empty when there is none. The struct must not move in memory while there is one. */
struct temporary {
	char path[PATH_MAX];
	mode_t mode;       /* that it gets with its name; 0: what it has */
	pid_t owner;       /* who made it: a child does not remove it */
	bool takes_parent; /* the folder that it is in was made for it, and goes with it if it is empty then */
	struct temporary *_Atomic next; /* of all of this process */
	int fd; /* holds the lock, also in children until they exec; a file is open for reading and writing */
};

/* Where temporary folders belong: $TMPDIR, or /tmp. */
const char *temporary_base(void);

/* Makes an empty hidden file in the folder of `path`, with the mode of any new file. Its name is ".NAME.dbprof-" and 16
 * hexadecimal digits: the system's and a random number. Removes what dead processes left there for the same name.
 * Returns 0 or an errno. */
int temporary_file_beside(struct temporary *temporary, const char *path);

/* The same, with the mode and the owner of the file that it will replace, as far as possible. */
int temporary_file_like(struct temporary *temporary, const char *path, const struct stat *replaced);

/* The same for a folder that only this user can enter. */
int temporary_folder_beside(struct temporary *temporary, const char *path);

/* The same for a folder inside `folder`, whose name begins with `prefix`. */
int temporary_folder_in(struct temporary *temporary, const char *folder, const char *prefix);

/* Gives the file the name `path`, at once. Returns 0 or an errno; on failure the file is still there. */
int temporary_rename(struct temporary *temporary, const char *path);

/* Removes it with all that is in it, if there is one. */
void temporary_remove(struct temporary *temporary);

/* Removes all that this process made, with all that is in it. A signal handler may call it, at any moment and in any
 * thread: it takes no lock and no memory. The process must end then: other threads stop where they take one away. */
void temporary_remove_all(void);

#endif
