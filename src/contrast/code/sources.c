/* sources.c: see sources.h. */
#include "contrast/code/sources.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/alloc.h"
#include "util/file.h"
#include "util/utf8.h"

/* A larger file is no source of a kernel that a person reads; all together are kept in the recording. */
static const size_t SOURCE_MOST = (size_t)1 << 20, SOURCES_MOST = (size_t)8 << 20;

/* The text, for free(); NULL if it cannot be had. */
static char *read_source(const struct sources *sources, const char *path)
{
	struct error unread;
	struct stat there;
	size_t size;
	char *bytes, *text = NULL;

	if (stat(path, &there) != 0 || there.st_size < 0 || (size_t)there.st_size > SOURCE_MOST)
		return NULL;
	bytes = file_read(path, &size, &unread);
	if (bytes && size <= SOURCE_MOST && size <= SOURCES_MOST - sources->bytes && !memchr(bytes, '\0', size))
		text = utf8_clean(bytes, size, NULL);
	free(bytes);
	return text;
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* How many have the base name. *same: the one that also has the text, or NULL. */
static size_t like_named(
	const struct sources *sources, const char *base, const char *text, const struct source_file **same)
{
	size_t n = 0;

	*same = NULL;
	for (size_t i = 0; i < sources->n; i++) {
		const struct source_file *file = &sources->list[i];

		if (strcmp(file->base, base) != 0)
			continue;
		n++;
		if (is_same_text(file->text, text))
			*same = file;
	}
	return n;
}

const char *sources_read(struct sources *sources, const char *path)
{
	const char *slash = strrchr(path, '/'), *last = slash && slash[1] != '\0' ? slash + 1 : path;
	char *base = utf8_visible(last, strlen(last)), *text = read_source(sources, path);
	const struct source_file *same;
	size_t like = like_named(sources, base, text, &same);

	if (same) {
		free(base);
		free(text);
		return same->name;
	}
	xgrow(&sources->list, sources->n, &sources->room, sizeof(*sources->list));
	sources->bytes += text ? strlen(text) : 0;
	sources->list[sources->n] =
		(struct source_file){base, like == 0 ? xstrdup(base) : xasprintf("%s (%zu)", base, like + 1), text};
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
