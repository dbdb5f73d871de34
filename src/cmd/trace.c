/* trace.c: `dbprof trace`: any CUDA program, recorded without changing it. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cmd/commands.h"
#include "cmd/line.h"
#include "cmd/message.h"
#include "cmd/signals.h"
#ifdef HAVE_CUDA
#include "record/record.h"
#include "trace/trace.h"
#include "util/file/file.h"
#include "util/file/datafile.h"
#include "util/strbuf.h"
#include "util/text/words.h"
#endif

static enum exit_status cmd_trace_option(void *state, int key, const char *value);
static enum exit_status cmd_trace_exec(void *state, int nargs, char **args);

/* The statuses of a shell. */
enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

struct trace_state {
	const char *output;
};

static const struct cmd_option trace_table[] = {
	{'o', "output", "FILE", .value = VALUE_FILE, .help = "the recording (default: trace.sqlite)"},
	{0},
};

const struct cmd cmd_trace = {
	.name = "trace",
	.arguments = "[OPTION]... [--] PROGRAM [ARGUMENT]...",
	.takes = {VALUE_PROGRAM, VALUE_ARGUMENT},
	.summary = "record any CUDA program, without changing it",
	.details =
		"The program need not be built again; it keeps its input, output, exit status and signals. Its "
		"kernels, copies, API calls and NVTX ranges, and those of the processes that it starts, end up in one "
		"recording for `dbprof report`. What is started without dbprof's environment (env -i, sudo, a "
		"container) is not recorded. A program that does not use CUDA runs as ever and leaves no "
		"recording. Without a recording an older file stays, and dbprof says that it is of an older run.",
	.exits = "that of the program, or the same signal; 127 if it was not found, 126 if it cannot be started; 1 if "
		 "the recording cannot be written, or nothing was recorded of a program that used CUDA or may have "
		 "(and it was not started, or ended with 0); 2 bad usage",
	.options = trace_table,
	.option = cmd_trace_option,
	.exec = cmd_trace_exec,
	.state_size = sizeof(struct trace_state),
	.stops_at_argument = true,
};

static enum exit_status cmd_trace_option(void *state, int key, const char *value)
{
	struct trace_state *trace = state;

	if (key == 'o')
		trace->output = value;
	return STATUS_DONE;
}

#ifdef HAVE_CUDA
/* Only one tool can be in the program. */
static bool injection_is_free(void)
{
	const char *other = getenv("CUDA_INJECTION64_PATH");

	if (!other || *other == '\0')
		return true;
	cmd_error("another tool is loaded into CUDA programs (CUDA_INJECTION64_PATH is %s): unset it to trace", other);
	return false;
}

static void program_ended(void *unused)
{
	(void)unused;
	cmd_catch_signals();
}

static void tell_note(void *unused, const char *text)
{
	(void)unused;
	cmd_error("%s", text);
}

static void tell_count(char *text, size_t size, int64_t n, const char *one, const char *many)
{
	size_t used = strlen(text);

	if (n > 0)
		snprintf(text + used, size - used, "%s%" PRId64 " %s", used == 0 ? "" : ", ", n,
			cmd_plural(n, one, many));
}

static void tell_missing_records(const struct program_result *result)
{
	int64_t dropped = result->dropped, untimed = result->untimed;

	if (dropped > 0)
		cmd_error("%" PRId64 " %s lost: the numbers are too low", dropped,
			cmd_plural(dropped, "record was", "records were"));
	if (untimed > 0)
		cmd_error("%" PRId64 " %s no usable times, as of work that had not ended, and %s left out", untimed,
			cmd_plural(untimed, "record has", "records have"), cmd_plural(untimed, "was", "were"));
}

static void tell_recorded(const struct program_result *result, const char *output)
{
	char text[256] = "";
	struct strbuf word = {0};

	tell_count(text, sizeof(text), result->kernels, "kernel", "kernels");
	tell_count(text, sizeof(text), result->copies, "copy", "copies");
	tell_count(text, sizeof(text), result->memsets, "memset", "memsets");
	tell_count(text, sizeof(text), result->ranges, "NVTX range", "NVTX ranges");
	tell_count(text, sizeof(text), result->processes > 1 ? result->processes : 0, "process", "processes");
	words_quote(&word, output);
	cmd_error("%s: %s (`dbprof report %s` shows them)", output, text, word.text);
	strbuf_free(&word);
	tell_missing_records(result);
}

/* What is at `output` when the program has run and made no recording; "" if nothing is. Who reads the file next must
 * not take it for this run's. */
static const char *older_file(const char *output)
{
	static char text[4400];
	struct stat there;

	text[0] = '\0';
	if (stat(output, &there) == 0 && S_ISREG(there.st_mode))
		snprintf(text, sizeof(text), "; %s is of an older run", output);
	return text;
}

static void tell_result(const struct program_result *result, const char *program, const char *output)
{
	if (result->recorded)
		tell_recorded(result, output);
	if (result->why.text[0] == '\0')
		return;
	if (result->recorded)
		cmd_error("%s", result->why.text);
	else
		cmd_error("no recording of %s: %s%s", program, result->why.text, older_file(output));
}

/* Ends as the program did. A program that went well counts as failed if its recording is lost. */
static enum exit_status end_like(int status, bool lost)
{
	if (status < 0 || (lost && status == 0))
		return STATUS_FAILED;
	if (!WIFSIGNALED(status))
		return (enum exit_status)WEXITSTATUS(status);
	fflush(NULL);
	return (enum exit_status)cmd_end_by(WTERMSIG(status));
}

static enum exit_status tell_not_started(const char *program, int error)
{
	cmd_error("cannot start %s: %s", program, file_open_error(error));
	return (enum exit_status)(error == ENOENT ? NOT_FOUND : NOT_EXECUTABLE);
}

static enum exit_status trace_now(const struct program_options *what)
{
	struct program_result result;
	struct error err = {0}, told;

	if (trace_program(what, &result, &err) < 0) {
		error_set(&told, "%s%s", err.text, result.status < 0 ? "" : older_file(what->output));
		cmd_fail(STATUS_FAILED, &told);
	} else if (result.not_started != 0) {
		return tell_not_started(what->argv[0], result.not_started);
	} else {
		tell_result(&result, what->argv[0], what->output);
	}
	return end_like(result.status, result.lost);
}

static enum exit_status cmd_trace_exec(void *state, int nargs, char **args)
{
	const struct trace_state *trace = state;
	char library[4400];
	struct error err = {0};
	const struct program_options what = {
		.argv = args,
		.injection = library,
		.command = cmd_line(),
		.output = trace->output ? trace->output : "trace.sqlite",
		.ignores_children = cmd_ignored_children(),
		.ended = program_ended,
		.interrupted = cmd_interrupted,
		.note = tell_note,
	};

	if (nargs == 0) {
		cmd_error("trace: which program? as in `dbprof trace -- ./program its arguments`");
		return STATUS_USAGE;
	}
	if (!injection_is_free())
		return STATUS_FAILED;
	if (datafile_find_library(INJECTION_LIBRARY, library, sizeof(library), &err) < 0)
		return cmd_fail(STATUS_FAILED, &err);
	return trace_now(&what);
}
#else
static enum exit_status cmd_trace_exec(void *state, int nargs, char **args)
{
	(void)state;
	(void)nargs;
	(void)args;
	return cmd_lacks_cuda("cannot trace");
}
#endif
