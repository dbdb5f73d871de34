/* export.c: `dbprof export`: a recording in the formats of other programs; needs no GPU. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "export/export.h"
#include "model/model.h"
#include "util/file.h"
#include "words/words.h"

enum { OPTION_FORMAT = 300, OPTION_TABLE };

struct export_state {
	const char *format, *table, *output; /* NULL if not given */
};

static const struct cmd_option options[] = {
	{OPTION_FORMAT, "format", "FORMAT", "perfetto, json or csv"},
	{OPTION_TABLE, "table", "TABLE", "table of CSV (default: work), or all, into the folder DIR of -o DIR"},
	{'o', "output", "FILE", "write to FILE (default: standard output)"},
	{0, NULL, NULL, NULL},
};

static bool cmd_export_is_among(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static bool cmd_export_option(void *state, int key, const char *value)
{
	struct export_state *export = state;

	if (key == OPTION_FORMAT) {
		export->format = value;
		if (!cmd_export_is_among(export_formats, value))
			cmd_error("--format takes perfetto, json or csv, not '%s'", value);
		return cmd_export_is_among(export_formats, value);
	}
	if (key == OPTION_TABLE) {
		bool good = cmd_export_is_among(export_tables, value) || strcmp(value, "all") == 0;

		export->table = value;
		if (!good)
			cmd_error("there is no table '%s': see `dbprof export --help`", value);
		return good;
	}
	export->output = value;
	return true;
}

/* What is wrong with the arguments, or NULL. */
static const char *misuse(const struct export_state *export, int nargs, char **args)
{
	if (!export->format)
		return "which format? give --format=perfetto, json or csv";
	if (nargs == 0)
		return "which recording? give a file, as in `dbprof export --format=perfetto reports/dbprof.sqlite`";
	if (nargs > 1)
		return "one recording at a time";
	if (export->table && strcmp(export->format, "csv") != 0)
		return "--table is for --format=csv";
	if (export->table && strcmp(export->table, "all") == 0 && !export->output)
		return "--table=all needs a folder: give -o DIR";
	if (export->output && file_same(args[0], export->output))
		return "the output would replace the recording: give another name with -o";
	return NULL;
}

/* Builds the tree, if it is needed, and exports. */
static int cmd_export_now(struct export_options *what, struct export_result *result, struct error *err)
{
	const struct model_options model = {
		.files = &what->file, .nfiles = 1, .version = what->version, .interrupted = what->interrupted};
	json_t *tree = NULL;
	int rc;

	if (export_needs_tree(what->format, what->table)) {
		tree = model_build(&model, err);
		if (!tree)
			return -1;
		words_annotate(tree);
	}
	what->tree = tree;
	rc = export_write(what, result, err);
	json_decref(tree);
	return rc;
}

static enum exit_status cmd_export_exec(void *state, int nargs, char **args)
{
	const struct export_state *export = state;
	const char *wrong = misuse(export, nargs, args);
	struct error err = {0};
	struct export_result result;

	if (wrong) {
		cmd_error("export: %s", wrong);
		return STATUS_USAGE;
	}
	struct export_options what = {
		.file = args[0],
		.format = export->format,
		.table = export->table,
		.output = export->output,
		.version = PACKAGE_VERSION,
		.interrupted = cmd_interrupted,
	};
	/* A single file is no reason to wait for all to be read. */
	if (export->table && strcmp(export->table, "all") == 0)
		cmd_catch_signals();
	if (cmd_export_now(&what, &result, &err) < 0)
		return cmd_fail(STATUS_USAGE, &err);
	if (result.left_out > 0)
		cmd_error("%zu records of %s have no usable times and are left out", result.left_out, args[0]);
	if (result.together > 0)
		cmd_error("%zu events of %s stand together: it has too many processes and streams for a track of each",
			result.together, args[0]);
	return STATUS_DONE;
}

const struct cmd cmd_export = {
	.name = "export",
	.arguments = "--format=FORMAT [OPTION]... FILE",
	.summary = "write a recording or an Nsight Systems SQLite export for Perfetto, as JSON or CSV",
	.details = "Formats:\n"
		   "  perfetto     timeline for https://ui.perfetto.dev and chrome://tracing (JSON trace events)\n"
		   "  json         all that a report says: its report.json\n"
		   "  csv          one table\n"
		   "\nTables of CSV:\n"
		   "  work         kernels, copies and memsets, with the call and the NVTX range each belongs to\n"
		   "  calls        calls of the CUDA runtime and driver\n"
		   "  ranges       NVTX ranges and marks\n"
		   "  syncs        synchronisations\n"
		   "  counters     PM samples, and readings of clocks, temperature and power\n"
		   "  diagnostics  what the recording says about itself\n"
		   "  gpus         busy time, overlap and idle time of each GPU\n"
		   "  families     time of single and double, speed-up and verdict of each case\n"
		   "  samples      the timed samples of the families",
	.options = options,
	.option = cmd_export_option,
	.exec = cmd_export_exec,
	.state_size = sizeof(struct export_state),
};
