/* scratch.c: see scratch.h. */
#include "store/packed/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/file/file.h"
#include "util/file/temporary.h"

const char *scratch_folder(void)
{
	const char *const folders[] = {getenv("SQLITE_TMPDIR"), getenv("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp"};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (folders[i] && access(folders[i], W_OK | X_OK) == 0)
			return folders[i];
	return ".";
}

int scratch_file_named(const char *folder)
{
	char *beside = xasprintf("%s/unpacked", folder);
	struct temporary *temporary = xmalloc(sizeof(*temporary));
	int fd = -1, failed = temporary_file_beside(temporary, beside);

	if (failed == 0) {
		fd = fcntl(temporary->fd, F_DUPFD_CLOEXEC, 0);
		failed = fd < 0 ? errno : 0;
		temporary_remove(temporary);
	}
	free(temporary);
	free(beside);
	errno = failed;
	return fd;
}

int scratch_file(void)
{
	const char *folder = scratch_folder();
	int fd = open(folder, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);

	/* An old kernel takes O_TMPFILE for a folder that is to be written: EISDIR. */
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
		fd = scratch_file_named(folder);
	return fd;
}

int scratch_error(struct error *err, const char *doing, const char *path, int errnum)
{
	const char *folder = scratch_folder();

	if (!file_is_full(errnum))
		return error_system(err,
			"cannot %s %s: cannot make a temporary file in %s: %s: set TMPDIR to another folder", doing,
			path, folder, strerror(errnum));
	return error_system(err,
		"cannot %s %s: no space left for temporary files in %s%s: free some space, or set TMPDIR to another "
		"folder",
		doing, path, folder, errnum == EFBIG ? " under the file size limit (ulimit -f)" : "");
}
