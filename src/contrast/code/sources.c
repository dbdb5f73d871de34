/* sources.c: see sources.h. */
#include "contrast/code/sources.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/alloc.h"
#include "util/file.h"
#include "util/utf8.h"

/* A larger file is no source of a kernel that a person reads; all together are kept in the recording. */
static const size_t SOURCE_MOST = (size_t)1 << 20, SOURCES_MOST = (size_t)8 << 20;

/* A line table is a stranger's: it may name any file. Only what looks like source is read, since recordings are shared.
 */
static bool has_source_suffix(const char *path)
{
	static const char *const suffixes[] = {".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".c", ".cc", ".cpp",
		".cxx", ".py", ".ptx", ".ll", ".mlir", ".jl", ".f90", ".cuf", ".rs"};
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');

	for (size_t i = 0; dot && i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (strcmp(dot, suffixes[i]) == 0)
			return true;
	return false;
}

/* Whether it is a source file of a size to read, where links end. Files in /proc have no size. */
static bool is_source_file(const char *path)
{
	char whole[PATH_MAX];
	struct stat there;

	return realpath(path, whole) && has_source_suffix(whole) && stat(whole, &there) == 0 &&
	       S_ISREG(there.st_mode) && there.st_size > 0 && (size_t)there.st_size <= SOURCE_MOST;
}

/* The text, for free(); NULL if it cannot be had. */
static char *read_source(const struct sources *sources, const char *path)
{
	struct error unread;
	size_t size;
	char *bytes, *text = NULL;

	if (!is_source_file(path))
		return NULL;
	bytes = file_read(path, &size, &unread);
	if (bytes && size <= SOURCE_MOST && !memchr(bytes, '\0', size))
		text = utf8_clean(bytes, size, NULL);
	free(bytes);
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
