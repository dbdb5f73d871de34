/* exports.c: see report-exports.h. */
#include "report/exports.h"

#include <stdio.h>
#include <string.h>

#include "export/export.h"
#include "report/files.h"
#include "tree/json.h"

/* About 25 MB of trace, and half a second. */
enum { ROWS_MOST = 100000, BYTES_MOST = 100000000 };

static const char *exports_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* 1; 0 if there are too many rows; -1 with `err`. */
static int write_one(const struct report_options *options, const struct outdir *out, const char *file,
	const char *format, const char *name, struct error *err)
{
	char path[4096 + REPORT_NAME_SIZE];
	struct export_result result;
	const struct export_options what = {
		.file = file,
		.format = format,
		.output = path,
		.version = options->version,
		.most_rows = ROWS_MOST,
		.most_bytes = BYTES_MOST,
		.interrupted = options->interrupted,
		.user = options->user,
	};

	if (snprintf(path, sizeof(path), "%s/%s", outdir_path(out), name) >= (int)sizeof(path))
		return error_set(err, "%s: the name is too long", name);
	if (export_write(&what, &result, err) == 0)
		return 1;
	return result.too_many ? 0 : -1;
}

static json_t *one_recording(const struct report_options *options, const struct outdir *out, int i, struct error *err)
{
	const char *file = options->files[i];
	char trace[REPORT_NAME_SIZE], table[REPORT_NAME_SIZE];
	int made;

	report_export_name(trace, "trace", ".json", i);
	report_export_name(table, "work", ".csv", i);
	made = write_one(options, out, file, "perfetto", trace, err);
	if (made > 0)
		made = write_one(options, out, file, "csv", table, err);
	if (made < 0)
		return NULL;
	if (made == 0)
		return json_pack("{s:o}", "file", text_json(exports_base_name(file)));
	return json_pack("{s:o, s:s, s:s}", "file", text_json(exports_base_name(file)), "trace", trace, "table", table);
}

json_t *report_exports(const struct report_options *options, const struct outdir *out, struct error *err)
{
	json_t *list = json_array();

	err->text[0] = '\0';
	for (int i = 0; i < options->nfiles && list; i++) {
		if (json_array_append_new(list, one_recording(options, out, i, err)) == 0)
			continue;
		json_decref(list);
		list = NULL;
	}
	if (list)
		err->text[0] = '\0';
	else if (!err->text[0])
		error_set(err, "not enough memory for the report");
	return list;
}
