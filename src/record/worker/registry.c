/* registry.c: see registry.h. */
#include "record/worker/registry.h"

#include <string.h>

#include "families.h"
#include "record/code/embedded.h"
#include "record/record.h"

enum { MAX_LOADED = 256 };

static struct {
	const struct family *family;
	const struct dbprof_plugin *plugin;
} loaded[MAX_LOADED];

static int loaded_count;

int registry_count(void)
{
	return families_count + loaded_count;
}

const struct family *registry_family(int i)
{
	return i < families_count ? families[i] : loaded[i - families_count].family;
}

const struct dbprof_plugin *registry_plugin(const struct family *family)
{
	for (int i = 0; i < loaded_count; i++)
		if (loaded[i].family == family)
			return loaded[i].plugin;
	return NULL;
}

bool registry_has_loaded(void)
{
	return loaded_count > 0;
}

static cudaError_t attributes(struct cudaFuncAttributes *out, const void *function)
{
	return cudaFuncGetAttributes(out, function);
}

static cudaError_t resident(int *out, const void *function, int threads, size_t dynamic_smem)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(out, function, threads, dynamic_smem);
}

const struct plugin_runtime *registry_runtime(const struct family *family)
{
	static const struct plugin_runtime own = {
		cudaSetDevice, cudaGetLastError, attributes, cudaFuncGetName, resident};
	const struct dbprof_plugin *plugin = registry_plugin(family);

	return !plugin ? &own : plugin->runtime;
}

const char *plugin_file_name(const struct plugin_file *file)
{
	const char *slash = strrchr(file->path, '/');

	return !slash ? file->path : slash + 1;
}

static const struct plugin_file *plugin_file(const struct dbprof_plugin *plugin, const char *name)
{
	for (const struct plugin_file *file = plugin->files; file < plugin->files_end; file++)
		if (strcmp(plugin_file_name(file), name) == 0)
			return file;
	return NULL;
}

static const char *own_source(const char *name)
{
	for (int i = 0; i < embedded_files_count; i++)
		if (embedded_files[i].arch[0] == '\0' && strcmp(embedded_files[i].name, name) == 0)
			return embedded_files[i].text;
	return NULL;
}

const char *registry_source(const struct family *family, const char *name)
{
	const struct dbprof_plugin *plugin = registry_plugin(family);
	const struct plugin_file *file = plugin ? plugin_file(plugin, name) : NULL;

	if (plugin)
		return file ? file->text : NULL;
	return own_source(name);
}

/* Whether the file has code of the family: all of it, or that of a variant. */
static bool names_file(const struct family *family, const char *name)
{
	for (int i = 0; i < family->nvariants; i++)
		if (family->variants[i].file && strcmp(family->variants[i].file, name) == 0)
			return true;
	return strcmp(family->file, name) == 0;
}

/* The recording keeps sources by the names of their files, and the samples of the stalls pass refer to these. */
static int registry_check_file(const char *name, struct error *err)
{
	for (int i = 0; i < embedded_files_count; i++)
		if (strcmp(embedded_files[i].name, name) == 0)
			return error_set(err, "dbprof itself has a source file %s: give this one another name", name);
	for (int i = 0; i < loaded_count; i++)
		if (names_file(loaded[i].family, name) || plugin_file(loaded[i].plugin, name))
			return error_set(
				err, "another --load has a source file %s: give one of them another name", name);
	return 0;
}

static int check_family(const struct family *family, struct error *err)
{
	for (int i = 0; i < registry_count(); i++)
		if (strcmp(registry_family(i)->name, family->name) == 0)
			return error_set(err, "%s has a family '%s': give this one another name",
				i < families_count ? "dbprof itself" : "another --load", family->name);
	for (int i = 0; i < family->nvariants; i++)
		if (family->variants[i].file && registry_check_file(family->variants[i].file, err) < 0)
			return -1;
	return registry_check_file(family->file, err);
}

int registry_add(const struct dbprof_plugin *plugin, struct error *err)
{
	if (plugin->nfamilies > (uint64_t)(MAX_LOADED - loaded_count))
		return error_set(err, "there are more than %d families to load: use fewer at once", MAX_LOADED);
	for (uint64_t i = 0; i < plugin->nfamilies; i++)
		if (check_family(plugin->families[i], err) < 0)
			return -1;
	for (const struct plugin_file *file = plugin->files; file < plugin->files_end; file++)
		if (registry_check_file(plugin_file_name(file), err) < 0)
			return -1;
	for (uint64_t i = 0; i < plugin->nfamilies; i++) {
		loaded[loaded_count].family = plugin->families[i];
		loaded[loaded_count++].plugin = plugin;
	}
	return 0;
}
