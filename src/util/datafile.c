/* datafile.c: see datafile.h. */
#include "config.h"

#include "util/datafile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/alloc.h"

/* Fills `path` with the absolute path: gnuplot, which is given some of these, runs in another folder. */
static int is_there(const char *folder, const char *name, char *path, size_t size)
{
	char *joined = xasprintf("%s/%s", folder, name), *whole = NULL;
	int found = 0;

	errno = 0;
	if (access(joined, R_OK) == 0)
		whole = realpath(joined, NULL);
	if (!whole && errno == ENOMEM)
		out_of_memory();
	if (whole)
		found = (size_t)snprintf(path, size, "%s", whole) < size;
	free(whole);
	free(joined);
	return found;
}

/* The executable's folder, or "" when the system does not tell. */
static void executable_folder(char *folder, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", folder, size - 1);
	char *slash;

	folder[n > 0 ? n : 0] = '\0';
	slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
}

/* Where `installed`, a folder of `make install`, is now if the whole tree was moved (DESTDIR, another prefix, an
 * archive): as far from the executable as it was made to be. "" if the executable is not in a folder like the one that
 * it was made for. */
static void moved(const char *installed, const char *executable, char *folder, size_t size)
{
	size_t common = 0, length = strlen(executable), tail;

	for (size_t i = 0; installed[i] != '\0' && installed[i] == DBPROF_BINDIR[i]; i++)
		if (installed[i] == '/')
			common = i;
	tail = strlen(&DBPROF_BINDIR[common]);
	folder[0] = '\0';
	if (length >= tail && strcmp(executable + length - tail, &DBPROF_BINDIR[common]) == 0)
		snprintf(folder, size, "%.*s%s", (int)(length - tail), executable, installed + common);
}

/* In the tree that the executable is part of, else where that was to be installed. */
static int is_installed(const char *installed, const char *executable, const char *name, char *path, size_t size)
{
	char folder[4096 + 256];

	moved(installed, executable, folder, sizeof(folder));
	return (folder[0] != '\0' && is_there(folder, name, path, size)) || is_there(installed, name, path, size);
}

int datafile_find(const char *name, char *path, size_t size, struct error *err)
{
	const char *chosen = getenv("DBPROF_DATADIR");
	char folder[4096];

	if (chosen && *chosen != '\0') {
		if (is_there(chosen, name, path, size))
			return 0;
		return error_set(err, "%s is not in DBPROF_DATADIR (%s): unset it or set it to dbprof's data folder",
			name, chosen);
	}
	executable_folder(folder, sizeof(folder));
	if (is_there(folder, name, path, size))
		return 0;
	/* A build tree elsewhere than its sources knows where they are; an installed dbprof must not look there. */
	if (strcmp(folder, DBPROF_BUILDDIR) == 0 && is_there(DBPROF_SRCDIR, name, path, size))
		return 0;
	if (is_installed(DBPROF_PKGDATADIR, folder, name, path, size))
		return 0;
	return error_set(err,
		"cannot find %s in %s or %s: run `make install`, or set DBPROF_DATADIR to dbprof's data folder", name,
		folder, DBPROF_PKGDATADIR);
}

int datafile_find_library(const char *name, char *path, size_t size, struct error *err)
{
	char folder[4096];

	executable_folder(folder, sizeof(folder));
	if (is_there(folder, name, path, size) || is_installed(DBPROF_PKGLIBDIR, folder, name, path, size))
		return 0;
	return error_set(
		err, "cannot find %s in %s or %s: run `make` or `make install`", name, folder, DBPROF_PKGLIBDIR);
}
