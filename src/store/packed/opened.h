/* opened.h: lets SQLite read a file that has no name. It follows no link in /proc to one, so this is a VFS. */
#ifndef DBPROF_STORE_PACKED_OPENED_H
#define DBPROF_STORE_PACKED_OPENED_H

/* What SQLite opens in place of the file that is open as `fd`: a URI, for free(). Once opened, `fd` may be closed. */
char *opened_uri(int fd);

/* The name of the VFS for it; it refuses to write. */
const char *opened_vfs(void);

#endif
