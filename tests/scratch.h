/* scratch.h: an empty folder for each test, removed after it. Include after <cmocka.h>. */
#ifndef DBPROF_TESTS_SCRATCH_H
#define DBPROF_TESTS_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch[512];

/* Path of `name` in the folder; up to four are valid at a time. */
static inline const char *in_scratch(const char *name)
{
	static char paths[4][1024];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
	return path;
}

static inline int scratch_make(void **state)
{
	const char *top = getenv("TMPDIR");

	(void)state;
	snprintf(scratch, sizeof scratch, "%s/dbprof-unit.XXXXXX", top != NULL && *top != '\0' ? top : "/tmp");
	return mkdtemp(scratch) == NULL ? -1 : 0;
}

/* How many files are in the folder, hidden ones too; `remove_them` removes them. */
static inline int scratch_files(int remove_them)
{
	DIR *dir = opendir(scratch);
	const struct dirent *entry;
	int n = 0;

	if (dir == NULL)
		return -1;
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		n++;
		if (remove_them && remove(in_scratch(entry->d_name)) != 0)
			n = -1;
	}
	closedir(dir);
	return n;
}

static inline int scratch_remove(void **state)
{
	(void)state;
	return scratch_files(1) < 0 ? -1 : rmdir(scratch);
}

#define scratch_test(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

#endif
