/* fuzz.c: see fuzz.h. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/utf8.h"

static char folder[256];

static void die(const char *what)
{
	/* Not stderr, which a target may have silenced. */
	dprintf(STDERR_FILENO, "fuzz: %s\n", what);
	abort();
}

void fuzz_check(bool good, const char *what)
{
	if (!good)
		die(what);
}

static void remove_folder(void)
{
	DIR *dir = opendir(folder);

	for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir != NULL)
		closedir(dir);
	rmdir(folder);
}

static void make_folder(void)
{
	const char *parent = getenv("TMPDIR");

	if (parent == NULL || *parent == '\0')
		parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	if (snprintf(folder, sizeof folder, "%s/dbprof-fuzz.XXXXXX", parent) >= (int)sizeof folder ||
		mkdtemp(folder) == NULL)
		die("cannot make a folder: is TMPDIR one?");
	atexit(remove_folder);
}

const char *fuzz_path(char path[FUZZ_PATH], const char *name)
{
	if (folder[0] == '\0')
		make_folder();
	snprintf(path, FUZZ_PATH, "%s/%s", folder, name);
	return path;
}

void fuzz_write(const char *path, const void *data, size_t size)
{
	FILE *file = fopen(path, "wb");

	if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0)
		die("cannot write the input: is the disk full?");
}

char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (text == NULL)
		die("out of memory");
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

void fuzz_check_error(const struct error *err)
{
	fuzz_check(err->text[0] != '\0', "an error without words");
	fuzz_check(strchr(err->text, '\n') == NULL, "an error of more than one line");
	fuzz_check(utf8_valid(err->text), "an error that is not UTF-8");
}

/* FNV-1a. */
size_t fuzz_hash(const uint8_t *data, size_t size)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ data[i]) * UINT32_C(16777619);
	return hash;
}

void fuzz_silence(void)
{
	static FILE *nowhere;

	if (nowhere == NULL)
		nowhere = fopen("/dev/null", "w");
	if (nowhere == NULL)
		die("cannot open /dev/null");
	stdout = nowhere;
	stderr = nowhere;
}
