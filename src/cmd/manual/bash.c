/* bash.c: see bash.h. */
#include "config.h"

#include "cmd/manual/bash.h"

#include <stdio.h>

#include "cmd/commands.h"

/* What the functions of completions/dbprof call them. */
static const char *const value_names[] = {
	[VALUE_NUMBER] = "other",
	[VALUE_WORD] = "word",
	[VALUE_LIST] = "list",
	[VALUE_PARAMETER] = "parameter",
	[VALUE_STREAM] = "file",
	[VALUE_FILE] = "file",
	[VALUE_FOLDER] = "folder",
	[VALUE_OBJECT] = "object",
	[VALUE_RECORDING] = "recording",
	[VALUE_FAMILY] = "family",
	[VALUE_COMMAND] = "command",
	[VALUE_PROGRAM] = "program",
	[VALUE_ARGUMENT] = "file",
	[VALUE_OTHER] = "other",
};

static void bash_commands(void)
{
	fputs("_dbprof_commands='", stdout);
	for (int i = 0; cmd_all[i]; i++)
		if (!cmd_all[i]->hidden)
			printf("%s%s", i == 0 ? "" : " ", cmd_all[i]->name);
	puts("'");
}

/* ---- options ---- */

static void bash_option_names(const struct cmd *cmd)
{
	printf("\t%s) echo '", *cmd->name == '\0' ? "''" : cmd->name);
	for (const struct cmd_option *o = cmd_next_option(cmd, NULL); o; o = cmd_next_option(cmd, o)) {
		printf("--%s%s ", o->name, o->argument ? "=" : "");
		if (o->key < 256)
			printf("-%c ", o->key);
	}
	printf("--%s -%c' ;;\n", cmd_help_option.name, cmd_help_option.key);
}

/* ---- values ---- */

static void bash_value(const struct cmd *cmd, const struct cmd_option *o)
{
	printf("\t%s:--%s", cmd->name, o->name);
	if (o->key < 256)
		printf(" | %s:-%c", cmd->name, o->key);
	printf(") echo '%s", value_names[o->value]);
	for (const struct cmd_word *word = o->words; word && word->name; word++)
		printf(" %s", word->name);
	puts("' ;;");
}

static void bash_argument_values(const struct cmd *cmd)
{
	for (int i = 0; i < CMD_TAKES && cmd->takes[i] != VALUE_NONE; i++) {
		bool last = i + 1 == CMD_TAKES || cmd->takes[i + 1] == VALUE_NONE;

		if (last)
			printf("\t%s:[0-9]*) echo '%s' ;;\n", cmd->name, value_names[cmd->takes[i]]);
		else
			printf("\t%s:%d) echo '%s' ;;\n", cmd->name, i, value_names[cmd->takes[i]]);
	}
}

static void bash_values(const struct cmd *cmd)
{
	for (const struct cmd_option *o = cmd_next_option(cmd, NULL); o; o = cmd_next_option(cmd, o))
		if (o->argument)
			bash_value(cmd, o);
	bash_argument_values(cmd);
}

/* ---- all ---- */

static void bash_function(const char *name, void (*put)(const struct cmd *cmd))
{
	printf("%s()\n{\n\tcase $1 in\n", name);
	if (put == bash_option_names)
		put(&cmd_none);
	for (int i = 0; cmd_all[i]; i++)
		if (!cmd_all[i]->hidden)
			put(cmd_all[i]);
	puts("\tesac\n}");
}

void bash_print(void)
{
	puts("# begin tables: made by `make manual` from src/cmd");
	bash_commands();
	puts("\n# The options of a command; those that end in = take a value.");
	bash_function("_dbprof_options", bash_option_names);
	puts("\n# What the value of an option is (COMMAND:OPTION), or an argument (COMMAND:NUMBER, from 0); the words "
	     "to "
	     "choose from.");
	bash_function("_dbprof_kind", bash_values);
	puts("# end tables");
}
