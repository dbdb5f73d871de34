/* folder.h: removes folders with all that is in them. */
#ifndef DBPROF_UTIL_FILE_FOLDER_H
#define DBPROF_UTIL_FILE_FOLDER_H

/* Removes the file or folder `name` in the folder `parent` (a descriptor, or AT_FDCWD). Returns 0 or an errno. */
int folder_remove(int parent, const char *name);

#endif
