/* wanted.c: see wanted.h. */
#include "trace/inject/wanted.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/inject/module-sources.h"
#include "trace/inject/whole-file.h"
#include "util/file/file.h"

/* A module that is larger takes a disassembler minutes; all together, a disk. */
static const size_t MODULE_MOST = (size_t)32 << 20, ALL_MOST = (size_t)256 << 20;

/* Names in the list may be long: those of templates take thousands of characters. */
static const size_t LIST_MOST = (size_t)4 << 20;

enum { HASH_DIGITS = 16 };

struct wanted {
	uint64_t hash; /* 0: any */
	const char *symbol;
};

static struct {
	char folder[PATH_MAX];
	char *list; /* the file, cut into strings */
	struct wanted kernel[WANTED_MOST];
	size_t n;
	uint64_t kept; /* bits of those that were written */
	size_t bytes;  /* written */
} wanted;

/* ---- the list ---- */

static void take_wanted_line(char *line)
{
	char *end;
	uint64_t hash = strtoull(line, &end, 16);

	if (*end == ' ' && wanted.n < WANTED_MOST)
		wanted.kernel[wanted.n++] = (struct wanted){hash, end + 1};
}

static void cut_list(char *text)
{
	while (*text != '\0') {
		char *end = strchr(text, '\n');

		if (!end)
			return;
		*end = '\0';
		take_wanted_line(text);
		text = end + 1;
	}
}

void wanted_read(void)
{
	const char *folder = getenv(WANTED_FOLDER);
	char path[PATH_MAX];
	struct error err;
	size_t size;

	if (!folder || *folder == '\0' || wanted.list)
		return;
	if (snprintf(path, sizeof(path), "%s/" WANTED_LIST, folder) >= (int)sizeof(path))
		return;
	wanted.list = file_read(path, &size, &err);
	if (!wanted.list || size > LIST_MOST)
		return;
	snprintf(wanted.folder, sizeof(wanted.folder), "%s", folder);
	cut_list(wanted.list);
}

/* ---- modules ---- */

uint64_t wanted_bits(const char *symbol, uint64_t hash)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < wanted.n; i++)
		if ((wanted.kernel[i].hash == 0 || wanted.kernel[i].hash == hash) &&
			strcmp(wanted.kernel[i].symbol, symbol) == 0)
			bits |= UINT64_C(1) << i;
	return bits;
}

/* A module that is there has its sources. */
static void write_module(const char *stem, const void *cubin, size_t size)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s" WANTED_SUFFIX, stem) >= (int)sizeof(path))
		return;
	module_sources_keep(stem, cubin, size);
	(void)whole_file_write(path, cubin, size, NULL, 0);
}

void wanted_keep(uint64_t bits, uint64_t hash, const void *cubin, size_t size)
{
	char stem[PATH_MAX];

	bits &= ~wanted.kept;
	if (bits == 0 || size > MODULE_MOST || size > ALL_MOST - wanted.bytes)
		return;
	if (snprintf(stem, sizeof(stem), "%s/%0*" PRIx64 "-%0*" PRIx64, wanted.folder, HASH_DIGITS, bits, HASH_DIGITS,
		    hash) >= (int)sizeof(stem))
		return;
	wanted.kept |= bits;
	wanted.bytes += size;
	write_module(stem, cubin, size);
}
