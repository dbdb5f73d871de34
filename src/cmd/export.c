/* export.c: `dbprof export`: a recording in the formats of other programs; needs no GPU. */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/redact.h"
#include "cmd/signals.h"
#include "cmd/values.h"
#include "export/export.h"
#include "model/model.h"
#include "store/store.h"
#include "util/file/file.h"
#include "words/words.h"

static enum exit_status cmd_export_option(void *state, int key, const char *value);
static enum exit_status cmd_export_exec(void *state, int nargs, char **args);

enum { OPTION_FORMAT = 300, OPTION_TABLE };

struct export_state {
	const char *format, *table; /* NULL if not given */
	const char *output;         /* NULL: standard output */
	bool redact;
};

static const struct cmd_word export_format_words[] = {
	{"perfetto", "timeline for https://ui.perfetto.dev and chrome://tracing (JSON trace events)"},
	{"pftrace", "the same for Perfetto in its own format, which is a fraction of the size"},
	{"json", "all that a report says: its report.json"},
	{"csv", "one table"},
	{"sqlite", "the SQLite file itself, unpacked where it was compressed: for other tools"},
	{"sqlite.zst", "the same compressed by zstd, to pass it on: dbprof reads it as it is"},
	{0},
};

static const struct cmd_word export_table_words[] = {
	{"work", "kernels, copies and memsets, with the call and the NVTX range each belongs to"},
	{"calls", "calls of the CUDA runtime and driver"},
	{"ranges", "NVTX ranges and marks"},
	{"syncs", "synchronisations"},
	{"counters", "PM samples, and readings of clocks, temperature and power"},
	{"diagnostics", "what the recording says about itself"},
	{"gpus", "busy time, overlap and idle time of each GPU"},
	{"families", "time of single and double, speed-up and verdict of each case"},
	{"points", "the same of each point of the sweeps, with its parameters"},
	{"samples", "the timed samples of the families"},
	{"all", "each of them, in a file of the folder that -o names"},
	{0},
};

static const struct cmd_option export_table[] = {
	{OPTION_FORMAT, "format", "FORMAT", .value = VALUE_WORD, .words = export_format_words,
		.help = "the format to write"},
	{OPTION_TABLE, "table", "TABLE", .value = VALUE_WORD, .words = export_table_words,
		.help = "table of CSV (default: work)"},
	{'o', "output", "FILE", .value = VALUE_STREAM, .help = "write to FILE (default, or for -: standard output)",
		.more = "Where FILE is a link, the file that it leads to is replaced, as everywhere. A device or a "
			"pipe is written to."},
	REDACT_OPTION,
	{0},
};

const struct cmd cmd_export = {
	.name = "export",
	.arguments = "--format=FORMAT [OPTION]... FILE",
	.takes = {VALUE_RECORDING},
	.summary = "write a recording or an Nsight Systems export for Perfetto, as JSON, CSV or SQLite",
	.options = export_table,
	.option = cmd_export_option,
	.exec = cmd_export_exec,
	.state_size = sizeof(struct export_state),
};

static enum exit_status cmd_export_option(void *state, int key, const char *value)
{
	struct export_state *export = state;
	bool good = true;
	int word;

	if (key == OPTION_FORMAT) {
		export->format = value;
		good = cmd_word("format", value, export_format_words, &word);
	} else if (key == OPTION_TABLE) {
		export->table = value;
		good = cmd_word("table", value, export_table_words, &word);
	} else if (key == OPTION_REDACT) {
		export->redact = true;
	} else {
		export->output = value;
	}
	return good ? STATUS_DONE : STATUS_USAGE;
}

static bool wants_all_tables(const struct export_state *export)
{
	return export->table && strcmp(export->table, "all") == 0;
}

static bool is_recording(const struct export_state *export)
{
	return strcmp(export->format, "sqlite") == 0 || strcmp(export->format, "sqlite.zst") == 0;
}

