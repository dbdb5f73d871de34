/*
 * packed.h: recordings that are compressed with zstd. A compressed one is unpacked once, into a file without a name
 * (scratch.h), and read from there: memory does not grow with its size, and nothing is left after a kill.
 *
 * The file may come from anybody. It is one frame without a dictionary and with nothing behind it, its window is at
 * most 128 MiB (what `zstd -d` takes unless told otherwise), and it unpacks to at most PACKED_TIMES its own size and at
 * most PACKED_MOST. Up to PACKED_SMALL it may unpack to more than PACKED_TIMES: a recording of a few events is mostly
 * empty pages, and shrinks to a fortieth.
 */
#ifndef DBPROF_STORE_PACKED_PACKED_H
#define DBPROF_STORE_PACKED_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "util/error.h"

#define PACKED_TIMES INT64_C(20)
#define PACKED_SMALL INT64_C(1000000)   /* bytes */
#define PACKED_MOST INT64_C(4000000000) /* bytes */

/* Whether a file that begins with these bytes is compressed with zstd. */
bool packed_is(const unsigned char *header, size_t size);

/* What may come out of a file of `size` bytes, in bytes. */
int64_t packed_limit(int64_t size);

/* Unpacks the file that is open as `fd`; `path` is its name for messages. Returns the descriptor of a file without a
 * name, for reading and writing, or -1 with `err`. */
int packed_unpack(int fd, const char *path, struct error *err);

/* Packs `size` bytes, which come piece by piece. */
struct packing;
struct packing *packing_start(int64_t size);

/* The next of them; what is ready by now goes to `put`. The last piece is `last`. 0, or -1 with `err` if `put` fails.
 */
int packing_add(struct packing *packing, const void *data, size_t size, bool last, store_put *put, void *user,
	struct error *err);

/* How many bytes have gone to `put`. */
int64_t packing_size(const struct packing *packing);

void packing_free(struct packing *packing); /* NULL is allowed */

#endif
