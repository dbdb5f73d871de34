/* store-file.c: refuses a file in plain words, where SQLite would refuse it with a riddle or read half of it. */
#include "store/store-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/packed/packed.h"
#include "util/alloc.h"
#include "util/file/file.h"

/* The first bytes of an SQLite file: https://www.sqlite.org/fileformat2.html#the_database_header */
enum {
	HEADER_SIZE = 100,
	AT_PAGE_SIZE = 16,      /* 2 bytes; 1 means 65536 */
	AT_CHANGE_COUNTER = 24, /* 4 bytes */
	AT_PAGES = 28,          /* 4 bytes; valid if the change counter equals the one below */
	AT_VALID_FOR = 92       /* 4 bytes */
};

static uint32_t big_endian(const unsigned char *at, int bytes)
{
	uint32_t x = 0;

	for (int i = 0; i < bytes; i++)
		x = x << 8 | at[i];
	return x;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

static int not_sqlite(const char *path, const unsigned char *header, bool unpacked, struct error *err)
{
	bool gzip = header[0] == 0x1f && header[1] == 0x8b;

	if (unpacked && (gzip || packed_is(header, HEADER_SIZE)))
		return error_set(err, "%s is compressed twice: unpack it with `zstd -d` first", path);
	if (unpacked)
		return error_set(err,
			"%s unpacks to no SQLite file: give a recording made by dbprof, or an SQLite export of Nsight "
			"Systems",
			path);
	if (gzip)
		return error_set(err, "%s is compressed by gzip: unpack it with gunzip first", path);
	if (ends_with(path, ".nsys-rep") || ends_with(path, ".qdrep"))
		return error_set(err,
			"%s is a report of Nsight Systems: convert it with "
			"`nsys export --type=sqlite` and give the result",
			path);
	return error_set(err,
		"%s is no SQLite file: give a recording made by dbprof, or an SQLite export of Nsight "
		"Systems",
		path);
}

static int truncated(const char *path, struct error *err)
{
	return error_set(err, "%s is truncated: copy it again, or record again", path);
}

/* The size of a page, 0 if it is none. */
static uint32_t page_size_of(const unsigned char *header)
{
	uint32_t size = big_endian(header + AT_PAGE_SIZE, 2);

	if (size == 1)
		size = 65536;
	return size < 512 || (size & (size - 1)) != 0 ? 0 : size;
}

/* How much of the file is on the disk. The rest are holes, which cost nobody anything. All of it, where the file system
 * does not tell. */
static int64_t bytes_on_disk(int fd, int64_t size)
{
	enum { MOST_PIECES = 100000 }; /* SQLite leaves no holes: thousands are a stranger's */
	int64_t bytes = 0, at = 0;

	for (int i = 0; i < MOST_PIECES && at < size; i++) {
		int64_t start = lseek(fd, at, SEEK_DATA);

		if (start < 0)
			return errno == ENXIO ? bytes : size;
		at = lseek(fd, start, SEEK_HOLE);
		if (at < 0)
			return size;
		bytes += at - start;
	}
	return bytes;
}

/* A file whose bytes are looked at: as it is on the disk, or what it unpacks to. */
struct looked_at {
	int fd;
	const char *path; /* of the file on the disk */
	bool unpacked;
	int64_t size;
	unsigned char header[HEADER_SIZE]; /* its beginning, then zeros */
	size_t got;                        /* how much of the header is there */
};

static int store_file_check_header(const struct looked_at *file, struct store_extent *extent, struct error *err)
{
	static const char magic[16] = "SQLite format 3";
	const unsigned char *header = file->header;
	uint32_t page_size;
	int64_t told, on_disk;

	if (memcmp(header, magic, file->got < sizeof(magic) ? file->got : sizeof(magic)) != 0)
		return not_sqlite(file->path, header, file->unpacked, err);
	if (file->got < HEADER_SIZE)
		return truncated(file->path, err);
	page_size = page_size_of(header);
	if (page_size == 0)
		return error_set(err, "%s is damaged: copy it again, or record again", file->path);
	told = (int64_t)page_size * big_endian(header + AT_PAGES, 4);
	if (big_endian(header + AT_CHANGE_COUNTER, 4) != big_endian(header + AT_VALID_FOR, 4))
		told = 0;
	/* What stands behind the last page is not SQLite's, and no harm. */
	if (file->size < told || (told == 0 && file->size % page_size != 0))
		return truncated(file->path, err);
	extent->length = told > 0 ? told : file->size;
	/* What was just unpacked has no holes. */
	on_disk = file->unpacked ? file->size : bytes_on_disk(file->fd, file->size);
	extent->bytes = extent->length > on_disk ? on_disk : extent->length;
	extent->pages = extent->bytes / page_size;
	return 0;
}

/* Fills what is known of an open file. */
static int store_file_look_at(struct looked_at *file, struct error *err)
{
	struct stat st;
	ssize_t got;

	if (fstat(file->fd, &st) != 0)
		return error_system(err, "cannot read %s: %s: check the disk", file->path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return error_set(err, "%s is a folder: give the recording in it", file->path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, "%s is no regular file: give a recording on disk", file->path);
	if (st.st_size == 0)
		return error_set(err, "%s is empty: copy it again, or record again", file->path);
	file->size = st.st_size;
	got = pread(file->fd, file->header, sizeof(file->header), 0);
	if (got < 0)
		return error_system(err, "cannot read %s: %s: check the disk", file->path, strerror(errno));
	file->got = (size_t)got;
	return 0;
}

/* Recordings that ship are packed: whoever names one as it is called without that is told its name. */
static int no_such_recording(const char *path, struct error *err)
{
	char *packed = xasprintf("%s.zst", path);
	bool exists = *path && access(packed, F_OK) == 0;

	if (!*path)
		error_set(err, "the name of the recording is empty: give a file");
	else if (exists)
		error_set(err, "%s does not exist: did you mean %s?", path, packed);
	else
		error_set(err, "%s does not exist: check the name; `dbprof record` and `dbprof trace` make recordings",
			path);
	free(packed);
	return -1;
}

/* A name that leads nowhere is the caller's mistake, and so is a file that one may not read. Any other error is the
 * machine's. */
static int cannot_open(const char *path, int errnum, struct error *err)
{
	switch (errnum) {
	case ENOENT:
		return no_such_recording(path, err);
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case EIO:
		return error_system(err, "cannot read %s: %s: check this machine", path, strerror(errnum));
	default:
		return error_set(err, "cannot read %s: %s: %s", path, strerror(errnum), file_read_advice(errnum));
	}
}

/* A log beside the file holds changes that are not in the file: a program writes the file, or was killed while it did.
 */
static int check_log(const char *path, const char *suffix, struct error *err)
{
	char *name = xasprintf("%s%s", path, suffix);
	struct stat st;
	bool there = stat(name, &st) == 0 && st.st_size > 0;

	free(name);
	if (there)
		return error_set(err,
			"%s is still being written (there is %s%s): end the program that writes it, or run "
			"`sqlite3 %s 'PRAGMA journal_mode=DELETE'`",
			path, path, suffix, path);
	return 0;
}

/* If `path` is a link, the log is beside the file that it leads to. */
static int check_logs(const char *path, struct error *err)
{
	char *real = realpath(path, NULL);
	int rc;

	if (!real)
		return cannot_open(path, errno, err);
	rc = check_log(real, "-wal", err);
	if (rc == 0)
		rc = check_log(real, "-journal", err);
	free(real);
	return rc;
}

/* Unpacks the file and looks at what comes out. */
static int store_file_look_inside(struct looked_at *file, struct error *err)
{
	struct looked_at inside = {.path = file->path, .unpacked = true};
	int rc;

	inside.fd = packed_unpack(file->fd, file->path, err);
	if (inside.fd < 0)
		return -1;
	rc = store_file_look_at(&inside, err);
	close(file->fd);
	*file = inside;
	return rc;
}

int store_file_open(const char *path, struct store_bytes *bytes, struct error *err)
{
	/* O_NONBLOCK: a FIFO is to be refused, not waited for. */
	struct looked_at file = {.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), .path = path};
	int rc;

	if (file.fd < 0)
		return cannot_open(path, errno, err);
	rc = store_file_look_at(&file, err);
	if (rc == 0 && packed_is(file.header, file.got))
		rc = store_file_look_inside(&file, err);
	if (rc == 0)
		rc = store_file_check_header(&file, &bytes->extent, err);
	if (rc == 0 && !file.unpacked)
		rc = check_logs(path, err);
	bytes->fd = file.fd;
	bytes->unpacked = file.unpacked;
	if (rc != 0)
		close(file.fd);
	return rc;
}
