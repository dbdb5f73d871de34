/* line.c: see line.h. */
#include "config.h"

#include "cmd/line.h"

#include <stdio.h>
#include <stdlib.h>
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

const char *cmd_line_on_gpus(void)
{
	static const char *const names[] = {"CUDA_DEVICE_ORDER", "CUDA_VISIBLE_DEVICES"};
	static char with_gpus[2 * sizeof(line)];
	struct strbuf text = {0};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (!value)
			continue;
		strbuf_printf(&text, "%s=", names[i]);
		words_quote(&text, value);
		strbuf_putc(&text, ' ');
	}
	strbuf_puts(&text, line);
	snprintf(with_gpus, sizeof(with_gpus), "%s", text.text);
	strbuf_free(&text);
	return with_gpus;
}
