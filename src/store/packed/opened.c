/* opened.c: see opened.h. https://www.sqlite.org/c3ref/vfs.html and io_methods.html say what the functions are for. */
#include "store/packed/opened.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/alloc.h"

/* ---- the file ---- */

struct opened {
	sqlite3_file base;
	int fd;
	int errnum; /* of the last failure */
};

static int opened_close(sqlite3_file *file)
{
	close(((struct opened *)file)->fd);
	return SQLITE_OK;
}

static int opened_read(sqlite3_file *file, void *data, int size, sqlite3_int64 at)
{
	struct opened *opened = (struct opened *)file;
	int done = 0;
	ssize_t n = 1;

	while (done < size && n != 0) {
		n = pread(opened->fd, (char *)data + done, (size_t)(size - done), at + done);
		if (n < 0 && errno != EINTR) {
			opened->errnum = errno;
			return SQLITE_IOERR_READ;
		}
		done += n > 0 ? (int)n : 0;
	}
	memset((char *)data + done, 0, (size_t)(size - done));
	return done == size ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int opened_write(sqlite3_file *file, const void *data, int size, sqlite3_int64 at)
{
	(void)file;
	(void)data;
	(void)size;
	(void)at;
	return SQLITE_READONLY;
}

static int opened_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	(void)file;
	(void)size;
	return SQLITE_READONLY;
}

static int opened_size(sqlite3_file *file, sqlite3_int64 *size)
{
	struct opened *opened = (struct opened *)file;
	struct stat st;

	if (fstat(opened->fd, &st) != 0) {
		opened->errnum = errno;
		return SQLITE_IOERR_FSTAT;
	}
	*size = st.st_size;
	return SQLITE_OK;
}

/* Also to lock and to unlock: nobody else has the file. */
static int opened_sync(sqlite3_file *file, int flags)
{
	(void)file;
	(void)flags;
	return SQLITE_OK;
}

static int opened_is_locked(sqlite3_file *file, int *locked)
{
	(void)file;
	*locked = 0;
	return SQLITE_OK;
}

static int opened_control(sqlite3_file *file, int what, void *arg)
{
	if (what != SQLITE_FCNTL_LAST_ERRNO)
		return SQLITE_NOTFOUND;
	*(int *)arg = ((struct opened *)file)->errnum;
	return SQLITE_OK;
}

static int opened_sector(sqlite3_file *file)
{
	(void)file;
	return 0;
}

static int opened_kind(sqlite3_file *file)
{
	(void)file;
	return SQLITE_IOCAP_IMMUTABLE;
}

/* ---- opening it ---- */

static sqlite3_vfs *usual; /* for the files that SQLite sorts in */

/* SQLite hands back the number of the descriptor as a name. */
static int opened_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *got)
{
	static const sqlite3_io_methods methods = {
		.iVersion = 1,
		.xClose = opened_close,
		.xRead = opened_read,
		.xWrite = opened_write,
		.xTruncate = opened_truncate,
		.xSync = opened_sync,
		.xFileSize = opened_size,
		.xLock = opened_sync,
		.xUnlock = opened_sync,
		.xCheckReservedLock = opened_is_locked,
		.xFileControl = opened_control,
		.xSectorSize = opened_sector,
		.xDeviceCharacteristics = opened_kind,
	};
	struct opened *opened = (struct opened *)file;

	(void)vfs;
	if ((flags & SQLITE_OPEN_MAIN_DB) == 0)
		return usual->xOpen(usual, name, file, flags, got);
	*opened = (struct opened){.fd = fcntl((int)strtol(name, NULL, 10), F_DUPFD_CLOEXEC, 0)};
	if (opened->fd < 0)
		return SQLITE_CANTOPEN;
	opened->base.pMethods = &methods;
	if (got)
		*got = SQLITE_OPEN_READONLY;
	return SQLITE_OK;
}

static int keep_name(sqlite3_vfs *vfs, const char *name, int size, char *full)
{
	(void)vfs;
	return snprintf(full, (size_t)size, "%s", name) < size ? SQLITE_OK : SQLITE_CANTOPEN;
}

static sqlite3_vfs descriptors = {.zName = "dbprof-descriptors"};

static void make_vfs(void)
{
	const char *name = descriptors.zName;

	usual = sqlite3_vfs_find(NULL);
	if (!usual)
		return;
	descriptors = *usual;
	descriptors.pNext = NULL;
	descriptors.zName = name;
	descriptors.xOpen = opened_open;
	descriptors.xFullPathname = keep_name;
	if (descriptors.szOsFile < (int)sizeof(struct opened))
		descriptors.szOsFile = (int)sizeof(struct opened);
	(void)sqlite3_vfs_register(&descriptors, 0);
}

const char *opened_vfs(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)pthread_once(&once, make_vfs);
	return descriptors.zName;
}

char *opened_uri(int fd)
{
	return xasprintf("file:%d?immutable=1", fd);
}
