/* describe-files.c: the sources of the families and their PTX. See describe.h. */
#include "record/session/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/code/arch.h"
#include "record/code/fatbin.h"
#include "record/plugin/load.h"
#include "record/worker/registry.h"
#include "record/worker/select.h"
#include "util/file/file.h"

static int write_ptx_row(struct recording *rec, const char *name, const char *arch, const char *text, struct error *err)
{
	const struct value row[PTX_NUMBER] = {
		[PTX_file] = VALUE_OF_TEXT(name),
		[PTX_arch] = VALUE_OF_TEXT(arch),
		[PTX_text] = VALUE_OF_TEXT(text),
	};

	return recording_row(rec, TABLE_PTX, row, err);
}

static int write_ptx(struct recording *rec, const char *name, int capability, struct error *err)
{
	const struct embedded_file *file = arch_ptx(embedded_files, embedded_files_count, name, capability);

	return !file ? 0 : write_ptx_row(rec, name, file->arch, file->text, err);
}

static int write_source(struct recording *rec, const char *name, const char *text, struct error *err)
{
	const struct value row[SOURCE_NUMBER] = {
		[SOURCE_file] = VALUE_OF_TEXT(name),
		[SOURCE_text] = VALUE_OF_TEXT(text),
	};

	return recording_row(rec, TABLE_SOURCE, row, err);
}

/* The files of a family: number 0 is its own, the others are those of its variants, or NULL. */
static const char *family_file(const struct family *family, int number)
{
	return number == 0 ? family->file : family->variants[number - 1].file;
}

static bool family_has_file(const struct family *family, int files, const char *name)
{
	for (int i = 0; i < files; i++)
		if (family_file(family, i) && strcmp(family_file(family, i), name) == 0)
			return true;
	return false;
}

/* Two families, and two variants, may share a file. It is written for the first of them. */
static bool first_with_file(const struct record_options *options, int family, int number)
{
	const char *name = family_file(registry_family(family), number);

	for (int i = 0; i < family; i++)
		if (select_family(options, registry_family(i)) &&
			family_has_file(registry_family(i), registry_family(i)->nvariants + 1, name))
			return false;
	return !family_has_file(registry_family(family), number, name);
}

static int write_own_files(struct recording *rec, const char *name, int capability, struct error *err)
{
	for (int i = 0; i < embedded_files_count; i++)
		if (embedded_files[i].arch[0] == '\0' && strcmp(embedded_files[i].name, name) == 0 &&
			write_source(rec, embedded_files[i].name, embedded_files[i].text, err) < 0)
			return -1;
	return write_ptx(rec, name, capability, err);
}

/* ---- loaded families ---- */

/* Whether an earlier entry of the same object has the same name. */
static bool is_repeated(const struct dbprof_plugin *plugin, const struct plugin_file *file)
{
	for (const struct plugin_file *other = plugin->files; other < file; other++)
		if (strcmp(plugin_file_name(other), plugin_file_name(file)) == 0)
			return true;
	return false;
}

static int write_loaded_sources(struct recording *rec, const struct dbprof_plugin *plugin, struct error *err)
{
	for (const struct plugin_file *file = plugin->files; file < plugin->files_end; file++)
		if (!is_repeated(plugin, file) && write_source(rec, plugin_file_name(file), file->text, err) < 0)
			return -1;
	return 0;
}

/* Whether `ptx` was compiled from `name`. */
static bool is_from(const struct fatbin_ptx *ptx, const char *name)
{
	const char *slash = memrchr(ptx->source, '/', ptx->source_size);
	const char *file = !slash ? ptx->source : slash + 1;
	size_t size = ptx->source_size - (size_t)(file - ptx->source);

	/* nvcc appends a blank to a name that it has from a list. */
	while (size > 0 && file[size - 1] == ' ')
		size--;
	return strlen(name) == size && memcmp(file, name, size) == 0;
}

/* The PTX of source `name` that fits the device best, by the rule of arch_ptx(). */
static int write_loaded_ptx(
	struct recording *rec, const struct fatbin *object, const char *name, int capability, struct error *err)
{
	struct fatbin walk = *object;
	struct fatbin_ptx ptx, best = {.arch = -1};
	char arch[32], *text;
	int result;

	while (fatbin_next(&walk, &ptx))
		if (is_from(&ptx, name) && ptx.arch <= capability && ptx.arch > best.arch)
			best = ptx;
	/* A file without kernels has nothing to show. */
	if (best.arch < 0 || !memmem(best.text, best.size, ".entry", 6))
		return 0;
	text = fatbin_text(&best);
	snprintf(arch, sizeof(arch), "compute_%d", best.arch);
	result = write_ptx_row(rec, name, arch, text, err);
	free(text);
	return result;
}

/* Writes the PTX of all sources. An object that is gone by now, or whose PTX is compressed, has none. */
static int write_loaded_ptxs(
	struct recording *rec, const struct dbprof_plugin *plugin, int capability, struct error *err)
{
	struct fatbin object = {0};
	int result = 0;
	char *bytes = file_read(plugin_path_of(plugin), &object.size, NULL);

	object.file = bytes;
	for (const struct plugin_file *file = plugin->files; file < plugin->files_end && result == 0; file++)
		if (bytes && !is_repeated(plugin, file))
			result = write_loaded_ptx(rec, &object, plugin_file_name(file), capability, err);
	free(bytes);
	return result;
}

/* The files of all families of one object are written with the first that is selected. */
static bool first_of_plugin(const struct record_options *options, int family)
{
	for (int i = 0; i < family; i++)
		if (select_family(options, registry_family(i)) &&
			registry_plugin(registry_family(i)) == registry_plugin(registry_family(family)))
			return false;
	return true;
}

/* ---- all ---- */

static bool ends_in_cu(const char *name)
{
	size_t n = strlen(name);

	return n > 3 && strcmp(name + n - 3, ".cu") == 0;
}

/* Writes the files that the families' files include: once, whatever was chosen. */
static int write_shared_files(struct recording *rec, struct error *err)
{
	for (int i = 0; i < embedded_files_count; i++)
		if (embedded_files[i].arch[0] == '\0' && !ends_in_cu(embedded_files[i].name) &&
			write_source(rec, embedded_files[i].name, embedded_files[i].text, err) < 0)
			return -1;
	return 0;
}

static int write_all_own_files(
	struct recording *rec, const struct record_options *options, int i, int capability, struct error *err)
{
	const struct family *family = registry_family(i);

	for (int number = 0; number <= family->nvariants; number++) {
		const char *name = family_file(family, number);

		if (name && first_with_file(options, i, number) && write_own_files(rec, name, capability, err) < 0)
			return -1;
	}
	return 0;
}

static int write_family_files(
	struct recording *rec, const struct record_options *options, int i, int capability, struct error *err)
{
	const struct dbprof_plugin *plugin = registry_plugin(registry_family(i));

	if (plugin && !first_of_plugin(options, i))
		return 0;
	if (plugin)
		return write_loaded_sources(rec, plugin, err) < 0 ? -1
								  : write_loaded_ptxs(rec, plugin, capability, err);
	return write_all_own_files(rec, options, i, capability, err);
}

int describe_files(struct recording *rec, const struct record_options *options, int capability, struct error *err)
{
	for (int i = 0; i < registry_count(); i++)
		if (select_family(options, registry_family(i)) &&
			write_family_files(rec, options, i, capability, err) < 0)
			return -1;
	return write_shared_files(rec, err);
}
