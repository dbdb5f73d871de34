/* sources.c: see sources.h. */
#include "contrast/code/sources.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/utf8.h"

/* All together are kept in the recording. */
static const size_t SOURCES_MOST = (size_t)8 << 20;

/* Valid UTF-8 of the text, for free(); NULL if it is none, or there is too much. */
static char *source_text(const struct sources *sources, const struct wanted_source *kept)
{
	char *text = kept && !memchr(kept->text, '\0', kept->size) ? utf8_clean(kept->text, kept->size, NULL) : NULL;

	/* What was no UTF-8 is longer now. */
	if (text && strlen(text) > SOURCES_MOST - sources->bytes) {
		free(text);
		text = NULL;
	}
	return text;
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* The one that has the base name and the text; NULL if none does. */
static const struct source_file *like_named(const struct sources *sources, const char *base, const char *text)
{
	for (size_t i = 0; i < sources->n; i++)
		if (strcmp(sources->list[i].base, base) == 0 && is_same_text(sources->list[i].text, text))
			return &sources->list[i];
	return NULL;
}

static bool is_source_named(const struct sources *sources, const char *name)
{
	for (size_t i = 0; i < sources->n; i++)
		if (strcmp(sources->list[i].name, name) == 0)
			return true;
	return false;
}

/* The base name, or the first of "NAME (2)", "NAME (3)" that no file has: one may be called so. For free(). */
static char *free_source_name(const struct sources *sources, const char *base)
{
	char *name = xstrdup(base);

	for (int number = 2; is_source_named(sources, name); number++) {
		free(name);
		name = xasprintf("%s (%d)", base, number);
	}
	return name;
}

const char *sources_take(struct sources *sources, const char *path, const struct wanted_source *kept)
{
	const char *slash = strrchr(path, '/'), *last = slash && slash[1] != '\0' ? slash + 1 : path;
	char *base = utf8_visible(last, strlen(last)), *text = source_text(sources, kept);
	const struct source_file *same = like_named(sources, base, text);

	if (same) {
		free(base);
		free(text);
		return same->name;
	}
	xgrow(&sources->list, sources->n, &sources->room, sizeof(*sources->list));
	sources->bytes += text ? strlen(text) : 0;
	sources->list[sources->n] = (struct source_file){base, free_source_name(sources, base), text};
	return sources->list[sources->n++].name;
}

int rows_of_sources(struct recording *rec, const struct sources *sources, struct error *err)
{
	for (size_t i = 0; i < sources->n; i++) {
		const struct value row[SOURCE_NUMBER] = {
			[SOURCE_file] = VALUE_OF_TEXT(sources->list[i].name),
			[SOURCE_text] = VALUE_OF_TEXT(sources->list[i].text),
		};

		if (sources->list[i].text && recording_row(rec, TABLE_SOURCE, row, err) < 0)
			return -1;
	}
	return 0;
}

void sources_free(struct sources *sources)
{
	for (size_t i = 0; i < sources->n; i++) {
		free(sources->list[i].base);
		free(sources->list[i].name);
		free(sources->list[i].text);
	}
	free(sources->list);
	*sources = (struct sources){0};
}
