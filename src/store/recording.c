/* recording.c: the life of a recording that is being written: temporary file, one transaction, rename. */
#include "store/recording-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/path.h"
#include "store/sqlite-memory.h"
#include "util/alloc.h"
#include "util/file/file.h"

int recording_error(struct recording *rec, struct error *err)
{
	int last = errno, code = sqlite3_errcode(rec->db), errnum = sqlite3_system_errno(rec->db);

	/* SQLite does not keep the errno of a COMMIT. */
	if (errnum == 0 && (file_is_full(last) || last == EIO))
		errnum = last;
	if (code == SQLITE_FULL)
		return file_write_error(err, rec->path, file_is_full(errnum) ? errnum : ENOSPC);
	if ((code & 0xff) == SQLITE_IOERR && errnum != 0)
		return file_write_error(err, rec->path, errnum);
	if (code == SQLITE_NOMEM)
		out_of_memory();
	return error_set(err, "cannot write %s: %s", rec->path, sqlite3_errmsg(rec->db));
}

int recording_exec(struct recording *rec, const char *sql, struct error *err)
{
	return sqlite3_exec(rec->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : recording_error(rec, err);
}

static int make_temporary(struct recording *rec, struct error *err)
{
	struct stat there;
	int failed = file_target(rec->path, rec->target, &there);

	/* A rename would replace a device node as readily as a file. */
	if (there.st_mode != 0 && !S_ISREG(there.st_mode))
		return error_set(err, "cannot write %s: it is %s: give the name of a file", rec->path,
			S_ISDIR(there.st_mode) ? "a folder" : "no regular file");
	if (failed == 0)
		failed = temporary_file_like(&rec->temporary, rec->target, &there);
	return failed == 0 ? 0 : file_write_error(err, rec->path, failed);
}

enum { SMALL_BLOCK = 1200, SMALL_BLOCKS = 200 }; /* bytes, blocks */

static int recording_open_database(struct recording *rec, struct error *err)
{
	/* Nobody sees the file before it is whole, so nothing needs a journal, a lock or a sync per write. */
	static const char settings[] =
		"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; BEGIN";
	char *plain = path_plain(rec->temporary.path);
	int rc;

	sqlite_use_xmalloc();
	/* SQLite takes no locks: where the file system does not tell flock() from fcntl(), they would meet ours. */
	rc = sqlite3_open_v2(plain, &rec->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none");
	free(plain);
	if (rc != SQLITE_OK)
		return recording_error(rec, err);
	/* Each row takes and gives back two small blocks. The statements hold all that a connection has at first. */
	(void)sqlite3_db_config(rec->db, SQLITE_DBCONFIG_LOOKASIDE, NULL, SMALL_BLOCK, SMALL_BLOCKS);
	return recording_exec(rec, settings, err);
}

/* Names up to this size are remembered, so that each is stored once (bytes). Programs have far fewer. A program that
 * makes up names without end has some of them stored more than once; this process does not grow with it. */
enum { MOST_SHARED_NAMES = 32 << 20 };

static int recording_start(struct recording *rec, const char *path, struct error *err)
{
	rec->path = xstrdup(path);
	rec->names = intern_new(MOST_SHARED_NAMES);
	if (!rec->names)
		out_of_memory();
	if (make_temporary(rec, err) != 0 || recording_open_database(rec, err) != 0)
		return -1;
	return recording_fixed_begin(rec, err);
}

struct recording *recording_create(const char *path, int64_t epoch_ns, struct error *err)
{
	struct recording *rec = xcalloc(1, sizeof(*rec));

	rec->epoch_ns = epoch_ns;
	if (recording_start(rec, path, err) != 0) {
		recording_abandon(rec);
		return NULL;
	}
	return rec;
}

static void close_database(struct recording *rec)
{
	sqlite3_finalize(rec->insert_name);
	for (int i = 0; i < TABLES_NUMBER; i++)
		sqlite3_finalize(rec->insert[i]);
	sqlite3_close(rec->db);
	rec->insert_name = NULL;
	memset(rec->insert, 0, sizeof(rec->insert));
	rec->db = NULL;
}

static void recording_release(struct recording *rec)
{
	close_database(rec);
	intern_free(rec->names);
	free(rec->users);
	free(rec->path);
	free(rec);
}

/* Returns 0 or an errno. */
static int sync_path(const char *path, int flags)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
	int failed = 0;

	if (fd < 0)
		return errno;
	/* Some file systems cannot sync a folder and say EINVAL. */
	if (fsync(fd) != 0 && errno != EINVAL)
		failed = errno;
	close(fd);
	return failed;
}

static int sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? xstrndup(path, (size_t)(slash - path + 1)) : xstrdup(".");
	int failed = sync_path(folder, O_DIRECTORY);

	free(folder);
	return failed;
}

static int publish(struct recording *rec, struct error *err)
{
	int failed = sync_path(rec->temporary.path, 0);

	if (failed == 0)
		failed = temporary_rename(&rec->temporary, rec->target);
	if (failed != 0)
		return file_write_error(err, rec->path, failed);
	/* It is in place; a folder that cannot be synced only delays its durability. */
	(void)sync_folder(rec->target);
	return 0;
}

int recording_finish(struct recording *rec, struct error *err)
{
	if (recording_fixed_end(rec, err) != 0 || recording_exec(rec, "COMMIT", err) != 0) {
		recording_abandon(rec);
		return -1;
	}
	close_database(rec);
	if (publish(rec, err) != 0) {
		recording_abandon(rec);
		return -1;
	}
	recording_release(rec);
	return 0;
}

void recording_abandon(struct recording *rec)
{
	if (!rec)
		return;
	close_database(rec);
	temporary_remove(&rec->temporary);
	recording_release(rec);
}
