/* line.c: see line.h. */
#include "config.h"

#include "cmd/line.h"

#include <stdio.h>
#include <string.h>

#include "util/strbuf.h"
#include "util/text/words.h"

static char line[4096];

void cmd_line_set(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	struct strbuf text = {0};

	/* The folder of the program says nothing about the run, and may be private. */
	strbuf_puts(&text, slash ? slash + 1 : argv[0]);
	for (int i = 1; i < argc; i++) {
		strbuf_putc(&text, ' ');
		words_quote(&text, argv[i]);
	}
	snprintf(line, sizeof(line), "%s", text.text);
	strbuf_free(&text);
}

const char *cmd_line(void)
{
	return line;
}
