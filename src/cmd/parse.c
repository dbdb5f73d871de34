/* parse.c: see parse.h. */
#include "config.h"

#include "cmd/parse.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/message.h"
#include "cmd/signals.h"
#include "cmd/usage.h"
#include "util/alloc.h"
#include "util/text/nearest.h"

/* What getopt_long() reads, and the keys of the options that were given; all for free(). */
struct tables {
	struct option *longs;
	char *letters;
	int *given;
	size_t ngiven;
};

static size_t count_options(const struct cmd *cmd)
{
	size_t n = 0;

	for (const struct cmd_option *o = cmd_next_option(cmd, NULL); o; o = cmd_next_option(cmd, o))
		n++;
	return n;
}

/* Adds an option to the tables; returns where the next letter belongs. */
static char *add_option(const struct cmd_option *o, struct option *long_option, char *letter)
{
	*long_option = (struct option){o->name, o->argument ? required_argument : no_argument, NULL, o->key};
	if (o->key >= 256)
		return letter;
	*letter++ = (char)o->key;
	if (o->argument)
		*letter++ = ':';
	return letter;
}

static struct tables build_tables(const struct cmd *cmd)
{
	size_t n = count_options(cmd) + 1, i = 0;
	struct tables tables = {.longs = xcalloc(n + 1, sizeof(*tables.longs)),
		.letters = xcalloc(1, 2 * n + sizeof("+:")),
		.given = xcalloc(n, sizeof(*tables.given))};
	char *letter = tables.letters;

	if (cmd->stops_at_argument)
		*letter++ = '+';
	*letter++ = ':'; /* a missing argument is told apart from an unknown option */
	letter = add_option(&cmd_help_option, &tables.longs[i++], letter);
	for (const struct cmd_option *o = cmd_next_option(cmd, NULL); o; o = cmd_next_option(cmd, o))
		letter = add_option(o, &tables.longs[i++], letter);
	return tables;
}

/* `argument` is the one that getopt looked at, or, at a letter with others behind it, the one before. */
static void refuse_option(const struct cmd *cmd, int key, const char *letters, const char *argument)
{
	char letter[] = {'-', (char)optopt, '\0'};
	bool unknown = key == '?' && optopt > 0 && optopt < 256 && !strchr(letters, optopt);
	bool known = key == '?' && optopt > 0 && !unknown;
	char question[NEAREST_TEXT] = "";

	if (key == '?' && !unknown && !known)
		cmd_nearest_option(cmd, argument, question, sizeof(question));
	cmd_error("%s: %s '%s': %ssee `dbprof %s --help`", cmd->name,
		key == ':' ? "an argument is missing after"
		: known    ? "no value goes with"
			   : "unknown or ambiguous option",
		unknown ? letter : argument, question, cmd->name);
}

static const struct cmd_option *find_option(const struct cmd *cmd, int key)
{
	const struct cmd_option *o = cmd_next_option(cmd, NULL);

	while (o->key != key)
		o = cmd_next_option(cmd, o);
	return o;
}

void cmd_refuse_dash(const struct cmd *cmd, int key, const char *what)
{
	cmd_error("%s: -%c - means standard output, but dbprof writes a %s here: give its name", cmd->name, key, what);
}

/* Whether the value names an output, and which: *value becomes NULL for standard output. */
static bool take_output(const struct cmd *cmd, const struct cmd_option *option, const char **value)
{
	if (option->value != VALUE_STREAM && option->value != VALUE_FILE && option->value != VALUE_FOLDER)
		return true;
	if (**value == '\0') {
		cmd_error("%s: the name after -%c is empty", cmd->name, option->key);
		return false;
	}
	if (strcmp(*value, "-") != 0 || option->takes_dash)
		return true;
	if (option->value == VALUE_STREAM) {
		*value = NULL;
		return true;
	}
	cmd_refuse_dash(cmd, option->key, option->value == VALUE_FOLDER ? "folder" : "database");
	return false;
}

/* Whether the option may be given now. */
static bool take_again(const struct cmd *cmd, const struct cmd_option *option, struct tables *tables)
{
	if (!option->once)
		return true;
	for (size_t i = 0; i < tables->ngiven; i++) {
		if (tables->given[i] == option->key) {
			cmd_error("%s: --%s is given twice: it takes one value", cmd->name, option->name);
			return false;
		}
	}
	tables->given[tables->ngiven++] = option->key;
	return true;
}

static enum exit_status take_option(
	const struct cmd *cmd, void *state, struct tables *tables, int key, const char *value)
{
	const struct cmd_option *option = find_option(cmd, key);

	if (!take_output(cmd, option, &value) || !take_again(cmd, option, tables))
		return STATUS_USAGE;
	return cmd->option(state, key, value);
}

static bool options_ended;

bool cmd_options_ended(void)
{
	return options_ended;
}

/* As getopt_long(), which at the end has passed over `--`, but over no argument. */
static int next_option(int argc, char **argv, const struct tables *tables)
{
	int before = optind;
	int key = getopt_long(argc, argv, tables->letters, tables->longs, NULL);

	options_ended = key == -1 && optind > before && strcmp(argv[optind - 1], "--") == 0;
	return key;
}

/* Takes all options; sets *helped, where one is --help. */
static enum exit_status take_options(const struct cmd *cmd, void *state, int argc, char **argv, bool *helped)
{
	struct tables tables = build_tables(cmd);
	enum exit_status status = STATUS_DONE;
	int key;

	opterr = 0;
	while (status == STATUS_DONE && !*helped && (key = next_option(argc, argv, &tables)) != -1) {
		if (key == cmd_help_option.key) {
			cmd_print_help(cmd);
			*helped = true;
		} else if (key == '?' || key == ':') {
			refuse_option(cmd, key, tables.letters, argv[optind - 1]);
			status = STATUS_USAGE;
		} else {
			status = take_option(cmd, state, &tables, key, optarg);
		}
	}
	free(tables.longs);
	free(tables.letters);
	free(tables.given);
	return status;
}

enum exit_status cmd_main(const struct cmd *cmd, int argc, char **argv)
{
	bool helped = false;
	enum exit_status status;
	void *state;

	if (cmd->is_worker)
		cmd_speak_to_parent();
	cmd_watch_signals(!cmd->is_worker);
	state = xcalloc(1, cmd->state_size);
	status = take_options(cmd, state, argc, argv, &helped);
	if (status == STATUS_DONE && !helped)
		status = cmd->exec(state, argc - optind, argv + optind);
	free(state);
	return status;
}
