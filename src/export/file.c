/* file.c: see file.h. */
#include "export/file.h"

#include <stdlib.h>
#include <string.h>

#include "export/csv.h"
#include "export/launches.h"
#include "export/state.h"
#include "export/trace/trace.h"
#include "export/walk.h"

static void write_tree(struct export *ex)
{
	char *dump = json_dumps(ex->options->tree, JSON_INDENT(1));

	strbuf_puts(&ex->text, dump);
	strbuf_puts(&ex->text, "\n");
	free(dump);
}

static int walk_with(struct export *ex, const struct export_hooks *hooks)
{
	int rc;

	ex->hooks = hooks;
	rc = export_walk(ex);
	if (hooks->free)
		hooks->free(ex);
	launches_free(ex->launches);
	devices_free(&ex->devices);
	return rc;
}

static int write_table(struct export *ex)
{
	const struct export_table *table =
		export_table_find(ex->options->table ? ex->options->table : export_tables[0]);

	if (table->hooks)
		return walk_with(ex, table->hooks);
	table->tree(ex, json_array_get(json_object_get(ex->options->tree, "recordings"), 0));
	return 0;
}

static int put_bytes(void *user, const void *data, size_t size, struct error *err)
{
	const struct export *ex = user;
	const struct export_options *options = ex->options;

	if (options->interrupted && options->interrupted(options->user))
		return error_system(err, "interrupted");
	return outfile_write(ex->out, data, size, err);
}

static int write_content(struct export *ex)
{
	const char *format = ex->options->format;

	if (strcmp(format, "sqlite") == 0)
		return store_copy(ex->store, put_bytes, ex, ex->err);
	if (strcmp(format, "sqlite.zst") == 0)
		return store_pack(ex->store, put_bytes, ex, ex->err);
	if (strcmp(format, "csv") == 0)
		return write_table(ex);
	if (strcmp(format, "perfetto") == 0)
		return walk_with(ex, &export_trace_hooks);
	if (strcmp(format, "pftrace") == 0)
		return walk_with(ex, &export_packet_hooks);
	write_tree(ex);
	return 0;
}

int export_fill(const struct export_options *options, struct store *store, struct outfile *out,
	struct export_result *result, struct error *err)
{
	struct export ex = {.options = options, .store = store, .out = out, .result = result, .err = err};
	int rc = write_content(&ex);

	if (rc == 0 && ex.text.length > 0)
		rc = outfile_write(out, ex.text.text, ex.text.length, err);
	strbuf_free(&ex.text);
	return rc;
}
