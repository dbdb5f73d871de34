/* mustache.c: the template engine. Input: a JSON view, a line "---", the template; partials, each after a line
 * "---NAME", may follow. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "page/mustache.h"

/* The text behind the line "---NAME"; *end is where it ends. NULL if there is none. */
static const char *section(const char *text, const char *name, const char **end)
{
	size_t length = strlen(name);

	for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, "---", 3) != 0 || strncmp(line + 3, name, length) != 0 || line[3 + length] != '\n')
			continue;
		*end = strstr(line + 3, "\n---");
		if (*end == NULL)
			*end = line + strlen(line);
		return *end < line + 4 + length ? *end : line + 4 + length;
	}
	return NULL;
}

static char *load(void *user, const char *name, struct error *err)
{
	const char *end, *begin = section(user, name, &end);
	char *text = begin == NULL ? NULL : strndup(begin, (size_t)(end - begin));

	if (text == NULL)
		error_set(err, "no template");
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *page;
	const char *template = strstr(text, "\n---");
	json_t *view =
		json_loadb(text, template == NULL ? strlen(text) : (size_t)(template - text), JSON_ALLOW_NUL, NULL);
	struct error err = {0};

	page = mustache_render("", load, text, view, &err);
	if (page == NULL)
		fuzz_check_error(&err);
	free(page);
	json_decref(view);
	free(text);
	return 0;
}
