/* command-line.c: command lines. Input: arguments, each a line. All is dbprof's own up to what a command does in the
 * end: it is only looked at what that was told to do. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"
#include "record/record.h"
#include "trace/trace.h"
#include "compare/compare.h"
#include "export/export.h"
#include "report/report.h"

#define main dbprof_main
int dbprof_main(int argc, char **argv);
#include "../../src/main.c" /* NOLINT(bugprone-suspicious-include): main() under another name */
#undef main

enum { MAX_ARGS = 200 };

/* ---- in place of what commands do ---- */

enum report_status report_write(const struct report_options *options, struct error *err)
{
	fuzz_check(options->nfiles > 0 && options->outdir != NULL && options->version != NULL, "a report of nothing");
	for (int i = 0; i < options->nfiles; i++)
		fuzz_check(options->files[i] != NULL, "a report of nothing");
	error_set(err, "not written");
	return strlen(options->outdir) % 2 == 0 ? REPORT_BAD_INPUT : REPORT_FAILED;
}

enum report_status report_check_folder(const char *dir, struct error *err)
{
	error_set(err, "not looked at");
	return strlen(dir) % 3 == 0 ? REPORT_BAD_INPUT : REPORT_DONE;
}

const char *const export_formats[] = {"perfetto", "json", "csv", NULL};
const char *const export_tables[] = {"work", "calls", NULL};

enum report_status export_write(const struct export_options *options, struct export_result *result, struct error *err)
{
	fuzz_check(options->file != NULL && options->format != NULL, "an export of nothing");
	fuzz_check(options->table == NULL || strcmp(options->format, "csv") == 0, "a table of what is no CSV");
	(void)err;
	*result = (struct export_result){.left_out = strlen(options->file) % 3};
	return REPORT_DONE;
}

json_t *compare_build(const struct compare_options *options, enum report_status *status, struct error *err)
{
	fuzz_check(options->base != NULL && options->fresh != NULL && options->nonly >= 0, "a comparison of nothing");
	fuzz_check(options->threshold > 0 && options->threshold < 1, "a threshold that is none");
	for (int i = 0; i < options->nonly; i++)
		fuzz_check(options->only[i] != NULL, "a comparison of nothing");
	*status = REPORT_BAD_INPUT;
	error_set(err, "not compared");
	return NULL;
}

json_int_t compare_count(const json_t *tree, const char *verdict)
{
	(void)tree, (void)verdict;
	return 0;
}

#ifdef HAVE_CUDA
#include "plugin.h"
#include "record/work/registry.h"
#include "record/work/select.h"

/* The folder of a report. */
int mkdir(const char *path, mode_t mode)
{
	(void)path, (void)mode;
	return 0;
}

static const int64_t powers[] = {32, 64, 128, 256, 0};
static const struct param params[] = {
	{"n", "elements", "how many", 1, 1 << 20, NULL}, {"block", "threads", "", 32, 256, powers}};
static const struct size_case cases[] = {{"small", {1000, 128}, false, NULL}, {"ragged", {999, 32}, true, NULL}};
static const struct variant variants[] = {
	{.name = "one", .summary = "one buffer", .kind = VARIANT_CANDIDATE, .buffers = 1},
	{.name = "two", .summary = "two buffers", .kind = VARIANT_CANDIDATE, .buffers = 2}};
static const struct sweep sweeps[] = {{.name = "n-block",
	.title = "Lengths and blocks",
	.question = "Where?",
	.naxes = 2,
	.axis = {{0, 2, {10, 100}}, {1, 2, {32, 64}}}}};
static const struct family made_up[] = {{.name = "made-up",
						.title = "Made up",
						.question = "Does it?",
						.params = params,
						.nparams = 2,
						.cases = cases,
						.ncases = 2,
						.variants = variants,
						.nvariants = 2,
						.single = "one",
						.double_ = "two",
						.sweeps = sweeps,
						.nsweeps = 1},
	{.name = "made",
		.title = "No parameters",
		.question = "",
		.cases = cases,
		.ncases = 1,
		.variants = variants,
		.nvariants = 1,
		.single = "one",
		.double_ = "one",
		.on_demand = true}};

int registry_count(void)
{
	return (int)(sizeof made_up / sizeof *made_up);
}

const struct family *registry_family(int i)
{
	fuzz_check(i >= 0 && i < registry_count(), "a family that there is not");
	return &made_up[i];
}

