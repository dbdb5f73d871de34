/* spool.c: appends rows to a spool file, buffered and thread-safe. */
#include "store/spool/format.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/spool/encode.h"
#include "util/file/file.h"
#include "util/file/held.h"

/* A buffer is written when BUFFER_SIZE bytes are in it. It is used again, unless a large row made it larger than
 * BUFFER_KEPT. */
enum { BUFFER_SIZE = 64 * 1024, BUFFER_KEPT = 2 * BUFFER_SIZE };

struct buffer {
	unsigned char *data;
	size_t used, capacity;
};

/* Rows go into one buffer while the other is being written. A thread that appends a row waits for the disk only if both
 * are full. `filling` guards all members but those named at `writing`. A thread that needs both locks takes `writing`
 * first. */
struct spool {
	pthread_mutex_t filling;
	pthread_mutex_t writing; /* guards `fd` and `written` */
	int fd;
	struct stat file; /* what `fd` was opened on */
	char *path;
	int failed; /* errno of the first failed write, 0 if none */
	struct spool_encoder *encoder;
	struct buffer filled, written;
};

/* Makes room for `size` more bytes. */
static int spool_reserve(struct buffer *buffer, size_t size)
{
	size_t capacity = buffer->used + size > BUFFER_KEPT ? buffer->used + size : BUFFER_KEPT;
	unsigned char *data;

	if (buffer->capacity - buffer->used >= size)
		return 0;
	data = realloc(buffer->data, capacity);
	if (!data)
		return -1;
	buffer->data = data;
	buffer->capacity = capacity;
	return 0;
}

static void empty(struct buffer *buffer)
{
	buffer->used = 0;
	if (buffer->capacity > BUFFER_KEPT) {
		free(buffer->data);
		*buffer = (struct buffer){0};
	}
}

static int spool_outcome(const struct spool *spool, struct error *err)
{
	return spool->failed == 0 ? 0 : file_write_error(err, spool->path, spool->failed);
}

static int spool_memory_error(const char *path, struct error *err)
{
	return error_system(err, "cannot write %s: out of memory: close other programs", path);
}

/* A traced program may close descriptors that it has not opened, and may then get our number for a file of its own. */
static bool spool_is_ours(const struct spool *spool, int fd, struct stat *now)
{
	return fstat(fd, now) == 0 && now->st_dev == spool->file.st_dev && now->st_ino == spool->file.st_ino;
}

/* Opens the file again if the descriptor is no longer ours. The file that has the number now is left alone. `writing`
 * is held. */
static int hold_file(struct spool *spool)
{
	struct stat now;
	int fd;

	if (spool_is_ours(spool, spool->fd, &now))
		return 0;
	fd = file_above_streams(open(spool->path, O_WRONLY | O_APPEND | O_CLOEXEC));
	if (fd < 0)
		return errno;
	if (!spool_is_ours(spool, fd, &now)) {
		close(fd);
		return EBADF;
	}
	spool->fd = fd;
	return 0;
}

static int spool_close_file(const struct spool *spool)
{
	struct stat now;

	return spool_is_ours(spool, spool->fd, &now) ? close(spool->fd) : 0;
}

static int put_header(struct spool *spool, struct error *err)
{
	struct spool_header header = {.magic = SPOOL_MAGIC, .byte_order = SPOOL_BYTE_ORDER, .schema = spool_schema()};

	spool->failed = file_write_quietly(spool->fd, &header, sizeof(header));
	return spool_outcome(spool, err);
}

static void spool_release(struct spool *spool)
{
	spool_encoder_free(spool->encoder);
	free(spool->filled.data);
	free(spool->written.data);
	free(spool->path);
	free(spool);
}

static struct spool *spool_new(const char *path, int fd)
{
	struct spool *spool = calloc(1, sizeof(*spool));

	if (!spool)
		return NULL;
	spool->fd = fd;
	spool->path = strdup(path);
	spool->encoder = spool_encoder_new();
	if (!spool->path || !spool->encoder || fstat(fd, &spool->file) != 0 ||
		pthread_mutex_init(&spool->filling, NULL) != 0) {
		spool_release(spool);
		return NULL;
	}
	if (pthread_mutex_init(&spool->writing, NULL) != 0) {
		pthread_mutex_destroy(&spool->filling);
		spool_release(spool);
		return NULL;
	}
	return spool;
}

