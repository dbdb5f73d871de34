/* fail-tree.c: see fail-tree.h. */
#include "tools/fail-tree.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Noreturn void tree_broken(const char *what, const char *path)
{
	fprintf(stderr, "fail-each: %s %s: %s\n", what, path, strerror(errno));
	_exit(99);
}

static void *get(size_t size)
{
	void *block = malloc(size);

	if (block == NULL)
		tree_broken("no memory for", "a file");
	return block;
}

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *text;
	long end = -1;

	if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (end = ftell(file)) < 0)
		tree_broken("cannot read", path);
	rewind(file);
	text = get((size_t)end + 1);
	*size = fread(text, 1, (size_t)end, file);
	text[*size] = '\0';
	fclose(file);
	return text;
}

char *tree_text(const char *path)
{
	size_t size;

	if (access(path, F_OK) == 0)
		return read_file(path, &size);
	return strcpy(get(1), "");
}

/* FNV-1a. */
static uint64_t add(uint64_t sum, const void *data, size_t size)
{
	const unsigned char *at = data;

	for (size_t i = 0; i < size; i++)
		sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
	return sum;
}

static void join(char *path, const char *folder, const char *name)
{
	if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
		tree_broken("too long a name in", folder);
}

static int not_dots(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* Calls each() for what is in a folder, sorted by name. */
static void each_entry(const char *folder, void (*each)(const char *folder, const char *name, void *user), void *user)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, not_dots, alphasort);

	if (n < 0)
		tree_broken("cannot read", folder);
	for (int i = 0; i < n; i++) {
		each(folder, entries[i]->d_name, user);
		free(entries[i]);
	}
	free(entries);
}

static uint64_t add_tree(uint64_t sum, const char *path);

static void add_entry(const char *folder, const char *name, void *sum)
{
	char path[PATH_MAX];

	join(path, folder, name);
	*(uint64_t *)sum = add_tree(add(*(uint64_t *)sum, name, strlen(name) + 1), path);
}

static uint64_t add_tree(uint64_t sum, const char *path)
{
	struct stat st;
	size_t size;
	char *text;

	if (lstat(path, &st) != 0)
		tree_broken("cannot read", path);
	if (S_ISDIR(st.st_mode)) {
		each_entry(path, add_entry, &sum);
		return add(sum, "/", 1);
	}
	if (!S_ISREG(st.st_mode))
		return add(sum, &st.st_mode, sizeof st.st_mode);
	text = read_file(path, &size);
	sum = add(sum, text, size);
	free(text);
	return sum;
}

uint64_t tree_sum(const char *path)
{
	return access(path, F_OK) == 0 ? add_tree(UINT64_C(0xcbf29ce484222325), path) : 0;
}

static void copy_entry(const char *folder, const char *name, void *to)
{
	char source[PATH_MAX], target[PATH_MAX];

	join(source, folder, name);
	join(target, to, name);
	tree_copy(source, target);
}

void tree_copy(const char *from, const char *to)
{
	struct stat st;
	FILE *file;
	size_t size;
	char *text;

	if (stat(from, &st) != 0)
		tree_broken("cannot read", from);
	if (S_ISDIR(st.st_mode)) {
		if (mkdir(to, 0777) != 0)
			tree_broken("cannot make", to);
		each_entry(from, copy_entry, (void *)to);
		return;
	}
	text = read_file(from, &size);
	file = fopen(to, "w");
	if (file == NULL || fwrite(text, 1, size, file) != size || fclose(file) != 0)
		tree_broken("cannot write", to);
	free(text);
}

static void remove_entry(const char *folder, const char *name, void *unused)
{
	char path[PATH_MAX];

	(void)unused;
	join(path, folder, name);
	tree_remove(path);
}

void tree_remove(const char *path)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return;
	if (S_ISDIR(st.st_mode))
		each_entry(path, remove_entry, NULL);
	if (remove(path) != 0)
		tree_broken("cannot remove", path);
}
