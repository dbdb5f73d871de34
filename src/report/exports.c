/* exports.c: see exports.h. */
#include "report/exports.h"

#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* About 25 MB of trace, and half a second. */
enum { ROWS_MOST = 100000, BYTES_MOST = 100000000 };

/* A recording, and where it goes. */
struct exporting {
	const struct report_options *options;
	const char *file;
	struct store *store;
	const struct outdir *out;
};

/* 1; 0 if there are too many rows; -1 with `err`. */
static int write_one(const struct exporting *exporting, const char *format, const char *name, struct error *err)
{
	char *path = xasprintf("%s/%s", outdir_path(exporting->out), name);
	const struct report_options *options = exporting->options;
	struct export_result result;
	const struct export_options what = {
		.file = exporting->file,
		.format = format,
		.output = path,
		.version = options->version,
		.most_rows = ROWS_MOST,
		.most_bytes = BYTES_MOST,
		.interrupted = options->interrupted,
		.user = options->user,
	};
	int rc = export_write(&what, exporting->store, &result, err);

	free(path);
	return rc == 0 ? 1 : result.too_many ? 0 : -1;
}

static json_t *one_recording(const struct exporting *exporting, int i, struct report_files *files, struct error *err)
{
	char trace[REPORT_NAME_SIZE], table[REPORT_NAME_SIZE];
	json_t *entry;
	int made;

	report_export_name(trace, "trace", ".json", i);
	report_export_name(table, "work", ".csv", i);
	made = write_one(exporting, "perfetto", trace, err);
	if (made > 0)
		made = write_one(exporting, "csv", table, err);
	if (made < 0)
		return NULL;
	entry = json_pack("{s:o}", "file", text_json(store_file_name(exporting->store)));
	if (made == 0)
		return entry;
	put_json(entry, "trace", json_string(trace));
	put_json(entry, "table", json_string(table));
	report_files_add(files, "%s", trace);
	report_files_add(files, "%s", table);
	return entry;
}

json_t *report_exports(const struct report_options *options, struct store *const *stores, const json_t *tree,
	const struct outdir *out, struct report_files *made, struct error *err)
{
	json_t *list = json_array();

	for (int i = 0; i < options->nfiles; i++) {
		const struct exporting exporting = {options, options->files[i], stores[i], out};
		json_t *entry;

		if (!tree_is_detailed(json_array_get(json_object_get(tree, "recordings"), (size_t)i)))
			continue;
		entry = one_recording(&exporting, i, made, err);
		if (!entry) {
			json_decref(list);
			return NULL;
		}
		append_json(list, entry);
	}
	return list;
}
