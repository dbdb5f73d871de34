/* read.c: reads the whole rows of a spool; stops at the first that is not whole. */
#include "store/spool/format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/spool/decode.h"
#include "util/alloc.h"

enum { FIRST_CAPACITY = 256 * 1024 };

struct spool_reader {
	int fd;
	char *path;
	uint64_t left;         /* bytes of the file that are not in the buffer yet */
	unsigned char *buffer; /* bytes [at, used) were read from the file and not taken yet */
	size_t at, used, capacity;
	struct spool_decoder *decoder;
	bool torn;
};

static int spool_read_read_error(const struct spool_reader *reader, struct error *err)
{
	return error_set(err, "cannot read %s: %s: check the disk", reader->path, strerror(errno));
}

/* Makes room for `size` bytes. The bytes that were not taken yet become the first of them. */
static void spool_read_reserve(struct spool_reader *reader, size_t size)
{
	memmove(reader->buffer, reader->buffer + reader->at, reader->used - reader->at);
	reader->used -= reader->at;
	reader->at = 0;
	if (size > reader->capacity) {
		reader->buffer = xrealloc(reader->buffer, size);
		reader->capacity = size;
	}
}

/* Reads until `size` bytes can be taken: 1; 0 if the file has fewer, -1 on error. */
static int spool_read_fill(struct spool_reader *reader, size_t size, struct error *err)
{
	if (size <= reader->used - reader->at)
		return 1;
	if (size - (reader->used - reader->at) > reader->left)
		return 0;
	spool_read_reserve(reader, size);
	while (reader->used < size) {
		size_t room = reader->capacity - reader->used;
		size_t part = room < reader->left ? room : (size_t)reader->left;
		ssize_t n = read(reader->fd, reader->buffer + reader->used, part);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? spool_read_read_error(reader, err) : 0;
		reader->used += (size_t)n;
		reader->left -= (uint64_t)n;
	}
	return 1;
}

static int spool_read_check_header(struct spool_reader *reader, struct error *err)
{
	struct spool_header header = {0};
	size_t size = reader->left < sizeof(header) ? (size_t)reader->left : sizeof(header);
	size_t magic = size < sizeof(header.magic) ? size : sizeof(header.magic);
	int rc = spool_read_fill(reader, size, err);

	if (rc < 0)
		return -1;
	memcpy(&header, reader->buffer, rc == 0 ? 0 : size);
	if (rc == 0 || memcmp(header.magic, SPOOL_MAGIC, magic) != 0)
		return error_set(err, "%s is no spool file of dbprof: delete it and record again", reader->path);
	reader->at = size;
	if (size < sizeof(header)) {
		reader->torn = true;
		return 0;
	}
	if (header.byte_order != SPOOL_BYTE_ORDER || header.schema != spool_schema())
		return error_set(
			err, "%s was written by another version of dbprof: delete it and record again", reader->path);
	return 0;
}

static int open_file(struct spool_reader *reader, struct error *err)
{
	struct stat st;

	/* O_NONBLOCK: a FIFO is to be refused, not waited for. */
	reader->fd = open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (reader->fd < 0 || fstat(reader->fd, &st) != 0)
		return spool_read_read_error(reader, err);
	if (!S_ISREG(st.st_mode))
		return error_set(err, "%s is no regular file: delete it and record again", reader->path);
	reader->left = (uint64_t)st.st_size;
	return spool_read_check_header(reader, err);
}

static struct spool_reader *new_reader(const char *path)
{
	struct spool_reader *reader = xcalloc(1, sizeof(*reader));

	reader->fd = -1;
	reader->path = xstrdup(path);
	reader->capacity = FIRST_CAPACITY;
	reader->buffer = xmalloc(reader->capacity);
	reader->decoder = spool_decoder_new();
	return reader;
}

struct spool_reader *spool_reader_open(const char *path, struct error *err)
{
	struct spool_reader *reader = new_reader(path);

	if (open_file(reader, err) != 0) {
		spool_reader_close(reader);
		return NULL;
	}
	return reader;
}

uint64_t spool_reader_size(const struct spool_reader *reader)
{
	return reader->left + (reader->used - reader->at);
}

/* Reads the length of the next row's body: 1; 0 if there is no whole one, -1 on error. */
static int take_length(struct spool_reader *reader, size_t *length, struct error *err)
{
	uint64_t there = spool_reader_size(reader), x;
	const unsigned char *at;
	int rc = spool_read_fill(reader, there < SPOOL_MAX_VARINT ? (size_t)there : SPOOL_MAX_VARINT, err);

	if (rc <= 0)
		return rc;
	at = reader->buffer + reader->at;
	if (!spool_take_varint(&at, reader->buffer + reader->used, &x) || x > SPOOL_MAX_ROW)
		return 0;
	reader->at = (size_t)(at - reader->buffer);
	*length = (size_t)x;
	return 1;
}

/* As spool_reader_next(), but 0 also for a row that is not whole. */
static int next_row(struct spool_reader *reader, struct spool_record *record, struct error *err)
{
	const unsigned char *body;
	uint32_t checksum;
	size_t length;
	int rc = take_length(reader, &length, err);

	if (rc > 0)
		rc = spool_read_fill(reader, length + sizeof(checksum), err);
	if (rc <= 0)
		return rc;
	body = reader->buffer + reader->at;
	memcpy(&checksum, body + length, sizeof(checksum));
	reader->at += length + sizeof(checksum);
	return spool_decode(reader->decoder, body, length, checksum, record);
}

int spool_reader_next(struct spool_reader *reader, struct spool_record *record, struct error *err)
{
	int rc;

	if (reader->torn || spool_reader_size(reader) == 0)
		return 0;
	rc = next_row(reader, record, err);
	reader->torn = rc == 0;
	return rc;
}

bool spool_reader_torn(const struct spool_reader *reader)
{
	return reader->torn;
}

void spool_reader_close(struct spool_reader *reader)
{
	if (!reader)
		return;
	if (reader->fd >= 0)
		close(reader->fd);
	spool_decoder_free(reader->decoder);
	free(reader->buffer);
	free(reader->path);
	free(reader);
}