static bool is_binary(const struct export_state *export)
{
	return is_recording(export) || strcmp(export->format, "pftrace") == 0;
}

/* What is wrong with the arguments, or NULL. */
static const char *misuse(const struct export_state *export, int nargs, char **args)
{
	if (!export->format)
		return "which format? give --format=perfetto, pftrace, json, csv, sqlite or sqlite.zst";
	if (nargs == 0)
		return "which recording? give a file, as in `dbprof export --format=perfetto reports/dbprof.sqlite`";
	if (nargs > 1)
		return "one recording at a time";
	if (export->table && strcmp(export->format, "csv") != 0)
		return "--table is for --format=csv";
	if (wants_all_tables(export) && !export->output)
		return "--table=all needs a folder: give -o DIR";
	if (is_recording(export) && export->redact)
		return "--redact is not for the recording itself, which has everything: choose another format";
	if (is_binary(export) && !export->output && isatty(STDOUT_FILENO) != 0)
		return "this format is not for a terminal: give -o FILE";
	if (export->output && file_same(args[0], export->output))
		return "the output would replace the recording: give another name with -o";
	return NULL;
}

static void cmd_export_tell_missing(const struct export_result *result, const char *file)
{
	long long left_out = (long long)result->left_out, together = (long long)result->together;

	if (left_out > 0)
		cmd_error("%lld %s of %s %s left out", left_out, cmd_plural(left_out, "record", "records"), file,
			cmd_plural(left_out, "has no usable times and is", "have no usable times and are"));
	if (together > 0)
		cmd_error("%lld %s of %s %s own: it has too many processes and streams for that", together,
			cmd_plural(together, "event", "events"), file,
			cmd_plural(together, "has no track of its", "have no track of their"));
}

/* Builds the tree, if it is needed, and exports. */
static int export_with_tree(
	struct export_options *what, struct store *store, struct export_result *result, struct error *err)
{
	const struct model_options model = {.files = &what->file,
		.stores = &store,
		.nfiles = 1,
		.version = what->version,
		.interrupted = what->interrupted};
	json_t *tree = NULL;
	int rc;

	if (export_needs_tree(what->format, what->table)) {
		tree = model_build(&model, err);
		if (!tree)
			return -1;
		words_annotate(tree);
	}
	what->tree = tree;
	/* Until here there is nothing to remove, and a single file need not be waited for. */
	if (what->table && strcmp(what->table, "all") == 0)
		cmd_catch_signals();
	rc = export_write(what, store, result, err);
	json_decref(tree);
	return rc;
}

static int export_file(
	const struct export_state *export, struct export_options *what, struct export_result *result, struct error *err)
{
	struct store *store = store_open_redacted(what->file, export->redact ? cmd_own_families() : NULL, err);
	int rc;

	if (!store)
		return -1;
	rc = export_with_tree(what, store, result, err);
	if (rc == 0)
		cmd_export_tell_missing(result, export->redact ? store_file_name(store) : what->file);
	store_close(store);
	return rc;
}

static enum exit_status export_now(const struct export_state *export, const char *file)
{
	struct export_options what = {
		.file = file,
		.format = export->format,
		.table = export->table,
		.output = export->output,
		.version = PACKAGE_VERSION,
		.interrupted = cmd_interrupted,
	};
	struct error err = {0};
	struct export_result result;

	if (export_file(export, &what, &result, &err) < 0)
		return export->output ? cmd_fail(STATUS_USAGE, &err) : cmd_fail_output(STATUS_USAGE, &err);
	return STATUS_DONE;
}

static enum exit_status cmd_export_exec(void *state, int nargs, char **args)
{
	const struct export_state *export = state;
	const char *wrong = misuse(export, nargs, args);

	if (export->redact)
		cmd_redact_messages((const char *const *)args, nargs);
	if (wrong) {
		cmd_error("export: %s", wrong);
		return STATUS_USAGE;
	}
	return export_now(export, args[0]);
}
