/* walk.h: reads a recording row by row for a format. */
#ifndef DBPROF_EXPORT_WALK_H
#define DBPROF_EXPORT_WALK_H

struct export;

/* Reads ex->store for ex->hooks. 0, or -1 with ex->err. */
int export_walk(struct export *ex);

#endif
