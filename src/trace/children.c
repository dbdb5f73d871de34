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

/* The line of /proc/PID/stat is "PID (NAME) STATE PARENT ..."; NAME may hold anything. */
static pid_t children_parent_of(long pid)
{
	char path[64], line[256];
	int fd, parent = -1;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	if (fd >= 0)
		close(fd);
	line[n > 0 ? n : 0] = '\0';
	if (n > 0 && strrchr(line, ')'))
		(void)sscanf(strrchr(line, ')') + 1, " %*c %d", &parent);
	return parent;
}

static bool have_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

pid_t *children_list(size_t *n)
{
	DIR *dir = have_children() ? opendir("/proc") : NULL;
	const struct dirent *entry;
	pid_t *list = NULL;
	size_t room = 0;

	*n = 0;
	while (dir && (entry = readdir(dir))) {
		long pid = strtol(entry->d_name, NULL, 10);

		if (pid <= 0 || children_parent_of(pid) != getpid())
			continue;
		xgrow(&list, *n, &room, sizeof(*list));
		list[(*n)++] = (pid_t)pid;
	}
	if (dir)
		closedir(dir);
	return list;
}
