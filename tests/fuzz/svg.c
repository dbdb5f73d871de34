/* svg.c: what gnuplot draws, with names from a recording in it, and Markdown, which a plug-in's families may bring. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fuzz.h"
#include "figure/svg/svg.h"
#include "page/view/view.h"

/* Whether there is an element of the name, in whatever letters. */
static bool has_element(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strchr(at, '<')) != NULL;) {
		at++;
		if (strncasecmp(at, name, length) == 0 && strchr(" \t\n/>", at[length]) != NULL)
			return true;
	}
	return false;
}

static void rewrite(const char *text, size_t size, bool standalone)
{
	const struct svg_options options = {
		.prefix = "f1-", .title = "A <title> & \"more\"", .desc = "What it shows.", .standalone = standalone};
	struct error err = {0};
	char *svg = svg_rewrite(text, size, &options, &err);

	if (svg == NULL)
		fuzz_check_error(&err);
	else
		fuzz_check(!has_element(svg, "script") && !has_element(svg, "foreignObject"), "a script in a figure");
	free(svg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *page;
	struct error err = {0};

	rewrite(text, size, false);
	rewrite(text, size, true);
	page = view_markdown(text, 1, &err);
	if (page == NULL)
		fuzz_check_error(&err);
	else
		fuzz_check(!has_element(page, "script"), "markup that passes through Markdown");
	free(page);
	free(text);
	return 0;
}
