/* unpack.c: what is compressed becomes a file without a name. */
#include "store/packed/packed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "store/packed/scratch.h"
#include "util/alloc.h"
#include "util/file/file.h"

enum { WINDOW_LOG_MOST = 27 };

bool packed_is(const unsigned char *header, size_t size)
{
	/* A frame, or a frame to be skipped, which compressors of several threads begin with:
	 * https://datatracker.ietf.org/doc/html/rfc8878#section-3.1 */
	static const unsigned char frame[4] = {0x28, 0xb5, 0x2f, 0xfd}, skipped[3] = {0x2a, 0x4d, 0x18};

	if (size < sizeof(frame))
		return false;
	return memcmp(header, frame, sizeof(frame)) == 0 ||
	       ((header[0] & 0xf0) == 0x50 && memcmp(header + 1, skipped, sizeof(skipped)) == 0);
}

int64_t packed_limit(int64_t size)
{
	int64_t limit = size < PACKED_MOST / PACKED_TIMES ? size * PACKED_TIMES : PACKED_MOST;

	return limit < PACKED_SMALL ? PACKED_SMALL : limit;
}

struct unpacking {
	int from, to;
	const char *path;
	ZSTD_DCtx *context;
	char *in, *out;      /* of ZSTD_DStreamInSize() and ZSTD_DStreamOutSize() bytes */
	int64_t read, wrote; /* bytes so far */
	int64_t size;        /* of the file */
	int64_t limit;       /* of what may come out */
	struct error *err;
};

/* ---- where a frame ends: https://datatracker.ietf.org/doc/html/rfc8878#section-3.1.1 ---- */

/* Blocks have up to 128 KiB: what unpacks to 4 GB needs half as many. More of them are not looked at. */
enum { BLOCKS_MOST = 1 << 16 };

/* The bytes of the frame's header by the descriptor in it. */
static int64_t frame_header_size(unsigned char descriptor)
{
	static const int64_t dictionary[] = {0, 1, 2, 4}, contents[] = {0, 2, 4, 8};
	bool single = (descriptor & 0x20) != 0;
	int64_t size = 4 + 1 + (single ? 0 : 1) + dictionary[descriptor & 3] + contents[descriptor >> 6];

	return size + (single && descriptor >> 6 == 0 ? 1 : 0);
}

/* Where the block ends whose header is given, if it begins at `at`. */
static int64_t end_of_block(const unsigned char header[3], int64_t at)
{
	int64_t size = (header[0] | header[1] << 8 | header[2] << 16) >> 3;
	bool repeats = (header[0] >> 1 & 3) == 1; /* one byte */

	return at + 3 + (repeats ? 1 : size);
}

/* Whether the file ends before its frame does. Only headers of blocks are read. */
static bool is_cut_short(const struct unpacking *u)
{
	unsigned char descriptor, header[3] = {0};
	int64_t at;

	if (pread(u->from, &descriptor, 1, 4) != 1)
		return true;
	at = frame_header_size(descriptor);
	for (int i = 0; i < BLOCKS_MOST; i++) {
		if (pread(u->from, header, sizeof(header), at) != (ssize_t)sizeof(header))
			return true;
		at = end_of_block(header, at);
		if (at > u->size)
			return true;
		if (header[0] & 1) /* the last one; a checksum may follow */
			return at + ((descriptor & 4) != 0 ? 4 : 0) > u->size;
	}
	return false;
}

/* ---- errors ---- */

static int not_whole(const struct unpacking *u)
{
	return error_set(u->err, "%s is truncated: copy it again, or record again", u->path);
}

static int too_much(const struct unpacking *u)
{
	/* A part of a file is small beside what the whole of it unpacks to. */
	if (is_cut_short(u))
		return not_whole(u);
	if (u->limit == PACKED_MOST)
		return error_set(
			u->err, "%s unpacks to more than 4 GB: unpack it with `zstd -d`, if you trust it", u->path);
	return error_set(u->err, "%s unpacks to more than %d times its size: unpack it with `zstd -d`, if you trust it",
		u->path, (int)PACKED_TIMES);
}

static int zstd_error(const struct unpacking *u, size_t result)
{
	switch (ZSTD_getErrorCode(result)) {
	case ZSTD_error_memory_allocation:
		out_of_memory();
	case ZSTD_error_frameParameter_windowTooLarge:
		return error_set(u->err,
			"%s is compressed with a window of more than 128 MiB: unpack it with `zstd -d --long=31`, if "
			"you trust it",
			u->path);
	case ZSTD_error_dictionary_wrong:
		return error_set(
			u->err, "%s is compressed with a dictionary: unpack it with `zstd -d -D DICTIONARY`", u->path);
	default:
		return error_set(u->err, "%s is damaged: copy it again, or record again", u->path);
	}
}

