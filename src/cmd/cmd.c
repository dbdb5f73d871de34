/* cmd.c: what all commands share: option parsing from their tables, help, messages. See cmd.h. */
#include "config.h"

#include "cmd/cmd.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/utf8.h"

enum { OPTION_HELP = 1000, MAX_OPTIONS = 24 };

/* Where a worker finds who started it: see record/work/process.h, PROCESS_WORDS. */
enum { PARENT = 3 };

static bool gave_up;                            /* for a signal */
static enum exit_status refused = STATUS_USAGE; /* how a command ends of which an option is no good */
static int listener = STDERR_FILENO;
static char line[4096];

void cmd_error(const char *format, ...)
{
	char text[4096], line_of_text[sizeof(text) + 16];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	utf8_one_line(text);
	snprintf(line_of_text, sizeof(line_of_text), "dbprof: %s\n", text);
	/* Memory may be what has run out. */
	if (listener == STDERR_FILENO)
		fputs(line_of_text, stderr);
	else
		(void)!write(listener, line_of_text, strlen(line_of_text));
}

/* Of a worker that somebody started by hand there is no pipe. */
static void speak_to_parent(void)
{
	struct stat st;

	if (fstat(PARENT, &st) != 0 || !S_ISFIFO(st.st_mode))
		return;
	listener = PARENT;
	out_of_memory_to(PARENT);
}

enum exit_status cmd_fail(enum exit_status status, const struct error *err)
{
	cmd_error("%s", err->text);
	gave_up = cmd_interrupted(NULL);
	return status == STATUS_USAGE && error_is_of_system(err) ? STATUS_FAILED : status;
}

bool cmd_refuse(const char *option, const struct error *err)
{
	cmd_error("%s %s", option, err->text);
	if (error_is_of_system(err))
		refused = STATUS_FAILED;
	return false;
}

static void cmd_append(const char *text)
{
	size_t used = strlen(line);

	snprintf(line + used, sizeof(line) - used, "%s", text);
}

static bool cmd_plain(const char *word)
{
	return *word != '\0' &&
	       strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%") == strlen(word);
}

void cmd_line_set(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');

	/* The folder of the program says nothing about the run and may be private. */
	cmd_append(!slash ? argv[0] : slash + 1);
	for (int i = 1; i < argc; i++) {
		cmd_append(" ");
		if (cmd_plain(argv[i])) {
			cmd_append(argv[i]);
			continue;
		}
		cmd_append("'");
		for (const char *c = argv[i]; *c != '\0'; c++)
			cmd_append(*c == '\'' ? "'\\''" : (char[]){*c, '\0'});
		cmd_append("'");
	}
}

const char *cmd_line(void)
{
	return line;
}

bool cmd_gave_up(void)
{
	return gave_up;
}

void cmd_print_options(const struct cmd_option *options)
{
	for (const struct cmd_option *o = options; o && o->name; o++) {
		char left[64];
		int n = o->key < 256 ? snprintf(left, sizeof(left), "  -%c, ", o->key)
				     : snprintf(left, sizeof(left), "      ");

		snprintf(left + n, sizeof(left) - (size_t)n, "--%s%s%s", o->name, !o->argument ? "" : "=",
			!o->argument ? "" : o->argument);
		printf("%-28s %s\n", left, o->help);
	}
	printf("%-28s %s\n", "  -h, --help", "show this help");
}

static void cmd_print_help(const struct cmd *cmd)
{
	printf("Usage: dbprof %s%s%s\n%s\n\nOptions:\n", cmd->name, *cmd->arguments == '\0' ? "" : " ", cmd->arguments,
		cmd->summary);
	cmd_print_options(cmd->options);
	if (cmd->details)
		printf("\n%s\n", cmd->details);
}

/* Fills getopt's tables from the command's own. */
static void build_tables(const struct cmd *cmd, char *letters, struct option *longs)
{
	int n = 0;

	if (cmd->stops_at_argument)
		*letters++ = '+';
	*letters++ = ':'; /* a missing argument is told apart from an unknown option */
	*letters++ = 'h';
	longs[n++] = (struct option){"help", no_argument, NULL, OPTION_HELP};
	for (const struct cmd_option *o = cmd->options; o && o->name && n < MAX_OPTIONS - 1; o++) {
		longs[n++] = (struct option){o->name, !o->argument ? no_argument : required_argument, NULL, o->key};
		if (o->key >= 256)
			continue;
		*letters++ = (char)o->key;
		if (o->argument)
			*letters++ = ':';
	}
	longs[n] = (struct option){0};
	*letters = '\0';
}

/* `argument` is the one that getopt looked at, or, at a letter with others behind it, the one before. */
static void refuse_option(const struct cmd *cmd, int key, const char *letters, const char *argument)
{
	char letter[] = {'-', (char)optopt, '\0'};
	bool unknown = key == '?' && optopt > 0 && optopt < 256 && !strchr(letters, optopt);

	cmd_error("%s: %s '%s': see `dbprof %s --help`", cmd->name,
		key == ':' ? "an argument is missing after" : "unknown or ambiguous option",
		unknown ? letter : argument, cmd->name);
}

enum exit_status cmd_main(const struct cmd *cmd, int argc, char **argv)
{
	struct option longs[MAX_OPTIONS];
	char letters[2 * MAX_OPTIONS + 5];
	enum exit_status status;
	void *state;
	int key;

	/* The workers' parent speaks for them. */
	if (cmd->hidden)
		speak_to_parent();
	cmd_watch_signals(!cmd->hidden);
	build_tables(cmd, letters, longs);
	state = calloc(1, cmd->state_size + 1);
	if (!state) {
		cmd_error("out of memory");
		return STATUS_FAILED;
	}
	opterr = 0;
	while ((key = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (key == 'h' || key == OPTION_HELP) {
			cmd_print_help(cmd);
			free(state);
			return STATUS_DONE;
		}
		if (key == '?' || key == ':') {
			refuse_option(cmd, key, letters, argv[optind - 1]);
			free(state);
			return STATUS_USAGE;
		}
		if (key == 'o' && *optarg == '\0') {
			cmd_error("%s: the name after -o is empty", cmd->name);
			free(state);
			return STATUS_USAGE;
		}
		if (!cmd->option(state, key, optarg)) {
			free(state);
			return refused;
		}
	}
	status = cmd->exec(state, argc - optind, argv + optind);
	free(state);
	return status;
}
