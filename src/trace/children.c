/* children.c: see children.h. */
#include "trace/children.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/alloc.h"

/* What /proc says of a process. */
struct told {
	pid_t pid, parent;
	bool ended; /* nobody has asked how, yet */
};

/* The line of /proc/PID/stat is "PID (NAME) STATE PARENT ..."; NAME may hold anything. */
static bool children_ask(long pid, struct told *out)
{
	char path[64], line[256], state = '\0';
	int fd, parent = -1;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	if (fd >= 0)
		close(fd);
	line[n > 0 ? n : 0] = '\0';
	if (n > 0 && strrchr(line, ')'))
		(void)sscanf(strrchr(line, ')') + 1, " %c %d", &state, &parent);
	*out = (struct told){(pid_t)pid, parent, state == 'Z' || state == 'X'};
	return parent >= 0;
}

static bool have_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

/* All processes, for free(); none if we have no children. NULL without memory. */
static struct told *children_ask_all(size_t *n)
{
	struct told *list = NULL;
	size_t room = 0;
	bool enough = alloc_grow(&list, 0, &room, sizeof(*list));
	DIR *dir = enough && have_children() ? opendir("/proc") : NULL;
	const struct dirent *entry;

	*n = 0;
	while (enough && dir && (entry = readdir(dir))) {
		long pid = strtol(entry->d_name, NULL, 10);

		*n += pid > 0 && children_ask(pid, &list[*n]);
		enough = alloc_grow(&list, *n, &room, sizeof(*list));
	}
	if (dir)
		closedir(dir);
	if (enough)
		return list;
	free(list);
	return NULL;
}

pid_t *children_list(size_t *n)
{
	struct told *all;
	size_t nall;
	pid_t *list;

	while (!(all = children_ask_all(&nall)))
		memory_short();
	list = xcalloc(nall + 1, sizeof(*list));
	*n = 0;
	for (size_t i = 0; i < nall; i++)
		if (all[i].parent == getpid())
			list[(*n)++] = all[i].pid;
	free(all);
	return list;
}

static bool children_has(const pid_t *list, size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == pid)
			return true;
	return false;
}

pid_t *children_below(const pid_t *without, size_t nwithout, size_t *n)
{
	size_t nall, before;
	struct told *all = children_ask_all(&nall);
	pid_t *list = all ? calloc(nall + 1, sizeof(*list)) : NULL;

	*n = 0;
	if (!list) {
		free(all);
		return NULL;
	}
	/* A child may stand before its parent: the numbers of processes begin anew. */
	do {
		before = *n;
		for (size_t i = 0; i < nall; i++)
			if ((all[i].parent == getpid() || children_has(list, *n, all[i].parent)) && !all[i].ended &&
				!children_has(without, nwithout, all[i].pid) && !children_has(list, *n, all[i].pid))
				list[(*n)++] = all[i].pid;
	} while (*n != before);
	free(all);
	return list;
}
