/* wanted-files.c: asks the library in a program for the modules that hold some kernels, and takes them. */
#include "trace/trace.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/code/cubin-sources.h"
#include "record/code/source-file.h"
#include "trace/inject/module-sources.h"
#include "trace/inject/wanted.h"
#include "trace/inject/whole-file.h"
#include "util/alloc.h"
#include "util/file/file.h"

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

/* ---- modules ---- */

static bool wanted_ends(const char *name, const char *suffix)
{
	size_t length = strlen(name), end = strlen(suffix);

	return length > end && strcmp(name + length - end, suffix) == 0;
}

static int is_wanted_file(const struct dirent *entry)
{
	return wanted_ends(entry->d_name, WANTED_SUFFIX) || wanted_ends(entry->d_name, MODULE_SOURCE_SUFFIX) ||
	       wanted_ends(entry->d_name, WHOLE_FILE_PART);
}

/* False if there is no such copy, or it is none. */
static bool read_wanted_source(const char *path, struct wanted_source *out)
{
	struct error unread;
	size_t size, name;
	char *bytes = file_read(path, &size, &unread);

	name = bytes ? strlen(bytes) : 0;
	if (!bytes || name >= size || size - name - 1 > SOURCE_FILE_MOST) {
		free(bytes);
		return false;
	}
	*out = (struct wanted_source){bytes, bytes + name + 1, size - name - 1};
	return true;
}

static void read_wanted_sources(struct wanted_module *module)
{
	int stem = (int)(strlen(module->path) - strlen(WANTED_SUFFIX));
	bool more = true;

	module->sources = xcalloc(CUBIN_SOURCES_MOST, sizeof(*module->sources));
	while (more && module->nsources < CUBIN_SOURCES_MOST) {
		char *path = xasprintf("%.*s-%03zu" MODULE_SOURCE_SUFFIX, stem, module->path, module->nsources);

		more = read_wanted_source(path, &module->sources[module->nsources]);
		module->nsources += more;
		free(path);
	}
}

static void take_wanted_module(
	const char *path, const char *name, void (*take)(void *user, const struct wanted_module *module), void *user)
{
	struct wanted_module module = {.path = path, .kernels = strtoull(name, NULL, 16)};

	read_wanted_sources(&module);
	take(user, &module);
	for (size_t i = 0; i < module.nsources; i++)
		free(module.sources[i].path);
	free(module.sources);
}

/* Files go behind all modules: the sources of one are other files. */
void wanted_take(const char *folder, void (*take)(void *user, const struct wanted_module *module), void *user)
{
	char *list = xasprintf("%s/" WANTED_LIST, folder);
	struct dirent **entries = NULL;
	struct stat there;
	int n = scandir(folder, &entries, is_wanted_file, alphasort);

	for (int i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", folder, entries[i]->d_name);

		if (wanted_ends(path, WANTED_SUFFIX) && lstat(path, &there) == 0 && S_ISREG(there.st_mode))
			take_wanted_module(path, entries[i]->d_name, take, user);
		free(path);
	}
	for (int i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", folder, entries[i]->d_name);

		unlink(path);
		free(path);
		free(entries[i]);
	}
	free(entries);
	unlink(list);
	free(list);
}
