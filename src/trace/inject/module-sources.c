/* module-sources.c: see module-sources.h. */
#include "trace/inject/module-sources.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/code/cubin-sources.h"
#include "record/code/source-file.h"
#include "trace/inject/whole-file.h"
#include "util/file/file.h"

static const size_t COPIES_MOST = (size_t)32 << 20;

/* Of this process. */
static size_t copied_bytes;

/* A module whose sources are being copied. */
struct copying {
	const char *stem;
	unsigned n; /* copies so far */
};

/* The path as a disassembler prints it. False if it is too long. */
static bool source_path(const char *folder, const char *name, char path[PATH_MAX])
{
	if (*folder == '\0' || *name == '/')
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
	return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

static void copy_source(void *user, const char *folder, const char *name)
{
	struct copying *copying = user;
	char path[PATH_MAX], copy[PATH_MAX];
	struct error unread;
	size_t size;
	char *text;

	if (!source_path(folder, name, path) || !source_file_counts(path) ||
		snprintf(copy, sizeof(copy), "%s-%03u" MODULE_SOURCE_SUFFIX, copying->stem, copying->n) >=
			(int)sizeof(copy))
		return;
	text = file_read(path, &size, &unread);
	if (text && size <= SOURCE_FILE_MOST && size <= COPIES_MOST - copied_bytes &&
		whole_file_write(copy, path, strlen(path) + 1, text, size)) {
		copied_bytes += size;
		copying->n++;
	}
	free(text);
}

void module_sources_keep(const char *stem, const void *cubin, size_t size)
{
	struct copying copying = {.stem = stem};

	cubin_sources(cubin, size, copy_source, &copying);
}
