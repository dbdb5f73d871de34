/* fail-tree.h: files and folders as a whole, for tests/tools/fail-each: what is in them, a copy of them, their end. */
#ifndef DBPROF_TOOLS_FAIL_TREE_H
#define DBPROF_TOOLS_FAIL_TREE_H

#include <stddef.h>
#include <stdint.h>

/* A checksum over all names and contents under `path`, which may be a file; 0 if it is not there. */
uint64_t tree_sum(const char *path);

/* Copies a file or a folder with all that is in it. What cannot be copied ends the process with status 99. */
void tree_copy(const char *from, const char *to);

/* Removes what is there. */
void tree_remove(const char *path);

/* The content of a file with a NUL behind it, for free(); "" if there is none. */
char *tree_text(const char *path);

/* Ends the process with status 99: the test's own set-up is broken. */
_Noreturn void tree_broken(const char *what, const char *path);

#endif
