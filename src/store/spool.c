/* spool.c: appends rows to a spool file, buffered and thread-safe. */
#include "store/spool-format.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/path.h"
#include "util/file.h"
#include "store/row.h"

enum { BUFFER_SIZE = 64 * 1024 };

struct spool {
	pthread_mutex_t lock;
	int fd;
	char *path;
	int failed;        /* errno of the first failed write, 0 if none */
	uint32_t checksum; /* of the row that is being appended */
	size_t used;
	char buffer[BUFFER_SIZE];
};

uint32_t spool_checksum(uint32_t sum, const void *data, size_t size)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < size; i++)
		sum = (sum ^ byte[i]) * 16777619u;
	return sum;
}

uint32_t spool_schema(void)
{
	uint32_t sum = SPOOL_CHECKSUM_START;

	for (int id = 0; id < TABLES_NUMBER; id++) {
		const struct table *t = schema_table((enum table_id)id);

		sum = spool_checksum(sum, t->name, strlen(t->name) + 1);
		for (int i = 0; i < t->ncolumns; i++) {
			sum = spool_checksum(sum, t->columns[i].name, strlen(t->columns[i].name) + 1);
			sum = spool_checksum(sum, &t->columns[i].type, sizeof t->columns[i].type);
		}
	}
	return sum;
}

static void flush_buffer(struct spool *spool)
{
	if (spool->failed == 0)
		spool->failed = file_write_all(spool->fd, spool->buffer, spool->used);
	spool->used = 0;
}

static void put(struct spool *spool, const void *data, size_t size)
{
	const char *from = data;

	spool->checksum = spool_checksum(spool->checksum, data, size);
	while (size > 0) {
		size_t part = size < BUFFER_SIZE - spool->used ? size : BUFFER_SIZE - spool->used;

		memcpy(spool->buffer + spool->used, from, part);
		spool->used += part;
		from += part;
		size -= part;
		if (spool->used == BUFFER_SIZE)
			flush_buffer(spool);
	}
}

static size_t cell_size(const struct value *value)
{
	if (value_is_null(value))
		return 1;
	return value->kind == VALUE_TEXT ? 1 + sizeof(uint32_t) + strlen(value->text) + 1 : 1 + sizeof(int64_t);
}

static void put_cell(struct spool *spool, const struct value *value)
{
	static const unsigned char tags[] = {
		[VALUE_NULL] = CELL_NULL, [VALUE_INT] = CELL_INT, [VALUE_REAL] = CELL_REAL, [VALUE_TEXT] = CELL_TEXT};
	const unsigned char tag = value_is_null(value) ? CELL_NULL : tags[value->kind];
	uint32_t length;

	put(spool, &tag, 1);
	switch (tag) {
	case CELL_INT:
		put(spool, &value->integer, sizeof value->integer);
		break;
	case CELL_REAL:
		put(spool, &value->real, sizeof value->real);
		break;
	case CELL_TEXT:
		length = (uint32_t)strlen(value->text);
		put(spool, &length, sizeof length);
		put(spool, value->text, length + 1);
		break;
	}
}

static int outcome(const struct spool *spool, struct error *err)
{
	return spool->failed == 0 ? 0 : file_write_error(err, spool->path, spool->failed);
}

static int put_header(struct spool *spool, struct error *err)
{
	struct spool_header header = {.magic = SPOOL_MAGIC, .byte_order = SPOOL_BYTE_ORDER, .schema = spool_schema()};

	put(spool, &header, sizeof header);
	flush_buffer(spool);
	return outcome(spool, err);
}

static struct spool *spool_new(const char *path, int fd)
{
	struct spool *spool = malloc(sizeof *spool);

	if (spool == NULL)
		return NULL;
	spool->fd = fd;
	spool->failed = 0;
	spool->used = 0;
	spool->path = strdup(path);
	if (spool->path == NULL || pthread_mutex_init(&spool->lock, NULL) != 0) {
		free(spool->path);
		free(spool);
		return NULL;
	}
	return spool;
}

struct spool *spool_create(const char *path, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct spool *spool;

	if (fd < 0) {
		file_write_error(err, path, errno);
		return NULL;
	}
	spool = spool_new(path, fd);
	if (spool == NULL) {
		path_memory_error(err, "write", path);
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

static int row_size(const struct table *t, const struct value *row, uint32_t *length, struct error *err)
{
	size_t size = 0;

	for (int i = 0; i < t->ncolumns; i++)
		size += cell_size(&row[i]);
	if (size > SPOOL_MAX_ROW)
		return error_set(err, "a row for %s is larger than 512 MiB: record less text", t->name);
	*length = (uint32_t)size;
	return 0;
}

int spool_row(struct spool *spool, enum table_id table, const struct value *row, struct error *err)
{
	struct spool_row_head head = {.table = (uint32_t)table};
	const struct table *t;
	uint32_t sum;
	int rc;

	if (row_check(table, row, err) != 0)
		return -1;
	t = schema_table(table);
	if (row_size(t, row, &head.length, err) != 0)
		return -1;
	pthread_mutex_lock(&spool->lock);
	spool->checksum = SPOOL_CHECKSUM_START;
	put(spool, &head, sizeof head);
	for (int i = 0; i < t->ncolumns; i++)
		put_cell(spool, &row[i]);
	sum = spool->checksum;
	put(spool, &sum, sizeof sum);
	rc = outcome(spool, err);
	pthread_mutex_unlock(&spool->lock);
	return rc;
}

int spool_flush(struct spool *spool, struct error *err)
{
	int rc;

	pthread_mutex_lock(&spool->lock);
	flush_buffer(spool);
	rc = outcome(spool, err);
	pthread_mutex_unlock(&spool->lock);
	return rc;
}

int spool_close(struct spool *spool, struct error *err)
{
	int rc;

	if (spool == NULL)
		return 0;
	flush_buffer(spool);
	if (close(spool->fd) != 0 && spool->failed == 0)
		spool->failed = errno;
	rc = outcome(spool, err);
	pthread_mutex_destroy(&spool->lock);
	free(spool->path);
	free(spool);
	return rc;
}

void spool_forget(struct spool *spool)
{
	if (spool == NULL)
		return;
	close(spool->fd);
	free(spool->path);
	free(spool);
}