const struct dbprof_plugin *registry_plugin(const struct family *family)
{
	static const struct dbprof_plugin plugin;

	return family->on_demand ? &plugin : NULL;
}

bool registry_has_loaded(void)
{
	return true;
}

const struct family *record_family(int i)
{
	return i < registry_count() ? &made_up[i] : NULL;
}

bool record_is_loaded(const struct family *family)
{
	return registry_plugin(family) != NULL;
}

int plugin_load(const char *path, bool trial, struct error *err)
{
	(void)trial;
	return strlen(path) % 4 != 3 ? 0 : error_set(err, "it cannot be loaded");
}

const char *record_unsupported(const char *family, const char *variant, int device)
{
	(void)family, (void)device;
	return strcmp(variant, "two") == 0 ? "not here" : NULL;
}

enum device_state device_probe(int device, struct error *err)
{
	error_set(err, "it is broken");
	return device % 3 == 1 ? DEVICE_NONE : device % 3 == 2 ? DEVICE_BROKEN : DEVICE_OK;
}

void record_doctor(int device, doctor_item *item, void *user)
{
	item(user, "a thing", device % 2 == 0 ? DOCTOR_OK : DOCTOR_BROKEN, "found", device % 5 == 0 ? "mend it" : NULL);
}

/* The cases are made as a worker would. */
static void look_at(const struct record_options *options)
{
	fuzz_check(options->passes != 0 && options->passes < 1u << PASSES_NUMBER, "passes that there are not");
	fuzz_check(options->device >= 0 && options->runs >= 1, "a device or runs that cannot be");
	for (int i = 0; i < registry_count(); i++) {
		int n = 0;
		struct size_case *made = select_cases(options, registry_family(i), &n);

		fuzz_check(made != NULL, "no cases");
		for (int k = 0; k < n; k++)
			(void)select_skipped(options, registry_family(i)->name, "one", made[k].label);
		free(made);
	}
	(void)select_timed_cases(options);
}

int record_run(const struct record_options *options, const struct record_progress *progress, struct error *err)
{
	look_at(options);
	progress->begin(progress->user, "made-up", "verify", 0, 2);
	progress->step(progress->user, "small", 1, 20);
	progress->end(progress->user, "made-up", "verify", options->device % 2 == 0 ? "skipped" : "failed", NULL, 1);
	progress->note(progress->user, "a note");
	return options->nsettings % 2 == 0 ? 0 : error_set(err, "not recorded");
}

bool record_worker_hangs(void)
{
	return false;
}

int record_worker(const struct record_options *options, const char *family, enum pass pass, const char *spool_path,
	struct error *err)
{
	fuzz_check(family != NULL && spool_path != NULL && pass < PASSES_NUMBER && options->run >= 0, "no work");
	return error_set(err, "not done");
}

int trace_program(const struct program_options *options, struct program_result *result, struct error *err)
{
	fuzz_check(options->argv[0] != NULL && options->output != NULL && options->injection != NULL, "no program");
	*result = (struct program_result){.recorded = true, .kernels = 1, .copies = 2, .dropped = 3};
	if (strlen(options->argv[0]) % 4 == 1)
		result->not_started = ENOENT;
	if (strlen(options->argv[0]) % 4 != 2)
		return 0;
	result->status = -1;
	return error_set(err, "not traced");
}
#endif

/* ---- the target ---- */

/* The commands take signals over, which would leave libFuzzer deaf. */
static void run_main(int argc, char **argv)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
	struct sigaction before[sizeof signals / sizeof *signals];
	int status;

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], NULL, &before[i]);
	optind = 0;
	status = dbprof_main(argc, argv);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &before[i], NULL);
	fuzz_check(status >= STATUS_DONE && status <= STATUS_UNCLEAR + 250, "an exit status that cannot be");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), program[] = "dbprof", *argv[MAX_ARGS + 2] = {program};
	int argc = 1;

	fuzz_silence();
	/* No gnuplot is started by `doctor`. */
	setenv("DBPROF_GNUPLOT", "'", 1);
	for (char *word = text; word < text + size && argc <= MAX_ARGS;) {
		argv[argc++] = word;
		word += strcspn(word, "\n");
		*word++ = '\0';
	}
	run_main(argc, argv);
	free(text);
	return 0;
}
