/*
 * temporary.h: files and folders in the making, before they get their names. Their owner holds a lock (flock) on each,
 * and the kernel takes it away when the owner ends, however that comes about: so whoever makes the next one in the same
 * place can tell what a killed process left, and removes it. The name says on which system the owner runs, for only
 * there its lock is to be relied on. What another one left, or this one before a restart, stays; so does what was made
 * where the file system knows no locks.
 */
#ifndef DBPROF_UTIL_TEMPORARY_H
#define DBPROF_UTIL_TEMPORARY_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/* One of them; `path` is empty when there is none. It must not move in memory while there is one. */
struct temporary {
	char path[PATH_MAX];
	mode_t mode;            /* that it gets with its name; 0: what it has */
	pid_t owner;            /* who made it: a child does not remove it */
	bool takes_parent;      /* the folder that it is in was made for it, and goes with it if it is empty then */
	struct temporary *next; /* of all of this process */
	int fd; /* holds the lock, also in children until they exec; of a file: open for reading and writing */
};

/* Makes an empty file in the folder of `path`, hidden (".NAME.dbprof-" and 16 hexadecimal digits, the system's and a
 * random number), with the mode of any new file; what dead processes left there for the same name is removed. Returns 0
 * or an errno. */
int temporary_file_beside(struct temporary *temporary, const char *path);

/* The same, with the mode and owner that the file has which it is to replace, if any, as far as that can be. */
int temporary_file_like(struct temporary *temporary, const char *path, const struct stat *replaced);

/* The same for a folder that only this user can enter. */
int temporary_folder_beside(struct temporary *temporary, const char *path);

/* The same for a folder inside `folder`, whose name begins with `prefix`. */
int temporary_folder_in(struct temporary *temporary, const char *folder, const char *prefix);

/* Gives the file the name `path`, at once. Returns 0 or an errno: the file is still there then. */
int temporary_rename(struct temporary *temporary, const char *path);

/* Removes it with all that is in it, if there is one. */
void temporary_remove(struct temporary *temporary);

/* Removes all of them that this process made, before it ends for want of memory. */
void temporary_remove_all(void);

/* For signal handlers: removes the file in the making that was made last, if there is one; the process then has to end.
 */
void temporary_remove_in_handler(void);

#endif
