/* copy.c: hands out the bytes of a recording, as an SQLite file and compressed. */
#include <stdlib.h>
#include <string.h>

#include "store/packed/packed.h"
#include "store/store-private.h"
#include "util/alloc.h"

enum { COPY_PIECE = 1 << 20 };

/* Takes the next piece of `size` bytes. */
typedef int copy_take(void *taker, const char *data, size_t size, bool last, struct error *err);

/* By SQLite's own descriptor: what was unpacked has no name, and the name of another may lead elsewhere by now. */
static int copy_pieces(struct store *store, copy_take *take, void *taker, struct error *err)
{
	sqlite3_file *file = NULL;
	char *piece;
	int rc = 0;

	if (sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file->pMethods)
		return store_unreadable(store, err);
	piece = xmalloc(COPY_PIECE);
	for (int64_t at = 0; rc == 0 && at < store->length; at += COPY_PIECE) {
		int64_t left = store->length - at, size = left < COPY_PIECE ? left : COPY_PIECE;

		if (file->pMethods->xRead(file, piece, (int)size, at) != SQLITE_OK)
			rc = store_unreadable(store, err);
		else
			rc = take(taker, piece, (size_t)size, size == left, err);
	}
	free(piece);
	return rc;
}

/* Who wants the pieces. */
struct copying {
	store_put *put;
	void *user;
	struct packing *packing; /* NULL: they are not compressed */
};

static int take_piece(void *taker, const char *data, size_t size, bool last, struct error *err)
{
	const struct copying *copying = taker;

	if (copying->packing)
		return packing_add(copying->packing, data, size, last, copying->put, copying->user, err);
	return copying->put(copying->user, data, size, err);
}

static int check_holes(const struct store *store, struct error *err)
{
	if (store->length <= packed_limit(store->size) || store->length == store->size)
		return 0;
	return error_set(err, "%s is mostly holes: copy it with `cp --sparse=never`, if you trust it", store->path);
}

int store_copy(struct store *store, store_put *put, void *user, struct error *err)
{
	struct copying copying = {put, user, NULL};

	return check_holes(store, err) < 0 ? -1 : copy_pieces(store, take_piece, &copying, err);
}

static int would_not_open(const struct store *store, struct error *err)
{
	return error_set(err,
		"%s cannot be compressed: it is larger than 4 GB, or shrinks to less than a twentieth, and would then "
		"not "
		"be opened",
		store->path);
}

int store_pack(struct store *store, store_put *put, void *user, struct error *err)
{
	struct copying copying = {put, user, NULL};
	int rc = check_holes(store, err);

	if (rc < 0)
		return -1;
	if (store->length > PACKED_MOST)
		return would_not_open(store, err);
	copying.packing = packing_start(store->length);
	rc = copy_pieces(store, take_piece, &copying, err);
	if (rc == 0 && packed_limit(packing_size(copying.packing)) < store->length)
		rc = would_not_open(store, err);
	packing_free(copying.packing);
	return rc;
}
