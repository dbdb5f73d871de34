/* whole-file.c: see whole-file.h. */
#include "trace/inject/whole-file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "util/file/file.h"
#include "util/file/held.h"

/* Another process may write the same file at the same time, so the part has a name of its own. */
static int open_part(const char *path, char part[PATH_MAX])
{
	if (snprintf(part, PATH_MAX, "%s.%ld" WHOLE_FILE_PART, path, (long)getpid()) >= PATH_MAX)
		return -1;
	return file_above_streams(open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
}

bool whole_file_write(const char *path, const void *head, size_t head_size, const void *body, size_t body_size)
{
	char part[PATH_MAX];
	int fd = open_part(path, part);
	bool whole;

	if (fd < 0)
		return false;
	whole = file_write_quietly(fd, head, head_size) == 0 && file_write_quietly(fd, body, body_size) == 0;
	whole = close(fd) == 0 && whole && rename(part, path) == 0;
	if (!whole)
		unlink(part);
	return whole;
}
