/* nvtx.h: what the rows of NVTX_EVENTS are, and the names of their domains. */
#ifndef DBPROF_STORE_NVTX_H
#define DBPROF_STORE_NVTX_H

#include "store/store.h"

enum nvtx_kind { NVTX_OTHER, NVTX_MARK, NVTX_PUSH_POP, NVTX_START_END, NVTX_DOMAIN };

enum { NVTX_EVENT_TYPES = 256 };

/* Of one recording. Begins with nvtx_begin(), ends with nvtx_end(). */
struct nvtx {
	int16_t type[NVTX_EVENT_TYPES]; /* the schema's numbers of the file's */
	struct nvtx_domain *domains;    /* owned */
	size_t ndomains, room;
	bool sorted;
};

void nvtx_begin(struct nvtx *nvtx, struct store *store);
void nvtx_end(struct nvtx *nvtx);

/* What a row of NVTX_EVENTS is. Without a type, what has an end is a range. */
enum nvtx_kind nvtx_kind(const struct nvtx *nvtx, const struct cursor *row);

/* The same by a row's type, NULL where it has none, and by whether it has an end. */
enum nvtx_kind nvtx_kind_of(const struct nvtx *nvtx, const int64_t *type, bool ends);

/* The text of a row, in place or by its id; NULL if there is none. Lives until the next row. */
const char *nvtx_text(const struct cursor *row);

/* Remembers the name in a row that is an NVTX_DOMAIN. */
void nvtx_add_domain(struct nvtx *nvtx, const struct cursor *row);

/* The same for the name of a domain of the thread's process; NULL is no name. */
void nvtx_name_domain(struct nvtx *nvtx, int64_t thread, int64_t id, const char *name);

/* The name of a domain of the thread's process, once all are added; NULL for the default one. Lives as long as `nvtx`.
 */
const char *nvtx_domain(struct nvtx *nvtx, int64_t thread, int64_t id);

#endif
