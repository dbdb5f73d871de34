/* usage.c: see usage.h. */
#include "config.h"

#include "cmd/usage.h"

#include <stdio.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/message.h"
#include "util/text/nearest.h"

enum { COLUMNS = 100 };

/* One paragraph, wrapped. */
static void print_paragraph(const char *text, size_t length)
{
	size_t column = 0;

	for (const char *end = text + length; text < end;) {
		size_t word = strcspn(text, " \n");

		if (column > 0 && column + 1 + word > COLUMNS) {
			putchar('\n');
			column = 0;
		}
		column += (size_t)printf("%s%.*s", column > 0 ? " " : "", (int)word, text);
		text += word + strspn(text + word, " ");
	}
	putchar('\n');
}

/* Paragraphs, each a line, with an empty line before each. */
static void print_paragraphs(const char *text)
{
	while (*text != '\0') {
		size_t length = strcspn(text, "\n");

		putchar('\n');
		print_paragraph(text, length);
		text += length + (text[length] == '\n');
	}
}

static void print_option(const struct cmd_option *o)
{
	char left[64];
	int n = o->key < 256 ? snprintf(left, sizeof(left), "  -%c, ", o->key) : snprintf(left, sizeof(left), "      ");

	snprintf(left + n, sizeof(left) - (size_t)n, "--%s%s%s", o->name, o->argument ? "=" : "",
		o->argument ? o->argument : "");
	printf("%-28s %s\n", left, o->help);
}

static void print_options(const struct cmd *cmd)
{
	puts("\nOptions:");
	for (const struct cmd_option *o = cmd_next_option(cmd, NULL); o; o = cmd_next_option(cmd, o))
		print_option(o);
	print_option(&cmd_help_option);
}

static void print_words(const struct cmd_option *option)
{
	printf("\nValues of --%s:\n", option->name);
	for (const struct cmd_word *word = option->words; word->name; word++)
		printf("  %-12s %s\n", word->name, word->help);
}

void cmd_print_help(const struct cmd *cmd)
{
	printf("Usage: dbprof %s%s%s\n%s\n", cmd->name, *cmd->arguments == '\0' ? "" : " ", cmd->arguments,
		cmd->summary);
	print_options(cmd);
	for (const struct cmd_option *o = cmd_next_option(cmd, NULL); o; o = cmd_next_option(cmd, o))
		if (o->words)
			print_words(o);
	if (cmd->details)
		print_paragraphs(cmd->details);
	if (cmd->exits) {
		char text[1024];

		snprintf(text, sizeof(text), "Exit status: %s.", cmd->exits);
		print_paragraphs(text);
	}
}

void cmd_print_overview(void)
{
	puts("Usage: dbprof --all\n"
	     "       dbprof COMMAND [OPTION]... [ARGUMENT]...\n"
	     "Does double buffering pay on this GPU, and why? Measures it and writes a report.\n"
	     "\nCommands:");
	for (int i = 0; cmd_all[i]; i++)
		if (!cmd_all[i]->hidden)
			printf("  %-10s %s\n", cmd_all[i]->name, cmd_all[i]->summary);
	print_options(&cmd_none);
	puts("\nOptions after --all are those of `dbprof run`. `dbprof help COMMAND` tells more.\n"
	     "Exit status: 0 done; 1 failed while running; 2 bad usage or input. Ctrl-C, SIGTERM and SIGHUP end it\n"
	     "by the same signal (130, 143 and 129 in a shell), with older files as they were;\n"
	     "a sweep records the points that it has.");
}

static void try_option(struct nearest *nearest, const struct cmd_option *option)
{
	char name[NEAREST_NAME];

	snprintf(name, sizeof(name), "--%s", option->name);
	nearest_try(nearest, name);
}

const char *cmd_nearest_option(const struct cmd *cmd, const char *argument, char *text, size_t size)
{
	char name[NEAREST_NAME];
	struct nearest nearest = {.wanted = name};

	*text = '\0';
	if (strncmp(argument, "--", 2) != 0)
		return text;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(argument, "="), argument);
	for (const struct cmd_option *o = cmd_next_option(cmd, NULL); o; o = cmd_next_option(cmd, o))
		try_option(&nearest, o);
	try_option(&nearest, &cmd_help_option);
	return nearest_question(&nearest, text, size);
}

enum exit_status cmd_unknown(const char *name)
{
	struct nearest nearest = {.wanted = name};
	char question[NEAREST_TEXT];

	if (*name == '-') {
		cmd_error("unknown option '%s': %ssee `dbprof --help`", name,
			cmd_nearest_option(&cmd_none, name, question, sizeof(question)));
		return STATUS_USAGE;
	}
	for (int i = 0; cmd_all[i]; i++)
		if (!cmd_all[i]->hidden)
			nearest_try(&nearest, cmd_all[i]->name);
	cmd_error("unknown command '%s': %ssee `dbprof --help`", name,
		nearest_question(&nearest, question, sizeof(question)));
	return STATUS_USAGE;
}
