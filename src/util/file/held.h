/* held.h: a descriptor of ours in somebody else's program. */
#ifndef DBPROF_UTIL_FILE_HELD_H
#define DBPROF_UTIL_FILE_HELD_H

#include <stdbool.h>
#include <sys/types.h>

/* The program may close a descriptor of ours, and may then get its number for a file of its own, which is to be left
 * alone. */
struct held_file {
	int fd; /* -1: none */
	dev_t device;
	ino_t inode;
};

/* Holds a descriptor that was just opened, which may be -1. */
struct held_file file_hold(int fd);

/* The same descriptor with a number above those of the standard streams, which a program may have closed: what it
 * prints must not come into a file of ours. Closes `fd`; -1 with errno if `fd` is -1 or there is no other number. */
int file_above_streams(int fd);

/* Whether the number still leads to the same file. */
bool file_is_held(const struct held_file *held);

#endif