/* Reads the next piece: its bytes, 0 at the end of the file, -1 with err. */
static ssize_t next_piece(struct unpacking *u)
{
	ssize_t n;

	while ((n = pread(u->from, u->in, ZSTD_DStreamInSize(), u->read)) < 0 && errno == EINTR)
		;
	if (n < 0)
		return error_system(u->err, "cannot read %s: %s: check the disk", u->path, strerror(errno));
	u->read += n;
	return n;
}

static int write_unpacked(struct unpacking *u, size_t size)
{
	int failed;

	u->wrote += (int64_t)size;
	if (u->wrote > u->limit)
		return too_much(u);
	failed = file_write_all(u->to, u->out, size);
	return failed == 0 ? 0 : scratch_error(u->err, "unpack", u->path, failed);
}

/* Unpacks all of `in`. *left becomes 0 when the frame ends. */
static int unpack_piece(struct unpacking *u, ZSTD_inBuffer *in, size_t *left)
{
	bool more = true;

	while (more && *left != 0) {
		ZSTD_outBuffer out = {u->out, ZSTD_DStreamOutSize(), 0};

		*left = ZSTD_decompressStream(u->context, &out, in);
		if (ZSTD_isError(*left) != 0)
			return zstd_error(u, *left);
		if (write_unpacked(u, out.pos) != 0)
			return -1;
		more = in->pos < in->size || out.pos == out.size;
	}
	return 0;
}

/* What the frame says of itself, before anything is written: a lie is found while it is unpacked. */
static int check_promise(const struct unpacking *u, ssize_t n)
{
	unsigned long long told = ZSTD_getFrameContentSize(u->in, (size_t)n);

	if (told == ZSTD_CONTENTSIZE_UNKNOWN || told == ZSTD_CONTENTSIZE_ERROR)
		return 0;
	return told > (unsigned long long)u->limit ? too_much(u) : 0;
}

static int unpack_frame(struct unpacking *u)
{
	size_t left = 1;
	ZSTD_inBuffer in;
	ssize_t n = next_piece(u);
	int rc = n < 0 ? -1 : check_promise(u, n);

	while (rc == 0 && left != 0) {
		if (n <= 0)
			return n < 0 ? -1 : not_whole(u);
		in = (ZSTD_inBuffer){u->in, (size_t)n, 0};
		rc = unpack_piece(u, &in, &left);
		if (rc == 0 && in.pos == in.size)
			n = next_piece(u);
	}
	/* The end of the frame has to be that of the file. */
	if (rc == 0 && n != 0)
		return n < 0 ? -1
			     : error_set(u->err,
				       "%s has more behind the end of its compressed data: copy it again, or compress "
				       "the recording again with `zstd`",
				       u->path);
	return rc;
}

/* A frame that is to be skipped would be followed by another one. */
static int check_first_frame(const struct unpacking *u)
{
	unsigned char magic[4] = {0};

	if (pread(u->from, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) && magic[0] != 0x28)
		return error_set(u->err, "%s is compressed in several pieces: compress the recording again with `zstd`",
			u->path);
	return 0;
}

static int unpack_into(struct unpacking *u)
{
	int rc;

	u->context = ZSTD_createDCtx();
	if (!u->context)
		out_of_memory();
	(void)ZSTD_DCtx_setParameter(u->context, ZSTD_d_windowLogMax, WINDOW_LOG_MOST);
	u->in = xmalloc(ZSTD_DStreamInSize());
	u->out = xmalloc(ZSTD_DStreamOutSize());
	rc = check_first_frame(u);
	if (rc == 0)
		rc = unpack_frame(u);
	free(u->in);
	free(u->out);
	ZSTD_freeDCtx(u->context);
	return rc;
}

int packed_unpack(int fd, const char *path, struct error *err)
{
	struct unpacking u = {.from = fd, .path = path, .err = err};
	struct stat st;

	if (fstat(fd, &st) != 0)
		return error_system(err, "cannot read %s: %s: check the disk", path, strerror(errno));
	u.size = st.st_size;
	u.limit = packed_limit(st.st_size);
	u.to = scratch_file();
	if (u.to < 0)
		return scratch_error(err, "unpack", path, errno);
	if (unpack_into(&u) == 0)
		return u.to;
	close(u.to);
	return -1;
}
