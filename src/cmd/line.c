/* line.c: see line.h. */
#include "config.h"

#include "cmd/line.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static char line[4096];

static void line_add(const char *text)
{
	size_t used = strlen(line);

	snprintf(line + used, sizeof(line) - used, "%s", text);
}

static bool line_is_plain(const char *word)
{
	return *word != '\0' &&
	       strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%") == strlen(word);
}

static void line_add_quoted(const char *word)
{
	line_add("'");
	for (const char *c = word; *c != '\0'; c++)
		line_add(*c == '\'' ? "'\\''" : (char[]){*c, '\0'});
	line_add("'");
}

void cmd_line_set(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');

	/* The folder of the program says nothing about the run, and may be private. */
	line_add(slash ? slash + 1 : argv[0]);
	for (int i = 1; i < argc; i++) {
		line_add(" ");
		if (line_is_plain(argv[i]))
			line_add(argv[i]);
		else
			line_add_quoted(argv[i]);
	}
}

const char *cmd_line(void)
{
	return line;
}