struct spool *spool_create(const char *path, struct error *err)
{
	int fd = file_above_streams(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
	struct spool *spool;

	if (fd < 0) {
		file_write_error(err, path, errno);
		return NULL;
	}
	spool = spool_new(path, fd);
	if (!spool) {
		spool_memory_error(path, err);
		close(fd);
		unlink(path);
		return NULL;
	}
	if (put_header(spool, err) != 0) {
		spool_close(spool, NULL);
		unlink(path);
		return NULL;
	}
	return spool;
}

/* Appends the row to the buffer. `filling` is held. */
static int spool_append(struct spool *spool, enum table_id table, const struct value *row, struct error *err)
{
	size_t most;

	if (spool->failed != 0)
		return spool_outcome(spool, err);
	if (spool_encode_plan(spool->encoder, table, row, &most, err) != 0)
		return -1;
	if (spool_reserve(&spool->filled, most) != 0)
		return spool_memory_error(spool->path, err);
	spool->filled.used += spool_encode(spool->encoder, table, row, spool->filled.data + spool->filled.used);
	return 0;
}

int spool_row(struct spool *spool, enum table_id table, const struct value *row, struct error *err)
{
	bool full;
	int rc;

	pthread_mutex_lock(&spool->filling);
	rc = spool_append(spool, table, row, err);
	full = spool->filled.used >= BUFFER_SIZE;
	pthread_mutex_unlock(&spool->filling);
	return rc == 0 && full ? spool_flush(spool, err) : rc;
}

/* Exchanges the buffers. `writing` is held. Returns whether the filled one may be written. */
static bool exchange(struct spool *spool)
{
	struct buffer emptied = spool->written;
	bool sound;

	pthread_mutex_lock(&spool->filling);
	spool->written = spool->filled;
	spool->filled = emptied;
	sound = spool->failed == 0;
	pthread_mutex_unlock(&spool->filling);
	return sound;
}

int spool_flush(struct spool *spool, struct error *err)
{
	int failed = 0, rc;

	pthread_mutex_lock(&spool->writing);
	if (exchange(spool) && spool->written.used > 0) {
		failed = hold_file(spool);
		if (failed == 0)
			failed = file_write_quietly(spool->fd, spool->written.data, spool->written.used);
	}
	empty(&spool->written);
	pthread_mutex_lock(&spool->filling);
	if (spool->failed == 0)
		spool->failed = failed;
	rc = spool_outcome(spool, err);
	pthread_mutex_unlock(&spool->filling);
	pthread_mutex_unlock(&spool->writing);
	return rc;
}

bool spool_is_removed(struct spool *spool)
{
	struct stat now;
	bool removed;

	pthread_mutex_lock(&spool->writing);
	removed = hold_file(spool) != 0 || (spool_is_ours(spool, spool->fd, &now) && now.st_nlink == 0);
	pthread_mutex_unlock(&spool->writing);
	return removed;
}

void spool_discard(struct spool *spool)
{
	pthread_mutex_lock(&spool->writing);
	/* The descriptor stays open and would keep the space, also of a file that somebody else has removed. */
	if (hold_file(spool) == 0) {
		(void)unlink(spool->path);
		(void)!ftruncate(spool->fd, 0);
	}
	pthread_mutex_unlock(&spool->writing);
}

int spool_close(struct spool *spool, struct error *err)
{
	int rc;

	if (!spool)
		return 0;
	spool_flush(spool, NULL);
	if (spool_close_file(spool) != 0 && spool->failed == 0)
		spool->failed = errno;
	rc = spool_outcome(spool, err);
	pthread_mutex_destroy(&spool->filling);
	pthread_mutex_destroy(&spool->writing);
	spool_release(spool);
	return rc;
}

void spool_forget(struct spool *spool)
{
	if (!spool)
		return;
	(void)spool_close_file(spool);
	/* If a lock is held, a thread of the parent held it when the process forked. That thread left the spool half
	 * changed, so it cannot be freed. */
	if (pthread_mutex_trylock(&spool->writing) != 0 || pthread_mutex_trylock(&spool->filling) != 0)
		return;
	spool_release(spool);
}
