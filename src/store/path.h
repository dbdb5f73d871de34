/* path.h: paths as SQLite wants them. */
#ifndef DBPROF_STORE_PATH_H
#define DBPROF_STORE_PATH_H

/* `path` in a form that SQLite does not take for a URI or for ":memory:". The caller frees it. */
char *path_plain(const char *path);

/* `path` as a SQLite URI with `query` ("immutable=1"). The caller frees it. */
char *path_uri(const char *path, const char *query);

#endif
