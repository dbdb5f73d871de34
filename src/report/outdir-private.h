/* outdir-private.h: what outdir.c and outdir-commit.c share. */
#ifndef DBPROF_REPORT_OUTDIR_PRIVATE_H
#define DBPROF_REPORT_OUTDIR_PRIVATE_H

#include <limits.h>
#include <stdbool.h>

#include "report/outdir.h"
#include "util/temporary.h"

struct outdir {
	char dir[PATH_MAX - 64]; /* leaves room for the names in it */
	struct temporary temp;
	bool made; /* dir was not there before */
	bool keep; /* the older report is in temp: it could not be put back */
};

/* "folder/name" in `path`, of PATH_MAX bytes. 0, or -1 with `err` if it is too long. */
int outdir_join(char *path, const char *folder, const char *name, struct error *err);

#endif
