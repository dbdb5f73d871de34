/* export.c: see export.h. */
#include "export/export.h"

#include <string.h>

#include "export/csv.h"
#include "export/file.h"
#include "export/folder.h"

static bool is_all(const char *table)
{
	return table && strcmp(table, "all") == 0;
}

bool export_needs_tree(const char *format, const char *table)
{
	if (strcmp(format, "csv") != 0)
		return strcmp(format, "json") == 0;
	return is_all(table) || (table && export_table_find(table)->tree);
}

static int export_write_file(
	const struct export_options *options, struct store *store, struct export_result *result, struct error *err)
{
	struct outfile *out = outfile_open(options->output, err);

	if (!out)
		return -1;
	if (export_fill(options, store, out, result, err) == 0)
		return outfile_commit(out, err);
	outfile_abandon(out);
	return -1;
}

int export_write(
	const struct export_options *options, struct store *store, struct export_result *result, struct error *err)
{
	*result = (struct export_result){0};
	if (is_all(options->table))
		return export_folder(options, store, result, err);
	return export_write_file(options, store, result, err);
}
