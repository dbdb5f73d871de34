/* wanted-files.c: asks the library in a program for the modules that hold some kernels, and takes them. */
#include "trace/trace.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/inject/wanted.h"
#include "util/alloc.h"
#include "util/file.h"

/* A line of the list cannot hold a line break: no compiler makes such a name, and no module has it then. */
static const char *name_in_list(const char *symbol)
{
	return strchr(symbol, '\n') ? "" : symbol;
}

int wanted_ask(const char *folder, const struct wanted_kernel *kernels, size_t n, struct error *err)
{
	char *path = xasprintf("%s/" WANTED_LIST, folder);
	FILE *file = fopen(path, "we");
	int failed = file ? 0 : errno;

	_Static_assert((int)WANTED_KERNELS <= (int)WANTED_MOST, "the library has a bit for each");
	for (size_t i = 0; file && i < n && i < WANTED_KERNELS; i++)
		fprintf(file, "%016" PRIx64 " %s\n", kernels[i].hash, name_in_list(kernels[i].symbol));
	if (file && ferror(file))
		failed = EIO;
	if (file && fclose(file) != 0 && failed == 0)
		failed = errno;
	if (failed != 0)
		file_write_error(err, path, failed);
	free(path);
	return failed != 0 ? -1 : 0;
}

static int is_module_file(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name), suffix = strlen(WANTED_SUFFIX);

	return length > suffix && strcmp(entry->d_name + length - suffix, WANTED_SUFFIX) == 0;
}

void wanted_take(const char *folder, void (*take)(void *user, const char *path, uint64_t kernels), void *user)
{
	char *list = xasprintf("%s/" WANTED_LIST, folder);
	struct dirent **entries = NULL;
	struct stat there;
	int n = scandir(folder, &entries, is_module_file, alphasort);

	for (int i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", folder, entries[i]->d_name);

		if (lstat(path, &there) == 0 && S_ISREG(there.st_mode))
			take(user, path, strtoull(entries[i]->d_name, NULL, 16));
		unlink(path);
		free(path);
		free(entries[i]);
	}
	free(entries);
	unlink(list);
	free(list);
}
