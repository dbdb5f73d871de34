/* mdoc.c: see mdoc.h. */
#include "config.h"

#include "cmd/manual/mdoc.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/manual/mdoc-text.h"

static void mdoc_begin(const char *name)
{
	printf(".\\\" begin %s: made by `make manual` from src/cmd\n", name);
}

static void mdoc_end(const char *name)
{
	printf(".\\\" end %s\n", name);
}

/* ---- synopsis ---- */

/* Prints the item of a macro line that begins at `at`; returns its length. */
static size_t mdoc_item(const char *at)
{
	size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	if (length > 0) {
		fputs("Ar ", stdout);
		mdoc_placeholder(at, length);
		return length;
	}
	if (*at != '-') {
		fputs(*at == '[' ? "Op" : (char[]){*at, '\0'}, stdout);
		return 1;
	}
	length = strspn(at, "abcdefghijklmnopqrstuvwxyz-");
	printf("Fl %.*s", (int)length - 1, at + 1);
	return length;
}

/* One argument of a usage line, such as "[FAMILY[/VARIANT]]..." or "--format=FORMAT". All brackets close at its end. */
static void mdoc_argument(const char *at, size_t length)
{
	const char *end = at + length;
	bool joined = false;

	putchar('.');
	while (at < end && *at != ']' && *at != '.') {
		bool opens = *at == '[';

		if (joined)
			fputs("Ns ", stdout);
		at += mdoc_item(at);
		joined = !opens;
		putchar(at < end && *at != ']' && *at != '.' ? ' ' : '\n');
	}
	if (memchr(at, '.', (size_t)(end - at)))
		puts(".Ar ...");
}

static void mdoc_usage(const struct cmd *cmd)
{
	printf(".Nm\n.Cm %s\n", cmd->name);
	for (const char *at = cmd->arguments; *at != '\0';) {
		size_t length = strcspn(at, " ");

		mdoc_argument(at, length);
		at += length + (at[length] == ' ');
	}
}

/* ---- options ---- */

/* "Fl o , Fl -output Ns = Ns Ar dir" */
static void mdoc_option_name(const struct cmd_option *o)
{
	if (o->key < 256)
		printf("Fl %c , ", o->key);
	printf("Fl -%s", o->name);
	if (o->argument) {
		fputs(" Ns = Ns Ar ", stdout);
		mdoc_placeholder(o->argument, strlen(o->argument));
	}
}

static void mdoc_words(const struct cmd_word *words, const char *names)
{
	puts(".Bl -tag -width diagnostics -compact");
	for (; words->name; words++) {
		printf(".It Cm %s\n", words->name);
		mdoc_sentences(words->help, names);
	}
	puts(".El");
}

static void mdoc_option(const struct cmd_option *o)
{
	const char *names = o->argument ? o->argument : "";

	fputs(".It ", stdout);
	mdoc_option_name(o);
	putchar('\n');
	mdoc_sentences(o->help, names);
	if (o->more)
		mdoc_sentences(o->more, names);
	if (o->words)
		mdoc_words(o->words, names);
}

/* Options that an earlier command has too are only named. */
static void mdoc_shared_again(const struct cmd_option *table, const struct cmd *earlier)
{
	for (const struct cmd_option *o = table; o->name; o++) {
		fputs(o == table ? ".It " : " , ", stdout);
		mdoc_option_name(o);
	}
	printf("\nAs for\n.Cm %s .\n", earlier->name);
}

/* The first command with these shared options. */
static const struct cmd *first_with(const struct cmd_option *shared)
{
	int i = 0;

	while (cmd_all[i]->shared != shared)
		i++;
	return cmd_all[i];
}

static void mdoc_options(const struct cmd *cmd)
{
	bool again = cmd->shared && first_with(cmd->shared) != cmd;

	puts(".Bl -tag -width Ds");
	for (const struct cmd_option *o = cmd->options; o && o->name; o++)
		mdoc_option(o);
	if (again)
		mdoc_shared_again(cmd->shared, first_with(cmd->shared));
	for (const struct cmd_option *o = again ? NULL : cmd->shared; o && o->name; o++)
		mdoc_option(o);
	mdoc_option(&cmd_help_option);
	puts(".El");
}

/* ---- commands ---- */

static void mdoc_details(const struct cmd *cmd)
{
	const char *at = cmd->details;
	char paragraph[2048];

	while (at && *at != '\0') {
		size_t length = strcspn(at, "\n");

		snprintf(paragraph, sizeof(paragraph), "%.*s", (int)length, at);
		puts(".Pp");
		mdoc_sentences(paragraph, cmd->arguments);
		at += length + (at[length] == '\n');
	}
}

static void mdoc_command(const struct cmd *cmd)
{
	printf(".Ss %s\n", cmd->name);
	mdoc_sentences(cmd->summary, cmd->arguments);
	mdoc_details(cmd);
	mdoc_options(cmd);
}

/* ---- exit statuses ---- */

static void mdoc_exits(const struct cmd *cmd)
{
	printf(".It Cm %s\n", cmd->name);
	mdoc_sentences(cmd->exits, "");
}

/* ---- all ---- */

/* Calls `put` for each command that people may use and, with `exits`, has exit statuses of its own. */
static void each_command(void (*put)(const struct cmd *cmd), bool exits)
{
	for (int i = 0; cmd_all[i]; i++)
		if (!cmd_all[i]->hidden && (!exits || cmd_all[i]->exits))
			put(cmd_all[i]);
}

void mdoc_print(void)
{
	mdoc_begin("synopsis");
	each_command(mdoc_usage, false);
	mdoc_end("synopsis");
	mdoc_begin("options");
	mdoc_options(&cmd_none);
	mdoc_end("options");
	mdoc_begin("commands");
	each_command(mdoc_command, false);
	mdoc_end("commands");
	mdoc_begin("exits");
	puts(".Bl -tag -width Ds");
	each_command(mdoc_exits, true);
	puts(".El");
	mdoc_end("exits");
}
