/* memory.c: see memory.h. */
#include "util/machine/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LINE = 512, PATH_SIZE = 64 };

static int64_t smaller_of(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The number behind `key` at the beginning of a line of a file, or the file's first number for "". -1: there is none.
 */
static int64_t number_in(const char *path, const char *key)
{
	FILE *file = fopen(path, "re");
	char line[LINE];
	int64_t number = -1;

	while (file && number < 0 && fgets(line, sizeof(line), file)) {
		size_t length = strlen(key);

		if (strncmp(line, key, length) == 0 && sscanf(line + length, "%" SCNd64, &number) != 1)
			number = -1;
		if (!*key)
			break;
	}
	if (file)
		fclose(file);
	return number;
}

static int64_t free_of_machine(void)
{
	int64_t kib = number_in("/proc/meminfo", "MemAvailable:");

	return kib < 0 ? INT64_MAX : kib * 1024;
}

/* What is left of a group's limit: what can be had back, such as pages of files, is not counted as taken. */
static int64_t free_of_group(const char *folder, const char *limit_file, const char *taken_key)
{
	char path[PATH_SIZE + LINE + 64];
	int64_t limit, taken;

	snprintf(path, sizeof(path), "%s/%s", folder, limit_file);
	limit = number_in(path, "");
	if (limit < 0)
		return INT64_MAX;
	snprintf(path, sizeof(path), "%s/memory.stat", folder);
	taken = number_in(path, taken_key);
	return taken < 0 ? limit : limit > taken ? limit - taken : 0;
}

/* Of a group and all groups around it. */
static int64_t free_of_groups(const char *root, const char *group, const char *limit_file, const char *taken_key)
{
	char folder[PATH_SIZE + LINE];
	size_t length = strlen(root);
	int64_t left = INT64_MAX;

	snprintf(folder, sizeof(folder), "%.*s%.*s", PATH_SIZE - 1, root, LINE, group);
	while (strlen(folder) >= length) {
		char *slash = strrchr(folder, '/');

		left = smaller_of(left, free_of_group(folder, limit_file, taken_key));
		if (strlen(folder) == length || !slash)
			break;
		*slash = '\0';
	}
	return left;
}

/* Version 2 has one hierarchy, "0::/group"; version 1 has one for memory, "5:memory:/group". */
static int64_t free_of_control_groups(void)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[LINE];
	int64_t left = INT64_MAX;

	while (file && fgets(line, sizeof(line), file)) {
		char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!group)
			continue;
		*group++ = '\0';
		group[strcspn(group, "\n")] = '\0';
		if (controllers[1] == '\0')
			left = smaller_of(left, free_of_groups("/sys/fs/cgroup", group, "memory.max", "anon "));
		else if (strcmp(controllers + 1, "memory") == 0)
			left = smaller_of(left,
				free_of_groups("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes", "total_rss "));
	}
	if (file)
		fclose(file);
	return left;
}

/* Of the address space; threads take some of it that they do not use. */
static int64_t free_of_limits(void)
{
	enum { THREADS_TAKE = 160 << 20 };
	struct rlimit limit;
	int64_t taken;

	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return INT64_MAX;
	taken = number_in("/proc/self/status", "VmSize:") * 1024 + THREADS_TAKE;
	return (int64_t)limit.rlim_cur > taken ? (int64_t)limit.rlim_cur - taken : 0;
}

int64_t memory_free(void)
{
	return smaller_of(free_of_machine(), smaller_of(free_of_control_groups(), free_of_limits()));
}
