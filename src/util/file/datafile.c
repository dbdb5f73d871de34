/* datafile.c: see datafile.h. */
#include "config.h"

#include "util/file/datafile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/alloc.h"

/* Fills `path` with the absolute path, because gnuplot runs in another folder. */
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

/* `installed` is a folder of `make install`. The whole tree may have been moved since (DESTDIR, another prefix, an
 * archive): where the folder is now, seen from the executable. "" if the executable is not in a folder like
 * DBPROF_BINDIR. */
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

/* Looks in the tree of the executable, else where that tree was to be installed. */
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
	/* Only a dbprof in its build tree looks into the sources. */
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
