/* work.h: device work for an export. Both return 0, or -1 with ex->err. */
#ifndef DBPROF_EXPORT_WORK_H
#define DBPROF_EXPORT_WORK_H

struct export;

/* A first look for what must be known before the first row: ex->last, ex->unsorted, ex->only_process, ex->launches. */
int export_prepare(struct export *ex);

/* Gives the work, by start. */
int export_work(struct export *ex);

#endif
