/*
 * cmd.h: what a command of dbprof is, and what the commands share: options, messages, interruption.
 * Only main.c and the cmd-*.c files speak to people or decide exit statuses.
 */
#ifndef DBPROF_CMD_CMD_H
#define DBPROF_CMD_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "util/error.h"

/* The last two are of `dbprof compare` alone. */
enum exit_status { STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_SLOWER = 3, STATUS_UNCLEAR = 4 };

enum { CMD_MAX_REPEATS = 64 };

/* One option of a command. `key` is the short letter, or a number above 255 for an option without one. */
struct cmd_option {
	int key;
	const char *name;
	const char *argument; /* its placeholder in the help, or NULL if it takes none */
	const char *help;
};

/* One command; `name` NULL ends a table of them. */
struct cmd {
	const char *name;
	const char *arguments;            /* as in the usage line */
	const char *summary;              /* one line */
	const char *details;              /* paragraphs for --help; NULL if the summary says it all */
	const struct cmd_option *options; /* ended by a NULL name; NULL if there are none */
	/* Called once per option given, then exec() with the other arguments. `state` is the command's own, zeroed. An
	 * option's value that is no good: false, after cmd_error() or by cmd_refuse(). */
	bool (*option)(void *state, int key, const char *value);
	enum exit_status (*exec)(void *state, int nargs, char **args);
	size_t state_size;
	bool hidden;            /* not for people: left out of the help */
	bool stops_at_argument; /* what follows the first argument is that argument's own: no option of ours */
};

extern const struct cmd cmd_run, cmd_record, cmd_report, cmd_trace, cmd_compare, cmd_export, cmd_list, cmd_doctor,
	cmd_worker;

/* Parses argv (argv[0] is the command's name) against cmd->options, answers --help, runs the command. */
enum exit_status cmd_main(const struct cmd *cmd, int argc, char **argv);

/* Prints the option lines of a help text. */
void cmd_print_options(const struct cmd_option *options);

/* "dbprof: message" on stderr, one line. Of a worker, who started it says it. */
void cmd_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for an error that a library reported. Returns the status given, for `return cmd_fail(...)`; STATUS_FAILED in
 * the place of STATUS_USAGE where memory, a disk or a process is to blame. */
enum exit_status cmd_fail(enum exit_status status, const struct error *err);
/* The same for an option, "option error", for `return cmd_refuse(...)` in the command's option(). Returns false. */
bool cmd_refuse(const char *option, const struct error *err);

/* The whole command line as typed, quoted where the shell needs it; set once by main(). */
void cmd_line_set(int argc, char **argv);
const char *cmd_line(void);

/* ---- signals and streams: cmd-signals.c ---- */

/* Standard streams that dbprof was started without must not become those of a file that it opens: to be called first.
 */
void cmd_guard_streams(void);
/* Writing where nobody reads, or beyond a limit of size, is an error from now on and no signal. With `stops`, Ctrl-C,
 * SIGTERM and SIGHUP end dbprof at once, with a line; they are left alone if they were ignored, as under nohup. The end
 * of children is heard of, whether or not dbprof was started with SIGCHLD ignored, as cmd_ignored_children() tells. */
void cmd_watch_signals(bool stops);
bool cmd_ignored_children(void);
/* From now on there may be more to remove than one file (util/temporary.h): the same signals only set a flag, which
 * cmd_interrupted() reads. */
void cmd_catch_signals(void);
bool cmd_interrupted(void *unused);
/* There is no more to remove than that: they end dbprof at once again. */
void cmd_let_signals_end(void);

/* Whether the last cmd_fail() was due to a signal; main() then ends by it. */
bool cmd_gave_up(void);
int cmd_signal(void);
/* Ends this process by the signal; where that cannot be (the first process of a container), returns the exit status
 * that a shell would have for it. */
int cmd_end_by(int signal_number);

/* The recording that `dbprof --all` shows where no NVIDIA GPU exists; for datafile_find(). */
#define SHIPPED_RECORDING "reports/recordings/h100.sqlite"

/* Makes a report of `files` in `outdir` and tells on stdout where it is, with a line per family. */
enum exit_status cmd_make_report(const char *const *files, int nfiles, const char *outdir, bool shipped);

#endif
