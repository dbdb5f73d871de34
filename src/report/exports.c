/* exports.c: see exports.h. */
#include "report/exports.h"

#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* A recording, and where it goes. */
struct exporting {
	const struct report_options *options;
	const char *file;
	int number; /* among those of the report, from 0 */
	struct store *store;
	const json_t *tree; /* of it alone */
	const struct outdir *out;
};

/* One format or table of it under `name`. 0, or -1 with `err`. */
static int write_one(
	const struct exporting *exporting, const char *format, const char *table, const char *name, struct error *err)
{
	char *path = xasprintf("%s/%s", outdir_path(exporting->out), name);
	const struct report_options *options = exporting->options;
	struct export_result result;
	const struct export_options what = {
		.file = exporting->file,
		.format = format,
		.table = table,
		.output = path,
		.tree = exporting->tree,
		.version = options->version,
		.interrupted = options->interrupted,
		.user = options->user,
	};
	int rc = export_write(&what, exporting->store, &result, err);

	free(path);
	return rc;
}

/* What lies beside a page: what it is for, under which key the page links it. */
struct beside {
	const char *key, *format, *table, *stem, *suffix;
};

/* Writes it and names it in `entry`. -1 with `err`. */
static int put_export_file(const struct exporting *exporting, const struct beside *beside, json_t *entry,
	struct report_files *files, struct error *err)
{
	char name[REPORT_NAME_SIZE];

	report_export_name(name, beside->stem, beside->suffix, exporting->number);
	if (write_one(exporting, beside->format, beside->table, name, err) < 0)
		return -1;
	put_json(entry, beside->key, json_string(name));
	report_files_add(files, "%s", name);
	return 0;
}

/* Its events, as a timeline and as a table: what was asked for. */
static int put_events(const struct exporting *exporting, json_t *entry, struct report_files *files, struct error *err)
{
	static const struct beside trace = {"trace", "perfetto", NULL, "trace", ".json"};
	static const struct beside work = {"table", "csv", "work", "work", ".csv"};
	unsigned with = exporting->options->with;

	if ((with & REPORT_WITH_TRACE) && put_export_file(exporting, &trace, entry, files, err) < 0)
		return -1;
	return with & REPORT_WITH_WORK ? put_export_file(exporting, &work, entry, files, err) : 0;
}

/* The numbers of its families: of their cases, and of the points of their sweeps. */
static int put_numbers(const struct exporting *exporting, json_t *entry, struct report_files *files, struct error *err)
{
	static const struct beside families = {"families", "csv", "families", "families", ".csv"};
	static const struct beside points = {"points", "csv", "points", "points", ".csv"};

	return put_export_file(exporting, &families, entry, files, err) < 0 ||
			       put_export_file(exporting, &points, entry, files, err) < 0
		       ? -1
		       : 0;
}

static json_t *one_recording(const struct exporting *exporting, struct report_files *files, struct error *err)
{
	json_t *recording = json_array_get(json_object_get(exporting->tree, "recordings"), 0);
	json_t *entry = json_pack("{s:o}", "file", text_json(store_file_name(exporting->store)));
	bool families = json_array_size(json_object_get(recording, "families")) > 0;

	if (put_events(exporting, entry, files, err) < 0 ||
		(families && put_numbers(exporting, entry, files, err) < 0)) {
		json_decref(entry);
		return NULL;
	}
	return entry;
}

/* A tree with this recording alone: a new reference. */
static json_t *tree_of_one(const json_t *recording)
{
	return json_pack("{s:[O]}", "recordings", (json_t *)recording);
}

json_t *report_exports(const struct report_options *options, struct store *const *stores, const json_t *tree,
	const struct outdir *out, struct report_files *made, struct error *err)
{
	json_t *list = json_array();

	for (int i = 0; i < options->nfiles; i++) {
		const json_t *recording = json_array_get(json_object_get(tree, "recordings"), (size_t)i);
		struct exporting exporting = {
			.options = options, .file = options->files[i], .number = i, .store = stores[i], .out = out};
		json_t *entry, *alone;

		if (!tree_is_detailed(recording))
			continue;
		alone = tree_of_one(recording);
		exporting.tree = alone;
		entry = one_recording(&exporting, made, err);
		json_decref(alone);
		if (!entry) {
			json_decref(list);
			return NULL;
		}
		append_json(list, entry);
	}
	return json_pack(
		"{s:o, s:b}", "files", list, "lacks_events", options->with != (REPORT_WITH_TRACE | REPORT_WITH_WORK));
}
