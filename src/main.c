/* main.c: picks the command. The commands are in src/cmd, one file each; this is the only table of them. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "tree/json.h"
#include "util/file.h"

static const struct cmd *const commands[] = {
	&cmd_run,
	&cmd_record,
	&cmd_report,
	&cmd_trace,
	&cmd_compare,
	&cmd_export,
	&cmd_list,
	&cmd_doctor,
#ifdef HAVE_CUDA
	&cmd_worker,
#endif
	NULL,
};

static const struct cmd_option global_options[] = {
	{256, "all", NULL, "measure every family and write reports/index.html"},
	{'V', "version", NULL, "show the version"},
	{0, NULL, NULL, NULL},
};

static void main_print_help(void)
{
	puts("Usage: dbprof --all\n"
	     "       dbprof COMMAND [OPTION]... [ARGUMENT]...\n"
	     "Does double buffering pay on this GPU, and why? Measures it and writes a report.\n"
	     "\nCommands:");
	for (int i = 0; commands[i]; i++)
		if (!commands[i]->hidden)
			printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
	puts("\nOptions:");
	cmd_print_options(global_options);
	puts("\nOptions after --all are those of `dbprof run`. `dbprof COMMAND --help` tells more.\n"
	     "Exit status: 0 done; 1 failed while running; 2 bad usage or input. Ctrl-C, SIGTERM and SIGHUP end it\n"
	     "by the same signal (130, 143 and 129 in a shell), with older files as they were.");
}

static const struct cmd *main_find(const char *name)
{
	for (int i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static enum exit_status dispatch(int argc, char **argv)
{
	const char *first = argc > 1 ? argv[1] : "--help";
	const struct cmd *cmd = main_find(first);

	/* It is also an option of `run`. */
	if (strcmp(first, "--all") == 0)
		return cmd_main(&cmd_run, argc, argv);
	if (cmd)
		return cmd_main(cmd, argc - 1, argv + 1);
	if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
		puts("dbprof " PACKAGE_VERSION);
		return STATUS_DONE;
	}
	if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0) {
		main_print_help();
		return argc > 1 ? STATUS_DONE : STATUS_USAGE;
	}
	cmd_error("unknown %s '%s': see `dbprof --help`", *first == '-' ? "option" : "command", first);
	return STATUS_USAGE;
}

int main(int argc, char **argv)
{
	enum exit_status status;

	json_use_xmalloc();
	cmd_guard_streams();
	cmd_line_set(argc, argv);
	status = dispatch(argc, argv);
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		cmd_error("cannot write to standard output: %s", file_output_error(errno));
		return STATUS_FAILED;
	}
	return cmd_gave_up() ? cmd_end_by(cmd_signal()) : (int)status;
}
