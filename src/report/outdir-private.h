/* outdir-private.h: what the files of outdir share. */
#ifndef DBPROF_REPORT_OUTDIR_PRIVATE_H
#define DBPROF_REPORT_OUTDIR_PRIVATE_H

#include <limits.h>
#include <stdbool.h>

#include "report/outdir.h"
#include "util/temporary.h"

/* The temporary folder's name while its files are moved. There is one at a time in a folder; that it is there without
 * anybody who holds the folder's lock tells that a move was cut off. */
#define OUTDIR_MOVING ".dbprof-moving"

struct outdir {
	char dir[PATH_MAX - 64]; /* leaves room for the names in it */
	int fd;                  /* of dir; its lock keeps others from moving files at the same time */
	struct temporary temp;
	bool made;   /* dir was not there before */
	bool locked; /* false: not yet, or the file system knows no locks */
	bool keep;   /* the older report is in temp: it could not be put back */
};

/* "folder/name" in `path`, of PATH_MAX bytes. 0, or -1 with `err` if it is too long. */
int outdir_join(char *path, const char *folder, const char *name, struct error *err);

/* What to do about a folder of moves that is there and stays there, for an errno value. Returns -1. */
int outdir_blocked(const struct outdir *out, int error, struct error *err);

/* ---- moves: files change places, all or none; what was there is kept until all have ---- */

/*
 * Three folders: the temporary one with the new files, in it a folder for the older ones, and the one where they
 * belong. Which file is where tells how far it came, and a list in the temporary folder tells which files there are: so
 * anybody can undo it after a kill at any moment. Taking the list away ends it.
 */
struct moves {
	int dir, temp, older; /* the folders */
	char *list;           /* names, each after a '+' (comes) or a '-' (goes) and ended by a NUL */
	size_t size;          /* of the list (bytes) */
};

/* Adds a name ("index.html", "plots/a.svg") to the list. 0 or an errno value. */
int moves_add(struct moves *moves, char sign, const char *name);

/* Writes the list and makes the folder for older files. 0 or an errno value. */
int moves_begin(struct moves *moves);

/* Moves all and ends it. 0, or an errno value and in *name what could not be moved; the rest is for moves_undo(). */
int moves_run(const struct moves *moves, const char **name);

/* Puts everything back and ends it. 0 or an errno value; then it can be tried again. */
int moves_undo(const struct moves *moves);

/* Whether it was begun and has not ended. */
bool moves_are_open(const struct moves *moves);

/* Undoes what a process that was killed left in the folder `dir`, and removes it. 0 or an errno value: EBUSY where
 * there is no lock (`locked`) that tells that nobody is at work, or it was on another system. */
int moves_recover(int dir, bool locked);

/* Closes and frees what is in it. */
void moves_free(struct moves *moves);

#endif
