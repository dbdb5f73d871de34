/* load.c: loads shared objects with families, each first in a child process. See load.h and plugin_load() in record.h.
 */
#include "record/plugin/load.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "record/plugin/check.h"
#include "record/plugin/elf.h"
#include "record/record.h"
#include "record/worker/process.h"
#include "record/worker/registry.h"
#include "util/alloc.h"
#include "util/file/file.h"

enum { MAX_PLUGINS = 64, TRIAL_TIMEOUT_MS = 30000 };

static struct {
	char *path;
	const struct dbprof_plugin *plugin;
} loaded[MAX_PLUGINS];

static int count;

int plugin_count(void)
{
	return count;
}

const char *plugin_path(int i)
{
	return loaded[i].path;
}

const char *plugin_path_of(const struct dbprof_plugin *plugin)
{
	int i = 0;

	while (loaded[i].plugin != plugin)
		i++;
	return loaded[i].path;
}

/* ---- loading ---- */

/* The loader gives only words for what went wrong. Without memory for them it gives none. */
static bool is_of_system(const char *text)
{
	static const char *const causes[] = {
		"out of memory", "annot allocate memory", "Too many open files", "nput/output error"};

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (strstr(text, causes[i]))
			return true;
	return false;
}

/* dlerror() begins with the path, which error messages here begin with anyway. */
static int load_error(const char *path, struct error *err)
{
	const char *text = dlerror();
	size_t length = strlen(path);

	if (!text)
		text = "out of memory";
	if (strncmp(text, path, length) == 0 && text[length] == ':')
		text += length + 1 + strspn(text + length + 1, " ");
	if (is_of_system(text))
		return error_system(err, "cannot be loaded: %s", text);
	return error_set(err, "cannot be loaded: %s%s", text,
		!strstr(text, "undefined symbol") ? ""
						  : ": link what defines it (nvcc links the CUDA runtime by itself)");
}

/* Opens and checks the object. It stays open if it is good. NULL on error. */
static const struct dbprof_plugin *open_plugin(const char *path, const struct plugin_doing *doing, struct error *err)
{
	const struct dbprof_plugin *plugin;
	void *handle;

	snprintf(doing->text, doing->size, "while it was loaded");
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		load_error(path, err);
		return NULL;
	}
	plugin = dlsym(handle, "dbprof_plugin");
	if (!plugin)
		error_set(err, "it has no families: end one of its files with DBPROF_PLUGIN(&my_family); (the symbol "
			       "dbprof_plugin is missing)");
	else if (plugin_check_version(plugin, err) == 0 && plugin_check(plugin, doing, err) == 0)
		/* cppcheck-suppress resourceLeak ; what is used stays loaded */
		return plugin;
	dlclose(handle);
	return NULL;
}

/* ---- trying ---- */

/* Shared with the child that tries. */
struct trial {
	const char *path;
	bool finished;
	char doing[256];
	struct error err; /* "" if all is well */
};

static void try_to_open(void *user)
{
	struct trial *trial = user;

	(void)open_plugin(trial->path, &(struct plugin_doing){trial->doing, sizeof(trial->doing)}, &trial->err);
	trial->finished = true;
}

static int load_judge(const struct trial *trial, struct process_end *end, struct error *err)
{
	char how[128];

	if (trial->finished) {
		*err = trial->err;
		return err->text[0] == '\0' ? 0 : -1;
	}
	if (end->words[0] != '\0')
		return error_system(err, "it was not tried: %s", process_reason(end));
	process_describe(end->status, how, sizeof(how));
	if (end->timed_out)
		snprintf(how, sizeof(how), "did not come back within %d s", TRIAL_TIMEOUT_MS / 1000);
	if (trial->doing[0] == '\0')
		return error_system(err, "it was not tried: the process for it %s", how);
	return error_set(err, "it %s %s", how, trial->doing);
}

static int try_plugin(const char *path, struct error *err)
{
	/* cppcheck-suppress invalidFunctionArg ; -1 is what anonymous memory asks for */
	struct trial *trial = mmap(NULL, sizeof(*trial), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct process_end end;
	int result;

	if (trial == MAP_FAILED)
		out_of_memory();
	trial->path = path;
	result = process_call(try_to_open, trial, TRIAL_TIMEOUT_MS, &end, err);
	if (result == 0)
		result = load_judge(trial, &end, err);
	munmap(trial, sizeof(*trial));
	return result;
}

/* ---- both ---- */

/* Opens a good object and registers its families; NULL on error. */
static const struct dbprof_plugin *load_load(const char *path, bool trial, struct error *err)
{
	char doing[256];
	const struct dbprof_plugin *plugin;

	if (plugin_elf_check(path, err) < 0 || (trial && try_plugin(path, err) < 0))
		return NULL;
	plugin = open_plugin(path, &(struct plugin_doing){doing, sizeof(doing)}, err);
	return plugin && registry_add(plugin, err) == 0 ? plugin : NULL;
}

int plugin_load(const char *path, bool trial, struct error *err)
{
	char *absolute = realpath(path, NULL);

	if (!absolute && (errno == ENOMEM || errno == EIO))
		return error_system(err, "%s: %s", path, strerror(errno));
	if (!absolute)
		return error_set(err, "%s: %s", path, file_open_error(errno));
	loaded[count].plugin = NULL;
	if (count == MAX_PLUGINS - 1)
		error_set(err, "at most %d objects can be loaded", MAX_PLUGINS - 1);
	else
		loaded[count].plugin = load_load(absolute, trial, err);
	if (!loaded[count].plugin) {
		free(absolute);
		return error_prefix(err, "%s", path);
	}
	loaded[count++].path = absolute;
	return 0;
}
