/* file.c: see file.h. A chunk is a piece of the file that is mapped into memory. Its blocks are taken from the disk
 * first: a full disk is then an error here, and not a signal that ends the program. */
#include "contrast/range/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/file/held.h"

enum { CHUNK_BYTES = 1 << 16, MAX_FREE = 64, MAX_FILES = 1000, UNOPENED = -1, REFUSED = -2 };

static struct {
	pthread_mutex_t lock;
	char folder[PATH_MAX - NAME_MAX];
	int fd;      /* of this process's file; UNOPENED, or REFUSED for good */
	int refused; /* errno of the last one that could not be opened */
	struct held_file held;
	off_t length;  /* of the file */
	bool has_told; /* that there is no room */
	struct range_chunk free[MAX_FREE];
	int nfree;
} file = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = UNOPENED};

bool range_file_use(const char *folder)
{
	return snprintf(file.folder, sizeof(file.folder), "%s", folder) < (int)sizeof(file.folder);
}

/* A program that calls exec() keeps its process id, so there is a number as well. */
static void range_file_open(void)
{
	char path[PATH_MAX];

	for (int i = 0; i < MAX_FILES && file.fd == UNOPENED; i++) {
		snprintf(path, sizeof(path), "%s/%d-%d" RANGE_SUFFIX, file.folder, (int)getpid(), i);
		file.fd = file_above_streams(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
		if (file.fd >= 0)
			break;
		file.refused = errno;
		file.fd = errno == EEXIST ? UNOPENED : REFUSED;
	}
	file.held = file_hold(file.fd);
	file.length = 0;
}

/* Beyond the limit of a file's size, a signal would end the program. */
static bool may_grow(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 && (rlim_t)file.length + CHUNK_BYTES <= limit.rlim_cur;
}

/* Needs no room and no descriptor, of which there may be none. */
static void range_file_tell(int errnum)
{
	char path[PATH_MAX];

	if (file.has_told)
		return;
	file.has_told = true;
	snprintf(path, sizeof(path), "%s/%d-%d" RANGE_LOST_SUFFIX, file.folder, (int)getpid(), errnum);
	(void)mknod(path, S_IFREG | 0600, 0);
}

/* Makes the file larger by a chunk. 0 or an errno. */
static int range_file_grow(void)
{
	/* The next chunks go into another file. */
	if (file.fd >= 0 && !file_is_held(&file.held))
		file.fd = UNOPENED;
	if (file.fd == UNOPENED)
		range_file_open();
	if (file.fd < 0)
		return file.refused;
	return may_grow() ? posix_fallocate(file.fd, file.length, CHUNK_BYTES) : EFBIG;
}

static bool map_chunk(struct range_chunk *chunk)
{
	int failed = range_file_grow();
	void *at;

	if (failed != 0) {
		range_file_tell(failed);
		return false;
	}
	at = mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file.fd, file.length);
	if (at == MAP_FAILED)
		return false;
	file.length += CHUNK_BYTES;
	*chunk = (struct range_chunk){at, 0, CHUNK_BYTES / sizeof(struct range_record)};
	/* cppcheck-suppress memleak ; the caller has it, in the chunk */
	return true;
}

bool range_file_more(struct range_chunk *chunk)
{
	bool worked = chunk->used < chunk->room;

	if (worked)
		return true;
	if (chunk->at)
		munmap(chunk->at, CHUNK_BYTES);
	*chunk = (struct range_chunk){0};
	pthread_mutex_lock(&file.lock);
	if (file.nfree > 0) {
		*chunk = file.free[--file.nfree];
		worked = true;
	} else {
		int before = errno;

		worked = map_chunk(chunk);
		errno = before;
	}
	pthread_mutex_unlock(&file.lock);
	return worked;
}

void range_file_give_back(struct range_chunk *chunk)
{
	pthread_mutex_lock(&file.lock);
	if (chunk->used < chunk->room && file.nfree < MAX_FREE)
		file.free[file.nfree++] = *chunk;
	else if (chunk->at)
		munmap(chunk->at, CHUNK_BYTES);
	*chunk = (struct range_chunk){0};
	pthread_mutex_unlock(&file.lock);
}

/* The parent's chunks stay mapped, since a thread of it may have been changing the list. */
void range_file_forget(void)
{
	if (file.fd >= 0 && file_is_held(&file.held))
		close(file.fd);
	file.fd = UNOPENED;
	file.has_told = false;
	file.nfree = 0;
	file.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
